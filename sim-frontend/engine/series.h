/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulation over time: what waits, what runs, what is suspended, and the processors of
 * each, from one change to the next. Told from the decisions, so that suspensions,
 * requeues and shares count as they were. A job holds its processors from the decision
 * to start it until they are free again, the machine's own time per job included.
 */
#ifndef LXFW_ENGINE_SERIES_H
#define LXFW_ENGINE_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/engine/simulation.h"

enum lxfw_series_state {
	LXFW_SERIES_AWAY,	/* not submitted yet, or over */
	LXFW_SERIES_WAITING,
	LXFW_SERIES_RUNNING,
	LXFW_SERIES_SUSPENDED,
	LXFW_SERIES_STATES,
};

/* From `time` to that of the next; jobs and their processors by state. Those of a waiting
   or suspended job are what it asks for, of a running one what it has. */
struct lxfw_series_point {
	int64_t time;
	int64_t jobs[LXFW_SERIES_STATES], procs[LXFW_SERIES_STATES];
};

/* {0} is empty. */
struct lxfw_series {
	struct lxfw_series_change {
		int64_t time;
		uint32_t job;		/* position in the trace */
		int32_t procs;
		enum lxfw_series_state state;
	} *changes;
	size_t count, size;
	bool failed;			/* memory ran out */
};

/* For `observe` of a simulation, with the series as observer. */
void lxfw_series_see(void *series, int64_t now,
		     const struct lxfw_decision *decision);

/*
 * After the simulation: its points, to be freed, in the order of time, one for each time
 * at which something changed, or with STEP above 0 one each STEP s from the first
 * submission until nothing is left. NULL with errno ENOMEM; EOVERFLOW where that would be
 * more than 10^8.
 */
struct lxfw_series_point *
lxfw_series_points(struct lxfw_series *series,
		   const struct lxfw_simulation *simulation, int64_t step,
		   size_t *count);

void lxfw_series_clear(struct lxfw_series *series);

#endif
