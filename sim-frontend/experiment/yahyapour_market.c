/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/yahyapour_market.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/grid/homes.h"
#include "sim-frontend/grid/market.h"
#include "sim-frontend/grid/measure.h"

/* Which market a row is. */
static const struct { const char *name, *machine, *utility; } rows[LXFW_M_ROWS] = {
	[LXFW_M_CONVENTIONAL] = { "conventional", NULL, NULL },
	[LXFW_M_MF1_UF1] = { "MF1/UF1", "MF1", "UF1" },
	[LXFW_M_MF2_UF1] = { "MF2/UF1", "MF2", "UF1" },
	[LXFW_M_MF1_UF2] = { "MF1/UF2", "MF1", "UF2" },
	[LXFW_M_MF2_UF2] = { "MF2/UF2", "MF2", "UF2" },
	[LXFW_M_MF1_UF3] = { "MF1/UF3", "MF1", "UF3" },
	[LXFW_M_MF2_UF3] = { "MF2/UF3", "MF2", "UF3" },
	[LXFW_M_MF3_UF3] = { "MF3/UF3", "MF3", "UF3" },
	[LXFW_M_MF4_UF3] = { "MF4/UF3", "MF4", "UF3" },
	[LXFW_M_MF5_UF3] = { "MF5/UF3", "MF5", "UF3" },
	[LXFW_M_MF6_UF3] = { "MF6/UF3", "MF6", "UF3" },
	[LXFW_M_MF2_UF4] = { "MF2/UF4", "MF2", "UF4" },
	[LXFW_M_MF2_UF5] = { "MF2/UF5", "MF2", "UF5" },
	[LXFW_M_BEST] = { "best market", NULL, NULL },
};

/* A task: a simulation of each row, workload, reading and configuration, or nothing. */
struct task {
	int workload, reading, row, config;
};

#define TASKS (LXFW_G_WORKLOADS * LXFW_M_READINGS * LXFW_M_BEST * LXFW_G_CONFIGS)

static struct task task_of(size_t number)
{
	return (struct task){
		.workload = (int)(number / (LXFW_M_READINGS * LXFW_M_BEST * LXFW_G_CONFIGS)),
		.reading = (int)(number / (LXFW_M_BEST * LXFW_G_CONFIGS) % LXFW_M_READINGS),
		.row = (int)(number / LXFW_G_CONFIGS % LXFW_M_BEST),
		.config = (int)(number % LXFW_G_CONFIGS),
	};
}

const char *lxfw_m_row_name(int row)
{
	return rows[row].name;
}

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

static bool knows_run_times(int reading)
{
	return reading == LXFW_M_EXACT || reading == LXFW_M_ALWAYS;
}

/* What the claims compare: MF1/UF1 and MF2/UF1 in all configurations, which the figures to 6.11
   need; the other functions in m128 only, as in the figures after it. Requested times in m128
   and m512 with MF1/UF1, and in m128 with the synthetic workload and all functions. */
static bool is_wanted(const struct task *task)
{
	bool few = task->row <= LXFW_M_MF2_UF1, m128 = task->config == LXFW_G_M128;
	bool pair = m128 || task->config == LXFW_G_M512;

	switch (task->reading) {
	case LXFW_M_EXACT:
		return few || m128;
	case LXFW_M_ALWAYS:
		return few && task->row != LXFW_M_CONVENTIONAL;
	case LXFW_M_REQUESTED:
		return (pair && task->row <= LXFW_M_MF1_UF1) ||
		       (m128 && task->workload == LXFW_G_SYN);
	default:
		return pair && task->row == LXFW_M_MF1_UF1;
	}
}

/* --- a task ----------------------------------------------------------------------------- */

static int by_size(const void *one, const void *other)
{
	const double *a = one, *b = other;

	return (*a < *b) - (*a > *b);
}

/* How the work is distributed over the sites. */
static int take_sites(const struct lxfw_sites *sites, const struct lxfw_grid_metrics *metrics,
		      double values[LXFW_M_METRICS])
{
	size_t count = (size_t)sites->count;
	double *work = calloc(count, sizeof(*work)), *used = calloc(count, sizeof(*used));
	double all = 0;

	for (size_t i = 0; i < count && work && used; i++) {
		used[i] = metrics->sites[i].utilization;
		work[i] = used[i] * (double)sites->list[i].cluster.procs;
		all += work[i];
	}
	if (work && used) {
		qsort(work, count, sizeof(*work), by_size);
		qsort(used, count, sizeof(*used), by_size);
		values[LXFW_M_SPREAD] = 1 - work[count - 1] / work[0];
		values[LXFW_M_TWO] = (work[0] + work[1]) / all;
		values[LXFW_M_USED_1] = used[0];
		values[LXFW_M_USED_2] = used[1];
		values[LXFW_M_USED_3] = used[2];
		values[LXFW_M_USED_LAST] = used[count - 1];
	}
	free(used);
	return work ? (free(work), 0) : -1;
}

