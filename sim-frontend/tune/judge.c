/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/judge.h"

#include <math.h>
#include <stdlib.h>

#include "sim-frontend/metrics/resample.h"

/* Up to this number of differences, the probability is computed by enumeration. */
#define EXACT 60

/* With a higher correlation between neighbours, the test has no result. */
#define CORRELATION_MOST 0.9

/* The 95 % quantile of the normal distribution. */
#define SURE 1.6449

/*
 * Each test must have this power, since several must be passed: every goal is kept, and
 * one improves, on the folds and by the candidate itself. With a power of 80 % each, a
 * log of the computed length would suffice in little more than half of the cases
 * (tests/bench/weeks.sh).
 */
#define POWER SURE

/* ---- signed ranks ---------------------------------------------------------------- */

struct ranked {
	double size;
	size_t at;
};

static int by_size(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Computes twice the rank of each absolute difference, with the sign of the
   difference. Equal values share the mean of their ranks. */
static void rank(const double *differences, struct ranked *ranked, size_t count,
		 double *ranks)
{
	size_t last;

	for (size_t i = 0; i < count; i++)
		ranked[i] = (struct ranked) { fabs(differences[i]), i };
	qsort(ranked, count, sizeof(*ranked), by_size);
	for (size_t i = 0; i < count; i = last + 1) {
		for (last = i; last + 1 < count &&
			       ranked[last + 1].size == ranked[i].size; last++)
			;
		for (size_t j = i; j <= last; j++)
			ranks[ranked[j].at] = copysign((double)(i + last + 2),
						       differences[ranked[j].at]);
	}
}

/* Returns the fraction of all assignments of signs to the ranks in which the positive
   ones sum to SUM or less. */
static double count_out(const double *ranks, size_t count, size_t sum)
{
	double *ways = calloc(sum + 1, sizeof(*ways)), part = 0;

	if (!ways)
		return -1;
	ways[0] = 1;
	for (size_t i = 0; i < count; i++) {
		size_t each = (size_t)fabs(ranks[i]);

		for (size_t j = sum + 1; j-- > 0;)
			ways[j] = (ways[j] + (j >= each ? ways[j - each] : 0)) / 2;
	}
	for (size_t j = 0; j <= sum; j++)
		part += ways[j];
	free(ways);
	return part;
}

/* Returns the correlation of the signs of neighbours. The sizes of differences are
   ignored, since they may have a trend. */
static double find_correlation(const double *ranks, size_t count)
{
	double mean = 0, both = 0, squares = 0;

	for (size_t i = 0; i < count; i++)
		mean += copysign(1, ranks[i]);
	if (fabs(mean) >= (double)count)
		return 0;	/* all signs are equal */
	mean /= (double)count;
	for (size_t i = 0; i < count; i++) {
		double sign = copysign(1, ranks[i]) - mean;

		squares += sign * sign;
		if (i > 0)
			both += sign * (copysign(1, ranks[i - 1]) - mean);
	}
	return fmin(fmax(0, both / squares), CORRELATION_MOST);
}

/* Approximates the probability by the normal distribution, whose standard deviation
   the correlation increases. */
static double approximate(const double *ranks, size_t count, double correlation)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < count; i++) {
		sum += ranks[i];
		squares += ranks[i] * ranks[i];
	}
	squares *= (1 + correlation) / (1 - correlation);
	return erfc(-sum / sqrt(2 * squares)) / 2;
}

double lxfw_signed_rank(const double *differences, size_t count, double *correlation)
{
	struct ranked *ranked = malloc((count + 1) * sizeof(*ranked));
	double *some = malloc((2 * count + 1) * sizeof(*some));
	double *ranks = some + count, exact = 0, chance = -1, above = 0;
	size_t left = 0;

	*correlation = 0;
	for (size_t i = 0; some && i < count; i++) {
		if (differences[i] != 0)
			some[left++] = differences[i];
	}
	if (ranked && some && left > 0) {
		rank(some, ranked, left, ranks);
		for (size_t i = 0; i < left; i++)
			above += ranks[i] > 0 ? ranks[i] : 0;
		*correlation = find_correlation(ranks, left);
		chance = approximate(ranks, left, *correlation);
		if (left <= EXACT)
			exact = count_out(ranks, left, (size_t)above);
		chance = exact < 0 ? -1 : left > EXACT ? chance :
			 *correlation > 0 ? fmax(exact, chance) : exact;
	} else if (ranked && some) {
		chance = 0;
	}
	free(ranked);
	free(some);
	return chance;
}

static int ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* ---- a goal ---------------------------------------------------------------------- */

/* Returns the p-value of the hypothesis that the goal is at least its current value
   increased by MARGIN. */
static double test(const struct lxfw_paired *paired, double margin, double *room,
		   double *correlation)
{
	for (int i = 0; i < paired->blocks; i++)
		room[i] = paired->weights[i] *
			  (paired->then[i] - (1 + margin) * paired->now[i]);
	return lxfw_signed_rank(room, (size_t)paired->blocks, correlation);
}

static double quantile(const double *draws, double part)
{
	int at = (int)ceil(part * LXFW_DRAWS) - 1;

	return draws[at < 0 ? 0 : at >= LXFW_DRAWS ? LXFW_DRAWS - 1 : at];
}

/* Returns the normal quantile of the probability in standard errors below the mean, by
   bisection. */
