/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of the present state is predicted: bounds by which an answer takes no more than a few seconds of
 * processor time, and that to a user who waits for it one and a half, by estimates that depend on nothing but
 * the state.
 */
#ifndef LXFW_CMD_PREDICT_EXTENT_H
#define LXFW_CMD_PREDICT_EXTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sched.h"

struct lxfw_predict_extent {
	bool look;		/* a user waits for it */
	bool deep;		/* it is of jobs that may be far behind */
	size_t requests;	/* jobs that might be submitted */
	/* Found by lxfw_predict_extent_plan(). */
	int64_t waiting;	/* jobs */
	int32_t hosts, reserved;	/* that are up; jobs with a reservation at a time, at most */
	double start;		/* processor time of a start in a future, seconds */
};

/* Bounds the number of the reservations of SCHED. Returns 1 if fewer jobs have one than wait, 0, or -1 with
   errno ENOMEM. */
int lxfw_predict_extent_plan(struct lxfw_predict_extent *extent, struct lxfw_sched *sched);

/* The number of futures, at most FUTURES. */
int lxfw_predict_extent_futures(const struct lxfw_predict_extent *extent, int futures);

/* The number of starts in each of FUTURES, after which those of the other jobs are not predicted. */
size_t lxfw_predict_extent_starts(const struct lxfw_predict_extent *extent, int futures);

#endif
