/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/choose.h"

#include <math.h>

/* By so many standard errors a difference is as sure as can be asked. */
#define SURE 2.5

/* The part of the value over all blocks that is added to that of each, and something
   where that is 0. */
#define LEVEL 0.1
#define LEAST 1e-6

double lxfw_choose_weight(const struct lxfw_trials *trials, int week, int goal)
{
	int goals = lxfw_goals_count(trials->goals);
	size_t jobs = trials->jobs[week * goals + goal];

	switch (lxfw_goals_at(trials->goals, goal)->measure) {
	case LXFW_TUNE_MAX_WAIT:
	case LXFW_TUNE_PREEMPTIONS:
	case LXFW_TUNE_REQUEUES:
	case LXFW_TUNE_LOST_HOURS:
	case LXFW_TUNE_MOST_SUSPENSIONS:
	case LXFW_TUNE_MOST_SUSPENDED:
		return jobs > 0;	/* sums and maxima of the block */
	default:
		return (double)jobs;
	}
}

/* The less the better: the mean logarithm of the objectives by those of now, and that of
   the goal that gains least once more, for a gain in one is no use where another only
   just holds. */
static double score_of(const struct lxfw_trials *trials,
		       const struct lxfw_search *search,
		       const struct lxfw_setting *setting, int fold)
{
	const struct lxfw_goals *goals = trials->goals;
	size_t at = lxfw_trials_fold_view(fold) * (size_t)lxfw_goals_count(goals);
	const double *now = search->settings[0].values + at;
	double sum = 0, least = -INFINITY;

	/* a second, or one of a number, so that 0 has a logarithm */
	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		double gain = log((setting->values[at + (size_t)i] + 1) /
				  (now[i] + 1));

		if (!lxfw_goals_judged(goals, i))
			continue;
		least = fmax(least, gain);
		if (i < goals->objective_count)
			sum += gain;
	}
	return sum / goals->objective_count + least;
}

/*
 * By how many standard errors the goal is below what it is now and a part MARGIN of it, at
 * most SURE. Of logarithms: where queues grow without end now, blocks differ so much in
 * what they are now that differences would tell settings apart by chance alone. A part of
 * what it is over all is added, so that blocks in which hardly anybody waits count little.
 */
static double evidence(const struct lxfw_trials *trials,
		       const struct lxfw_setting *now,
		       const struct lxfw_setting *then, int fold, int goal,
		       double margin)
{
	size_t goals = (size_t)lxfw_goals_count(trials->goals);
	size_t all = lxfw_trials_fold_view(fold) * goals + (size_t)goal;
	double level = LEVEL * now->values[all] + LEAST;
	double sum = 0, squares = 0, mean, spread;
	int blocks = 0;

	for (int i = 0; i < trials->weeks.count; i++) {
		size_t at = lxfw_trials_week_view(trials, i) * goals + (size_t)goal;
		double gain;

		if (!(lxfw_choose_weight(trials, i, goal) > 0) ||
		    !lxfw_tune_week_seen(&trials->weeks, fold, i))
			continue;
		gain = log(((1 + margin) * now->values[at] + level) /
			   (then->values[at] + level));
		sum += gain;
		squares += gain * gain;
		blocks++;
	}
	if (blocks < 2)
		return 0;
	mean = sum / blocks;
	spread = sqrt(fmax(0, squares / blocks - mean * mean) / (blocks - 1));
	if (fabs(mean) >= SURE * spread)
		return mean < 0 ? -SURE : mean > 0 ? SURE : 0;
	return mean / spread;
}

/* That it is better in one goal and kept in all. */
static double evidence_of(const struct lxfw_trials *trials,
			  const struct lxfw_search *search,
			  const struct lxfw_setting *setting, int fold)
{
	const struct lxfw_setting *now = &search->settings[0];
	const struct lxfw_goals *goals = trials->goals;
	double better = -SURE, kept = SURE;

	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		if (!lxfw_goals_judged(goals, i))
			continue;
		kept = fmin(kept, evidence(trials, now, setting, fold, i,
					   search->margin));
		if (i < goals->objective_count)
			better = fmax(better, evidence(trials, now, setting, fold,
						       i, 0));
	}
	return fmin(kept, better);
}

/* Over all blocks that it may see: limits, what is to be kept, and longest waits, which
   no mean over blocks tells of. */
static bool is_within(const struct lxfw_trials *trials,
		      const struct lxfw_search *search,
		      const struct lxfw_setting *setting, int fold)
{
	const struct lxfw_goals *goals = trials->goals;
	size_t at = lxfw_trials_fold_view(fold) * (size_t)lxfw_goals_count(goals);

	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		const struct lxfw_goal *goal = lxfw_goals_at(goals, i);
		double now = search->settings[0].values[at + (size_t)i];
		double then = setting->values[at + (size_t)i];

		if (then > (lxfw_goals_judged(goals, i) ?
			    (1 + search->margin) * now : goal->most))
			return false;
	}
	return true;
}

size_t lxfw_choose(const struct lxfw_trials *trials, const struct lxfw_search *search,
		   int fold)
{
	double best = 0, best_score = 0;
	size_t chosen = 0;

	for (size_t i = 1; i < search->count; i++) {
		const struct lxfw_setting *setting = &search->settings[i];
		double sure, score;

		if (!setting->known || !isfinite(setting->values[0]) ||
		    (fold >= 0 && setting->fold >= 0 && setting->fold != fold))
			continue;
		sure = evidence_of(trials, search, setting, fold);
		if (!is_within(trials, search, setting, fold)) {
			if (fold < 0)
				continue;
			sure -= 2 * SURE;	/* after all that are */
		}
		score = score_of(trials, search, setting, fold);
		if (chosen > 0 && (sure < best ||
				   (sure == best && score >= best_score)))
			continue;
		chosen = i;
		best = sure;
		best_score = score;
	}
	return chosen;
}