static int simulate(struct lxfw_grid_run *run, double values[LXFW_M_METRICS],
		    struct lxfw_error *error)
{
	struct lxfw_grid_metrics metrics;
	int failed = lxfw_grid_simulate(run, error);

	if (!failed && lxfw_grid_measure(run, &metrics))
		failed = out_of_memory(error);
	if (!failed) {
		values[LXFW_M_AWRT] = metrics.all.awrt;
		values[LXFW_M_AWWT] = metrics.awwt;
		if (run->sites->count >= 4 && take_sites(run->sites, &metrics, values))
			failed = out_of_memory(error);
		lxfw_grid_metrics_clear(&metrics);
	}
	lxfw_grid_run_clear(run);
	return failed;
}

static int run_task(const struct lxfw_g_plan *plan, const struct task *task,
		    const struct lxfw_sites *sites, const int32_t *homes,
		    struct lxfw_error *error)
{
	struct lxfw_yahyapour_market *of = plan->of;
	const struct lxfw_simulation_options options = {
		.overrun = of->overrun,
		.estimates = knows_run_times(task->reading) ? LXFW_ESTIMATES_EXACT :
							      LXFW_ESTIMATES_REQUESTED,
	};
	struct lxfw_grid_market_options market_options = LXFW_GRID_MARKET_USUAL;
	const char *broker = task->row == LXFW_M_CONVENTIONAL ? "multi_site" : "market";
	struct lxfw_grid_market market = { 0 };
	struct lxfw_grid_run run = {
		.trace = &plan->traces[task->workload], .homes = homes, .sites = sites,
		.options = &options, .broker = lxfw_broker_find(broker, strlen(broker)),
	};
	int failed;

	if (task->row != LXFW_M_CONVENTIONAL) {
		market_options.machine = rows[task->row].machine;
		market_options.utility = rows[task->row].utility;
		market_options.reschedules = task->reading == LXFW_M_MOVED;
		if (task->reading == LXFW_M_ALWAYS)
			market_options.split = LXFW_MARKET_SPLIT_ALWAYS;
		if (lxfw_grid_market_make(&market, &market_options, sites, error))
			return -1;
		run.params.market = &market.rules;
	}
	failed = simulate(&run, of->values[task->workload][task->reading][task->row]
					  [task->config], error);
	lxfw_grid_market_clear(&market);
	return failed;
}

static int work(void *context, size_t number, struct lxfw_error *error)
{
	struct lxfw_g_plan *plan = context;
	struct task task = task_of(number);
	struct lxfw_sites sites = { 0 };
	int32_t *homes = NULL;
	int failed;

	if (!is_wanted(&task))
		return 0;
	failed = lxfw_g_make_sites(&sites, task.config, error);
	if (!failed) {
		homes = lxfw_homes_choose(&plan->traces[task.workload], sites.count,
					  LXFW_HOMES_ROUND_ROBIN);
		failed = homes ? run_task(plan, &task, &sites, homes, error) :
				 out_of_memory(error);
	}
	free(homes);
	lxfw_sites_clear(&sites);
	return failed;
}

/* The lowest AWRT of a market with the functions that were simulated. */
static void find_best(struct lxfw_yahyapour_market *of, int workload, int reading, int config)
{
	double *best = of->values[workload][reading][LXFW_M_BEST][config];

	for (int row = LXFW_M_CONVENTIONAL + 1; row < LXFW_M_BEST; row++) {
		const double *values = of->values[workload][reading][row][config];

		if (!isnan(values[LXFW_M_AWRT]) &&
		    (isnan(best[LXFW_M_AWRT]) || values[LXFW_M_AWRT] < best[LXFW_M_AWRT]))
			memcpy(best, values, LXFW_M_METRICS * sizeof(*best));
	}
}

int lxfw_yahyapour_market_run(struct lxfw_yahyapour_market *experiment, int threads,
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

	for (int i = 0; i < LXFW_G_WORKLOADS; i++) {
		for (int j = 0; j < LXFW_M_READINGS; j++) {
			for (int k = 0; k < LXFW_G_CONFIGS; k++)
				find_best(experiment, i, j, k);
		}
	}
	return failed;
}
