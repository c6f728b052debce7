/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/claims.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim-frontend/experiment/spread.h"
#include "sim-frontend/workload/ncsa_o2k.h"

/* Waits of less than a minute are treated as no wait. Two such waits are equal. */
#define NO_WAIT (1.0 / 60)

/* December 1999 and February 2000, according to table 4. */
#define HIGH_LOAD_MONTHS (1U << 2 | 1U << 4)

static bool is_of(const struct lxfw_experiment *experiment, int month,
		  unsigned int months)
{
	int number = experiment->months[month].number;

	return months == 0 || number < 0 || (months & 1U << number);
}

bool lxfw_claim_applies(const struct lxfw_experiment *experiment,
			const struct lxfw_claim *claim)
{
	int months = 0;

	for (int i = 0; i < claim->condition_count; i++) {
		const struct lxfw_condition *c = &claim->conditions[i];

		if (!experiment->takes_part[c->policy] ||
		    (c->reference != LXFW_CONTENDERS &&
		     !experiment->takes_part[c->reference]))
			return false;
	}
	if (claim->synthetic_only && !experiment->synthetic)
		return false;
	for (int i = 0; i < experiment->month_count; i++)
		months += is_of(experiment, i, claim->months);
	/* a comparison of months needs several */
	return claim->statistic == LXFW_BY_MONTH ? months > 0 : months > 1;
}

static double value_of(const struct lxfw_experiment *experiment,
		       const struct lxfw_condition *condition,
		       enum lxfw_contender contender, int month, int seed)
{
	size_t at = lxfw_experiment_at(experiment, month, seed, contender);

	return experiment->tallies[at].values[condition->group]
					     [condition->measure];
}

static bool is_wait(enum lxfw_tally_measure measure)
{
	return measure == LXFW_TALLY_MEAN || measure == LXFW_TALLY_P95 ||
	       measure == LXFW_TALLY_MAX;
}

static double ratio(const struct lxfw_condition *condition, double value,
		    double reference)
{
	if (is_wait(condition->measure) && value < NO_WAIT &&
	    reference < NO_WAIT)
		return 1;
	if (value == reference)
		return 1;
	return value / reference;
}

/* Computes the range over the months, or the standard deviation divided by the mean. */
static double spread(const struct lxfw_experiment *experiment,
		     const struct lxfw_claim *claim,
		     const struct lxfw_condition *condition,
		     enum lxfw_contender contender, int seed)
{
	double least = INFINITY, most = -INFINITY, sum = 0, squares = 0;
	int count = experiment->month_count;
	double mean;

	for (int i = 0; i < count; i++) {
		double value = value_of(experiment, condition, contender, i,
					seed);

		if (isnan(value))
			return NAN;
		least = fmin(least, value);
		most = fmax(most, value);
		sum += value;
	}
	if (claim->statistic == LXFW_RANGE)
		return most - least;
	mean = sum / count;
	for (int i = 0; i < count; i++) {
		double off = value_of(experiment, condition, contender, i,
				      seed) - mean;

		squares += off * off;
	}
	return sqrt(squares / count) / mean;
}

static double high_load(const struct lxfw_experiment *experiment,
			const struct lxfw_condition *condition, int seed)
{
	double sums[2] = { 0 };
	int counts[2] = { 0 };

	for (int i = 0; i < experiment->month_count; i++) {
		bool high = is_of(experiment, i, HIGH_LOAD_MONTHS);

		sums[high] += value_of(experiment, condition,
				       condition->reference, i, seed) -
			      value_of(experiment, condition, condition->policy,
				       i, seed);
		counts[high]++;
	}
	if (counts[0] == 0 || counts[1] == 0)
		return NAN;
	return (sums[1] / counts[1]) / (sums[0] / counts[0]);
}

