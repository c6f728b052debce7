/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Models of what users say of run times, in place of what a log recorded. Each gives every
 * job a requested time that its run time does not exceed.
 *
 * f-model (Mu'alem and Feitelson 2001): uniform between the run time and F + 1 times the
 * run time, rounded up to a second.
 *
 * Modal (Tsafrir, Etsion and Feitelson 2005, with the default parameters of the program
 * that they published): few values, most of them round, are requested by most jobs.
 *
 * - Head: 20 values, of which the longest that is allowed is one. The others are 5, 10, 15,
 *   20 and 30 min, 1, 2, 3, 4, 5, 6, 8, 10, 12 and 18 h, as far as they are below it; what
 *   is missing is filled up with multiples of 200, 100, 50, 10, 5, 2 and 1 h, 20, 10 and
 *   5 min, the longest first. The value of popularity rank x = 2 to 20 has
 *   14.0491 exp(-0.177531 x) + 0.462513 per cent of the jobs, the longest one, of rank 1,
 *   what is left of 89 per cent.
 * - Tail: the other 11 per cent have K - 20 further values. K grows with the number of jobs,
 *   piecewise linear through (0, 0), (20, 10), (200, 20), (1000, 35), (10000, 90),
 *   (70000, 340), (250000, 565). With a = 1 + 12.1039 K^-0.6026 and r = 1 to K - 20 over
 *   K - 20 the values are (a - 1) r / (a - r) of the longest, in whole minutes; their shares
 *   are as 795.6 x^-2.267 of x = 21 to K, which goes with which is drawn.
 * - Jobs get their values in the order of their run times, the longest first, each one
 *   drawn from those left that are not shorter than it.
 *
 * Ours, where the authors' program has tables of four logs: which of the head's values but
 * the longest has which popularity is drawn, every order equally likely. And where too many
 * jobs run longer than the values that the model makes, those that are left without one
 * request the longest.
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
	int64_t longest;	/* of the modal one, s; 0: the longest requested time of
				   the log */
	uint64_t seed;
};

/* "f=F" or "modal" or "modal:LONGEST", into all but the seed. 0, or -1 with errno
   EINVAL. */
int lxfw_estimate_model_parse(struct lxfw_estimate_model *model, const char *text);

/*
 * Give the jobs of TRACE the requested times of the model; *MADE_LONGER is the number of
 * jobs that run longer than the longest of the modal one and request their run time. 0,
 * or -1 with errno ENOMEM.
 */
int lxfw_estimate_model_apply(const struct lxfw_estimate_model *model,
			      struct lxfw_trace *trace, size_t *made_longer);

/* Called by it; ESTIMATES have COUNT items, in descending order, 0 or -1 with errno
   ENOMEM. LONGEST is an hour or more. */
int lxfw_estimates_modal(int64_t longest, uint64_t seed, int64_t *estimates,
			 size_t count);

#endif
