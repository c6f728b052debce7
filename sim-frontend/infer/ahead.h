/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a policy that backfills beside one reservation could start a job in a measured
 * schedule: the one that comes first if it fits, and another one that does not delay it
 * by the limits of what runs.
 */
#ifndef LXFW_INFER_AHEAD_H
#define LXFW_INFER_AHEAD_H

#include "sim-frontend/infer/sweep.h"

struct lxfw_ahead {
	const struct lxfw_sweep *sweep;
	bool delayed;		/* by the last question: since the one before starts
				   have put off the job that comes first */
	/* private */
	size_t *running;	/* jobs, by when their limits end */
	size_t count;
	size_t head;		/* as of the last question */
	int64_t room, shadow, spare;
};

/* Beside a SWEEP that stands at its beginning. 0, or -1 with errno ENOMEM. */
int lxfw_ahead_begin(struct lxfw_ahead *ahead, const struct lxfw_sweep *sweep);

/* The sweep has taken a step. */
void lxfw_ahead_follow(struct lxfw_ahead *ahead);

/* Whether it could start any waiting job now, on a machine of PROCS; then, whether it
   could start this one. */
bool lxfw_ahead_can(struct lxfw_ahead *ahead, int64_t procs);
bool lxfw_ahead_can_job(const struct lxfw_ahead *ahead, size_t job);

/* The policy reserves for HEAD, which does not fit into ROOM processors; then whether
   it could start another job beside that. */
void lxfw_ahead_behind(struct lxfw_ahead *ahead, size_t head, int64_t room);

void lxfw_ahead_end(struct lxfw_ahead *ahead);

#endif
