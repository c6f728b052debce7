/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sites that a request reaches, and the offers that it gets. For market.c. */
#ifndef LXFW_GRID_MARKET_SEARCH_H
#define LXFW_GRID_MARKET_SEARCH_H

#include "common/grid/allocations.h"
#include "common/grid/market.h"

/* A site that a request reaches. */
struct lxfw_market_site {
	int32_t site, hops;
};

/* Scratch of searches. */
struct lxfw_market_search {
	const struct lxfw_grid *grid;
	const struct lxfw_market *market;
	struct lxfw_allocations *allocations;
	struct lxfw_market_site *reached;
	int32_t reached_count;
	bool *known;			/* by site */
	struct lxfw_gaps *gaps;		/* by site */
	struct lxfw_offer_search offers;
	int64_t latest;			/* end of jobs; LXFW_NEVER unless the caller sets it */
	double values[LXFW_MARKET_VALUES];
	int32_t site;			/* whose formula gives the price */
	struct lxfw_grid_part *parts;	/* of a combined offer */
	int32_t *room;			/* processors of the sites for it */
	struct lxfw_market_change *changes;
	size_t change_count, changes_size;
};

/* Returns 0, or -1 with errno ENOMEM. Release with lxfw_market_search_clear() in both cases. */
int lxfw_market_search_begin(struct lxfw_market_search *search, const struct lxfw_grid *grid,
			     struct lxfw_allocations *allocations);
void lxfw_market_search_clear(struct lxfw_market_search *search);

/* Sets `reached` to the sites that a request reaches from HOME, which is the first one: in
   the order of hops, each once. Counts the messages. */
void lxfw_market_reach(struct lxfw_market_search *search, int32_t home);

/* Whether the job can run at the site, if it is empty. */
bool lxfw_market_fits(const struct lxfw_market_search *search,
		      const struct lxfw_grid_job *job, int32_t site);

/* Whether it can run at several of the reached sites, if they are empty. */
bool lxfw_market_fits_several(const struct lxfw_market_search *search,
			      const struct lxfw_grid_job *job);

/* The functions below set *BEST to a new allocation, in state OFFERED, or to NULL if there is no
   offer within the budget; they return 0, or -1 with errno ENOMEM or EDOM. */

/* The best offer of a site, from EARLIEST on. */
int lxfw_market_offer(struct lxfw_market_search *search, const struct lxfw_grid_job *job,
		      const struct lxfw_market_site *from, int64_t earliest,
		      struct lxfw_allocation **best);

/* The best offer of several reached sites together. Each sets its price. */
int lxfw_market_offer_several(struct lxfw_market_search *search,
			      const struct lxfw_grid_job *job, int64_t earliest,
			      struct lxfw_allocation **best);

/* Whether offer A, which may be NULL, is better than B, which may be too: by the utility, then
   by hops, price and start. */
bool lxfw_market_is_better(const struct lxfw_allocation *a, const struct lxfw_allocation *b);

#endif
