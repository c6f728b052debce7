/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects one setting of all that were evaluated. Only this one is then judged: with many
 * judgements, an inferior setting would eventually pass by chance.
 */
#ifndef LXFW_TUNE_CHOOSE_H
#define LXFW_TUNE_CHOOSE_H

#include "sim-frontend/tune/search.h"
#include "sim-frontend/tune/trial.h"

/*
 * Selects a setting, using only blocks that are visible for FOLD and settings that were
 * bred without them. The selected setting is the one with the strongest evidence that it
 * improves one goal and keeps all others within the search's margin. Of several with
 * sufficient evidence, it is the one with the largest gain; settings that were tried after the
 * search (lxfw_search_ask_after()) come after the others then. Returns its position. It is
 * 0, the current setting, only if there is no other. With FOLD -1, all settings and
 * blocks are used, and 0 is returned if no setting is within the limits and the margin
 * over all blocks.
 */
size_t lxfw_choose(const struct lxfw_trials *trials, const struct lxfw_search *search,
		   int fold);

/* Writes the first MOST settings in order of preference to CHOSEN. Returns their
   number, or -1 with errno ENOMEM. */
int64_t lxfw_choose_some(const struct lxfw_trials *trials,
			 const struct lxfw_search *search, int fold, size_t most,
			 size_t *chosen);

/* Returns the weight of a block in the mean over blocks, 0 if it has no jobs of the
   goal's class. */
double lxfw_choose_weight(const struct lxfw_trials *trials, int week, int goal);

#endif
