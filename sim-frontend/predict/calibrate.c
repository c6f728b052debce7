/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Added to waits before the logarithm, seconds: differences below count little. */
#define OFFSET 60.0

/* Step by which the share of misses that is allowed for is adapted. */
#define STEP 0.02

/* One bound of the intervals of one coverage. */
struct side {
	double scores[LXFW_CALIBRATION_KEPT];	/* ring */
	double misses;		/* share that is allowed for */
};

struct lxfw_calibration {
	struct side sides[LXFW_COVERAGES][2];
	size_t count, next;	/* of every ring */
};

static double nominal_misses(int coverage)
{
	return (1 - (coverage + 1) / 10.0) / 2;
}

struct lxfw_calibration *lxfw_calibration_new(void)
{
	struct lxfw_calibration *calibration = calloc(1, sizeof(*calibration));

	for (int i = 0; i < 2 * LXFW_COVERAGES && calibration; i++)
		calibration->sides[i / 2][i % 2].misses = nominal_misses(i / 2);
	return calibration;
}

void lxfw_calibration_free(struct lxfw_calibration *calibration)
{
	free(calibration);
}

/* The smallest value that at least that share of the sample does not exceed. */
static double quantile(const int64_t *waits, size_t count, double share, int64_t horizon)
{
	double rank = ceil(share * (double)count - 1e-9);
	size_t at = rank < 1 ? 1 : (size_t)rank;
	int64_t wait = waits[(at > count ? count : at) - 1];

	return (double)(wait > horizon ? horizon : wait);
}

void lxfw_intervals_of(const int64_t *waits, size_t count, int64_t horizon,
		       struct lxfw_intervals *intervals)
{
	for (int i = 0; i < LXFW_COVERAGES; i++) {
		double misses = nominal_misses(i);

		intervals->of[i].low = quantile(waits, count, misses, horizon);
		intervals->of[i].high = quantile(waits, count, 1 - misses, horizon);
	}
}

static int ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double correction(const struct side *side, size_t count)
{
	double sorted[LXFW_CALIBRATION_KEPT], rank;
	double misses = side->misses < 0 ? 0 : side->misses > 1 ? 1 : side->misses;

	memcpy(sorted, side->scores, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), ascending);
	/* rounding does not make a whole rank the next one */
	rank = ceil((double)(count + 1) * (1 - misses) - 1e-9);
	return sorted[rank < 1 ? 0 : rank > (double)count ? count - 1 : (size_t)rank - 1];
}

bool lxfw_calibration_now(const struct lxfw_calibration *calibration,
			  struct lxfw_corrections *corrections)
{
	*corrections = (struct lxfw_corrections) { 0 };
	if (calibration->count < LXFW_CALIBRATION_LEAST)
		return false;
	corrections->jobs = calibration->count;
	for (int i = 0; i < LXFW_COVERAGES; i++) {
		corrections->of[i].low = correction(&calibration->sides[i][0],
						    calibration->count);
		corrections->of[i].high = correction(&calibration->sides[i][1],
						     calibration->count);
	}
	return true;
}

void lxfw_correct(const struct lxfw_corrections *corrections,
		  struct lxfw_intervals *intervals)
{
	for (int i = 0; i < LXFW_COVERAGES && corrections->jobs > 0; i++) {
		struct lxfw_interval *at = &intervals->of[i];

		at->low = exp(log(at->low + OFFSET) - corrections->of[i].low) - OFFSET;
		at->high = exp(log(at->high + OFFSET) + corrections->of[i].high) - OFFSET;
		at->low = at->low > 0 ? at->low : 0;
		at->high = at->high > 0 ? at->high : 0;
		if (at->low > at->high)
			at->low = at->high = (at->low + at->high) / 2;
		if (i > 0 && at->low > at[-1].low)
			at->low = at[-1].low;
		if (i > 0 && at->high < at[-1].high)
			at->high = at[-1].high;
	}
}

/* Adapt the share of misses of a bound after a miss, or not. */
static void adapt(struct side *side, double nominal, bool missed)
{
	side->misses += STEP * (nominal - (missed ? 1 : 0));
}

void lxfw_calibration_learn(struct lxfw_calibration *calibration,
			    const struct lxfw_intervals *raw,
			    const struct lxfw_intervals *corrected, int64_t wait)
{
	double truth = log((double)wait + OFFSET);

	for (int i = 0; i < LXFW_COVERAGES; i++) {
		struct side *low = &calibration->sides[i][0];
		struct side *high = &calibration->sides[i][1];

		low->scores[calibration->next] = log(raw->of[i].low + OFFSET) - truth;
		high->scores[calibration->next] = truth - log(raw->of[i].high + OFFSET);
		if (!corrected)
			continue;
		adapt(low, nominal_misses(i), (double)wait < corrected->of[i].low - 0.5);
		adapt(high, nominal_misses(i), (double)wait > corrected->of[i].high + 0.5);
	}
	calibration->next = (calibration->next + 1) % LXFW_CALIBRATION_KEPT;
	if (calibration->count < LXFW_CALIBRATION_KEPT)
		calibration->count++;
}