double lxfw_condition_value(const struct lxfw_experiment *experiment,
			    const struct lxfw_claim *claim,
			    const struct lxfw_condition *condition, int month,
			    int seed)
{
	double value, reference;

	if (claim->statistic == LXFW_HIGH_LOAD)
		return high_load(experiment, condition, seed);
	if (claim->statistic != LXFW_BY_MONTH)
		return spread(experiment, claim, condition, condition->policy,
			      seed) /
		       spread(experiment, claim, condition,
			      condition->reference, seed);
	value = value_of(experiment, condition, condition->policy, month, seed);
	if (condition->reference == LXFW_CONTENDERS)
		return value;
	reference = value_of(experiment, condition, condition->reference, month,
			     seed);
	return condition->difference ? value - reference :
				       ratio(condition, value, reference);
}

static void make_figure(struct lxfw_figure *figure, double *values, int count,
			const struct lxfw_condition *condition)
{
	struct lxfw_spread spread = lxfw_spread_of(values, count);

	*figure = (struct lxfw_figure) {
		.median = spread.median, .least = spread.least,
		.most = spread.most,
		.within = spread.count == 0 ||
			  (spread.median >= condition->low &&
			   spread.median <= condition->high),
	};
}

/* Returns the number of available months in which the claim must hold. */
static int months_needed(const struct lxfw_claim_result *outcome,
			 const struct lxfw_experiment *experiment)
{
	const struct lxfw_claim *claim = outcome->claim;

	if (claim->most_cases)
		return outcome->of / 2 + 1;
	if (claim->at_least > 0)
		return (claim->at_least * outcome->of +
			LXFW_NCSA_O2K_MONTHS - 1) / LXFW_NCSA_O2K_MONTHS;
	/* a claim about some months of the paper must hold once on a log */
	if (claim->months && !experiment->synthetic)
		return 1;
	return outcome->of;
}

static void judge(struct lxfw_claim_result *outcome,
		  const struct lxfw_experiment *experiment)
{
	const struct lxfw_claim *claim = outcome->claim;
	int months = outcome->figure_months;

	for (int i = 0; i < months; i++) {
		bool holds = true, known = false, counts;
		int cases = 0, within = 0;

		for (int j = 0; j < claim->condition_count; j++) {
			const struct lxfw_figure *figure =
				&outcome->figures[j * months + i];

			holds = holds && figure->within;
			if (isnan(figure->median))
				continue;
			known = true;
			cases++;
			within += figure->within;
		}
		outcome->month_holds[i] = holds;
		counts = known && (claim->statistic != LXFW_BY_MONTH ||
				   is_of(experiment, i, claim->months));
		outcome->month_counts[i] = counts;
		if (counts) {
			outcome->of += claim->most_cases ? cases : 1;
			outcome->holds += claim->most_cases ? within : holds;
		}
	}
	outcome->needed = months_needed(outcome, experiment);
	if (claim->statistic != LXFW_BY_MONTH)
		outcome->needed = outcome->of;
	outcome->confirmed = outcome->of > 0 &&
			     outcome->holds >= outcome->needed;
}

/* Tests the claim with the COUNT seeds from FIRST on. Returns 0, or -1 with errno
   ENOMEM. */
static int test_seeds(struct lxfw_claim_result *outcome,
		      const struct lxfw_experiment *experiment,
		      const struct lxfw_claim *claim, int first, int count)
{
	int months = claim->statistic == LXFW_BY_MONTH ?
		     experiment->month_count : 1;
	double values[LXFW_SEEDS_MAX];

	*outcome = (struct lxfw_claim_result) {
		.claim = claim, .figure_months = months,
		.figures = calloc((size_t)(months * claim->condition_count),
				  sizeof(*outcome->figures)),
		.month_holds = calloc((size_t)months, sizeof(bool)),
		.month_counts = calloc((size_t)months, sizeof(bool)),
	};
	if (!outcome->figures || !outcome->month_holds ||
	    !outcome->month_counts) {
		lxfw_claim_result_clear(outcome);
		errno = ENOMEM;
		return -1;
	}
	for (int i = 0; i < claim->condition_count; i++) {
		for (int j = 0; j < months; j++) {
			for (int k = 0; k < count; k++)
				values[k] = lxfw_condition_value(experiment,
					claim, &claim->conditions[i], j,
					first + k);
			make_figure(&outcome->figures[i * months + j], values,
				    count, &claim->conditions[i]);
		}
	}
	judge(outcome, experiment);
	return 0;
}

