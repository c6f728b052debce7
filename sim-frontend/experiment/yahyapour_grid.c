/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/yahyapour_grid.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/grid/homes.h"
#include "sim-frontend/grid/measure.h"
#include "sim-frontend/util/pool.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/workload/remade.h"

/* Jobs of the log at which the extracts begin (table 5.2; the second one is called 30_40k). */
static const size_t begins[] = { 10000, 30000, 60000 };

struct plan {
	struct lxfw_yahyapour_grid *of;
	struct lxfw_trace traces[LXFW_G_WORKLOADS];
	void (*progress)(size_t done, size_t all);
	size_t done;
};

/* A task: all rows of a workload, a treatment of wide jobs and a configuration. */
struct task {
	int workload, split, config;
};

#define TASKS (LXFW_G_WORKLOADS * LXFW_G_SPLITS * LXFW_G_CONFIGS)

static struct task task_of(size_t number)
{
	return (struct task){
		.workload = (int)(number / (LXFW_G_SPLITS * LXFW_G_CONFIGS)),
		.split = (int)(number / LXFW_G_CONFIGS % LXFW_G_SPLITS),
		.config = (int)(number % LXFW_G_CONFIGS),
	};
}

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* --- workloads ------------------------------------------------------------------------- */

/* COUNT jobs of the log in the order of submission, from position FIRST on. */
static int copy_jobs(const struct lxfw_trace *log, size_t first, size_t count,
		     struct lxfw_trace *to)
{
	*to = (struct lxfw_trace){ .jobs = malloc((count + 1) * sizeof(*to->jobs)) };
	if (!to->jobs)
		return -1;
	to->size = count + 1;
	for (size_t i = first; i < log->count && to->count < count; i++)
		to->jobs[to->count++] = log->jobs[lxfw_trace_at(log, i)];
	return 0;
}

static int make_workloads(struct plan *plan, struct lxfw_error *error)
{
	struct lxfw_yahyapour_grid *of = plan->of;
	size_t least = begins[LXFW_G_60K] + LXFW_G_JOBS;

	if (of->log->count < least)
		return lxfw_error_format(error, "the log has %zu jobs, expected %zu or more: "
					 "the workloads are its jobs from 10000, 30000 and "
					 "60000 on", of->log->count, least);
	for (int i = 0; i < LXFW_G_SYN; i++) {
		if (copy_jobs(of->log, begins[i], LXFW_G_JOBS, &plan->traces[i]))
			return out_of_memory(error);
	}
	if (lxfw_remade_binned(&plan->traces[LXFW_G_SYN], of->log, of->base, LXFW_G_JOBS,
			       of->seed))
		return out_of_memory(error);
	for (int i = 0; i < LXFW_G_WORKLOADS; i++)
		of->counts[i] = plan->traces[i].count;
	return 0;
}

/* --- a task ----------------------------------------------------------------------------- */

static int make_sites(struct lxfw_sites *sites, int config, struct lxfw_error *error)
{
	const struct lxfw_g_config *of = &lxfw_g_configs[config];
	char name[24];

	for (int i = 0; i < 4 && of->sites[i].count > 0; i++) {
		for (int j = 0; j < of->sites[i].count; j++) {
			snprintf(name, sizeof(name), "s%d", (int)sites->count + 1);
			if (lxfw_sites_add(sites, name, of->sites[i].procs, error))
				return -1;
		}
	}
	return 0;
}

static int split(struct lxfw_trace *trace, int32_t **homes, const struct lxfw_sites *sites,
		 int how)
{
	int32_t *most = calloc((size_t)sites->count, sizeof(*most));
	size_t count;
	int failed = -1;

	for (int32_t i = 0; i < sites->count && most; i++)
		most[i] = how == LXFW_G_OWN ? (int32_t)sites->list[i].cluster.procs :
			  how == LXFW_G_LARGEST ? lxfw_sites_largest(sites) : 64;
	if (most)
		failed = how == LXFW_G_ORG ? 0 : lxfw_homes_split(trace, homes, most, &count);
	free(most);
	return failed;
}

/* Whether each job fits at its own site, or at one of the sites. */
static bool all_fit(const struct lxfw_trace *trace, const int32_t *homes,
		    const struct lxfw_sites *sites, bool local)
{
	int32_t largest = lxfw_sites_largest(sites);

	for (size_t i = 0; i < trace->count; i++) {
		if (trace->jobs[i].procs > (local ? sites->list[homes[i]].cluster.procs :
						    largest))
			return false;
	}
	return true;
}

