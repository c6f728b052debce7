/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One setting out of all that were tried, to be judged alone: where many are judged, one
 * that is worse passes by chance sooner or later.
 */
#ifndef LXFW_TUNE_CHOOSE_H
#define LXFW_TUNE_CHOOSE_H

#include "sim-frontend/tune/search.h"
#include "sim-frontend/tune/trial.h"

/*
 * Of the settings that were bred without having seen FOLD, by the blocks that a choice
 * for it may see, the one of which it is surest that it is better than what the site has
 * in one goal and kept within the search's margin in all others; of several that are as
 * sure as can be asked the one that gains most. Its position, never 0, which is what the
 * site has, unless there is no other. FOLD -1: of all, by all; 0 where none is within the
 * limits and the margin over all blocks.
 */
size_t lxfw_choose(const struct lxfw_trials *trials, const struct lxfw_search *search,
		   int fold);

/* The first MOST that it would choose, the best first, to CHOSEN. Their number; -1 with
   errno ENOMEM. */
int64_t lxfw_choose_some(const struct lxfw_trials *trials,
			 const struct lxfw_search *search, int fold, size_t most,
			 size_t *chosen);

/* What a block counts in the mean over blocks; 0 where it has no jobs of the goal's
   class. */
double lxfw_choose_weight(const struct lxfw_trials *trials, int week, int goal);

#endif
