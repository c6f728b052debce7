/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What Chiang and Vernon 2001 say in sections 3 to 5 (and in one sentence of 2.2),
 * each as a test with fixed bounds. The paper has words where a test needs numbers;
 * these stand for them throughout, and were chosen before any result was seen:
 *
 *   better, lower               ratio below 1
 *   well or significantly below ratio 0.80 or less
 *   greatly improved            ratio 0.50 or less
 *   similar, close              ratio from 0.80 to 1.25
 *   nearly the same             ratio from 0.90 to 1.11
 *   without harm                ratio 1.10 or less
 *   competitive, starvation-free ratio 1.50 or less
 *   extremely high              ratio 2 or more
 *
 * A figure is a measure of a policy, or the ratio of it to the same of another in
 * the same month with the same seed. Of several seeds the median counts. A claim
 * holds in a month if all its figures are within their bounds.
 */
#ifndef LXFW_EXPERIMENT_CLAIMS_H
#define LXFW_EXPERIMENT_CLAIMS_H

#include <stdbool.h>

#include "sim-frontend/experiment/experiment.h"

#define LXFW_CONDITIONS_MAX 10

/* How a figure comes from the months. */
enum lxfw_statistic {
	LXFW_BY_MONTH,		/* one figure each month */
	LXFW_RANGE,		/* largest less smallest of the months */
	LXFW_DEVIATION,		/* their standard deviation over their mean */
	LXFW_HIGH_LOAD,		/* reference less policy, its mean in the months of
				   high load over that in the others */
};

struct lxfw_condition {
	enum lxfw_tally_measure measure;
	enum lxfw_tally_group group;
	enum lxfw_contender policy;
	enum lxfw_contender reference;	/* LXFW_CONTENDERS = none */
	double low, high;		/* both are within; -INFINITY, INFINITY */
};

struct lxfw_claim {
	const char *section;		/* of the paper */
	const char *key;		/* "fcfs_like_priority" */
	const char *text;
	enum lxfw_statistic statistic;
	/* The months of the paper, bit 0 for October 1999, that it is said of;
	   0 = all. On a log, a claim about some months is tried in each. */
	unsigned int months;
	/* In how many months it has to be true to hold; 0 = in all. On a log, and
	   with fewer months than the paper has, in the same share of them. */
	int at_least;
	bool synthetic_only;	/* is about the O2K's own workload */
	struct lxfw_condition conditions[LXFW_CONDITIONS_MAX];
	int condition_count;
};

extern const struct lxfw_claim lxfw_claims[];
extern const int lxfw_claim_count;

/* Over the seeds; NAN where there is none (too few jobs). */
struct lxfw_figure {
	double median, least, most;
	bool within;		/* the median is within the bounds, or NAN */
};

struct lxfw_claim_result {
	const struct lxfw_claim *claim;
	/* by condition, then month (one if the statistic is over all) */
	struct lxfw_figure *figures;
	bool *month_holds;	/* by month */
	bool *month_counts;	/* whether the claim is about the month */
	int figure_months;	/* months of `figures` */
	int holds, of;		/* months */
	int needed;		/* of these */
	bool confirmed;		/* holds >= needed */
};

/* Whether the claim can be tried: all policies took part, it is about this kind of
   workload and its months. */
bool lxfw_claim_applies(const struct lxfw_experiment *experiment,
			const struct lxfw_claim *claim);

/* 0, or -1 with errno ENOMEM. */
int lxfw_claim_test(struct lxfw_claim_result *outcome,
		      const struct lxfw_experiment *experiment,
		      const struct lxfw_claim *claim);

void lxfw_claim_result_clear(struct lxfw_claim_result *outcome);

/* "holds", "holds in 4 of 6 months", "does not hold" */
void lxfw_claim_result_text(const struct lxfw_claim_result *outcome, char *text,
			  size_t size);

/* The value of a condition in a month (all of them: MONTH -1) with one seed. */
double lxfw_condition_value(const struct lxfw_experiment *experiment,
			    const struct lxfw_claim *claim,
			    const struct lxfw_condition *condition, int month,
			    int seed);

/* "average wait, h, FCFS-bf / NCSA-LSF*, at most 0.8" */
void lxfw_condition_text(const struct lxfw_claim *claim,
			 const struct lxfw_condition *condition, char *text,
			 size_t size);

#endif