static const char *broker_of(int row)
{
	return row == LXFW_G_LOCAL ? "local" : row == LXFW_G_SHARING ? "best_fit" :
	       row == LXFW_G_CENTRAL ? "central" : "multi_site";
}

static int run_row(const struct lxfw_trace *trace, const int32_t *homes,
		   const struct lxfw_sites *sites, enum lxfw_overrun overrun, int row,
		   double values[LXFW_G_METRICS], struct lxfw_error *error)
{
	const struct lxfw_simulation_options options = { .overrun = overrun };
	const char *name = broker_of(row);
	struct lxfw_grid_run run = {
		.trace = trace, .homes = homes, .sites = sites, .options = &options,
		.broker = lxfw_broker_find(name, strlen(name)),
		.params.overhead = row > LXFW_G_MULTI ? 50 * (row - LXFW_G_MULTI) : 0,
	};
	struct lxfw_grid_metrics metrics;
	int failed = lxfw_grid_simulate(&run, error);

	if (!failed && lxfw_grid_measure(&run, &metrics))
		failed = out_of_memory(error);
	if (!failed) {
		values[LXFW_G_AWRT] = metrics.all.awrt;
		values[LXFW_G_AWWT] = metrics.awwt;
		values[LXFW_G_SEVERAL] = (double)metrics.several / (double)metrics.all.jobs;
		values[LXFW_G_WORK] = metrics.several_work;
		lxfw_grid_metrics_clear(&metrics);
	}
	lxfw_grid_run_clear(&run);
	return failed;
}

static int run_rows(struct plan *plan, const struct task *task,
		    const struct lxfw_trace *trace, const int32_t *homes,
		    const struct lxfw_sites *sites, struct lxfw_error *error)
{
	bool at_home = all_fit(trace, homes, sites, true);
	bool at_one = all_fit(trace, homes, sites, false);

	for (int row = 0; row < LXFW_G_ROWS; row++) {
		double *values = plan->of->values[task->workload][task->split][row]
						 [task->config];

		if (row == LXFW_G_LOCAL ? !at_home : row < LXFW_G_MULTI && !at_one)
			continue;
		if (run_row(trace, homes, sites, plan->of->overrun, row, values, error))
			return -1;
	}
	return 0;
}

static int work(void *context, size_t number, struct lxfw_error *error)
{
	struct plan *plan = context;
	struct task task = task_of(number);
	struct lxfw_sites sites = { 0 };
	struct lxfw_trace trace = { 0 };
	int32_t *homes = NULL;
	int failed = make_sites(&sites, task.config, error);

	if (!failed && copy_jobs(&plan->traces[task.workload], 0,
				plan->traces[task.workload].count, &trace) == 0)
		homes = lxfw_homes_choose(&trace, sites.count, LXFW_HOMES_ROUND_ROBIN);
	if (!failed && (!homes || split(&trace, &homes, &sites, task.split)))
		failed = out_of_memory(error);
	if (!failed)
		failed = run_rows(plan, &task, &trace, homes, &sites, error);
	free(homes);
	lxfw_trace_clear(&trace);
	lxfw_sites_clear(&sites);
	return failed;
}

static void over(void *context, size_t number)
{
	struct plan *plan = context;

	(void)number;
	plan->done++;
	if (plan->progress)
		plan->progress(plan->done, TASKS);
}

int lxfw_yahyapour_grid_run(struct lxfw_yahyapour_grid *experiment, int threads,
			    void (*progress)(size_t done, size_t all),
			    struct lxfw_error *error)
{
	struct plan plan = { .of = experiment, .progress = progress };
	const struct lxfw_pool pool = {
		.context = &plan, .count = TASKS, .threads = threads, .work = work,
		.over = over,
	};
	double *values = &experiment->values[0][0][0][0][0];
	int failed;

	for (size_t i = 0; i < sizeof(experiment->values) / sizeof(*values); i++)
		values[i] = (double)NAN;
	failed = make_workloads(&plan, error);
	if (!failed)
		failed = lxfw_pool_carry_out(&pool, error);
	for (int i = 0; i < LXFW_G_WORKLOADS; i++)
		lxfw_trace_clear(&plan.traces[i]);
	return failed;
}
