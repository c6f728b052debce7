/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/huang_grid.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/grid/run.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/util/pool.h"
#include "sim-frontend/util/text.h"

#define LOAD 10		/* times the run times of the log */
#define RANGES 10	/* of errors: 10, 20, ... 100 % */
#define DISTRIBUTIONS 2

static const int32_t site_procs[LXFW_HG_SITES] = { 8, 128, 128, 128, 50 };
static const struct {
	const char *broker;
	int32_t threshold;	/* per cent: the paper's best one in its table 3 */
} rules[LXFW_HG_RULES] = { { "adaptive", 200 }, { "adaptive_procs", 210 } };

/* (1,3,5,7,9) and (1,3,7,9,5) */
const int lxfw_hg_vectors[LXFW_HG_VECTORS] = { 0, 3 };

/* The tasks: a case, then a vector of table 6 with a distribution and a seed. */
struct experiment {
	struct lxfw_huang_grid *of;
	int32_t *homes;			/* by the job's position */
	void (*progress)(size_t done, size_t all);
	size_t done, all;
};

void lxfw_hg_speeds(int number, int speeds[LXFW_HG_SITES])
{
	int left[LXFW_HG_SITES] = { 1, 3, 5, 7, 9 }, block = LXFW_HG_CASES;

	for (int i = 0; i < LXFW_HG_SITES; i++) {
		int at;

		block /= LXFW_HG_SITES - i;
		at = number / block;
		number %= block;
		speeds[i] = left[at];
		for (; at + 1 < LXFW_HG_SITES - i; at++)
			left[at] = left[at + 1];
	}
}

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* --- the log ------------------------------------------------------------------------ */

static bool is_used(void *context, const struct lxfw_trace_job *job)
{
	struct lxfw_huang_grid *of = context;
	const struct lxfw_trace_owner *owner = &of->log->owners[job - of->log->jobs];
	bool has_site = owner->queue >= 1 && owner->queue <= LXFW_HG_SITES &&
			job->procs <= site_procs[owner->queue - 1];

	if (owner->status >= 0 && owner->status != LXFW_ACCOUNT_COMPLETED) {
		of->not_completed++;
		return false;
	}
	of->no_site += !has_site;
	return has_site;
}

static int take_log(struct experiment *experiment, struct lxfw_error *error)
{
	struct lxfw_trace *log = experiment->of->log;
	size_t left_out;

	if (lxfw_trace_filter(log, is_used, experiment->of, &left_out))
		return out_of_memory(error);
	if (log->count == 0)
		return lxfw_error_at(error, experiment->of->path, 0, "no completed job of "
				     "queues 1 to %d that fits at the site of its queue",
				     LXFW_HG_SITES);
	experiment->homes = malloc(log->count * sizeof(*experiment->homes));
	if (!experiment->homes)
		return out_of_memory(error);
	for (size_t i = 0; i < log->count; i++) {
		experiment->homes[i] = log->owners[i].queue - 1;
		log->jobs[i].run *= LOAD;
	}
	return 0;
}

/* --- simulations -------------------------------------------------------------------- */

static int make_sites(struct lxfw_sites *sites, int number, struct lxfw_error *error)
{
	int speeds[LXFW_HG_SITES];
	char name[8];

	*sites = (struct lxfw_sites){ 0 };
	lxfw_hg_speeds(number, speeds);
	for (int i = 0; i < LXFW_HG_SITES; i++) {
		snprintf(name, sizeof(name), "s%d", i + 1);
		if (lxfw_sites_add(sites, name, site_procs[i], error) ||
		    lxfw_params_parse(&sites->list[i].params, "lxfw_policy=fcfs", NULL, NULL,
				      error) < 0)
			return -1;
		sites->list[i].speed = LXFW_GRID_SPEED * speeds[i];
	}
	return 0;
}

/* Sets *MEAN to the mean turnaround time of a row. TRACE has estimates with errors, unless
   it is the log. */
static int simulate(const struct experiment *experiment, const struct lxfw_trace *trace,
		    const struct lxfw_sites *sites, int row, double *mean,
		    struct lxfw_error *error)
{
	const struct lxfw_simulation_options options = {
		.factor = 1, .estimates = trace == experiment->of->log ?
			LXFW_ESTIMATES_EXACT : LXFW_ESTIMATES_REQUESTED,
	};
	int rule = (row - 1) / LXFW_HG_ESTIMATES, estimates = (row - 1) % LXFW_HG_ESTIMATES;
	const char *broker = row == LXFW_HG_LOCAL ? "local" : rules[rule].broker;
	struct lxfw_grid_run run = {
		.trace = trace, .homes = experiment->homes, .sites = sites,
		.options = &options, .broker = lxfw_broker_find(broker, strlen(broker)),
		.params.threshold = row == LXFW_HG_LOCAL || estimates == LXFW_HG_NONE ? 0 :
				    rules[rule].threshold,
	};
	double sum = 0;
	int failed = lxfw_grid_simulate(&run, error);

