/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is concluded from the values on rearranged copies. */
#include <math.h>
#include <string.h>

#include "sim-frontend/tune/prospects.h"

/* The number of independent logs to which the sessions of one log are equivalent: the
   variance between copies divided by that of the mean over many copies between logs, as
   measured on generated logs. A maximum depends on which sessions meet, which the copies
   vary; a mean depends on the sessions themselves. */
#define LOGS_OF_MAXIMUM 16
#define LOGS_OF_PERCENTILE 10
#define LOGS_OF_MEAN 6

/* The 95 % quantile of the normal distribution. */
#define SURE 1.6449

static double value_at(const struct lxfw_prospects *prospects, const double *values,
		       size_t at, size_t copy, int goal)
{
	size_t goals = (size_t)lxfw_goals_count(prospects->trials->goals);

	return values[(at * prospects->copies + copy) * goals + (size_t)goal];
}

/* Returns the probability that a normal number with this MEAN and standard ERROR exceeds
   LEVEL. */
static double above(double mean, double error, double level)
{
	if (!(error > 0))
		return mean > level;
	return erfc((level - mean) / error / sqrt(2)) / 2;
}

static double logs_of(const struct lxfw_prospects *prospects, int goal)
{
	switch (lxfw_metric(lxfw_goals_at(prospects->trials->goals, goal)->measure)->kind) {
	case LXFW_METRIC_MOST:
		return LOGS_OF_MAXIMUM;
	case LXFW_METRIC_PERCENTILE:
		return LOGS_OF_PERCENTILE;
	default:
		return LOGS_OF_MEAN;
	}
}

/* Returns the mean over the settings AT of the value on a copy. */
static double mean_at(const struct lxfw_prospects *prospects, const double *values,
		      const size_t *at, size_t count, size_t copy, int goal)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += value_at(prospects, values, at[i], copy, goal);
	return sum / (double)count;
}

double lxfw_prospect_least(enum lxfw_tune_measure measure, double now, double then)
{
	double most = now > then ? now : then;
	bool is_time = strcmp(lxfw_metric(measure)->unit, "s") == 0;

	return is_time || !(most > 0) ? 1 : most / 1000;
}

void lxfw_prospects_goal(const struct lxfw_prospects *prospects, const size_t *at,
			   size_t count, int goal, struct lxfw_prospect *prospect)
{
	double copies = (double)prospects->copies, margin = log1p(prospects->search->margin);
	double sum = 0, squares = 0, least, error, change;
	const double *values = prospects->values;
	const size_t second = 1;

	if (prospects->again && count == 1 && at[0] == prospects->best) {
		values = prospects->again;
		at = &second;
	}
	*prospect = (struct lxfw_prospect) { .copies = (int)prospects->copies };
	for (size_t i = 0; i < prospects->copies; i++) {
		double now = value_at(prospects, values, 0, i, goal);
		double then = mean_at(prospects, values, at, count, i, goal);

		prospect->now += now / copies;
		prospect->then += then / copies;
		prospect->lower += then < now;
		prospect->higher += then > now;
	}
	least = lxfw_prospect_least(lxfw_goals_at(prospects->trials->goals, goal)->measure,
				    prospect->now, prospect->then);
	for (size_t i = 0; i < prospects->copies; i++) {
		double of = log((mean_at(prospects, values, at, count, i, goal) + least) /
				(value_at(prospects, values, 0, i, goal) + least));

		sum += of;
		squares += of * of;
	}
	if (prospects->copies > 1)
		prospect->spread = sqrt(fmax(0, squares - sum * sum / copies) /
					(copies - 1));
	/* the spread is an estimate, too: the factor is the standard deviation of Student's
	   distribution, which has one only for four copies or more */
	error = (copies > 3 ? sqrt((copies - 1) / (copies - 3)) : 1) *
		prospect->spread * sqrt(1 / copies + 1 / logs_of(prospects, goal));
	change = log((prospect->then + least) / (prospect->now + least));
	prospect->change = expm1(change);
	prospect->low = expm1(change - SURE * error);
	prospect->high = expm1(change + SURE * error);
	prospect->error = error;
	prospect->worse = above(change, error, 0);
	prospect->beyond = above(change, error, margin);
	prospect->better = above(-change, error, margin);
}

