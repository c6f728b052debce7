/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simulates nodes that exchange jobs with their neighbours (common/grid/neighbours.h): the
 * clock, the messages, and what happened to each job.
 *
 * At one time jobs end, jobs are submitted, each of these nodes makes a pass, and messages
 * arrive. At multiples of `interval` since the first submission, nodes whose state changed
 * tell their neighbours. Then nodes that changed, or that received a view, try to
 * exchange jobs, in the order of their indices, each in this order as far as it is enabled:
 * PUSH, PULL, balancing PUSH, balancing PULL. In each of these it asks neighbours until one
 * agrees. It moves at most one job; what it gives others when they ask is not limited.
 *
 *   PUSH   request --> accept --> job, or reject
 *   PULL   request --> job, or reject
 *
 * Every message but a job carries the sender's view of itself. A message takes `delay`, and
 * is lost with a probability. A node that gets no answer in time tries again at a later
 * interval. A job that is lost is sent again after twice the delay, 1 or more units, so that
 * no job is lost or doubled. The agreement of a receiver reserves nothing: if it cannot start
 * the job when it arrives, the job waits there.
 */
#ifndef LXFW_GRID_EXCHANGE_H
#define LXFW_GRID_EXCHANGE_H

#include "common/grid/neighbours.h"
#include "common/util/error.h"
#include "sim-frontend/grid/graph.h"

enum lxfw_exchange_message {
	LXFW_MESSAGE_VIEW,
	LXFW_MESSAGE_PUSH,	/* an offer */
	LXFW_MESSAGE_PULL,	/* a request */
	LXFW_MESSAGE_ACCEPT,
	LXFW_MESSAGE_REJECT,
	LXFW_MESSAGE_JOB,
	LXFW_MESSAGES,
};

struct lxfw_exchange_options {
	bool push, pull, balance;
	int64_t interval;	/* between exchanges, 1 or more */
	int64_t delay;		/* of a message, 0 or more */
	int32_t loss;		/* of 10,000 messages, 0 to 9900 */
	uint64_t seed;		/* of the losses */
};

struct lxfw_exchange_job {
	int64_t start, end;	/* the first start; LXFW_NEVER: never */
	int64_t arrived;	/* at its last node */
	int64_t ran_elsewhere;	/* time for which it ran before that */
	int32_t moves, preemptions;
	uint32_t run;		/* number of starts and resumptions */
};

struct lxfw_exchange {
	/* Set by the caller, with the fields of the nodes and jobs that are the caller's. Jobs
	   are submitted in the order ORDER, NULL: of their indices; at HOMES. */
	struct lxfw_node *nodes;
	struct lxfw_node_job *jobs;
	size_t job_count;
	const uint32_t *order;
	const int32_t *homes;
	const struct lxfw_graph *graph;
	struct lxfw_node_rules rules;
	struct lxfw_exchange_options options;
	void (*progress)(size_t done, size_t all);	/* may be NULL */
	/* Called when all is done at a time. May be NULL. */
	void (*stepped)(void *context, const struct lxfw_nodes *nodes, int64_t now);
	void *context;

	/* Results. */
	struct lxfw_exchange_job *results;	/* by job */
	int64_t messages[LXFW_MESSAGES];	/* sent, with those that were lost */
	int64_t lost;
	int64_t moves, preemptions;
};

/* Returns 0, or -1 with errno ENOMEM, or EDEADLK if a job does not fit at its home. Release
   the results with lxfw_exchange_clear() in both cases. */
int lxfw_exchange_run(struct lxfw_exchange *exchange);
void lxfw_exchange_clear(struct lxfw_exchange *exchange);

/* Time for which a job that has ended did not run: since its submission, and since it
   arrived at its last node (Balasubramanian, Sussman and Sadeh 2013, section 3). */
int64_t lxfw_exchange_wait(const struct lxfw_exchange *exchange, size_t job);
int64_t lxfw_exchange_wait_there(const struct lxfw_exchange *exchange, size_t job);

#endif
