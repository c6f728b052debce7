/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Infers from a schedule how many processors were available to jobs.
 *
 * A job is denied if the policy would have started it and it was not started. Either
 * processors were missing, or the job was not eligible: its user held it, it depended on
 * another job, or it had a begin time. A hold affects one job or one user's jobs; other
 * jobs start. An outage affects all jobs that do not fit into the remaining processors.
 * An outage is therefore a period in which no start raised the processors in use above a
 * level, and in which jobs of many users were denied, so that it is implausible that none
 * was eligible, given how often jobs of these users are denied at other times. A job
 * counts if it was submitted in the period, would have exceeded the level, and was hardly
 * ever denied outside of the period. The maximum in use is taken as the number of
 * available processors; if no job was started, the number is 0.
 */
#ifndef LXFW_INFER_CAPACITY_H
#define LXFW_INFER_CAPACITY_H

#include "sim-frontend/infer/infer.h"
#include "sim-frontend/infer/sweep.h"

struct lxfw_capacity_input {
	struct lxfw_sweep *sweep;
	struct lxfw_sweep_job *jobs;	/* of the sweep */
	int64_t procs;			/* of the machine */
	int64_t grace;			/* maximum delay of a start after its cause,
					   seconds */
	/* Outages from records of the machine, in order of time and without overlap.
	   Nothing is inferred in the period that they cover, from GIVEN_FROM to
	   GIVEN_UNTIL. */
	const struct lxfw_outage *given;
	size_t given_count;
	int64_t given_from, given_until;
	bool stops_only;	/* infer only periods without any start */
	bool backfills;		/* the policy backfills beside one reservation */
};

/*
 * Adds outages to INFERRED. If a single job waited although it fitted, it was not
 * eligible: its `free` is increased and the hold is recorded. Returns 0, or -1 with errno
 * ENOMEM.
 */
int lxfw_capacity_find(struct lxfw_inferred *inferred,
		       const struct lxfw_capacity_input *input);

/*
 * Determines `begin` and `end` of the outages of INFERRED, which last at least from
 * `known` to `known_end`. They extend as long as the policy could have started a job on
 * the whole machine and did not. A longer extent would have no effect, except for the
 * grace period before, which is included if nothing was started in it, since events may
 * occur earlier by that time in a simulation. Returns 0, or -1 with errno ENOMEM.
 */
int lxfw_extent_find(struct lxfw_inferred *inferred,
		     const struct lxfw_capacity_input *input);

#endif
