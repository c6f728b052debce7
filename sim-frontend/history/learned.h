/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimates of a simulation: from jobs that had ended before its trace begins, and from jobs
 * of the trace that have ended in the simulation. Whatever the data base contains, a job is
 * never estimated from a later one.
 */
#ifndef LXFW_HISTORY_LEARNED_H
#define LXFW_HISTORY_LEARNED_H

#include "sim-frontend/history/estimates.h"

/* What the simulations of a trace share and do not change. {0} is empty. */
struct lxfw_learned {
	struct lxfw_estimator before;
	struct lxfw_estimate_of *jobs;	/* by position in the trace; `limit` is 0 if it is
					   unknown: the job is neither estimated nor learned */
	size_t unknown;			/* number of those jobs */
	int32_t speed;			/* of the machine of the trace, per mille */
};

/*
 * TRACE has owners. Of RANS, which may be NULL, jobs are learned that ended by the first
 * submission of the trace. MACHINE is that of the trace in RANS, -1 if it has none. NUMBERS is
 * as for lxfw_estimator_rans(). Returns 0, or -1 with errno ENOMEM and *LEARNED empty.
 */
int lxfw_learned_make(struct lxfw_learned *learned, const struct lxfw_trace *trace,
		      const struct lxfw_rans *rans, int32_t machine, const int32_t *numbers);

void lxfw_learned_clear(struct lxfw_learned *learned);

/* Returns the time of the first submission as jobs of a data base have it; INT64_MIN without
   jobs. */
int64_t lxfw_learned_begin(const struct lxfw_trace *trace);

/* Returns the estimate of a job in seconds at a speed, at most its requested time at that
   speed. LIMIT is the requested time at the usual speed. */
int64_t lxfw_learned_seconds(const struct lxfw_expected_run *expected, int64_t limit,
			     int32_t speed);

#endif
