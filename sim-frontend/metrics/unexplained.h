/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the jobs of a schedule waited for, as far as submissions, starts, ends and
 * requests tell. Each second of each wait is one of these parts. Where there was room
 * for everything that waited, or a job was let past that asked for no less, none of the
 * policies of this library would have let the job wait: it was held, depended on
 * another, was not to begin yet, was stopped by a limit of its user; or nodes were down
 * or kept for an advance reservation. A log has no record of these.
 *
 * All are estimates: processors say nothing of memory, partitions and features, which
 * may be what a job waited for.
 */
#ifndef LXFW_METRICS_UNEXPLAINED_H
#define LXFW_METRICS_UNEXPLAINED_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/metrics/timeline.h"

enum lxfw_wait_part {
	LXFW_WAIT_FULL,		/* fewer processors free than the job needs */
	LXFW_WAIT_CHOICE,	/* enough for it, not for all that wait: the order
				   of the queue, a reservation */
	/* what no policy here would have done: */
	LXFW_WAIT_PASSED,	/* from the first to the last start of a job that
				   came later and asked for no less, see passed.h */
	/* room for all that waited, but for those being passed: */
	LXFW_WAIT_PAUSE,	/* nothing was started for half an hour or more,
				   though two jobs or more had come meanwhile */
	LXFW_WAIT_LEVEL,	/* on a day on which jobs that would have fitted,
				   and were not being passed, waited for 95 % of
				   the time and yet never more than so many
				   processors were in use: room only beyond
				   these */
	LXFW_WAIT_CHAIN,	/* (and passed) of a job that started within a minute (or twice
				   the delay) of the end of another one of its user
				   that had begun before it came or waited with it */
	LXFW_WAIT_OTHER,	/* the rest */
	LXFW_WAIT_PARTS,
};

/* "machine full"; "full" for JSON. */
const char *lxfw_wait_part_name(enum lxfw_wait_part part);
const char *lxfw_wait_part_key(enum lxfw_wait_part part);

struct lxfw_wait_share {
	double seconds;		/* of all jobs together */
	size_t jobs;		/* that waited so for 10 min or more */
};

struct lxfw_pause {
	int64_t begin, end;
	int64_t free;		/* processors, at its end */
	int32_t waiting;	/* jobs, likewise */
};

#define LXFW_PAUSES_KEPT 10

struct lxfw_unexplained {
	struct lxfw_wait_share parts[LXFW_WAIT_PARTS];
	double wait_seconds;		/* the sum of them */
	size_t jobs;			/* looked at */
	/* the longest, by their beginning */
	struct lxfw_pause pauses[LXFW_PAUSES_KEPT];
	size_t pauses_kept, pause_count;
	double pause_seconds;
	size_t level_days, days;	/* with such a level; of all whole days */
	double level_proc_seconds;	/* not used on them */
	int64_t most_held;		/* processors at once */
	double over_share;		/* of the time, more than the machine has */
};

/* What is to be looked at. */
struct lxfw_unexplained_input {
	const struct lxfw_stay *stays;
	size_t count;
	const struct lxfw_timeline *timeline;	/* of them */
	int64_t procs;			/* of the machine */
	int64_t delay;			/* s, the machine's own from a reason to
					   start to the start */
};

/* 0, or -1 with errno ENOMEM. Jobs that never started count as waiting, but their
   own waits do not. */
int lxfw_unexplained_make(struct lxfw_unexplained *unexplained,
			  const struct lxfw_unexplained_input *input);

#endif
