/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Iterates over a measured schedule from one change to the next: the running jobs, the
 * waiting jobs, and the job that the scheduler would start next. The queue has the order
 * of the simulated policy.
 */
#ifndef LXFW_INFER_SWEEP_H
#define LXFW_INFER_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LXFW_SWEEP_NONE SIZE_MAX

/* The time of an event that did not occur. */
#define LXFW_SWEEP_NEVER INT64_MIN

/* Times are in seconds. Jobs are in order of submission. */
struct lxfw_sweep_job {
	int64_t submit;
	int64_t start;		/* LXFW_SWEEP_NEVER: the job left without starting */
	int64_t end;		/* not before the start and the submission */
	int64_t limit;		/* requested time */
	int32_t procs;
	int32_t user, queue;	/* -1: unknown */
	/* The priority is `base` + `slope` * seconds waited. */
	double base, slope;
	int64_t age_first;	/* jobs that have waited longer, seconds, come before the
				   others, by submission; 0: none */
	int64_t free;		/* time from which the job is assumed to be eligible */
};

struct lxfw_sweep_change;

struct lxfw_sweep {
	/* The state is valid from `now` to `until`. The last period has zero length. */
	int64_t now, until;
	int64_t in_use;		/* number of processors */
	int32_t waiting;	/* number of jobs */
	const size_t *started;	/* jobs that started at `now` */
	size_t started_count;
	const size_t *ended;	/* jobs that ended at `now`, including those that also
				   started */
	size_t ended_count;

	const struct lxfw_sweep_job *jobs;
	size_t count;
	/* Private. */
	struct lxfw_sweep_change *changes;
	size_t change_count, next_change;
	size_t *next, *previous;	/* the waiting jobs, a list in order of
					   submission */
	size_t first, last;
	size_t *starts, *ends;
	bool by_submission;		/* the order does not depend on the time */
};

/* Returns 0, or -1 with errno ENOMEM. The caller keeps ownership of JOBS; it may
   change `free` between calls. */
int lxfw_sweep_begin(struct lxfw_sweep *sweep, const struct lxfw_sweep_job *jobs,
		     size_t count);

/* Advances to the next change. Returns false after the last. */
bool lxfw_sweep_next(struct lxfw_sweep *sweep);

/* Returns to the beginning. */
void lxfw_sweep_rewind(struct lxfw_sweep *sweep);

/* Returns the first job of the queue of those that have been eligible since SINCE or
   earlier and request fewer than BELOW processors, or LXFW_SWEEP_NONE. */
size_t lxfw_sweep_head(const struct lxfw_sweep *sweep, int64_t since,
		       int64_t below);

/* Returns whether job A currently precedes job B. */
bool lxfw_sweep_before(const struct lxfw_sweep *sweep, size_t a, size_t b);

/* The waiting jobs in order of submission: the first, the last, the one after a job
   and the one before it. */
size_t lxfw_sweep_first(const struct lxfw_sweep *sweep);
size_t lxfw_sweep_last(const struct lxfw_sweep *sweep);
size_t lxfw_sweep_after(const struct lxfw_sweep *sweep, size_t job);
size_t lxfw_sweep_back(const struct lxfw_sweep *sweep, size_t job);

void lxfw_sweep_end(struct lxfw_sweep *sweep);

#endif
