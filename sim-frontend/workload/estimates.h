/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Models of user estimates of run times, which replace those of a log. Each model gives
 * every job a requested time that is at least its run time.
 *
 * f-model (Mu'alem and Feitelson 2001): uniform between the run time and F + 1 times the
 * run time, rounded up to a second.
 *
 * Modal model (Tsafrir, Etsion and Feitelson 2005, with the default parameters of their
 * published program): most jobs request one of few values, which are mostly round.
 *
 *   - Head: 20 values, including the longest one allowed. The others are 5, 10, 15, 20
 *     and 30 min, 1, 2, 3, 4, 5, 6, 8, 10, 12 and 18 h, as far as they are below it.
 *     Missing values are filled up with multiples of 200, 100, 50, 10, 5, 2 and 1 h, 20,
 *     10 and 5 min, the longest first. The value of popularity rank x = 2 to 20 has
 *     14.0491 exp(-0.177531 x) + 0.462513 per cent of the jobs. The longest one, of
 *     rank 1, has the rest of 89 per cent.
 *   - Tail: the other 11 per cent have K - 20 further values. K grows with the number of
 *     jobs, piecewise linear through (0, 0), (20, 10), (200, 20), (1000, 35),
 *     (10000, 90), (70000, 340), (250000, 565). With a = 1 + 12.1039 K^-0.6026 and
 *     r = 1 to K - 20 divided by K - 20, the values are (a - 1) r / (a - r) of the
 *     longest, in whole minutes. Their shares are proportional to 795.6 x^-2.267 for
 *     x = 21 to K, assigned to the values at random.
 *   - Jobs are processed in order of run time, the longest first. Each one draws from
 *     the remaining values that are not shorter than its run time.
 *
 * Two rules are additions. The authors' program has tables of four logs for the
 * popularity of the head's values other than the longest; here every order is equally
 * likely. If too many jobs run longer than the values of the model, the jobs without a
 * value request the longest one.
 */
#ifndef LXFW_WORKLOAD_ESTIMATES_H
#define LXFW_WORKLOAD_ESTIMATES_H

#include "sim-frontend/trace/trace.h"

struct lxfw_estimate_model {
	enum lxfw_estimate_model_kind {
		LXFW_ESTIMATE_AS_RECORDED,
		LXFW_ESTIMATE_F,
		LXFW_ESTIMATE_MODAL,
	} kind;
	double f;		/* of the f-model, 0 or more */
	int64_t longest;	/* of the modal model, seconds; 0: the longest
				   requested time of the log */
	uint64_t seed;
};

/* Parses "f=F", "modal" or "modal:LONGEST" and sets all members except the seed.
   Returns 0, or -1 with errno EINVAL. */
int lxfw_estimate_model_parse(struct lxfw_estimate_model *model, const char *text);

/*
 * Sets the requested times of the jobs of TRACE according to the model. *MADE_LONGER is
 * the number of jobs that run longer than the longest value of the modal model and
 * request their run time. Returns 0, or -1 with errno ENOMEM.
 */
int lxfw_estimate_model_apply(const struct lxfw_estimate_model *model,
			      struct lxfw_trace *trace, size_t *made_longer);

/* Called by lxfw_estimate_model_apply(). Fills ESTIMATES with COUNT values in
   descending order. LONGEST is one hour or more. Returns 0, or -1 with errno ENOMEM. */
int lxfw_estimates_modal(int64_t longest, uint64_t seed, int64_t *estimates,
			 size_t count);

#endif
