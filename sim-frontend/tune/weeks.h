/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The weeks of a trace: some to search on, the others to confirm on what was found.
 * All are simulated in one go, each with the queue that the week before left behind;
 * a job belongs to the week in which it was submitted.
 */
#ifndef LXFW_TUNE_WEEKS_H
#define LXFW_TUNE_WEEKS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim-frontend/trace/trace.h"

/* As few weeks as can be divided into two parts that have a spread each. */
#define LXFW_TUNE_WEEKS_LEAST 4

struct lxfw_tune_weeks {
	int64_t begin;		/* of the first, s; what was submitted before only
				   fills the queue */
	int64_t length;		/* of each, s */
	int count;
	bool alternating;	/* every other one is searched on, the first one
				   among them; else the first half */
};

/*
 * Divide what comes WARMUP s after the first submission of TRACE, which has jobs. The
 * last week may be cut short by up to half of it. 0, or -1 with errno EINVAL and
 * ERROR set where there are too few.
 */
int lxfw_tune_weeks_of(struct lxfw_tune_weeks *weeks,
		       const struct lxfw_trace *trace, int64_t warmup,
		       int64_t length, bool alternating,
		       struct lxfw_error *error);

/* The week of a submission, -1 for none. */
int lxfw_tune_week_at(const struct lxfw_tune_weeks *weeks, int64_t submit);

/* Whether it is searched on. */
static inline bool lxfw_tune_week_trains(const struct lxfw_tune_weeks *weeks,
					 int week)
{
	return weeks->alternating ? week % 2 == 0 :
	       week < (weeks->count + 1) / 2;
}

#endif
