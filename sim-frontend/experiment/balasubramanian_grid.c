/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/balasubramanian_grid.h"

#include <errno.h>
#include <stdlib.h>

#include "sim-frontend/grid/exchange_measure.h"
#include "sim-frontend/util/pool.h"

#define UNITS 10	/* of time in a second */

enum graph { NONE, RING, CAN, GRAPHS };

static const struct {
	enum graph graph;
	bool fcfs, balance;
	int32_t alpha;		/* per mille */
	int64_t interval;	/* tenths of a second */
} columns[LXFW_B_COLUMNS] = {
	[LXFW_B_FCFS] = { NONE, true, false, 0, 50 },
	[LXFW_B_LOCAL] = { NONE, false, false, 0, 50 },
	[LXFW_B_NN] = { RING, false, false, 0, 50 },
	[LXFW_B_CAN] = { CAN, false, false, 0, 50 },
	[LXFW_B_LOCAL05] = { NONE, false, false, 500, 50 },
	[LXFW_B_NN05] = { RING, false, false, 500, 50 },
	[LXFW_B_CAN05] = { CAN, false, false, 500, 50 },
	[LXFW_B_LOCAL25] = { NONE, false, false, 0, 25 },
	[LXFW_B_NN25] = { RING, false, false, 0, 25 },
	[LXFW_B_CAN25] = { CAN, false, false, 0, 25 },
	[LXFW_B_NNQ] = { RING, false, true, 0, 50 },
	[LXFW_B_CANQ] = { CAN, false, true, 0, 50 },
};

/* A workload as nodes and jobs. */
struct world {
	struct lxfw_b_workload workload;
	struct lxfw_node nodes[LXFW_B_NODES];
	struct lxfw_node_job jobs[LXFW_B_JOBS];
	int32_t homes[LXFW_B_JOBS];
	struct lxfw_graph graphs[GRAPHS];
};

static void fill_jobs(struct world *world)
{
	for (int i = 0; i < LXFW_B_JOBS; i++) {
		const struct lxfw_b_job *job = &world->workload.jobs[i];
		int64_t work = (int64_t)(job->run * UNITS * 1000 + 0.5);

		world->homes[i] = job->node;
		world->jobs[i] = (struct lxfw_node_job){
			.submit = (int64_t)(job->submit * UNITS), .procs = job->procs,
			.memory = (int32_t)(job->memory_kb / 1024),
			.speed = (int32_t)(job->speed * 1000), .work = work, .estimate = work,
		};
	}
}

static int fill(struct world *world)
{
	for (int i = 0; i < LXFW_B_NODES; i++) {
		const struct lxfw_b_node *node = &world->workload.nodes[i];

		world->nodes[i] = (struct lxfw_node){
			.procs = node->cores, .memory = (int32_t)(node->memory_kb / 1024),
			.speed = (int32_t)(node->speed * 1000),
		};
	}
	if (lxfw_graph_none(&world->graphs[NONE], LXFW_B_NODES) ||
	    lxfw_graph_ring(&world->graphs[RING], LXFW_B_NODES) ||
	    lxfw_graph_can(&world->graphs[CAN], world->nodes, LXFW_B_NODES))
		return -1;
	return 0;
}

static void take(const struct lxfw_exchange_metrics *metrics, struct lxfw_b_cell *cell)
{
	const struct lxfw_exchange_waits *there = &metrics->wait_there, *all = &metrics->wait;
	const double values[LXFW_B_TABLES] = {
		[LXFW_B_MEDIAN] = there->median / UNITS + 1,
		[LXFW_B_MEAN] = there->mean / UNITS,
		[LXFW_B_TENTH] = there->longest_tenth / UNITS,
		[LXFW_B_TAIL] = there->tail / UNITS,
		[LXFW_B_ALL_MEDIAN] = all->median / UNITS + 1,
		[LXFW_B_ALL_MEAN] = all->mean / UNITS,
		[LXFW_B_ALL_TENTH] = all->longest_tenth / UNITS,
		[LXFW_B_PREEMPTIONS] = (double)metrics->preemptions,
		[LXFW_B_MOVES] = (double)metrics->moves,
		[LXFW_B_MESSAGES] = (double)metrics->messages_sum,
	};

	for (int i = 0; i < LXFW_B_TABLES; i++)
		cell->values[i] = values[i];
}

static int simulate(struct world *world, int column, struct lxfw_b_cell *cell)
{
	bool moves = columns[column].graph != NONE;
	struct lxfw_exchange exchange = {
		.nodes = world->nodes, .jobs = world->jobs, .job_count = LXFW_B_JOBS,
		.homes = world->homes, .graph = &world->graphs[columns[column].graph],
		.rules = {
			.wait = columns[column].fcfs ? 1000 : columns[column].alpha,
			.time = columns[column].fcfs ? 0 : 1000,
			.interval = columns[column].interval,
			.preempts = !columns[column].fcfs,
		},
		.options = {
			.push = moves, .pull = moves, .balance = columns[column].balance,
			.interval = columns[column].interval,
		},
	};
	struct lxfw_exchange_metrics metrics;
	int result;

	fill_jobs(world);
	result = lxfw_exchange_run(&exchange);
	if (result == 0)
		result = lxfw_exchange_measure(&exchange, &metrics);
	if (result == 0) {
		take(&metrics, cell);
		lxfw_exchange_metrics_clear(&metrics);
	}
	lxfw_exchange_clear(&exchange);
	return result;
}

/* One workload in all columns. */
static int work(void *context, size_t task, struct lxfw_error *error)
{
	struct lxfw_balasubramanian_grid *experiment = context;
	int64_t seed = (int64_t)(task / LXFW_B_ROWS);
	int row = (int)(task % LXFW_B_ROWS);
	struct world *world = calloc(1, sizeof(*world));
	int result = -1;

	if (world) {
		lxfw_b_workload_make(&world->workload,
				     (uint64_t)(experiment->first_seed + seed),
				     row % LXFW_B_INTERVALS,
				     row / LXFW_B_INTERVALS == LXFW_B_TEN ? 10 : 1);
		result = fill(world);
	}
	for (int i = 0; i < LXFW_B_COLUMNS && result == 0; i++)
		result = simulate(world, i,
				  &experiment->cells[task * LXFW_B_COLUMNS + (size_t)i]);
	for (int i = 0; i < GRAPHS && world; i++)
		lxfw_graph_clear(&world->graphs[i]);
	free(world);
	if (result) {
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
	}
	return result;
}

int lxfw_balasubramanian_grid_run(struct lxfw_balasubramanian_grid *experiment, int threads,
				  struct lxfw_error *error)
{
	struct lxfw_pool pool = {
		.context = experiment, .count = (size_t)experiment->seeds * LXFW_B_ROWS,
		.threads = threads, .work = work,
	};

	experiment->cells = calloc(pool.count * LXFW_B_COLUMNS, sizeof(*experiment->cells));
	if (!experiment->cells) {
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return -1;
	}
	return lxfw_pool_carry_out(&pool, error);
}

void lxfw_balasubramanian_grid_clear(struct lxfw_balasubramanian_grid *experiment)
{
	free(experiment->cells);
	experiment->cells = NULL;
}
