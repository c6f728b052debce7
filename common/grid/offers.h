/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The offers of a site for a request of processors, by the bucket algorithm of Yahyapour 2002,
 * section 6.2.
 *
 * All times at which a processor becomes free or allocated are passed in their order. At each,
 * the gaps are taken that contain it, or end at it, and in which the job can run before it.
 * Gaps with the same begin and the same end are a bucket. A bucket with enough processors is an
 * offer by itself, and is then reduced to one processor less than requested. Offers of several
 * buckets follow: all numbers of processors of each bucket that make up the request, first
 * those with the most from the first buckets, in the order of their begins and ends. An offer is
 * left out if it was found at an earlier time. The search ends after the time at which there are
 * enough. The earliest possible start is always among the offers.
 *
 * The processors of a bucket are equal. The thesis lists all sets of processors; here an offer
 * stands for all that have the same number from each bucket.
 *
 * The job can start at any time of an offer's window. A number of starts are tried, at equal
 * distances; the one with the highest utility is offered. Of equal ones the lower price, then
 * the earlier start is better.
 */
#ifndef LXFW_GRID_OFFERS_H
#define LXFW_GRID_OFFERS_H

#include <stddef.h>
#include <stdint.h>

#include "common/grid/timetable.h"

/* All 1 or more. */
struct lxfw_offer_limits {
	int32_t offers;		/* of a site for a request: enough of them */
	int32_t combinations;	/* of several buckets at a time; C of the thesis */
	int32_t starts;		/* tried in the window of an offer */
};

/* What an offer depends on (figure 6.7). Areas are in processor-seconds. */
struct lxfw_offer_terms {
	int32_t procs;
	int64_t start, end;
	double under;		/* its processors are free before, since their last use */
	double over;		/* and after it, until their next use or the end of the
				   timetable */
	double left_right;	/* the other processors of the site are free meanwhile */
	double utilization;	/* of the site with the job, from now to the end of the
				   timetable, 0 to 1 */
};

struct lxfw_offer {
	struct lxfw_offer_terms terms;
	double price, utility;
	int64_t first, last;	/* window: from its first possible start to its last end */
	size_t gaps;		/* index of its first gap in `chosen` */
};

struct lxfw_offer_search {
	/* Set by the caller. */
	const struct lxfw_gaps *gaps;
	int32_t procs;			/* 1 or more */
	int64_t seconds;		/* 1 or more */
	int64_t earliest, latest;	/* of the start and of the end; LXFW_NEVER: none */
	struct lxfw_offer_limits limits;
	void *context;
	/* Computes the price and the utility. Returns 0, or -1 with errno. */
	int (*value)(void *context, const struct lxfw_offer_terms *terms, double *price,
		     double *utility);

	/* Results, best first. */
	struct lxfw_offer *offers;
	size_t count, size;
	int32_t *chosen;		/* gaps of the offers, `procs` each */
	size_t chosen_size;

	/* Private. */
	int32_t *active;
	size_t active_count, active_size;
	int64_t *times;
	size_t times_size;
	struct lxfw_bucket *buckets;
	size_t bucket_count, buckets_size;
};

/* Finds the offers. Returns 0, or -1 with errno ENOMEM or that of value(). May be called again
   with other values; release with lxfw_offers_clear(). */
int lxfw_offers_find(struct lxfw_offer_search *search);
void lxfw_offers_clear(struct lxfw_offer_search *search);

/* Returns the processor of the site that the offer has as number I. */
int32_t lxfw_offer_proc(const struct lxfw_offer_search *search,
			const struct lxfw_offer *offer, int32_t i);

#endif
