/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scheduling between neighbours (Balasubramanian, Sussman and Sadeh 2013, sections 5.3
 * and 8): which job goes to which node. A node knows of a neighbour what the neighbour
 * told last, a view, which may be old; so the one that
 * receives a request decides by its own state.
 *
 * PUSH: the first waiting job is offered to a neighbour on which it fits beside the jobs that
 * run, and whose first waiting job has a lower priority: to that with the least objective.
 * PULL: a node with free processors asks the neighbour whose first waiting job has the lowest
 * priority above that of its own first one; of equal ones, that with the most waiting jobs.
 * The neighbour gives the job that fits with the least objective, of equal ones the first.
 *
 * The objective is BM * FM / speed, where U is the utilization of a resource of the node with
 * the job: BM = max U / sum U, FM = 1 - sum U / number of resources. Resources are
 * processors, and memory if the node has an amount of it. The paper has disk space too.
 *
 * Queue balancing (section 8): the load of a node is the larger of the requests of its waiting
 * jobs for processors and for memory, divided by what the node has. PUSH: a node with a higher
 * load than all neighbours moves a job whose priority is above that of the neighbour's first
 * one, if the larger of the two loads becomes less, so that the sum of the two loads is
 * least. PULL: a node with a load above 0, and not above that of any neighbour that is equal or
 * less capable, asks the one with the highest load.
 *
 * Utilizations and loads are in millionths, rounded down. Ties are broken by the larger
 * load after the move, by the order of the queue, and by the order of the neighbours.
 */
#ifndef LXFW_GRID_NEIGHBOURS_H
#define LXFW_GRID_NEIGHBOURS_H

#include "common/grid/node.h"

/* What a node tells its neighbours. */
struct lxfw_node_view {
	int32_t free_procs, free_memory;
	int32_t waiting;		/* number of jobs */
	int64_t rank;			/* of the first one; INT64_MIN: none */
	int64_t queued_procs, queued_memory;
};

/* The neighbours of a node, in the order of their indices. */
struct lxfw_neighbours {
	const int32_t *nodes;
	const struct lxfw_node_view *views;
	const bool *asked;	/* those that are not considered */
	int32_t count;
};

void lxfw_node_view(const struct lxfw_nodes *nodes, int32_t node, struct lxfw_node_view *view);

/* Returns the objective of the job on the node with the free resources of the view, in
   units of 1e-9; INT64_MAX: it does not fit. Less is better. */
int64_t lxfw_node_objective(const struct lxfw_node *node, const struct lxfw_node_view *view,
			    const struct lxfw_node_job *job);

/* Load of the node, with a job more or less (SIGN 1 or -1; 0: JOB is not used). */
int64_t lxfw_node_load(const struct lxfw_node *node, const struct lxfw_node_view *view,
		       const struct lxfw_node_job *job, int sign);

/* PUSH: returns the position of the neighbour for the first waiting job of the node, or -1. */
int32_t lxfw_push_to(const struct lxfw_nodes *nodes, int32_t node,
		     const struct lxfw_neighbours *neighbours);

/* Whether the node takes the job that is offered, with its rank at the other node. */
bool lxfw_push_accepts(const struct lxfw_nodes *nodes, int32_t node,
		       const struct lxfw_node_job *job);

/* PULL: returns the position of the neighbour that the node asks, or -1. */
int32_t lxfw_pull_from(const struct lxfw_nodes *nodes, int32_t node,
		       const struct lxfw_neighbours *neighbours);

/* Returns the waiting job that the node gives to TO, which has told VIEW; -1: none. */
int32_t lxfw_pull_gives(const struct lxfw_nodes *nodes, int32_t node, int32_t to,
			const struct lxfw_node_view *view);

/* Queue balancing, PUSH: returns the position of the neighbour, or -1, and sets *JOB. */
int32_t lxfw_balance_to(const struct lxfw_nodes *nodes, int32_t node,
			const struct lxfw_neighbours *neighbours, int32_t *job);

/* Whether the node takes the job from one with the load LOAD before the move. */
bool lxfw_balance_accepts(const struct lxfw_nodes *nodes, int32_t node,
			  const struct lxfw_node_job *job, int64_t load);

/* PULL: returns the position of the neighbour to which the request goes, or -1. */
int32_t lxfw_balance_from(const struct lxfw_nodes *nodes, int32_t node,
			  const struct lxfw_neighbours *neighbours);

/* Returns the job that the node gives to TO, which has told VIEW; -1: none. */
int32_t lxfw_balance_gives(const struct lxfw_nodes *nodes, int32_t node, int32_t to,
			   const struct lxfw_node_view *view);

#endif
