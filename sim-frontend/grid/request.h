/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The offers that a market makes for a request in the language of nwire.h. The resources of the
 * file describe the sites further, or are the sites. Nothing is allocated.
 */
#ifndef LXFW_GRID_REQUEST_H
#define LXFW_GRID_REQUEST_H

#include "common/grid/grid.h"
#include "sim-frontend/grid/market.h"
#include "sim-frontend/grid/nwire.h"

struct lxfw_grid_request {
	/* Set by the caller. */
	const char *path;		/* of the file, for messages */
	const struct lxfw_nwire *nwire;
	const char *id;			/* of the request; NULL: there is one */
	const struct lxfw_sites *sites;
	int32_t home;
	int64_t at;			/* time of the request */
	struct lxfw_grid_market_options options;	/* but for hops and time to live */
	const char *jobs;		/* CSV of jobs that have allocations; NULL: none */

	/* Results. */
	const char *name;		/* id of the request */
	struct lxfw_grid_offer *offers;	/* best first */
	size_t count, size;
	bool chooses;			/* the best is taken without asking the user */
	int64_t reserved;		/* time until which offers are reserved */
	struct lxfw_market_counts counts;
};

/* An offer of one site, or of several together. */
struct lxfw_grid_offer {
	struct lxfw_grid_part *parts;
	int32_t count, hops;
	int64_t start, end;
	double price, utility, offer_cost, reservation_cost;
};

/* Adds the resources of the file as sites. Returns 0, or -1 with errno and ERROR set. */
int lxfw_grid_request_sites(struct lxfw_sites *sites, const struct lxfw_nwire *nwire,
			    const char *path, struct lxfw_error *error);

/* Finds the offers. Returns 0, or -1 with errno and ERROR set. Release the results with
   lxfw_grid_request_clear() in both cases. */
int lxfw_grid_request_run(struct lxfw_grid_request *request, struct lxfw_error *error);
void lxfw_grid_request_clear(struct lxfw_grid_request *request);

#endif
