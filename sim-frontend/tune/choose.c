/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/choose.h"

#include <math.h>
#include <stdlib.h>

/* A difference of this many standard errors is sufficient evidence. */
#define SURE 2.5

/* Fraction of the value over all blocks that is added to the value of each block, and
   the minimum that is added. */
#define LEVEL 0.1
#define LEAST 1e-6

double lxfw_choose_weight(const struct lxfw_trials *trials, int week, int goal)
{
	int goals = lxfw_goals_count(trials->goals);
	size_t jobs = trials->jobs[week * goals + goal];

	switch (lxfw_metric(lxfw_goals_at(trials->goals, goal)->measure)->kind) {
	case LXFW_METRIC_TOTAL:
	case LXFW_METRIC_MOST:
		return jobs > 0;	/* sums and maxima have one value per block */
	default:
		return (double)jobs;
	}
}

/* Returns a score; smaller is better. It is the mean logarithm of the objectives
   relative to the current setting, plus that of the objective with the smallest gain,
   since a gain in one is of little use if another is barely kept. */
static double score_of(const struct lxfw_trials *trials,
		       const struct lxfw_search *search,
		       const struct lxfw_setting *setting, int fold)
{
	const struct lxfw_goals *goals = trials->goals;
	size_t at = lxfw_trials_fold_view(fold) * (size_t)lxfw_goals_count(goals);
	const double *now = search->settings[0].values + at;
	double sum = 0, least = -INFINITY;

	/* adds 1 (second), so that 0 has a logarithm */
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
 * Returns by how many standard errors the goal is below its current value increased by
 * MARGIN, at most SURE. Uses logarithms: if queues grow without bound at present, the
 * current values of blocks differ so much that differences would be dominated by chance.
 * A fraction of the value over all blocks is added, so that blocks with short waits have
 * little weight.
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

/* Returns the evidence that one goal improves and all are kept. */
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

/* Checks the limits, the constraints and the longest waits over all visible blocks.
   Longest waits are not a mean over blocks. */
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

/* A setting with its rating. */
struct rated {
	size_t position;
	bool after;
	double sure, score;
};

/* Rates the setting at POSITION. Returns false if it may not be used for FOLD. */
static bool rate(const struct lxfw_trials *trials, const struct lxfw_search *search,
		 int fold, size_t position, struct rated *rated)
{
	const struct lxfw_setting *setting = &search->settings[position];

	if (!setting->known || !isfinite(setting->values[0]) ||
	    (fold >= 0 && setting->fold >= 0 && setting->fold != fold))
		return false;
	rated->position = position;
	rated->after = setting->after;
	rated->sure = evidence_of(trials, search, setting, fold);
	if (!is_within(trials, search, setting, fold)) {
		if (fold < 0)
			return false;
		rated->sure -= 2 * SURE;	/* ranks after all that are */
	}
	rated->score = score_of(trials, search, setting, fold);
	return true;
}

/* Each further setting among which the largest gain is sought makes it harder to prove one.
   Those that were tried after the search are therefore preferred for their evidence alone. */
static int by_rating(const void *left, const void *right)
{
	const struct rated *a = left, *b = right;

	if (a->sure != b->sure)
		return a->sure > b->sure ? -1 : 1;
	if (a->after != b->after)
		return a->after ? 1 : -1;
	if (a->score != b->score)
		return a->score < b->score ? -1 : 1;
	return (a->position > b->position) - (a->position < b->position);
}

size_t lxfw_choose(const struct lxfw_trials *trials, const struct lxfw_search *search,
		   int fold)
{
	struct rated best = { 0 }, rated;

	for (size_t i = 1; i < search->count; i++) {
		if (rate(trials, search, fold, i, &rated) &&
		    (best.position == 0 || by_rating(&rated, &best) < 0))
			best = rated;
	}
	return best.position;
}

int64_t lxfw_choose_some(const struct lxfw_trials *trials,
			 const struct lxfw_search *search, int fold, size_t most,
			 size_t *chosen)
{
	struct rated *all = malloc((search->count + 1) * sizeof(*all));
	size_t count = 0;

	if (!all)
		return -1;
	for (size_t i = 1; i < search->count; i++)
		count += rate(trials, search, fold, i, &all[count]);
	qsort(all, count, sizeof(*all), by_rating);
	if (count > most)
		count = most;
	for (size_t i = 0; i < count; i++)
		chosen[i] = all[i].position;
	free(all);
	return (int64_t)count;
}
