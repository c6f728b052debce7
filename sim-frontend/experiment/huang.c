/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/huang.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/util/pool.h"
#include "sim-frontend/util/random.h"
#include "sim-frontend/util/text.h"

enum { UNIFORM, NORMAL };

/* The simulations with exact estimates, as tasks: three policies without estimates, then
   the thresholds of two. */
#define NO_ESTIMATES 3
#define EXACT_TASKS (NO_ESTIMATES + LXFW_HE_ROWS * LXFW_HUANG_THRESHOLDS)

/* The tasks of a seed with errors: ranges but the first, of two distributions. Each is two
   simulations. */
#define ERROR_TASKS (2 * (LXFW_H_RANGES - 1))

struct experiment {
	struct lxfw_huang *of;
	struct lxfw_cluster cluster;
	void (*progress)(size_t done, size_t all);	/* in jobs */
	size_t done;			/* simulations */
};

/* --- the log ------------------------------------------------------------------------ */

static bool is_used(void *context, const struct lxfw_trace_job *job)
{
	struct lxfw_huang *of = context;
	int32_t status = of->log->owners[job - of->log->jobs].status;

	if (status >= 0 && status != LXFW_ACCOUNT_COMPLETED) {
		of->not_completed++;
		return false;
	}
	of->too_large += job->procs > LXFW_HUANG_PROCS;
	return job->procs <= LXFW_HUANG_PROCS;
}

/* Table 1, of the jobs that are used. */
static void describe_queues(struct lxfw_huang *of)
{
	for (size_t i = 0; i < of->log->count; i++) {
		const struct lxfw_trace_job *job = &of->log->jobs[i];
		int32_t number = of->log->owners[i].queue;
		struct lxfw_huang_queue *queue;

		if (number < 1 || number > LXFW_HUANG_QUEUES)
			continue;
		queue = &of->queues[number - 1];
		queue->jobs++;
		queue->longest_run = fmax(queue->longest_run, (double)job->run);
		queue->mean_run += (double)job->run;
		queue->most_procs = fmax(queue->most_procs, job->procs);
		queue->mean_procs += job->procs;
	}
	for (int i = 0; i < LXFW_HUANG_QUEUES; i++) {
		struct lxfw_huang_queue *queue = &of->queues[i];

		if (queue->jobs > 0) {
			queue->mean_run /= queue->jobs;
			queue->mean_procs /= queue->jobs;
		}
	}
}

static int take_log(struct lxfw_huang *of, struct lxfw_error *error)
{
	size_t left_out;

	if (lxfw_trace_filter(of->log, is_used, of, &left_out)) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	if (of->log->count == 0)
		return lxfw_error_at(error, of->path, 0, "no completed job of at most %d "
				     "processors", LXFW_HUANG_PROCS);
	describe_queues(of);
	return 0;
}

/* The relative error of an estimate in units of the range, -1 to 1. */
static double draw_error(struct lxfw_random *random, int distribution)
{
	double error;

	if (distribution == UNIFORM)
		return 2 * lxfw_random_uniform(random) - 1;
	do
		error = lxfw_random_normal(random) / 3;
	while (fabs(error) > 1);
	return error;
}

int lxfw_huang_errors(const struct lxfw_trace *log, uint64_t seed, int distribution, int range,
		      struct lxfw_trace *copy)
{
	struct lxfw_random random;

	if (lxfw_trace_copy(copy, log))
		return -1;
	lxfw_random_seed(&random, seed, (uint64_t)distribution);
	for (size_t i = 0; i < copy->count; i++) {
		double factor = 1 + draw_error(&random, distribution) * range / 100;
		double estimate = floor((double)copy->jobs[i].run * factor + 0.5);

		copy->jobs[i].limit = estimate < 1 ? 1 : (int64_t)estimate;
	}
	return 0;
}

/* --- simulations -------------------------------------------------------------------- */

/* Sets *MEAN to the mean turnaround time under a policy. Returns 0, or -1 with errno and
   ERROR set. */
static int simulate(const struct experiment *experiment, const struct lxfw_trace *trace,
		    enum lxfw_estimates estimates, const char *params, double *mean,
		    struct lxfw_error *error)
{
	struct lxfw_simulation_options options = { .estimates = estimates, .factor = 1 };
	struct lxfw_simulation sim = {
		.trace = trace, .cluster = &experiment->cluster, .options = &options,
	};
	double sum = 0;
	int rc;

	if (lxfw_params_parse(&options.params, params, NULL, NULL, error) < 0)
		return -1;
	rc = lxfw_simulation_run(&sim, NULL, error);
	for (size_t i = 0; rc == 0 && i < trace->count; i++)
		sum += (double)(sim.ends[i] - trace->jobs[i].submit);
	*mean = sum / (double)trace->count;
	lxfw_simulation_clear(&sim);
	return rc;
}

/* Simulates scaling down, or up and down, with a threshold in per cent; 0: without
   estimates. */
