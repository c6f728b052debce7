/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks of a trace, a week or several days each, and the folds into which they are
 * divided. A setting that was selected without a fold is judged on it. All blocks are
 * simulated in one run, each with the queue that the previous block left. A job belongs
 * to the block in which it was submitted. The blocks before and after a fold are hidden
 * as well, since the queue connects them with it.
 */
#ifndef LXFW_TUNE_WEEKS_H
#define LXFW_TUNE_WEEKS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim-frontend/trace/trace.h"

/* Minimum number of blocks, so that some remain for the selection beside a fold and
   its neighbours. */
#define LXFW_TUNE_WEEKS_LEAST 4

#define LXFW_TUNE_FOLDS_MOST 16

struct lxfw_tune_weeks {
	int64_t begin;		/* of the first block, seconds; earlier submissions
				   only fill the queue */
	int64_t length;		/* of a block, seconds */
	int count;
	int folds;		/* 2 or more, each consisting of consecutive blocks */
};

/*
 * Divides TRACE, which must have jobs, into blocks of LENGTH seconds, beginning WARMUP
 * seconds after the first submission. LENGTH 0 is a week, or fewer days if there would be
 * less than a dozen blocks. The last block may be shorter by up to a half. Returns 0, or
 * -1 with errno EINVAL and ERROR set if there are too few blocks.
 */
int lxfw_tune_weeks_of(struct lxfw_tune_weeks *weeks,
		       const struct lxfw_trace *trace, int64_t warmup,
		       int64_t length, int folds, struct lxfw_error *error);

/* Divides the time between the first and the last submission of a log in the same way,
   with blocks of the default length and two folds. */
int lxfw_tune_weeks_between(struct lxfw_tune_weeks *weeks, int64_t first, int64_t last,
			    struct lxfw_error *error);

/* Returns the block of a submission, -1 for none. */
int lxfw_tune_week_at(const struct lxfw_tune_weeks *weeks, int64_t submit);

static inline int lxfw_tune_week_fold(const struct lxfw_tune_weeks *weeks, int week)
{
	return (int)((int64_t)week * weeks->folds / weeks->count);
}

/* Returns whether the block is visible for a selection that is judged on FOLD. With
   FOLD -1, all blocks are visible. */
bool lxfw_tune_week_seen(const struct lxfw_tune_weeks *weeks, int fold, int week);

#endif
