/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the results of the search with the current setting, for all jobs and by class,
 * and decides whether the best setting is recommended.
 *
 * The candidate is the setting that is selected using all blocks. The quality of such a
 * selection is estimated by cross-validation: for each fold, a setting is selected in the
 * same way from those bred without the fold, and the jobs of the fold are taken from its
 * schedule. The combination of these schedules is compared with the schedule of the
 * current setting, goal by goal, and so is the candidate itself, both on perturbed copies
 * of the log (finals.h). The candidate is recommended if, in both comparisons, it
 * improves one objective, keeps all goals, and is within the limits.
 */
#ifndef LXFW_TUNE_CONFIRM_H
#define LXFW_TUNE_CONFIRM_H

#include "sim-frontend/metrics/resample.h"
#include "sim-frontend/tune/finals.h"
#include "sim-frontend/tune/judge.h"
#include "sim-frontend/tune/prospects.h"
#include "sim-frontend/tune/search.h"
#include "sim-frontend/tune/trial.h"

/* All measures of a class of jobs, and the number of jobs. */
struct lxfw_class_values {
	size_t jobs;
	double of[LXFW_TUNE_MEASURES];
};

/* Maximum number of settings that are not dominated, and of all choices: with the current
   one, the candidate, the best for a trial, and one for each fold. */
#define LXFW_FRONT_MOST 26
#define LXFW_CHOICES_MOST (LXFW_FRONT_MOST + 3 + LXFW_TUNE_FOLDS_MOST)

/* All values except WHOLE are means over the copies. */
struct lxfw_choice {
	const struct lxfw_setting *setting;	/* NULL for the combination of
						   schedules */
	double values[LXFW_GOALS_ALL];	/* of the goals, over all blocks */
	struct lxfw_judgement changes[LXFW_GOALS_ALL];	/* of the goals that are judged */
	double blocks_needed;	/* number of blocks that would suffice to pass all
				   tests with the same differences; 0: those available;
				   INFINITY: no number */
	bool keeps_limits;
	bool confirmed;		/* improves one objective, keeps all goals, keeps
				   limits */
	struct lxfw_class_values classes[LXFW_TUNE_NAMED];	/* over all blocks */
	struct lxfw_metrics whole;	/* of the log after the warm-up */
	struct lxfw_params params;

	/* Private. */
	struct lxfw_outcome *outcomes;	/* of the jobs of the blocks, ordered by copy */
};

struct lxfw_confirmation {
	/* Set by the caller. */
	const struct lxfw_trials *trials;
	const struct lxfw_search *search;
	int threads;
	uint64_t seed;
	size_t copies;		/* 0: judge on the log itself; lxfw_confirm() reduces
				   the number if there are many jobs */
	bool (*stop)(void);	/* may be NULL */
	/* Called after each simulation with the numbers of those done and of all in this
	   step; may be NULL. */
	void (*progress)(size_t done, size_t all);

	/* The first choice is the current setting, followed by the settings that are
	   not dominated, in order of the first objective, the candidate, and the best one
	   on rearranged copies. COUNT are shown; those after them were selected for folds. */
	struct lxfw_choice *choices;
	int count, all;
	size_t front;		/* number of settings that are not dominated */
	int candidate;		/* 0: no setting keeps the limits and constraints */
	int folds[LXFW_TUNE_FOLDS_MOST];	/* the selection without each fold */
	struct lxfw_choice crossed;	/* the combination of their schedules */
	int recommended;	/* the candidate, or 0 */
	double blocks_needed;	/* required for a recommendation, as in struct
				   lxfw_choice */
	int trial;		/* the best choice on rearranged copies; 0: none keeps the
				   limits and promises a gain, or there are no copies */
	bool worth_trial;	/* lxfw_prospects_worth() */
	size_t jobs;		/* in the blocks */
	size_t outcomes;	/* outcomes of all copies */

	struct lxfw_prospects prospects;	/* on rearranged copies */

	/* Private. */
	size_t done;
	struct lxfw_finals finals;
	size_t *positions;	/* positions of the jobs in the trace */
	int32_t *weeks;		/* block of each job */
};

/* Sets the members of CHOICE that follow from its values and changes: BLOCKS_NEEDED,
   KEEPS_LIMITS and CONFIRMED. Adjusts the chances for several goals
   (lxfw_judge_better()). */
void lxfw_confirm_conclude(const struct lxfw_goals *goals, struct lxfw_choice *choice);

/* Does this for all choices shown and for the combination, and decides whether the
   candidate is recommended and how many blocks are needed. */
void lxfw_confirm_recommend(struct lxfw_confirmation *confirmation);

/* Selects at most MOST settings (up to LXFW_FRONT_MOST) that are not dominated, simulates them and computes
   their measures. Returns 0, 1 if stopped, or -1 with errno and ERROR set. The caller
   clears CONFIRMATION in any case. */
int lxfw_confirm(struct lxfw_confirmation *confirmation, int most,
		 struct lxfw_error *error);

/* Returns the mean of a maximum over rearranged copies, each under the settings that were chosen
   without a fold; NAN for other measures, and without copies. */
double lxfw_confirmation_expected(const struct lxfw_confirmation *confirmation, int goal);

void lxfw_confirmation_clear(struct lxfw_confirmation *confirmation);

#endif
