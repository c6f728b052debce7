/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/balasubramanian_workload.h"

#include <stddef.h>

#include "sim-frontend/util/random.h"

const double lxfw_b_intervals[LXFW_B_INTERVALS] = { 1.5, 2.5, 4.0 };

/* 0 to 3: most are small. */
static int size_class(struct lxfw_random *random)
{
	uint64_t at = lxfw_random_below(random, 100);

	return at < 50 ? 0 : at < 75 ? 1 : at < 90 ? 2 : 3;
}

static double speed_of(int class)
{
	static const double speeds[] = { 1, 1.25, 1.5, 2 };

	return speeds[class];
}

static void make_nodes(struct lxfw_random *random, struct lxfw_b_node *nodes)
{
	for (int i = 0; i < LXFW_B_NODES; i++) {
		nodes[i].cores = 1 << size_class(random);
		nodes[i].memory_kb = (int64_t)1048576 << size_class(random);
		nodes[i].speed = speed_of(size_class(random));
		nodes[i].free_at = 0;
		nodes[i].count = 0;
	}
}

/* The node of a job, or NULL if none of many random nodes is capable. */
static struct lxfw_b_node *choose_node(struct lxfw_random *random, struct lxfw_b_node *nodes,
				       const struct lxfw_b_job *job, int choices)
{
	struct lxfw_b_node *best = NULL;
	int found = 0;

	for (int i = 0; i < 20 * LXFW_B_NODES && found < choices; i++) {
		struct lxfw_b_node *node = &nodes[lxfw_random_below(random, LXFW_B_NODES)];

		if (node->cores < job->procs || node->memory_kb < job->memory_kb ||
		    node->speed < job->speed || node->count == LXFW_B_QUEUE_MAX)
			continue;
		found++;
		if (!best || node->free_at < best->free_at)
			best = node;
	}
	return best;
}

static void make_jobs(struct lxfw_random *random, struct lxfw_b_workload *workload,
		      double interval, int choices)
{
	double now = 0;

	for (int i = 0; i < LXFW_B_JOBS; i++) {
		struct lxfw_b_job *job = &workload->jobs[i];
		struct lxfw_b_node *node;

		job->run = 1800 + 3600 * lxfw_random_uniform(random);
		now -= interval * lxfw_random_log(lxfw_random_uniform(random));
		job->submit = now;
		do {
			job->procs = 1 << size_class(random);
			job->memory_kb = (int64_t)1048576 << size_class(random);
			job->speed = speed_of(size_class(random));
			node = choose_node(random, workload->nodes, job, choices);
		} while (!node);
		job->node = (int32_t)(node - workload->nodes);
		if (node->free_at < now)
			node->free_at = now;
		node->free_at += (double)(int64_t)(job->run / node->speed + 0.5) *
				 job->procs / node->cores;
		node->count++;
	}
}

void lxfw_b_workload_make(struct lxfw_b_workload *workload, uint64_t seed, int interval,
			  int choices)
{
	struct lxfw_random random;

	lxfw_random_seed(&random, seed, (uint64_t)interval);
	make_nodes(&random, workload->nodes);
	make_jobs(&random, workload, lxfw_b_intervals[interval], choices);
}
