/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimates what the jobs of a schedule waited for, from submissions, starts, ends and
 * requests. Each second of each wait is attributed to one part. Whether a job would have
 * fitted is judged on the hosts that it could use (room.h). If each waiting job that may
 * use the same hosts would have fitted for a while (lacks.h), or a later job that requested no less started first, no policy of this
 * library would have let the job wait: it was held, dependent on another job, had a begin
 * time or was stopped by a limit of its user, or nodes were down or reserved. A log does
 * not record these.
 *
 * All results are estimates: jobs may also have waited for what neither the log nor the
 * description of the machine states, such as features.
 */
#ifndef LXFW_METRICS_UNEXPLAINED_H
#define LXFW_METRICS_UNEXPLAINED_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/metrics/room.h"
#include "sim-frontend/metrics/timeline.h"

enum lxfw_wait_part {
	LXFW_WAIT_FULL,		/* fewer processors were free on the hosts that the job
				   could use than it needs */
	LXFW_WAIT_MEMORY,	/* the memory of these hosts was allocated */
	LXFW_WAIT_EXTRAS,	/* their GPUs, or the licenses, were allocated */
	LXFW_WAIT_HOSTS,	/* enough processors were free, but not on single hosts
				   as the job needs them */
	LXFW_WAIT_AWAY,		/* hosts were down or reserved on which it would have
				   fitted */
	LXFW_WAIT_CHOICE,	/* there was room for the job, but not for another one
				   that may use the same hosts: priorities, a reservation
				   for that job */
	/* The following occur under no policy of this library. */
	LXFW_WAIT_PASSED,	/* from the first to the last start of a later job that
				   requested no less, see passed.h */
	/* In the following, all jobs that may use the same hosts would have fitted,
	   except those being passed. */
	LXFW_WAIT_PAUSE,	/* no job was started for half an hour or more,
				   although two or more were submitted in that time */
	LXFW_WAIT_LEVEL,	/* on a day on which jobs that would have fitted and
				   were not being passed waited for 95 % of the time,
				   but the processors in use never exceeded a level;
				   not all waiting jobs fitted below it */
	LXFW_WAIT_CHAIN,	/* (also of passed) the job started within a minute (or
				   twice the delay) of the end of another job of its
				   user, which had started before its submission or
				   waited with it */
	LXFW_WAIT_OTHER,	/* all other reasons */
	LXFW_WAIT_PARTS,
};

/* Returns "machine full", and "full" for JSON. */
const char *lxfw_wait_part_name(enum lxfw_wait_part part);
const char *lxfw_wait_part_key(enum lxfw_wait_part part);

struct lxfw_wait_share {
	double seconds;		/* sum over all jobs */
	size_t jobs;		/* number of jobs with 10 min or more */
};

struct lxfw_pause {
	int64_t begin, end;
	int64_t free;		/* processors at its end */
	int32_t waiting;	/* jobs at its end */
};

#define LXFW_PAUSES_KEPT 10

struct lxfw_unexplained {
	struct lxfw_wait_share parts[LXFW_WAIT_PARTS];
	double wait_seconds;		/* sum over all jobs */
	size_t jobs;			/* number of jobs examined */
	/* The longest pauses, in order of time. */
	struct lxfw_pause pauses[LXFW_PAUSES_KEPT];
	size_t pauses_kept, pause_count;
	double pause_seconds;
	size_t level_days, days;	/* number of days with such a level, and of all
					   whole days */
	double level_proc_seconds;	/* unused on these days */
	int64_t most_held;		/* maximum number of processors in use */
	double over_share;		/* fraction of the time in which more
					   processors were in use than the machine has */
};

/* The schedule to be examined. */
struct lxfw_unexplained_input {
	const struct lxfw_stay *stays;
	size_t count;
	const struct lxfw_timeline *timeline;	/* of the stays */
	int64_t procs;			/* of the machine */
	const struct lxfw_room_machine *machine;
	int64_t delay;			/* seconds of system overhead at a start */
};

/* Returns 0, or -1 with errno ENOMEM. Jobs that never started or are not compared count as
   waiting jobs, but their own waits are not examined. */
int lxfw_unexplained_make(struct lxfw_unexplained *unexplained,
			  const struct lxfw_unexplained_input *input);

#endif
