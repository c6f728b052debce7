/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a simulation over time: numbers of waiting, running and suspended jobs and
 * their processors from each change to the next. It is derived from the decisions, so
 * that suspensions, requeues and shares are exact. A job holds its processors from the
 * decision to start it until they are free again, including the system overhead.
 */
#ifndef LXFW_ENGINE_SERIES_H
#define LXFW_ENGINE_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/engine/simulation.h"

enum lxfw_series_state {
	LXFW_SERIES_AWAY,	/* not submitted yet, or ended */
	LXFW_SERIES_WAITING,
	LXFW_SERIES_RUNNING,
	LXFW_SERIES_SUSPENDED,
	LXFW_SERIES_STATES,
};

/* The state from `time` to the next point: jobs and their processors by state. Waiting
   and suspended jobs count with the processors requested, running ones with those
   allocated. */
struct lxfw_series_point {
	int64_t time;
	int64_t jobs[LXFW_SERIES_STATES], procs[LXFW_SERIES_STATES];
};

/* Initialize to {0}. */
struct lxfw_series {
	struct lxfw_series_change {
		int64_t time;
		uint32_t job;		/* index in the trace */
		int32_t procs;
		enum lxfw_series_state state;
	} *changes;
	size_t count, size;
	bool failed;			/* memory ran out */
};

/* The `observe` function of a simulation, with the series as the observer. */
void lxfw_series_see(void *series, int64_t now,
		     const struct lxfw_decision *decision);

/*
 * Returns the points in order of time, which the caller frees, after the simulation.
 * There is one point for each time of a change or, with STEP above 0, one per STEP
 * seconds from the first submission until all jobs have left. Returns NULL with errno
 * ENOMEM, or EOVERFLOW if there would be more than 10^8 points.
 */
struct lxfw_series_point *
lxfw_series_points(struct lxfw_series *series,
		   const struct lxfw_simulation *simulation, int64_t step,
		   size_t *count);

void lxfw_series_clear(struct lxfw_series *series);

#endif
