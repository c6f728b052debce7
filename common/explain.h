/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of the waiting jobs, for programs that explain decisions. Nothing is changed.
 * Priorities are those of a pass at a given time. An order that is computed for the queue
 * as a whole is the one of the last decision.
 */
#ifndef LXFW_EXPLAIN_H
#define LXFW_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sched.h"

/* The terms of a job's priority. */
struct lxfw_terms {
	double wait;		/* of table 3, each with its weight */
	double expansion;
	double procs;
	double memory;
	double larger;		/* the larger one of processors and memory */
	double bypassed;
	double site;		/* the workload manager's own priority */
	double other;		/* of policies that have no weights */
};

/* A job in the queue. */
struct lxfw_queued {
	uint64_t job;
	int32_t tier;		/* a higher tier comes first, whatever the priority */
	bool aged;		/* it has waited longer than lxfw_age_first: it comes before
				   the others of its tier, whatever the priority */
	double priority;	/* the sum of the terms */
	struct lxfw_terms terms;
	int64_t reserved;	/* start of its reservation, or LXFW_NEVER */
};

/*
 * Set *QUEUE to the jobs that a pass at NOW would consider, in the order of priority; the
 * caller frees it. A group of jobs is represented by its first job; jobs that were refused
 * and jobs that are suspended in a quantum are not in the queue. Returns their number, or
 * -1 with errno ENOMEM.
 */
int32_t lxfw_sched_queue(const struct lxfw_sched *sched, int64_t now,
			 struct lxfw_queued **queue);

/* The parameters in use. */
const struct lxfw_params *lxfw_sched_params(const struct lxfw_sched *sched);

/* Whether job A comes before job B in a pass at NOW. False if one of them is not in the
   queue. */
bool lxfw_sched_precedes(const struct lxfw_sched *sched, int64_t now, uint64_t a,
			 uint64_t b);

/* Processors that a job will occupy: those of its request, or, if it takes whole hosts, all of the
   hosts that it needs at least; hosts on which it may run count by their mean. */
int64_t lxfw_sched_occupies(const struct lxfw_sched *sched, const struct lxfw_request *request);

#endif
