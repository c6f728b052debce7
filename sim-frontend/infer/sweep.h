/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A measured schedule from one change to the next: what runs, what waits, and which
 * waiting job the scheduler would start next. The order of the queue is that of the
 * policy that is simulated.
 */
#ifndef LXFW_INFER_SWEEP_H
#define LXFW_INFER_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LXFW_SWEEP_NONE SIZE_MAX

/* What did not happen. */
#define LXFW_SWEEP_NEVER INT64_MIN

/* Times in s. Jobs stand in the order of their submission. */
struct lxfw_sweep_job {
	int64_t submit;
	int64_t start;		/* LXFW_SWEEP_NEVER: it left without having started */
	int64_t end;		/* not before the start and the submission */
	int64_t limit;		/* asked for */
	int32_t procs;
	int32_t user, queue;	/* -1 = not known */
	/* Its priority is `base` + `slope` * seconds waited. */
	double base, slope;
	int64_t free;		/* taken to be free to start from then on */
};

struct lxfw_sweep_change;

struct lxfw_sweep {
	/* From `now` until `until` it is so; the last stretch has no length. */
	int64_t now, until;
	int64_t in_use;		/* processors */
	int32_t waiting;	/* jobs */
	const size_t *started;	/* the jobs that started at `now` */
	size_t started_count;
	const size_t *ended;	/* likewise, also of those */
	size_t ended_count;

	const struct lxfw_sweep_job *jobs;
	size_t count;
	/* private */
	struct lxfw_sweep_change *changes;
	size_t change_count, next_change;
	size_t *next, *previous;	/* the waiting jobs, a list by submission */
	size_t first, last;
	size_t *starts, *ends;
	bool by_submission;		/* the order does not depend on the time */
};

/* 0, or -1 with errno ENOMEM. JOBS stay the caller's; `free` may change between
   calls. */
int lxfw_sweep_begin(struct lxfw_sweep *sweep, const struct lxfw_sweep_job *jobs,
		     size_t count);

/* To the next change; false behind the last. */
bool lxfw_sweep_next(struct lxfw_sweep *sweep);

/* Again from the beginning. */
void lxfw_sweep_rewind(struct lxfw_sweep *sweep);

/* The waiting job that comes first of those that have been free to start since SINCE or
   before and ask for less than BELOW processors; LXFW_SWEEP_NONE if there is none. */
size_t lxfw_sweep_head(const struct lxfw_sweep *sweep, int64_t since,
		       int64_t below);

/* Whether job A comes before job B now. */
bool lxfw_sweep_before(const struct lxfw_sweep *sweep, size_t a, size_t b);

/* The waiting jobs by submission: the first, the last, the one after a job and the one
   before it. */
size_t lxfw_sweep_first(const struct lxfw_sweep *sweep);
size_t lxfw_sweep_last(const struct lxfw_sweep *sweep);
size_t lxfw_sweep_after(const struct lxfw_sweep *sweep, size_t job);
size_t lxfw_sweep_back(const struct lxfw_sweep *sweep, size_t job);

void lxfw_sweep_end(struct lxfw_sweep *sweep);

#endif
