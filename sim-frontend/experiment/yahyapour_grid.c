/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/yahyapour_grid.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/grid/homes.h"
#include "sim-frontend/grid/measure.h"
#include "sim-frontend/util/text.h"

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

/* --- a task ----------------------------------------------------------------------------- */

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

static int run_rows(struct lxfw_g_plan *plan, const struct task *task,
		    const struct lxfw_trace *trace, const int32_t *homes,
		    const struct lxfw_sites *sites, struct lxfw_error *error)
{
	struct lxfw_yahyapour_grid *of = plan->of;
	bool at_home = all_fit(trace, homes, sites, true);
	bool at_one = all_fit(trace, homes, sites, false);

	for (int row = 0; row < LXFW_G_ROWS; row++) {
		double *values = of->values[task->workload][task->split][row][task->config];

		if (row == LXFW_G_LOCAL ? !at_home : row < LXFW_G_MULTI && !at_one)
			continue;
		if (run_row(trace, homes, sites, of->overrun, row, values, error))
			return -1;
	}
	return 0;
}

static int work(void *context, size_t number, struct lxfw_error *error)
{
	struct lxfw_g_plan *plan = context;
	struct task task = task_of(number);
	struct lxfw_sites sites = { 0 };
	struct lxfw_trace trace = { 0 };
	int32_t *homes = NULL;
	int failed = lxfw_g_make_sites(&sites, task.config, error);

	if (!failed && lxfw_g_copy_jobs(&plan->traces[task.workload], 0,
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

int lxfw_yahyapour_grid_run(struct lxfw_yahyapour_grid *experiment, int threads,
			    void (*progress)(size_t done, size_t all),
			    struct lxfw_error *error)
{
	struct lxfw_g_plan plan = {
		.of = experiment, .count = TASKS, .work = work, .progress = progress,
		.log = experiment->log, .seed = experiment->seed, .base = experiment->base,
		.values = &experiment->values[0][0][0][0][0],
		.value_count = sizeof(experiment->values) / sizeof(double),
	};
	int failed = lxfw_g_carry_out(&plan, threads, error);

	for (int i = 0; i < LXFW_G_WORKLOADS; i++)
		experiment->counts[i] = plan.sizes[i];
	return failed;
}