int lxfw_claim_test(struct lxfw_claim_result *outcome,
		      const struct lxfw_experiment *experiment,
		      const struct lxfw_claim *claim)
{
	struct lxfw_claim_result alone;

	if (test_seeds(outcome, experiment, claim, 0, experiment->seeds))
		return -1;
	outcome->seeds = experiment->seeds;
	for (int i = 0; i < experiment->seeds; i++) {
		if (test_seeds(&alone, experiment, claim, i, 1)) {
			lxfw_claim_result_clear(outcome);
			errno = ENOMEM;
			return -1;
		}
		outcome->seeds_confirmed += alone.confirmed;
		outcome->seeds_holds += alone.holds;
		outcome->seeds_of += alone.of;
		lxfw_claim_result_clear(&alone);
	}
	return 0;
}

void lxfw_claim_result_clear(struct lxfw_claim_result *outcome)
{
	free(outcome->figures);
	free(outcome->month_holds);
	free(outcome->month_counts);
	*outcome = (struct lxfw_claim_result) { 0 };
}

void lxfw_claim_result_text(const struct lxfw_claim_result *outcome, char *text,
			  size_t size)
{
	const char *what = outcome->claim->most_cases ? "cases" : "months";

	if (outcome->holds == outcome->of)
		snprintf(text, size, "holds");
	else if (outcome->confirmed)
		snprintf(text, size, "holds (in %d of %d %s, %d needed)",
			 outcome->holds, outcome->of, what, outcome->needed);
	else if (outcome->holds > 0)
		snprintf(text, size, "holds in %d of %d %s", outcome->holds,
			 outcome->of, what);
	else
		snprintf(text, size, "does not hold");
	if (outcome->of == 0)
		snprintf(text, size, "cannot tell");
}

static const char *statistic_name(enum lxfw_statistic statistic)
{
	switch (statistic) {
	case LXFW_RANGE:
		return "range of ";
	case LXFW_DEVIATION:
		return "relative deviation of ";
	case LXFW_HIGH_LOAD:
		return "high over other months, difference of ";
	case LXFW_BY_MONTH:
		break;
	}
	return "";
}

void lxfw_condition_text(const struct lxfw_claim *claim,
			 const struct lxfw_condition *condition, char *text,
			 size_t size)
{
	bool ratio = condition->reference != LXFW_CONTENDERS;
	const char *between = claim->statistic == LXFW_HIGH_LOAD ? " to " :
			      condition->difference ? " - " : " / ";
	bool workload = condition->measure >= LXFW_TALLY_PROC_DEMAND;
	char bounds[64];

	if (isinf(condition->low))
		snprintf(bounds, sizeof(bounds), "at most %g", condition->high);
	else if (isinf(condition->high))
		snprintf(bounds, sizeof(bounds), "at least %g", condition->low);
	else if (condition->low == condition->high)
		snprintf(bounds, sizeof(bounds), "%g", condition->low);
	else
		snprintf(bounds, sizeof(bounds), "%g to %g", condition->low,
			 condition->high);
	snprintf(text, size, "%s%s%s%s%s%s%s%s: %s",
		 statistic_name(claim->statistic),
		 lxfw_tally_measure_name(condition->measure),
		 condition->group != LXFW_GROUP_ALL ? " of " : "",
		 condition->group != LXFW_GROUP_ALL ?
			lxfw_tally_group_name(condition->group) : "",
		 workload ? "" : ", ",
		 workload ? "" : lxfw_contender_text(condition->policy)->name,
		 ratio ? between : "",
		 ratio ? lxfw_contender_text(condition->reference)->name : "",
		 bounds);
}
