/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How good the predictions of a walk were. */
#ifndef LXFW_PREDICT_SCORE_H
#define LXFW_PREDICT_SCORE_H

#include "sim-frontend/predict/calibrate.h"
#include "sim-frontend/predict/remaining.h"
#include "sim-frontend/predict/walk.h"

/* Who predicts. */
enum {
	LXFW_PREDICTOR_FUTURES,		/* the median of the futures */
	LXFW_PREDICTOR_LIMITS,		/* Slurm's rule */
	LXFW_PREDICTOR_LAST,		/* the median wait of the last jobs */
	LXFW_PREDICTOR_QBETS,		/* upper bound of the median */
	LXFW_PREDICTORS,
};

/* Errors of expected starts. */
struct lxfw_errors {
	double within_1, within_10;	/* share within a minute, ten minutes */
	double relative;		/* median of |error| / wait; a wait below a minute
					   counts as a minute */
};

/* Intervals of one kind and nominal coverage. */
struct lxfw_coverage {
	double inside, below, above;	/* share of the truths inside, below and above */
	double width;			/* median, seconds */
};

struct lxfw_scores {
	size_t cases;		/* predictions in all */
	size_t judged;		/* without the first ones, which only calibrate */
	size_t at_once;		/* of those, jobs expected to start at once in every
				   future */
	double at_once_right;	/* share of them that did, within a minute */
	/* All judged cases, and those without AT_ONCE. */
	struct lxfw_errors all[LXFW_PREDICTORS], waiting[LXFW_PREDICTORS];
	/* Of those without AT_ONCE. */
	struct lxfw_coverage raw[LXFW_COVERAGES], calibrated[LXFW_COVERAGES];
	struct lxfw_coverage qbets[2];	/* 50 and 90 % */
};

/*
 * Intervals of each case are corrected by the truths that were known when its job was
 * submitted, and stored in it. Returns 0, or -1 with errno ENOMEM.
 */
int lxfw_score(const struct lxfw_walk *walk, struct lxfw_scores *scores);

/* Adds the cases of jobs that waited to PROMISES, as predictions at their submissions. Returns
   0, or -1 with errno ENOMEM. */
int lxfw_score_promises(const struct lxfw_walk *walk, struct lxfw_promises *promises);

/* Returns the expected wait of a case in seconds. */
int64_t lxfw_expected_wait(const struct lxfw_walk *walk, const struct lxfw_case *at,
			   int predictor);

#endif
