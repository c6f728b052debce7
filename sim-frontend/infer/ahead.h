/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Determines whether a policy that backfills beside one reservation could start a job in
 * a measured schedule: the first job of the queue if it fits, or another job that does
 * not delay the first one, given the limits of the running jobs.
 */
#ifndef LXFW_INFER_AHEAD_H
#define LXFW_INFER_AHEAD_H

#include "sim-frontend/infer/sweep.h"

struct lxfw_ahead {
	const struct lxfw_sweep *sweep;
	bool delayed;		/* set by each query: starts since the previous query
				   have delayed the first job of the queue */
	/* Private. */
	size_t *running;	/* running jobs, sorted by the end of their limits */
	size_t count;
	size_t head;		/* as of the last query */
	int64_t room, shadow, spare;
};

/* Initializes AHEAD for SWEEP, which must be at its beginning. Returns 0, or -1 with
   errno ENOMEM. */
int lxfw_ahead_begin(struct lxfw_ahead *ahead, const struct lxfw_sweep *sweep);

/* Call after each step of the sweep. */
void lxfw_ahead_follow(struct lxfw_ahead *ahead);

/* Return whether any waiting job could be started now on a machine of PROCS
   processors; and then, whether this job could. */
bool lxfw_ahead_can(struct lxfw_ahead *ahead, int64_t procs);
bool lxfw_ahead_can_job(const struct lxfw_ahead *ahead, size_t job);

/* Sets HEAD, which does not fit into ROOM free processors, as the job with the
   reservation. The following function returns whether another job could be started
   beside it. */
void lxfw_ahead_behind(struct lxfw_ahead *ahead, size_t head, int64_t room);

void lxfw_ahead_end(struct lxfw_ahead *ahead);

#endif
