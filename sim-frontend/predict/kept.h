/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often the intervals that were stated at past moments were kept, as a live site gets
   them: those of a moment are corrected by what was known then of earlier moments. */
#ifndef LXFW_PREDICT_KEPT_H
#define LXFW_PREDICT_KEPT_H

#include "sim-frontend/predict/remaining.h"

/* Of some predictions. */
struct lxfw_kept_share {
	size_t jobs;
	double inside[LXFW_STATED];	/* share of the starts in the interval */
	double by_moment[LXFW_STATED];	/* mean of these shares over moments */
	double width[LXFW_STATED];	/* median, seconds */
};

/* Classes by what is known at the moment: expected wait, time waited so far, requested time. */
enum { LXFW_KEPT_EXPECTED, LXFW_KEPT_AGE, LXFW_KEPT_LIMIT, LXFW_KEPT_KINDS };
#define LXFW_KEPT_CLASSES 5

struct lxfw_kept {
	size_t predictions, moments;
	size_t too_few;		/* predictions without a 90 % interval: too little was known */
	size_t unknown;		/* jobs that have not started */
	size_t sure;		/* starts that are the same in all futures */
	/* Of the other predictions. */
	size_t judged_moments;
	struct lxfw_kept_share corrected, raw;
	struct lxfw_kept_share ratio;	/* naive split conformal: the expected wait times the
					   quantiles of earlier (wait + 60 s) / (expected wait +
					   60 s) */
	struct lxfw_kept_share classes[LXFW_KEPT_KINDS][LXFW_KEPT_CLASSES];

	/* By prediction. */
	struct lxfw_bounds *bounds;	/* corrected */
	bool *judged;
};

/* Begin of a class, seconds; negative: there is none. */
int64_t lxfw_kept_class(int kind, int number);

/* LOOK: without a journal, of which earlier moments could be learned. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_kept_judge(const struct lxfw_promises *promises, int64_t horizon,
		    bool look, struct lxfw_kept *kept);
void lxfw_kept_clear(struct lxfw_kept *kept);

#endif