static double errors_of(double chance)
{
	double low = 0, high = 40;

	if (chance >= 0.5)
		return 0;
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (erfc(middle / sqrt(2)) / 2 > chance)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Returns the number of blocks with which both tests show that a change is below
   MARGIN. P is the p-value of the second test with the available blocks. */
static double blocks_for(const struct lxfw_paired *paired,
			 const struct lxfw_judgement *judgement, double margin,
			 double p)
{
	double middle = log1p(quantile(paired->draws, 0.5));
	double spread = (log1p(judgement->high) - middle) / SURE;
	double room = log1p(margin) - middle, errors = errors_of(p), wanted;

	if (!(room > 0) || !(errors > 0) || !isfinite(spread))
		return INFINITY;
	wanted = (SURE + POWER) * fmax(spread / room, 1 / errors);
	return fmax(judgement->blocks + 1, ceil(judgement->blocks * wanted *
						wanted));
}

static void conclude(const struct lxfw_paired *paired,
		     struct lxfw_judgement *judgement)
{
	bool within = judgement->then <= (1 + paired->margin) * judgement->now;
	bool kept = within && judgement->kept_p <= LXFW_TUNE_CHANCE;

	if (judgement->interval)
		kept = kept && judgement->high < paired->margin;
	else	/* no draws: kept if no block is worse */
		kept = kept && judgement->worse == 0 &&
		       judgement->blocks >= LXFW_CLUSTERS_LEAST;
	judgement->verdict = kept ? LXFW_CHANGE_KEPT :
			     judgement->interval && judgement->low > 0 ?
			     LXFW_CHANGE_WORSE : LXFW_CHANGE_UNSURE;
	if (!kept)
		judgement->kept_blocks = judgement->interval && within ?
			blocks_for(paired, judgement, paired->margin,
				   judgement->kept_p) :
			within ? LXFW_CLUSTERS_LEAST + 2 : INFINITY;
	judgement->better_blocks = judgement->interval ?
		blocks_for(paired, judgement, 0, judgement->better_p) :
		judgement->then < judgement->now ?
		LXFW_CLUSTERS_LEAST + 2 : INFINITY;
}

/* Returns the larger p-value of the two tests for an improvement. That of the draws is
   the fraction that is not below 0. */
static double better_chance(const struct lxfw_paired *paired,
			    const struct lxfw_judgement *judgement)
{
	int above = 0;

	if (!paired->draws || judgement->better == 0 ||
	    judgement->then >= judgement->now)
		return 1;
	while (above < LXFW_DRAWS && paired->draws[LXFW_DRAWS - 1 - above] >= 0)
		above++;
	return fmax(judgement->better_p, (double)above / LXFW_DRAWS);
}

int lxfw_judge(const struct lxfw_paired *paired, struct lxfw_judgement *judgement)
{
	double *room = malloc(((size_t)paired->blocks + 1) * sizeof(*room)), other;

	if (!room)
		return -1;
	*judgement = (struct lxfw_judgement) {
		.now = paired->all_now, .then = paired->all_then,
		.interval = paired->draws,
	};
	for (int i = 0; i < paired->blocks; i++) {
		if (!(paired->weights[i] > 0))
			continue;
		judgement->blocks++;
		judgement->better += paired->then[i] < paired->now[i];
		judgement->worse += paired->then[i] > paired->now[i];
	}
	if (paired->draws) {
		judgement->low = quantile(paired->draws, LXFW_TUNE_CHANCE);
		judgement->high = quantile(paired->draws, 1 - LXFW_TUNE_CHANCE);
	}
	judgement->better_p = test(paired, 0, room, &other);
	judgement->kept_p = test(paired, paired->margin, room,
				 &judgement->correlation);
	free(room);
	if (judgement->better_p < 0 || judgement->kept_p < 0)
		return -1;
	judgement->better_chance = better_chance(paired, judgement);
	conclude(paired, judgement);
	return 0;
}

/* Returns Hommel's adjusted p-value of CHANCES[at], one of COUNT in ascending order:
   the maximum of Simes's over the sets that contain it. */
static double adjusted(const double *chances, int count, int at)
{
	double most = chances[at];

	/* of the sets of a size, the one with the largest other p-values is the least
	   favourable */
	for (int size = 2; size <= count; size++) {
		double simes = INFINITY;

		for (int i = 0; i < size; i++) {
			int from = count - size + i;

			/* replaces the smallest of them if it is not included */
			if (at < count - size)
				from = i == 0 ? at : from;
			simes = fmin(simes, size * chances[from] / (i + 1));
		}
		most = fmax(most, simes);
	}
	return fmin(most, 1);
}

#define GOALS_MOST 32

void lxfw_judge_better(struct lxfw_judgement *judgements, int count)
{
	double chances[GOALS_MOST], sorted[GOALS_MOST];

	if (count > GOALS_MOST)
		count = GOALS_MOST;
	for (int i = 0; i < count; i++)
		chances[i] = sorted[i] = judgements[i].better_chance;
	qsort(sorted, (size_t)count, sizeof(*sorted), ascending);
	for (int i = 0; i < count; i++) {
		struct lxfw_judgement *of = &judgements[i];
		int at = 0;

		while (sorted[at] < chances[i])
			at++;
		of->better_chance = adjusted(sorted, count, at);
		if (of->better_chance > LXFW_TUNE_CHANCE)
			continue;
		of->better_blocks = 0;
		if (of->verdict == LXFW_CHANGE_KEPT)
			of->verdict = LXFW_CHANGE_BETTER;
	}
}
