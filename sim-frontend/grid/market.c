/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/market.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/grid/market_formula.h"
#include "sim-frontend/util/text.h"

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* Reads the formula of an option. */
static int take_formula(const char *text, enum lxfw_market_use use, const char *option,
			struct lxfw_formula **to, struct lxfw_error *error)
{
	struct lxfw_error reason = { "" };

	*to = lxfw_market_formula(text, use, &reason);
	if (*to)
		return 0;
	return errno == ENOMEM ? out_of_memory(error) :
	       lxfw_error_format(error, "--%s: %s", option, reason.text);
}

/* The formula of a site, which was checked when the site was read, or that of the option. */
static int take_machines(struct lxfw_grid_market *market,
			 const struct lxfw_grid_market_options *options,
			 const struct lxfw_sites *sites, struct lxfw_error *error)
{
	market->machines = calloc((size_t)sites->count, sizeof(*market->machines));
	if (!market->machines)
		return out_of_memory(error);
	market->sites = sites->count;
	for (int32_t i = 0; i < sites->count; i++) {
		const char *own = sites->list[i].machine;

		if (take_formula(own ? own : options->machine, LXFW_MARKET_PRICE, "machine",
				 &market->machines[i], error))
			return -1;
	}
	return 0;
}

static int take_graph(struct lxfw_grid_market *market, const char *ask,
		      const struct lxfw_sites *sites, struct lxfw_error *error)
{
	if (strcmp(ask, "all") == 0)
		return 0;
	if (strcmp(ask, "2nn") == 0) {
		if (lxfw_graph_ring(&market->graph, sites->count))
			return out_of_memory(error);
	} else if (lxfw_graph_read_directed(&market->graph, ask, &sites->names, error)) {
		return -1;
	}
	market->rules.first = market->graph.first;
	market->rules.asked = market->graph.to;
	return 0;
}

static int make(struct lxfw_grid_market *market,
		const struct lxfw_grid_market_options *options,
		const struct lxfw_sites *sites, struct lxfw_error *error)
{
	struct lxfw_market *rules = &market->rules;

	if (take_formula(options->utility, LXFW_MARKET_UTILITY, "utility", &market->utility,
			 error) ||
	    (options->budget && take_formula(options->budget, LXFW_MARKET_BUDGET, "budget",
					     &market->budget, error)) ||
	    take_machines(market, options, sites, error) ||
	    take_graph(market, options->ask, sites, error))
		return -1;
	rules->machines = (const struct lxfw_formula *const *)market->machines;
	rules->utility = market->utility;
	rules->budget = market->budget;
	rules->hops = (int32_t)options->hops;
	rules->delay = options->delay;
	rules->live = options->live;
	rules->reserved = options->reserved;
	rules->split = options->split;
	rules->reschedules = options->reschedules;
	rules->limits = (struct lxfw_offer_limits){
		(int32_t)options->offers, (int32_t)options->combinations,
		(int32_t)options->starts,
	};
	rules->counts = &market->counts;
	rules->error = &market->error;
	return 0;
}

int lxfw_grid_market_make(struct lxfw_grid_market *market,
			  const struct lxfw_grid_market_options *options,
			  const struct lxfw_sites *sites, struct lxfw_error *error)
{
	*market = (struct lxfw_grid_market){ 0 };
	if (make(market, options, sites, error) == 0)
		return 0;
	lxfw_grid_market_clear(market);
	return -1;
}

void lxfw_grid_market_clear(struct lxfw_grid_market *market)
{
	int saved = errno;

	for (int32_t i = 0; i < market->sites; i++)
		lxfw_formula_free(market->machines[i]);
	free(market->machines);
	lxfw_formula_free(market->utility);
	lxfw_formula_free(market->budget);
	lxfw_graph_clear(&market->graph);
	*market = (struct lxfw_grid_market){ 0 };
	errno = saved;
}