/* ---- a trial ------------------------------------------------------------------------ */

bool lxfw_prospects_keeps_limits(const struct lxfw_prospects *prospects, size_t at)
{
	const struct lxfw_goals *goals = prospects->trials->goals;

	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		double sum = 0;

		if (lxfw_goals_judged(goals, i))
			continue;
		for (size_t j = 0; j < prospects->copies; j++)
			sum += value_at(prospects, prospects->values, at, j, i);
		if (sum > lxfw_goals_at(goals, i)->most * (double)prospects->copies)
			return false;
	}
	return true;
}

bool lxfw_prospects_worth(const struct lxfw_prospects *prospects, size_t at)
{
	const struct lxfw_goals *goals = prospects->trials->goals;
	bool better = false;

	if (at == 0 || prospects->copies < 2 || !lxfw_prospects_keeps_limits(prospects, at))
		return false;
	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		struct lxfw_prospect of;

		if (!lxfw_goals_judged(goals, i))
			continue;
		lxfw_prospects_goal(prospects, &at, 1, i, &of);
		if (of.beyond > LXFW_PROSPECTS_RISK)
			return false;
		better |= i < goals->objective_count && of.better >= 1 - LXFW_PROSPECTS_RISK;
	}
	return better;
}

/* Returns by which factor a log must be longer so that a change with this standard
   deviation is shown to be below LEVEL, with a power of 95 %. */
static double longer(const struct lxfw_prospect *of, double deviation, double level)
{
	double room = log1p(level) - log1p(of->change);

	return room > 0 ? pow(2 * SURE * deviation / room, 2) : INFINITY;
}

double lxfw_prospects_length(const struct lxfw_prospects *prospects, size_t at)
{
	const struct lxfw_goals *goals = prospects->trials->goals;
	const struct lxfw_tune_weeks *weeks = &prospects->trials->weeks;
	double kept = 0, better = INFINITY;

	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		struct lxfw_prospect of;

		if (!lxfw_goals_judged(goals, i))
			continue;
		lxfw_prospects_goal(prospects, &at, 1, i, &of);
		kept = fmax(kept, longer(&of, of.spread, prospects->search->margin));
		if (i < goals->objective_count)
			better = fmin(better, longer(&of, of.spread, 0));
	}
	return fmax(kept, better) * (double)weeks->count * (double)weeks->length;
}

/* ---- a judgement -------------------------------------------------------------------- */

void lxfw_prospects_judge(const struct lxfw_prospects *prospects, const struct lxfw_prospect *of,
			struct lxfw_judgement *judgement)
{
	int blocks = prospects->trials->weeks.count;
	double not_better = of->change < 0 ? of->worse : 1;

	*judgement = (struct lxfw_judgement) {
		.now = of->now, .then = of->then, .interval = true,
		.low = of->low, .high = of->high,
		.blocks = of->copies, .better = of->lower, .worse = of->higher,
		.kept_p = of->beyond, .better_p = not_better, .better_chance = not_better,
		.verdict = of->beyond <= LXFW_TUNE_CHANCE ? LXFW_CHANGE_KEPT :
			   of->low > 0 ? LXFW_CHANGE_WORSE : LXFW_CHANGE_UNSURE,
	};
	if (judgement->verdict != LXFW_CHANGE_KEPT)
		judgement->kept_blocks = ceil(fmax(blocks + 1, blocks *
			longer(of, of->error, prospects->search->margin)));
	judgement->better_blocks = ceil(fmax(blocks + 1, blocks *
					     longer(of, of->error, 0)));
}