static int simulate_mold(const struct experiment *experiment,
			 const struct lxfw_trace *trace, enum lxfw_estimates estimates,
			 int policy, int threshold, double *mean, struct lxfw_error *error)
{
	char params[100];

	snprintf(params, sizeof(params),
		 "lxfw_policy=fcfs_moldable,lxfw_mold=%s,lxfw_mold_threshold=%d",
		 policy == LXFW_HE_DOWN ? "down" : "both", threshold);
	return simulate(experiment, trace, estimates, params, mean, error);
}

static int work_exact(void *context, size_t task, struct lxfw_error *error)
{
	struct experiment *experiment = context;
	struct lxfw_huang *of = experiment->of;
	int policy, at;

	if (task == 0)
		return simulate(experiment, of->log, LXFW_ESTIMATES_EXACT,
				"lxfw_policy=fcfs", &of->table3[LXFW_H_NONE], error);
	if (task < NO_ESTIMATES) {
		policy = (int)task - 1;
		return simulate_mold(experiment, of->log, LXFW_ESTIMATES_EXACT, policy, 0,
				     &of->table3[policy == LXFW_HE_DOWN ? LXFW_H_DOWN :
								  LXFW_H_BOTH], error);
	}
	policy = (int)(task - NO_ESTIMATES) / LXFW_HUANG_THRESHOLDS;
	at = (int)(task - NO_ESTIMATES) % LXFW_HUANG_THRESHOLDS;
	return simulate_mold(experiment, of->log, LXFW_ESTIMATES_EXACT, policy,
			     lxfw_huang_thresholds[at], &of->searched[policy][at], error);
}

static int work_errors(void *context, size_t task, struct lxfw_error *error)
{
	struct experiment *experiment = context;
	struct lxfw_huang *of = experiment->of;
	size_t seed = task / ERROR_TASKS;
	int distribution = (int)(task % ERROR_TASKS) / (LXFW_H_RANGES - 1);
	int range = (int)(task % ERROR_TASKS) % (LXFW_H_RANGES - 1) + 1;
	struct lxfw_trace trace;
	int rc = 0;

	if (lxfw_huang_errors(of->log, of->first_seed + seed, distribution,
			      lxfw_huang_ranges[distribution][range], &trace)) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	for (int i = 0; i < LXFW_HE_ROWS && rc == 0; i++)
		rc = simulate_mold(experiment, &trace, LXFW_ESTIMATES_REQUESTED, i,
				   lxfw_huang_thresholds[of->best[i]],
				   &of->errors[distribution][i][range][seed], error);
	lxfw_trace_clear(&trace);
	return rc;
}

static void report(struct experiment *experiment, size_t simulations)
{
	const struct lxfw_huang *of = experiment->of;
	size_t all = EXACT_TASKS + (size_t)of->seeds * ERROR_TASKS * LXFW_HE_ROWS;

	experiment->done += simulations;
	if (experiment->progress)
		experiment->progress(experiment->done * of->log->count,
				     all * of->log->count);
}

static void exact_over(void *context, size_t task)
{
	(void)task;
	report(context, 1);
}

static void errors_over(void *context, size_t task)
{
	(void)task;
	report(context, LXFW_HE_ROWS);
}

/* The threshold with the shortest mean turnaround time, the lower one of two equal ones. */
static void choose_threshold(struct lxfw_huang *of, int policy)
{
	int row = policy == LXFW_HE_DOWN ? LXFW_H_DOWN_EST : LXFW_H_BOTH_EST;

	for (int i = 1; i < LXFW_HUANG_THRESHOLDS; i++) {
		if (of->searched[policy][i] < of->searched[policy][of->best[policy]])
			of->best[policy] = i;
	}
	of->table3[row] = of->searched[policy][of->best[policy]];
	for (int i = 0; i < 2 * of->seeds; i++)
		of->errors[i % 2][policy][0][i / 2] = of->table3[row];
}

int lxfw_huang_run(struct lxfw_huang *of, int threads,
		   void (*progress)(size_t done, size_t all), struct lxfw_error *error)
{
	struct experiment experiment = { .of = of, .progress = progress };
	const struct lxfw_pool exact = {
		.context = &experiment, .count = EXACT_TASKS, .threads = threads,
		.work = work_exact, .over = exact_over,
	};
	const struct lxfw_pool errors = {
		.context = &experiment, .count = (size_t)of->seeds * ERROR_TASKS,
		.threads = threads, .work = work_errors, .over = errors_over,
	};
	int rc = take_log(of, error);

	if (rc == 0)
		rc = lxfw_cluster_procs(&experiment.cluster, LXFW_HUANG_PROCS, error);
	if (rc == 0)
		rc = lxfw_pool_carry_out(&exact, error);
	if (rc == 0) {
		choose_threshold(of, LXFW_HE_DOWN);
		choose_threshold(of, LXFW_HE_BOTH);
		rc = lxfw_pool_carry_out(&errors, error);
	}
	lxfw_cluster_clear(&experiment.cluster);
	return rc;
}
