/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intervals that contain the truth as often as they say, whatever the futures lack.
 *
 * An interval of the futures, from quantile (1 - C) / 2 to quantile (1 + C) / 2 for a
 * nominal coverage C, is widened or narrowed on each side by what would have been right
 * for the last LXFW_CALIBRATION_KEPT predictions whose truth is known (conformalized
 * quantile regression: Romano, Patterson and Candes 2019). The differences are those of
 * log(wait + 60 s). How much of them to allow for is itself adapted after each miss and
 * each hit, since jobs are not exchangeable (adaptive conformal inference: Gibbs and
 * Candes 2021).
 */
#ifndef LXFW_PREDICT_CALIBRATE_H
#define LXFW_PREDICT_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LXFW_CALIBRATION_KEPT 1000

/* Fewest known truths for which intervals are corrected. */
#define LXFW_CALIBRATION_LEAST 40

/* Nominal coverages: 10, 20 ... 90 %. */
#define LXFW_COVERAGES 9
#define LXFW_COVERAGE_50 4
#define LXFW_COVERAGE_90 8

/* Waits in seconds. */
struct lxfw_interval {
	double low, high;
};

struct lxfw_intervals {
	struct lxfw_interval of[LXFW_COVERAGES];
};

/* Differences of log(wait + 60 s) by which bounds are moved outwards. */
struct lxfw_corrections {
	struct lxfw_interval of[LXFW_COVERAGES];
	size_t jobs;		/* number of truths that they were learned from; 0: none */
};

struct lxfw_calibration;

/* NULL: out of memory. */
struct lxfw_calibration *lxfw_calibration_new(void);
void lxfw_calibration_free(struct lxfw_calibration *calibration);

/* The intervals of COUNT waits in ascending order. */
void lxfw_intervals_of(const int64_t *waits, size_t count, int64_t horizon,
		       struct lxfw_intervals *intervals);

/* Returns false if too few truths are known; all corrections are 0 then. */
bool lxfw_calibration_now(const struct lxfw_calibration *calibration,
			  struct lxfw_corrections *corrections);

/* INTERVALS are moved by the corrections. Wider ones contain the narrower ones. */
void lxfw_correct(const struct lxfw_corrections *corrections,
		  struct lxfw_intervals *intervals);

/* The truth of a prediction is known: RAW is the interval of the futures, CORRECTED what was
   predicted, or NULL if that was not corrected. */
void lxfw_calibration_learn(struct lxfw_calibration *calibration,
			    const struct lxfw_intervals *raw,
			    const struct lxfw_intervals *corrected, int64_t wait);

#endif