	for (size_t i = 0; !failed && i < trace->count; i++)
		sum += (double)(run.ends[i] - trace->jobs[i].submit);
	*mean = sum / (double)trace->count;
	lxfw_grid_run_clear(&run);
	return failed;
}

/* Both rules with errors. MEANS is by row; a mean is replaced by a larger one. */
static int simulate_errors(const struct experiment *experiment, const struct lxfw_sites *sites,
			   uint64_t seed, int distribution, int range, double *means,
			   struct lxfw_error *error)
{
	struct lxfw_trace trace;
	int failed = 0;

	if (lxfw_huang_errors(experiment->of->log, seed, distribution, range, &trace))
		return out_of_memory(error);
	for (int i = 0; i < LXFW_HG_RULES && !failed; i++) {
		int row = LXFW_HG_ROW(i, LXFW_HG_UNIFORM + distribution);
		double mean;

		failed = simulate(experiment, &trace, sites, row, &mean, error);
		means[row] = fmax(means[row], mean);
	}
	lxfw_trace_clear(&trace);
	return failed;
}

static int simulate_case(const struct experiment *experiment, const struct lxfw_sites *sites,
			 double *means, struct lxfw_error *error)
{
	struct lxfw_huang_grid *of = experiment->of;

	for (int row = 0; row < LXFW_HG_ROWS; row++) {
		means[row] = 0;
		if (row > 0 && (row - 1) % LXFW_HG_ESTIMATES > LXFW_HG_EXACT)
			continue;
		if (simulate(experiment, of->log, sites, row, &means[row], error))
			return -1;
	}
	for (int i = 0; i < DISTRIBUTIONS; i++) {
		if (simulate_errors(experiment, sites, of->first_seed, i, 100, means, error))
			return -1;
	}
	return 0;
}

static int simulate_ranges(const struct experiment *experiment,
			   const struct lxfw_sites *sites, int vector, int distribution,
			   int seed, struct lxfw_error *error)
{
	struct lxfw_huang_grid *of = experiment->of;
	double means[LXFW_HG_ROWS] = { 0 };

	for (int i = 1; i <= RANGES; i++) {
		if (simulate_errors(experiment, sites, of->first_seed + (uint64_t)seed,
				    distribution, 100 / RANGES * i, means, error))
			return -1;
	}
	for (int i = 0; i < LXFW_HG_RULES; i++) {
		int row = LXFW_HG_ROW(i, LXFW_HG_UNIFORM + distribution);

		of->worst[vector][row][seed] = means[row];
	}
	return 0;
}

static int work(void *context, size_t task, struct lxfw_error *error)
{
	const struct experiment *experiment = context;
	int rest = (int)task - LXFW_HG_CASES, vector = rest % LXFW_HG_VECTORS;
	struct lxfw_sites sites;
	int failed = make_sites(&sites, rest < 0 ? (int)task : lxfw_hg_vectors[vector], error);

	if (!failed && rest < 0)
		failed = simulate_case(experiment, &sites, experiment->of->cases[task],
				       error);
	else if (!failed)
		failed = simulate_ranges(experiment, &sites, vector,
					 rest / LXFW_HG_VECTORS % DISTRIBUTIONS,
					 rest / (LXFW_HG_VECTORS * DISTRIBUTIONS), error);
	lxfw_sites_clear(&sites);
	return failed;
}

static void over(void *context, size_t task)
{
	struct experiment *experiment = context;

	(void)task;
	experiment->done++;
	if (experiment->progress)
		experiment->progress(experiment->done, experiment->all);
}

int lxfw_huang_grid_run(struct lxfw_huang_grid *of, int threads,
			void (*progress)(size_t done, size_t all), struct lxfw_error *error)
{
	struct experiment experiment = {
		.of = of, .progress = progress,
		.all = (size_t)(LXFW_HG_CASES + LXFW_HG_VECTORS * DISTRIBUTIONS * of->seeds),
	};
	const struct lxfw_pool pool = {
		.context = &experiment, .count = experiment.all, .threads = threads,
		.work = work, .over = over,
	};
	int failed = take_log(&experiment, error);

	if (!failed)
		failed = lxfw_pool_carry_out(&pool, error);
	free(experiment.homes);
	return failed;
}
