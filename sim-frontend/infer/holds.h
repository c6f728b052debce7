/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the jobs that were not eligible: later jobs were started before them, or their
 * user was at a limit.
 *
 * A job is passed if jobs of lower priority are started at a time at which it could have
 * been started instead. For the first job of the queue, this is the case if the started
 * jobs together have as many processors; for any other job, if one of them is of the same
 * queue and requests no fewer processors and no less time.
 */
#ifndef LXFW_INFER_HOLDS_H
#define LXFW_INFER_HOLDS_H

#include "sim-frontend/infer/infer.h"
#include "sim-frontend/infer/sweep.h"

/* The passes of a job. */
struct lxfw_passes {
	int64_t last;		/* last time passed by jobs of its own queue;
				   LXFW_SWEEP_NEVER: not passed */
	int32_t count;		/* number of times that it was passed; of these, with
				   the user's maximum of running jobs, or above the
				   maximum of processors together with it */
	int32_t at_jobs, at_procs;
};

/* The running jobs of a user, currently and at most. */
struct lxfw_load {
	int32_t jobs, most_jobs;
	int64_t procs, most_procs;
};

/* Returns an array with an entry for each of USERS users: nothing running, and the
   maxima over the schedule. The caller frees it. Returns NULL with errno ENOMEM. */
struct lxfw_load *lxfw_loads_make(struct lxfw_sweep *sweep, size_t users);

/* Updates the loads with the current starts and ends. */
void lxfw_loads_count(const struct lxfw_sweep *sweep, struct lxfw_load *loads);

/*
 * Finds the passes of all jobs of SWEEP, whose jobs are JOBS, and increases `free` of
 * passed jobs to the time of their last pass. PASSES is parallel to JOBS and initially
 * zero. GRACE is the maximum time from the decision to a start, in seconds: of two jobs
 * with starts this close, neither passed the other. RESERVES: the policy reserves for all
 * waiting jobs, so that the first one cannot use the processors of several others.
 * Returns 0, or -1 with errno ENOMEM.
 */
int lxfw_passes_find(struct lxfw_sweep *sweep, struct lxfw_sweep_job *jobs,
		     int64_t grace, bool reserves, size_t users,
		     struct lxfw_passes *passes);

/*
 * Adds to IDLE, for each held job, the seconds in which it fitted beside all other
 * waiting jobs that were eligible. In this time, it would not have waited under any order
 * of jobs.
 */
void lxfw_idle_find(struct lxfw_sweep *sweep, int64_t procs, int64_t *idle);

/*
 * Finds the users whose jobs were passed almost only while the user was at a maximum, and
 * the time until which this limit delayed each of their jobs. Sets `free` of JOBS and
 * `holds` of INFERRED. Returns 0, or -1 with errno ENOMEM.
 */
int lxfw_limits_find(struct lxfw_inferred *inferred, struct lxfw_sweep *sweep,
		     struct lxfw_sweep_job *jobs, size_t users,
		     const struct lxfw_passes *passes);

#endif
