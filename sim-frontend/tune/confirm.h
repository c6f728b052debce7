/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the search found beside what the site has, for all and by class, and whether the
 * best of it is to be recommended.
 *
 * One setting is chosen by all blocks, the candidate. How good such a choice is tell the
 * blocks that it was not chosen by (cross-fitting): for each fold one is chosen the same
 * way out of what was bred without having seen the fold, and the jobs of the fold are
 * taken as they fare under that one. The schedule that these make together is judged
 * against that of the site, goal by goal, and so is the candidate itself, both on shaken
 * copies of the log (finals.h). It is recommended if by both it is better in one objective, kept in all goals, and within
 * the limits.
 */
#ifndef LXFW_TUNE_CONFIRM_H
#define LXFW_TUNE_CONFIRM_H

#include "sim-frontend/metrics/resample.h"
#include "sim-frontend/tune/finals.h"
#include "sim-frontend/tune/judge.h"
#include "sim-frontend/tune/search.h"
#include "sim-frontend/tune/trial.h"

/* Every measure of a class of jobs, and how many they are. */
struct lxfw_class_values {
	size_t jobs;
	double of[LXFW_TUNE_MEASURES];
};

/* All values but WHOLE are means over the copies. */
struct lxfw_choice {
	const struct lxfw_setting *setting;	/* NULL of the one put together */
	double values[LXFW_GOALS_ALL];	/* of the goals, over all blocks */
	struct lxfw_judgement changes[LXFW_GOALS_ALL];	/* of those judged */
	double blocks_needed;	/* to pass all tests, were things as they look; 0 = no
				   more; INFINITY = no number would */
	bool keeps_limits;
	bool confirmed;		/* better in one, kept in all, keeps limits */
	struct lxfw_class_values classes[LXFW_TUNE_NAMED];	/* over all blocks */
	struct lxfw_metrics whole;	/* of the log, from the end of the warm-up on */
	struct lxfw_params params;

	/* private */
	struct lxfw_outcome *outcomes;	/* of the jobs of the blocks, copy by copy */
};

struct lxfw_confirmation {
	/* given */
	const struct lxfw_trials *trials;
	const struct lxfw_search *search;
	int threads;
	uint64_t seed;
	size_t copies;		/* 0 = the log itself is judged on; lxfw_confirm() makes
				   them fewer where jobs are many */
	bool (*stop)(void);	/* may be NULL */

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
	double blocks_needed;	/* to recommend it, as of a choice */
	size_t jobs;		/* of the blocks */
	size_t outcomes;	/* as many of each copy */

	/* private */
	struct lxfw_finals finals;
	size_t *positions;	/* their positions in the trace */
	int32_t *weeks;		/* of each */
};

/* What follows from the values and the changes of CHOICE, whose chances become those for
   several goals (lxfw_judge_better()): BLOCKS_NEEDED, KEEPS_LIMITS and CONFIRMED. */
void lxfw_confirm_conclude(const struct lxfw_goals *goals, struct lxfw_choice *choice);

/* The same of all choices shown and of the one put together; from these whether the
   candidate is recommended, and the blocks that it lacks. */
void lxfw_confirm_recommend(struct lxfw_confirmation *confirmation);

/* Choose MOST of the front at most, simulate and measure them. 0; 1 if stopped before; -1
   with errno and ERROR set; clear it in any case. */
int lxfw_confirm(struct lxfw_confirmation *confirmation, int most,
		 struct lxfw_error *error);

void lxfw_confirmation_clear(struct lxfw_confirmation *confirmation);

#endif
