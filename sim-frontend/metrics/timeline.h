/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A schedule over time: the processors in use and the waiting jobs from each change to
 * the next.
 */
#ifndef LXFW_METRICS_TIMELINE_H
#define LXFW_METRICS_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"

/* The time of an event that did not occur. */
#define LXFW_STAY_NEVER INT64_MIN

/* The times of a job in seconds. */
struct lxfw_stay {
	int64_t submit;
	int64_t start;		/* LXFW_STAY_NEVER: the job left without starting */
	int64_t end;		/* when the job left; not before start and submit */
	int32_t procs;
	int32_t user, queue;	/* -1: unknown */
	int64_t limit;		/* requested time, seconds */
	int64_t memory_mb;	/* requested memory of the whole job */
	const struct lxfw_request *request;	/* NULL: PROCS processors of one host */
	const struct lxfw_share *shares;	/* of hosts, recorded; ascending by host */
	int32_t share_count;	/* 0: unknown */
	bool not_compared;	/* the job holds processors, but its own wait is not
				   examined (unexplained.h) */
};

/* The period from `begin` to the beginning of the next one. */
struct lxfw_stretch {
	int64_t begin;
	int64_t held, wanted;	/* processors of running and of waiting jobs */
	int32_t running, waiting;	/* numbers of jobs */
	int32_t came, started;	/* at the beginning of the period */
};

/* The last stretch has zero length. */
struct lxfw_timeline {
	struct lxfw_stretch *stretches;
	size_t count;
};

/* Returns 0, or -1 with errno ENOMEM and *TIMELINE empty. */
int lxfw_timeline_make(struct lxfw_timeline *timeline,
		       const struct lxfw_stay *stays, size_t count);

void lxfw_timeline_clear(struct lxfw_timeline *timeline);

/* Returns the first stretch that begins at TIME or later, or `count` if there is none. */
size_t lxfw_timeline_at(const struct lxfw_timeline *timeline, int64_t time);

/* Computes the processor-seconds in use in each of COUNT periods of WIDTH seconds from
   BEGIN on. */
void lxfw_timeline_usage(const struct lxfw_timeline *timeline, int64_t begin,
			 int64_t width, size_t count, double *usage);

/* Computes the job-seconds of waiting jobs in the same way. */
void lxfw_timeline_waiting(const struct lxfw_timeline *timeline, int64_t begin,
			   int64_t width, size_t count, double *waiting);

#endif
