/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The local times of a job, converted to UTC. In the hour that occurs twice when clocks are set
 * back, a time may be either of two moments; those are selected that agree with what else is known
 * of the job.
 */
#ifndef LXFW_TRACE_LOCAL_TIMES_H
#define LXFW_TRACE_LOCAL_TIMES_H

#include <stdbool.h>
#include <stdint.h>

/* Submission, eligibility, start and end. */
#define LXFW_TIMES 4

struct lxfw_local_times {
	/* The caller sets: */
	int64_t at[LXFW_TIMES];	/* seconds since 1970; of local times, those of the same clock
				   reading in UTC; -1: unknown. Converted in place */
	bool local[LXFW_TIMES];
	bool in_zone;		/* local times are in the zone of the process (zone.h); otherwise
				   they stay as they are */
	int64_t held;		/* from start to end; -1: unknown */
	int64_t waited;		/* from submission to start; -1: unknown */
	int64_t last;		/* submission of the previous record, which this one is rather not
				   before; -1: unknown */
	/* Results: */
	bool any_local;
	bool skipped;		/* clocks skip one of the times */
	bool unclear;		/* other moments agree as well; the earliest ones were taken */
};

void lxfw_local_times_convert(struct lxfw_local_times *times);

#endif
