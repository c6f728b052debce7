/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The claims of Chiang and Vernon 2001, sections 3 to 5 (and one sentence of 2.2), as
 * tests with fixed bounds. The paper uses words where a test needs numbers. They are
 * translated as follows; the numbers were chosen before any result was known:
 *
 *   better, lower               ratio below 1
 *   well or significantly below ratio 0.80 or less
 *   greatly improved            ratio 0.50 or less
 *   similar, close              ratio from 0.80 to 1.25
 *   without harm                ratio 1.10 or less
 *   competitive, starvation-free ratio 1.50 or less
 *   extremely high              ratio 2 or more
 *
 * Two were added when results were known:
 *
 *   slightly below              ratio from 0.80 to 1: lower, but not significantly
 *   nearly the same             difference (the figures may be 0) within 0.25 h of the
 *                               average and of the 95th percentile wait (three times a
 *                               MinInterval of 5 minutes), a day of the maximum, and 5
 *                               of the slowdown (a job of a minute that waits for one
 *                               MinInterval)
 *
 * A figure is a measure of a policy, or its ratio to, or difference from, the same measure
 * of another policy in the same month with the same seed. The median over the seeds is
 * used. A claim holds in a month if all its figures are within their bounds. A claim about
 * most cases is tested in each month and measure instead.
 */
#ifndef LXFW_EXPERIMENT_CLAIMS_H
#define LXFW_EXPERIMENT_CLAIMS_H

#include <stdbool.h>

#include "sim-frontend/experiment/experiment.h"

#define LXFW_CONDITIONS_MAX 10

/* How a figure is computed from the months. */
enum lxfw_statistic {
	LXFW_BY_MONTH,		/* one figure per month */
	LXFW_RANGE,		/* maximum minus minimum over the months */
	LXFW_DEVIATION,		/* standard deviation divided by the mean */
	LXFW_HIGH_LOAD,		/* reference minus policy: mean in the months of high
				   load divided by the mean in the others */
};

struct lxfw_condition {
	enum lxfw_tally_measure measure;
	enum lxfw_tally_group group;
	enum lxfw_contender policy;
	enum lxfw_contender reference;	/* LXFW_CONTENDERS: none */
	double low, high;		/* inclusive bounds; -INFINITY or INFINITY:
					   none */
	bool difference;		/* policy minus reference, not their ratio */
};

struct lxfw_claim {
	const char *section;		/* of the paper */
	const char *key;		/* "fcfs_like_priority" */
	const char *text;
	enum lxfw_statistic statistic;
	/* Months of the paper to which the claim refers, bit 0 for October 1999; 0:
	   all. On a log, a claim about some months is tested in each month. */
	unsigned int months;
	/* Number of months in which the claim must hold; 0: all. On a log, or with
	   fewer months than in the paper, the same fraction of the months. */
	int at_least;
	/* Each figure of each month is a case, and more than half of the cases must be
	   within their bounds. Not together with `at_least`. */
	bool most_cases;
	bool synthetic_only;	/* the claim is about the O2K's own workload */
	struct lxfw_condition conditions[LXFW_CONDITIONS_MAX];
	int condition_count;
};

extern const struct lxfw_claim lxfw_claims[];
extern const int lxfw_claim_count;

/* Statistics over the seeds; NAN if there are too few jobs. */
struct lxfw_figure {
	double median, least, most;
	bool within;		/* the median is within the bounds or NAN */
};

struct lxfw_claim_result {
	const struct lxfw_claim *claim;
	/* Indexed by condition, then by month (a single one if the statistic is over
	   all months). */
	struct lxfw_figure *figures;
	bool *month_holds;	/* by month */
	bool *month_counts;	/* by month: the claim refers to it */
	int figure_months;	/* number of months of `figures` */
	int holds, of;		/* numbers of months, or of cases */
	int needed;		/* required number of them */
	bool confirmed;		/* holds >= needed */
	/* Each seed judged alone, by its own figures instead of the medians. */
	int seeds, seeds_confirmed;
	int seeds_holds, seeds_of;	/* sums of `holds` and `of` over the seeds */
};

/* Returns whether the claim can be tested: all its policies are in the experiment, and
   it refers to this kind of workload and its months. */
bool lxfw_claim_applies(const struct lxfw_experiment *experiment,
			const struct lxfw_claim *claim);

/* Returns 0, or -1 with errno ENOMEM. */
int lxfw_claim_test(struct lxfw_claim_result *outcome,
		      const struct lxfw_experiment *experiment,
		      const struct lxfw_claim *claim);

void lxfw_claim_result_clear(struct lxfw_claim_result *outcome);

/* Formats "holds", "holds in 4 of 6 months" or "does not hold". */
void lxfw_claim_result_text(const struct lxfw_claim_result *outcome, char *text,
			  size_t size);

/* Returns the value of a condition in a month with one seed. MONTH -1 means all
   months. */
double lxfw_condition_value(const struct lxfw_experiment *experiment,
			    const struct lxfw_claim *claim,
			    const struct lxfw_condition *condition, int month,
			    int seed);

/* Formats "average wait, h, FCFS-bf / NCSA-LSF*, at most 0.8". */
void lxfw_condition_text(const struct lxfw_claim *claim,
			 const struct lxfw_condition *condition, char *text,
			 size_t size);

#endif
