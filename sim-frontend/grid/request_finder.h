/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A search for offers, and the numbers of its request. For request.c. */
#ifndef LXFW_GRID_REQUEST_FINDER_H
#define LXFW_GRID_REQUEST_FINDER_H

#include "common/grid/market_search.h"
#include "sim-frontend/grid/nwire_values.h"
#include "sim-frontend/grid/request.h"

#define LXFW_FINDER_TIME_MOST 1e15		/* seconds */

/* The numbers of a request. */
struct lxfw_finder_asked {
	int64_t start, end, until, search;	/* times; LXFW_NEVER */
	int64_t most_offers, hops;		/* -1: all offers */
	double offer_budget, job_budget, reservation_budget;
	bool same_system;
};

struct lxfw_finder {
	struct lxfw_grid_request *request;
	const struct lxfw_nwire_object *object;
	struct lxfw_nwire_scope scope;
	struct lxfw_finder_asked asked;
	struct lxfw_grid_market market;
	struct lxfw_grid_site *sites;
	struct lxfw_grid_world world;
	struct lxfw_grid grid;
	struct lxfw_allocations allocations;
	struct lxfw_market_search search;
	struct lxfw_error *error;
};

/* Returns the value of the request; NULL: it has none. */
const struct lxfw_nwire_value *lxfw_finder_value(const struct lxfw_finder *finder,
						 const char *name);

/* Returns its place, or that of the request. */
const struct lxfw_nwire_place *lxfw_finder_place(const struct lxfw_finder *finder,
						 const char *name);

/* The functions below return 0, or -1 with errno and the error set. */

/* Sets *TO to a whole number, or leaves it as it is if the request has none. */
int lxfw_finder_whole(struct lxfw_finder *finder, const char *name, double low, double high,
		      int64_t *to);

/* Sets the error "NAME is IS, expected EXPECTED LIMIT" and returns -1. */
int lxfw_finder_contradiction(const struct lxfw_finder *finder, const char *name, int64_t is,
			      const char *expected, int64_t limit);

/* Sets the numbers, and checks that they do not contradict each other. */
int lxfw_finder_numbers(struct lxfw_finder *finder);

#endif
