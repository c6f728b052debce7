/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the search found beside what the site has, for all and by class, and whether the
 * best of it is to be recommended.
 *
 * One setting is chosen by all blocks, the candidate. How good such a choice is tell the
 * blocks that it was not chosen by (cross-fitting): for each fold one is chosen the same
 * way out of what was bred without having seen the fold, and the jobs of the fold are
 * taken as they fare under that one. The schedule that these make together is judged
 * against that of the site, goal by goal, and so is the candidate itself. It is
 * recommended if by both it is better in one objective, kept in all goals, and within
 * the limits.
 */
#ifndef LXFW_TUNE_CONFIRM_H
#define LXFW_TUNE_CONFIRM_H

#include "sim-frontend/metrics/resample.h"
#include "sim-frontend/tune/judge.h"
#include "sim-frontend/tune/search.h"
#include "sim-frontend/tune/trial.h"

struct lxfw_choice {
	const struct lxfw_setting *setting;	/* NULL of the one put together */
	double values[LXFW_GOALS_ALL];	/* of the goals, over all blocks */
	struct lxfw_judgement changes[LXFW_GOALS_ALL];	/* of those judged */
	bool keeps_limits;
	bool confirmed;		/* better in one, kept in all, keeps limits */
	struct lxfw_metrics classes[LXFW_TUNE_NAMED];	/* over all blocks */
	struct lxfw_metrics whole;	/* all from the end of the warm-up on */

	/* private */
	struct lxfw_simulation_options options;
	struct lxfw_simulation sim;
	struct lxfw_outcome *outcomes;	/* of the jobs of the blocks */
};

struct lxfw_confirmation {
	/* given */
	const struct lxfw_trials *trials;
	const struct lxfw_search *search;
	int threads;
	uint64_t seed;

	/* The first is what the site has; then the front, in the order of the first
	   objective, and the candidate. COUNT are shown; behind them are those that
	   were chosen for folds. */
	struct lxfw_choice *choices;
	int count, all;
	size_t front;		/* settings on the front, shown or not */
	int candidate;		/* 0 = none keeps the limits and what is to be kept */
	int folds[LXFW_TUNE_FOLDS_MOST];	/* what was chosen without each */
	struct lxfw_choice crossed;	/* the schedule put together of these */
	int recommended;	/* the candidate, or 0 */
	double blocks_needed;	/* to recommend it, were things as they look; 0 = no
				   more; INFINITY = no number would */
	size_t jobs;		/* of the blocks */

	/* private */
	size_t *positions;	/* their positions in the trace */
	int32_t *weeks;		/* of each */
};

/* Choose MOST of the front at most, simulate and measure them. 0, or -1 with errno and
   ERROR set; clear it in either case. */
int lxfw_confirm(struct lxfw_confirmation *confirmation, int most,
		 struct lxfw_error *error);

void lxfw_confirmation_clear(struct lxfw_confirmation *confirmation);

#endif
