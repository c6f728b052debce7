/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of a market (common/grid/market.h), made from texts and sites. */
#ifndef LXFW_GRID_MARKET_SITES_H
#define LXFW_GRID_MARKET_SITES_H

#include "common/grid/market.h"
#include "common/model/time.h"
#include "sim-frontend/grid/graph.h"
#include "sim-frontend/grid/sites.h"

struct lxfw_grid_market_options {
	const char *machine;	/* price at the sites that have no formula; a name or a formula */
	const char *utility;	/* the same for users */
	const char *budget;	/* a formula; NULL: any price */
	const char *ask;	/* neighbours: "all", "2nn", or the path of a graph */
	int64_t hops, delay, live, reserved;	/* as in struct lxfw_market */
	enum lxfw_market_split split;
	bool reschedules;
	int64_t offers, combinations, starts;	/* limits, up to INT32_MAX */
};

#define LXFW_GRID_MARKET_USUAL \
	{ .machine = "MF1", .utility = "UF1", .ask = "all", .hops = 1, .live = LXFW_NEVER, \
	  .reserved = LXFW_NEVER, .split = LXFW_MARKET_SPLIT_WIDE, .offers = 32, \
	  .combinations = 8, .starts = 5 }

/* {0} is empty. It must not be moved. */
struct lxfw_grid_market {
	struct lxfw_market rules;
	struct lxfw_market_counts counts;
	struct lxfw_error error;

	/* Private. */
	struct lxfw_formula **machines;
	int32_t sites;
	struct lxfw_formula *utility, *budget;
	struct lxfw_graph graph;
};

/* Returns 0, or -1 with errno and ERROR set, beginning with the name of the option in the
   command, and MARKET empty. */
int lxfw_grid_market_make(struct lxfw_grid_market *market,
			  const struct lxfw_grid_market_options *options,
			  const struct lxfw_sites *sites, struct lxfw_error *error);

void lxfw_grid_market_clear(struct lxfw_grid_market *market);

#endif
