/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of the broker `market`: economic scheduling, Yahyapour 2002, section 6.2. A request
 * for a job goes to the job's home and from there to other sites, which make offers at a price;
 * the offer with the highest utility for the user is allocated. market.c explains the rest.
 */
#ifndef LXFW_GRID_MARKET_H
#define LXFW_GRID_MARKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/grid/offers.h"
#include "common/util/formula.h"

/* The values that formulas may name, in the order of lxfw_market_values. The owner of a site
   computes the price from those of an offer there; the user's formulas may also contain what
   follows. Times are in seconds, areas in processor-seconds. */
enum lxfw_market_value {
	LXFW_MARKET_PROCS, LXFW_MARKET_RUN, LXFW_MARKET_START, LXFW_MARKET_END,
	LXFW_MARKET_SUBMIT, LXFW_MARKET_UNDER, LXFW_MARKET_OVER, LXFW_MARKET_LEFT_RIGHT,
	LXFW_MARKET_LEFT_RIGHT_REL,	/* left_right / (processors * run time) */
	LXFW_MARKET_UTILIZATION,
	LXFW_MARKET_OWNER_VALUES,

	LXFW_MARKET_COST = LXFW_MARKET_OWNER_VALUES,	/* the price */
	LXFW_MARKET_HOPS,	/* from the home */
	LXFW_MARKET_SITES,	/* at which the job runs */
	LXFW_MARKET_VALUES,
};

extern const char *const lxfw_market_values[LXFW_MARKET_VALUES];

/* The machine and user functions of section 6.3, "MF1" to "MF6" and "UF1" to "UF5", as
   formulas. The last one has no name. */
struct lxfw_market_function {
	const char *name, *formula;
};

extern const struct lxfw_market_function lxfw_market_machines[], lxfw_market_utilities[];

/* Whether a job may run at several sites at the same time. */
enum lxfw_market_split {
	LXFW_MARKET_SPLIT_NEVER,
	LXFW_MARKET_SPLIT_WIDE,		/* if its home has fewer processors than it requests */
	LXFW_MARKET_SPLIT_ALWAYS,
};

/* What the broker has done. */
struct lxfw_market_counts {
	size_t requests;	/* for jobs */
	size_t messages;	/* requests from site to site */
	size_t refused;		/* those of them for which the site has made offers already */
	size_t offers;		/* that sites have returned */
	size_t expired;		/* offers whose reservation ended before they could be
				   accepted */
	size_t repeated;	/* requests that were repeated, since there was no offer */
	size_t moved;		/* allocations that were replaced by better ones */
	size_t late;		/* jobs that started later than allocated */
	double price;		/* of the allocations, when they were made */
};

/* The rules. All is set by the caller; the counts and the error are changed. */
struct lxfw_market {
	const struct lxfw_formula *const *machines;	/* price at each site */
	const struct lxfw_formula *utility;
	const struct lxfw_formula *budget;	/* the most a job may cost; NULL: any price */
	/* Site I asks asked[first[I]] to asked[first[I + 1] - 1]; NULL: all others. */
	const uint32_t *first;
	const int32_t *asked;
	int32_t hops;			/* 0: only the home */
	int64_t delay;			/* of a message, seconds */
	int64_t live;			/* a request goes no further if its answer would come
					   later than this after it, seconds; LXFW_NEVER */
	int64_t reserved;		/* time for which an offer is reserved, seconds;
					   LXFW_NEVER */
	enum lxfw_market_split split;
	int32_t least_part, most_part;	/* processors of a site for a job at several; 0: any */
	bool reschedules;
	struct lxfw_offer_limits limits;
	struct lxfw_market_counts *counts;
	struct lxfw_error *error;	/* of a formula: errno is EDOM */
};

#endif
