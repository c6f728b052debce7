/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks of a trace, a week or some days each, and the folds that they are divided
 * into: a setting that was chosen without having seen a fold is judged on it. All are
 * simulated in one go, each with the queue that the block before left behind; a job
 * belongs to the block in which it was submitted. So that the queue tells nothing of a
 * fold, the block before and the block after it are not seen either.
 */
#ifndef LXFW_TUNE_WEEKS_H
#define LXFW_TUNE_WEEKS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim-frontend/trace/trace.h"

/* As few blocks as leave something to choose on beside a fold and its neighbours. */
#define LXFW_TUNE_WEEKS_LEAST 4

#define LXFW_TUNE_FOLDS_MOST 16

struct lxfw_tune_weeks {
	int64_t begin;		/* of the first, s; what was submitted before only
				   fills the queue */
	int64_t length;		/* of each, s */
	int count;
	int folds;		/* 2 or more, each of blocks that follow each other */
};

/*
 * Divide what comes WARMUP s after the first submission of TRACE, which has jobs, into
 * blocks of LENGTH s; 0 = a week, or as many days fewer as it takes to have a dozen of
 * them. The last may be cut short by up to half of it. 0, or -1 with errno EINVAL and
 * ERROR set where there are too few.
 */
int lxfw_tune_weeks_of(struct lxfw_tune_weeks *weeks,
		       const struct lxfw_trace *trace, int64_t warmup,
		       int64_t length, int folds, struct lxfw_error *error);

/* The block of a submission, -1 for none. */
int lxfw_tune_week_at(const struct lxfw_tune_weeks *weeks, int64_t submit);

static inline int lxfw_tune_week_fold(const struct lxfw_tune_weeks *weeks, int week)
{
	return (int)((int64_t)week * weeks->folds / weeks->count);
}

/* Whether a choice that is judged on FOLD may see the block. FOLD is -1 for a choice
   that may see all. */
bool lxfw_tune_week_seen(const struct lxfw_tune_weeks *weeks, int fold, int week);

#endif
