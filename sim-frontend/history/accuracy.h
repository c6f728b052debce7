/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How wrong estimates of run times were, beside the requested times. The error of an estimate
 * is |estimate - run time| / run time. Percentiles are nearest ranks.
 */
#ifndef LXFW_HISTORY_ACCURACY_H
#define LXFW_HISTORY_ACCURACY_H

#include "sim-frontend/history/estimates.h"

struct lxfw_accuracy_of {
	double median, p90;	/* of the errors */
	double under;		/* share of the jobs that ran longer */
};

/* Jobs by the number of jobs of their class that were known: 0, 1 to 3, 4 to 15, more. */
#define LXFW_ACCURACY_CLASSES 4

struct lxfw_accuracy {
	size_t jobs;
	struct lxfw_accuracy_of estimates, limits;
	struct {
		size_t jobs;
		double median;	/* error of the estimates; 0 without jobs */
	} classes[LXFW_ACCURACY_CLASSES];
	double spread;		/* median of (high - low) / estimate of the jobs whose class
				   was known */
};

/* {0} is empty. */
struct lxfw_accuracies {
	struct lxfw_accuracy_row {
		double estimate, limit, run;	/* seconds */
		double spread;
		int32_t jobs;
	} *rows;
	size_t count, size;
};

/* A job for which SECONDS were expected ran for RUN seconds, 1 or more. Returns 0, or -1
   with errno ENOMEM. */
int lxfw_accuracies_add(struct lxfw_accuracies *list, const struct lxfw_expected_run *expected,
		   int64_t seconds, int64_t limit, int64_t run);

/* Sets *ACCURACY and clears LIST. Returns as above. */
int lxfw_accuracies_end(struct lxfw_accuracies *list, struct lxfw_accuracy *accuracy);

void lxfw_accuracies_clear(struct lxfw_accuracies *list);

#endif
