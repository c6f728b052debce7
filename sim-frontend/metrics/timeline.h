/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A schedule over time: from one change to the next, how many processors jobs held
 * and what waited.
 */
#ifndef LXFW_METRICS_TIMELINE_H
#define LXFW_METRICS_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

/* What did not happen. */
#define LXFW_STAY_NEVER INT64_MIN

/* A job's time in the system, s. */
struct lxfw_stay {
	int64_t submit;
	int64_t start;		/* LXFW_STAY_NEVER: it left without having started */
	int64_t end;		/* when it left; not before start and submit */
	int32_t procs;
	int32_t user, queue;	/* -1 = not known */
	int64_t limit;		/* s asked for */
	int64_t memory_mb;	/* likewise, of the whole job */
};

/* From `begin` to that of the next. */
struct lxfw_stretch {
	int64_t begin;
	int64_t held, wanted;	/* processors of the jobs that run, that wait */
	int32_t running, waiting;	/* jobs */
	int32_t came, started;	/* at its beginning */
};

/* The last stretch has no length. */
struct lxfw_timeline {
	struct lxfw_stretch *stretches;
	size_t count;
};

/* 0, or -1 with errno ENOMEM and *TIMELINE empty. */
int lxfw_timeline_make(struct lxfw_timeline *timeline,
		       const struct lxfw_stay *stays, size_t count);

void lxfw_timeline_clear(struct lxfw_timeline *timeline);

/* The first stretch that begins at TIME or later; `count` if there is none. */
size_t lxfw_timeline_at(const struct lxfw_timeline *timeline, int64_t time);

/* Processor-seconds held in each of COUNT spans of WIDTH s from BEGIN on. */
void lxfw_timeline_usage(const struct lxfw_timeline *timeline, int64_t begin,
			 int64_t width, size_t count, double *usage);

/* Likewise job-seconds that jobs waited. */
void lxfw_timeline_waiting(const struct lxfw_timeline *timeline, int64_t begin,
			   int64_t width, size_t count, double *waiting);

#endif
