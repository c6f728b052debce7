/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs were not free to start: others were let past them, or their user had as
 * much as ever.
 *
 * A job is passed when jobs that come after it are started at a time at which it could
 * have started in their place. That is so for the job that comes first in the queue if
 * those that start have as many processors together; and for any other one if one of
 * them is of its queue too and asks for no fewer processors and no less time.
 */
#ifndef LXFW_INFER_HOLDS_H
#define LXFW_INFER_HOLDS_H

#include "sim-frontend/infer/infer.h"
#include "sim-frontend/infer/sweep.h"

/* What is found of a job. */
struct lxfw_passes {
	int64_t last;		/* passed by jobs of its own queue, LXFW_SWEEP_NEVER:
				   not */
	int32_t count;		/* times that it was passed; of these while its user
				   had as many jobs, or, with it, more processors
				   than ever: */
	int32_t at_jobs, at_procs;
};

/* What a user has running, now and at most. */
struct lxfw_load {
	int32_t jobs, most_jobs;
	int64_t procs, most_procs;
};

/* Of each of USERS, nothing running and the most of the whole schedule. To be freed;
   NULL with errno ENOMEM. */
struct lxfw_load *lxfw_loads_make(struct lxfw_sweep *sweep, size_t users);

/* Count in what starts and ends now. */
void lxfw_loads_count(const struct lxfw_sweep *sweep, struct lxfw_load *loads);

/*
 * Find the passes of all jobs of SWEEP, which JOBS are of, and raise `free` of those
 * that were passed to when that was last. PASSES has a place for each job and is zero.
 * GRACE: a start was decided so many seconds before at most, so that jobs whose starts
 * are no further apart did not pass one another. RESERVES: the policy reserves for
 * all jobs that wait, so that the first one cannot have the room of several others. 0,
 * or -1 with errno ENOMEM.
 */
int lxfw_passes_find(struct lxfw_sweep *sweep, struct lxfw_sweep_job *jobs,
		     int64_t grace, bool reserves, size_t users,
		     struct lxfw_passes *passes);

/*
 * How long each job that was held had room beside all others that waited and were not,
 * s, added to IDLE: under no order of jobs would it have waited then.
 */
void lxfw_idle_find(struct lxfw_sweep *sweep, int64_t procs, int64_t *idle);

/*
 * Find the users of whom jobs were passed, nearly always while they had as much as
 * ever; and until when that stopped each of their jobs: `free` of JOBS, and `holds`
 * of INFERRED. 0, or -1 with errno ENOMEM.
 */
int lxfw_limits_find(struct lxfw_inferred *inferred, struct lxfw_sweep *sweep,
		     struct lxfw_sweep_job *jobs, size_t users,
		     const struct lxfw_passes *passes);

#endif
