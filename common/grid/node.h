/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Light nodes: a node of processors and memory with a queue of its own, and its local
 * scheduling (Balasubramanian, Sussman and Sadeh 2013, section 5.1). 100,000 of them fit in
 * memory, and a waiting or preempted job can be taken from one and given to another, which
 * a scheduler of sched.h does not allow. The schedule of a node alone is that of the policy
 * `remaining` with lxfw_rem_frees=all and lxfw_rem_min_run=0, or of the policy `list`.
 *
 * The priority of a job is wait * W - time * T. W is the time for which it has not run since
 * its submission, at all nodes; T is the rest of its estimate at its node. The priorities of all
 * waiting jobs grow equally, so that their order does not change with time: `rank` is the
 * priority less wait * now. A pass starts jobs in this order. One that does not fit
 * preempts jobs of lower priority if they release enough, see policy/remaining.c.
 *
 * Jobs and nodes are numbered by their index. Times are in units of the caller, speeds in per
 * mille. Work is in thousandths of a unit at the usual speed, so that a node of speed S does
 * S of it per unit: what a job has done is kept exactly wherever it runs.
 */
#ifndef LXFW_GRID_NODE_H
#define LXFW_GRID_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LXFW_NODE_TIME_MAX (INT64_C(1) << 40)	/* of times and run times */
#define LXFW_NODE_WEIGHT_MAX 1000000		/* of the weights of the priority */

enum lxfw_node_job_state {
	LXFW_NODE_JOB_AWAY,	/* at no node */
	LXFW_NODE_JOB_WAITING,
	LXFW_NODE_JOB_RUNNING,
	LXFW_NODE_JOB_ENDED,
};

struct lxfw_node_job {
	/* Set by the caller; the last two become less while the job runs. */
	int64_t submit;
	int32_t procs, memory;	/* 1 or more; 0 or more */
	int32_t speed;		/* least speed of the node */
	int64_t work, estimate;	/* 1 or more */

	int64_t rank;		/* while it waits */
	int64_t since;		/* it runs or waits at its node since then */
	int64_t ran;		/* time for which it ran before */
	int32_t node;		/* -1: none */
	int32_t previous, next;	/* in the list of waiting or running jobs; -1: none */
	uint8_t state;		/* enum lxfw_node_job_state */
};

struct lxfw_node {
	/* Set by the caller. */
	int32_t procs, memory, speed;	/* memory 0: it does not count */

	int32_t free_procs, free_memory;
	int32_t first_waiting, first_running;	/* -1: none; waiting jobs by priority */
	int32_t waiting, running;		/* numbers of jobs */
	int64_t queued_procs, queued_memory;	/* requests of the waiting jobs */
	int64_t wake;	/* time of the next pass if nothing happens; LXFW_NEVER: none */
};

/* Weights in per mille. */
struct lxfw_node_rules {
	int32_t wait, time;
	int64_t interval;	/* between passes while jobs wait; 0: none */
	bool preempts;		/* if not, and WAIT is positive and TIME 0: first come first
				   served with backfill */
	bool stays;		/* a job that has run does not move to another node */
};

/* A running job, as one that may be preempted. */
struct lxfw_node_victim {
	int64_t priority, submit;
	int32_t job, procs, memory;
	bool spared;
};

struct lxfw_nodes {
	/* Set by the caller. */
	struct lxfw_node_rules rules;
	struct lxfw_node *nodes;
	struct lxfw_node_job *jobs;
	int32_t node_count;
	void *context;
	/* The job starts or continues, and would end after SECONDS units. */
	void (*started)(void *context, int32_t job, int64_t seconds);
	/* The job is preempted, and waits at its node. May be NULL. */
	void (*preempted)(void *context, int32_t job);

	/* Private. */
	struct lxfw_node_victim *victims, *chosen;
	size_t victim_count, victims_size, chosen_size;
	int32_t *stopped;
	size_t stopped_count, stopped_size;
};

/* Sets all nodes and COUNT jobs to their initial states. */
void lxfw_nodes_begin(struct lxfw_nodes *nodes, int32_t count);

/* Releases the private memory. */
void lxfw_nodes_clear(struct lxfw_nodes *nodes);

/* Whether the job fits on the empty node, which is fast enough. */
bool lxfw_node_can_run(const struct lxfw_node *node, const struct lxfw_node_job *job);

/* Whether it fits beside the jobs that run. */
bool lxfw_node_has_room(const struct lxfw_node *node, const struct lxfw_node_job *job);

/* A job that is away waits at the node from now on. */
void lxfw_nodes_enter(struct lxfw_nodes *nodes, int32_t job, int32_t node, int64_t now);

/* A waiting job goes away. */
void lxfw_nodes_leave(struct lxfw_nodes *nodes, int32_t job);

/* A running job has ended. */
void lxfw_nodes_end(struct lxfw_nodes *nodes, int32_t job);

/* Makes a pass. Returns 0, or -1 with errno ENOMEM. */
int lxfw_nodes_pass(struct lxfw_nodes *nodes, int32_t node, int64_t now);

#endif
