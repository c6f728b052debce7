/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/grid/market_search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/model/time.h"
#include "common/profile/duration.h"
#include "common/util/error.h"
#include "common/util/grow.h"

/* From TIME on, CHANGE more processors of the site can begin the job. */
struct lxfw_market_change {
	int64_t time;
	int32_t site, change;
};

int lxfw_market_search_begin(struct lxfw_market_search *search, const struct lxfw_grid *grid,
			     struct lxfw_allocations *allocations)
{
	size_t sites = (size_t)grid->site_count;

	*search = (struct lxfw_market_search){
		.grid = grid, .market = grid->params.market, .allocations = allocations,
		.reached = calloc(sites, sizeof(*search->reached)),
		.known = calloc(sites, sizeof(*search->known)),
		.gaps = calloc(sites, sizeof(*search->gaps)),
		.parts = calloc(sites, sizeof(*search->parts)),
		.room = calloc(sites, sizeof(*search->room)), .latest = LXFW_NEVER,
	};
	return search->reached && search->known && search->gaps && search->parts &&
	       search->room ? 0 : -1;
}

void lxfw_market_search_clear(struct lxfw_market_search *search)
{
	for (int32_t i = 0; search->gaps && i < search->grid->site_count; i++)
		lxfw_gaps_clear(&search->gaps[i]);
	lxfw_offers_clear(&search->offers);
	free(search->reached);
	free(search->known);
	free(search->gaps);
	free(search->parts);
	free(search->room);
	free(search->changes);
	*search = (struct lxfw_market_search){ 0 };
}

/* --- the sites ------------------------------------------------------------------------------ */

/* A message to a site. */
static void tell(struct lxfw_market_search *search, int32_t site, int32_t hops)
{
	search->market->counts->messages++;
	if (search->known[site]) {
		search->market->counts->refused++;
		return;
	}
	search->known[site] = true;
	search->reached[search->reached_count++] = (struct lxfw_market_site){ site, hops };
}

static void forward(struct lxfw_market_search *search, const struct lxfw_market_site *from)
{
	const struct lxfw_market *market = search->market;

	for (int32_t i = 0; !market->first && i < search->grid->site_count; i++) {
		if (i != from->site)
			tell(search, i, from->hops + 1);
	}
	for (uint32_t i = market->first ? market->first[from->site] : 0;
	     market->first && i < market->first[from->site + 1]; i++)
		tell(search, market->asked[i], from->hops + 1);
}

void lxfw_market_reach(struct lxfw_market_search *search, int32_t home)
{
	const struct lxfw_market *market = search->market;

	memset(search->known, 0, (size_t)search->grid->site_count * sizeof(*search->known));
	search->known[home] = true;
	search->reached[0] = (struct lxfw_market_site){ home, 0 };
	search->reached_count = 1;
	for (int32_t i = 0; i < search->reached_count; i++) {
		const struct lxfw_market_site *from = &search->reached[i];

		if (from->hops < market->hops &&
		    2 * market->delay * ((int64_t)from->hops + 1) <= market->live)
			forward(search, from);
	}
}

static bool takes(const struct lxfw_market_search *search, const struct lxfw_grid_job *job,
		  const struct lxfw_grid_part *part, int32_t overhead)
{
	const struct lxfw_grid *grid = search->grid;
	struct lxfw_request request;
	int64_t seconds = lxfw_grid_part_seconds(grid, job->estimate, job->procs, part,
						 overhead);

	return part->procs <= grid->sites[part->site].procs &&
	       grid->world->request(grid->world->context, job->id, part, seconds, &request);
}

bool lxfw_market_fits(const struct lxfw_market_search *search,
		      const struct lxfw_grid_job *job, int32_t site)
{
	const struct lxfw_grid_part part = { site, job->procs };

	return takes(search, job, &part, 0);
}

static bool may_split(const struct lxfw_market_search *search,
		      const struct lxfw_grid_job *job)
{
	enum lxfw_market_split split = search->market->split;

	return job->procs > 1 && search->reached_count > 1 &&
	       (split == LXFW_MARKET_SPLIT_ALWAYS ||
		(split == LXFW_MARKET_SPLIT_WIDE &&
		 job->procs > search->grid->sites[job->home].procs));
}

bool lxfw_market_fits_several(const struct lxfw_market_search *search,
			      const struct lxfw_grid_job *job)
{
	int64_t left = job->procs;

	for (int32_t i = 0; i < search->reached_count && left > 0; i++)
		left -= search->grid->sites[search->reached[i].site].procs;
	return may_split(search, job) && left <= 0;
}

/* --- prices and utilities --------------------------------------------------------------------- */

static void set_values(struct lxfw_market_search *search,
		       const struct lxfw_offer_terms *terms)
{
	double *values = search->values;
	double work = (double)terms->procs * (double)(terms->end - terms->start);

	values[LXFW_MARKET_PROCS] = terms->procs;
	values[LXFW_MARKET_RUN] = (double)(terms->end - terms->start);
	values[LXFW_MARKET_START] = (double)terms->start;
	values[LXFW_MARKET_END] = (double)terms->end;
	values[LXFW_MARKET_UNDER] = terms->under;
	values[LXFW_MARKET_OVER] = terms->over;
	values[LXFW_MARKET_LEFT_RIGHT] = terms->left_right;
	values[LXFW_MARKET_LEFT_RIGHT_REL] = terms->left_right / work;
	values[LXFW_MARKET_UTILIZATION] = terms->utilization;
}

static int compute(struct lxfw_market_search *search, const struct lxfw_formula *formula,
		   double *result)
{
	return lxfw_formula_evaluate(formula, search->values, result, search->market->error);
}

static int value(void *context, const struct lxfw_offer_terms *terms, double *price,
		 double *utility)
{
	struct lxfw_market_search *search = context;

	set_values(search, terms);
	if (compute(search, search->market->machines[search->site], price))
		return -1;
	search->values[LXFW_MARKET_COST] = *price;
	return compute(search, search->market->utility, utility);
}

/* A part of a combined offer has the lowest price. */
static int value_of_part(void *context, const struct lxfw_offer_terms *terms, double *price,
			 double *utility)
{
	struct lxfw_market_search *search = context;

	set_values(search, terms);
	*utility = 0;
	return compute(search, search->market->machines[search->site], price);
}

/* Sets *WITHIN to whether the price, with the values of the last offer, is within the budget. */
static int check_budget(struct lxfw_market_search *search, double price, bool *within)
{
	double budget;

	*within = true;
	if (!search->market->budget)
		return 0;
	if (compute(search, search->market->budget, &budget))
		return -1;
	*within = price <= budget;
	return 0;
}

bool lxfw_market_is_better(const struct lxfw_allocation *a, const struct lxfw_allocation *b)
{
	if (!a || !b)
		return a && !b;
	if (a->utility > b->utility || a->utility < b->utility)
		return a->utility > b->utility;
	if (a->hops != b->hops)
		return a->hops < b->hops;
	if (a->price > b->price || a->price < b->price)
		return a->price < b->price;
	return a->start < b->start;
}

/* --- a site --------------------------------------------------------------------------------- */

static int find_gaps(struct lxfw_market_search *search, int32_t site)
{
	return lxfw_gaps_find(&search->gaps[site], &search->allocations->tables[site],
			      search->grid->now);
}

/* The offers of a site for a part, from EARLIEST to LATEST. */
static int find_offers(struct lxfw_market_search *search, const struct lxfw_grid_part *part,
		       int64_t seconds, int64_t earliest, int64_t latest)
{
	struct lxfw_offer_search *offers = &search->offers;

	search->site = part->site;
	offers->gaps = &search->gaps[part->site];
	offers->procs = part->procs;
	offers->seconds = seconds;
	offers->earliest = earliest;
	offers->latest = latest;
	offers->limits = search->market->limits;
	offers->context = search;
	return lxfw_offers_find(offers);
}

static void begin_values(struct lxfw_market_search *search, const struct lxfw_grid_job *job,
			 int32_t hops, int32_t sites)
{
	memset(search->values, 0, sizeof(search->values));
	search->values[LXFW_MARKET_SUBMIT] = (double)job->submit;
	search->values[LXFW_MARKET_HOPS] = hops;
	search->values[LXFW_MARKET_SITES] = sites;
}

/* Sets part INDEX of an allocation, whose processors are PROCS, from an offer. */
static void take_part(const struct lxfw_market_search *search,
		      const struct lxfw_offer *offer, const struct lxfw_grid_part *part,
		      struct lxfw_allocation *to, int32_t index, int32_t *procs)
{
	to->parts[index] = *part;
	to->seconds[index] = offer->terms.end - offer->terms.start;
	to->agreed = to->start = offer->terms.start;
	for (int32_t i = 0; i < part->procs; i++)
		procs[i] = lxfw_offer_proc(&search->offers, offer, i);
}

/* The first offer within the budget; NULL: none. */
static int first_within(struct lxfw_market_search *search, const struct lxfw_offer **first)
{
	const struct lxfw_offer_search *offers = &search->offers;

	*first = NULL;
	for (size_t i = 0; i < offers->count && !*first; i++) {
		const struct lxfw_offer *offer = &offers->offers[i];
		bool within;

		set_values(search, &offer->terms);
		search->values[LXFW_MARKET_COST] = offer->price;
		if (check_budget(search, offer->price, &within))
			return -1;
		if (within)
			*first = offer;
	}
	return 0;
}

int lxfw_market_offer(struct lxfw_market_search *search, const struct lxfw_grid_job *job,
		      const struct lxfw_market_site *from, int64_t earliest,
		      struct lxfw_allocation **best)
{
	const struct lxfw_grid_part part = { from->site, job->procs };
	int64_t seconds = lxfw_grid_part_seconds(search->grid, job->estimate, job->procs,
						 &part, 0);
	const struct lxfw_offer *offer;

	*best = NULL;
	if (!takes(search, job, &part, 0))
		return 0;
	begin_values(search, job, from->hops, 1);
	search->offers.value = value;
	if (find_gaps(search, from->site) ||
	    find_offers(search, &part, seconds, earliest, search->latest) ||
	    first_within(search, &offer))
		return -1;
	if (!offer)
		return 0;
	*best = lxfw_allocation_new(job, 1);
	if (!*best)
		return -1;
	take_part(search, offer, &part, *best, 0, (*best)->procs);
	(*best)->price = offer->price;
	(*best)->utility = offer->utility;
	(*best)->hops = from->hops;
	return 0;
}

/* --- several sites ---------------------------------------------------------------------------- */

static int64_t part_seconds(const struct lxfw_market_search *search,
			    const struct lxfw_grid_job *job, int32_t site)
{
	return lxfw_grid_seconds(job->estimate, search->grid->sites[site].speed,
				 search->grid->params.overhead);
}

/* When processors of a site can begin the job: in each gap from its begin on, until the job
   would end after it. */
static int add_changes(struct lxfw_market_search *search, int32_t site, int64_t seconds,
		       int64_t earliest)
{
	const struct lxfw_gaps *gaps = &search->gaps[site];

	if (LXFW_GROW(search->changes, search->changes_size,
		      search->change_count + 2 * gaps->count + 1))
		return -1;
	for (size_t i = 0; i < gaps->count; i++) {
		const struct lxfw_gap *gap = &gaps->list[i];
		int64_t begin = gap->begin > earliest ? gap->begin : earliest;
		int64_t end = gap->end < search->latest ? gap->end : search->latest;

		if (lxfw_time_add(begin, seconds) > end)
			continue;
		search->changes[search->change_count++] =
			(struct lxfw_market_change){ begin, site, 1 };
		if (end < LXFW_NEVER)
			search->changes[search->change_count++] =
				(struct lxfw_market_change){ end - seconds + 1, site, -1 };
	}
	return 0;
}

static int by_time(const void *one, const void *other)
{
	const struct lxfw_market_change *a = one, *b = other;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->site != b->site)
		return a->site < b->site ? -1 : 1;
	return (a->change > b->change) - (a->change < b->change);
}

/* How many of LEFT processors a site can have; 0: it has too few. */
static int32_t part_procs(const struct lxfw_market_search *search, int32_t site, int32_t left)
{
	int32_t most = search->market->most_part, procs = search->room[site];

	if (procs < search->market->least_part)
		return 0;
	procs = most > 0 && procs > most ? most : procs;
	return procs < left ? procs : left;
}

/* Chooses the parts: the sites with the most processors first, those with fewer hops first of
   equal ones. Returns their number, 0 if the room does not suffice or one site is enough. */
static int32_t choose_parts(struct lxfw_market_search *search,
			    const struct lxfw_grid_job *job)
{
	int32_t left = job->procs, count = 0;

	memset(search->known, 0, (size_t)search->grid->site_count * sizeof(*search->known));
	while (left > 0) {
		int32_t best = -1;

		for (int32_t i = 0; i < search->reached_count; i++) {
			int32_t site = search->reached[i].site;
			const struct lxfw_grid_part part = {
				site, part_procs(search, site, left),
			};

			if (!search->known[site] && part.procs > 0 &&
			    (best < 0 || search->room[site] > search->room[best]) &&
			    takes(search, job, &part, search->grid->params.overhead))
				best = site;
		}
		if (best < 0)
			return 0;
		search->known[best] = true;
		search->parts[count] = (struct lxfw_grid_part){
			best, part_procs(search, best, left),
		};
		left -= search->parts[count++].procs;
	}
	return count > 1 ? count : 0;
}

static int32_t hops_of(const struct lxfw_market_search *search, int32_t site)
{
	int32_t i = 0;

	while (search->reached[i].site != site)
		i++;
	return search->reached[i].hops;
}

/* Makes an offer of the chosen parts from START on. */
static int combine(struct lxfw_market_search *search, const struct lxfw_grid_job *job,
		   int64_t start, int32_t count, struct lxfw_allocation *to)
{
	struct lxfw_offer_terms all = { .procs = job->procs, .start = start, .end = start };
	double site_procs = 0;
	int32_t *procs = to->procs;

	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_grid_part *part = &search->parts[i];
		int64_t seconds = part_seconds(search, job, part->site), end = start + seconds;
		const struct lxfw_offer *offer;
		int32_t hops = hops_of(search, part->site);

		begin_values(search, job, hops, count);
		search->offers.value = value_of_part;
		if (find_offers(search, part, seconds, start, end))
			return -1;
		offer = &search->offers.offers[0];
		take_part(search, offer, part, to, i, procs);
		procs += part->procs;
		to->price += offer->price;
		to->hops = hops > to->hops ? hops : to->hops;
		all.end = end > all.end ? end : all.end;
		all.under += offer->terms.under;
		all.over += offer->terms.over;
		all.left_right += offer->terms.left_right;
		all.utilization += offer->terms.utilization *
				   search->gaps[part->site].procs;
		site_procs += search->gaps[part->site].procs;
	}
	all.utilization /= site_procs;
	begin_values(search, job, to->hops, count);
	set_values(search, &all);
	search->values[LXFW_MARKET_COST] = to->price;
	return compute(search, search->market->utility, &to->utility);
}

/* Tries an offer from START on; *BEST is replaced by it if it is better. */
static int try_start(struct lxfw_market_search *search, const struct lxfw_grid_job *job,
		     int64_t start, struct lxfw_allocation **best, int32_t *tried)
{
	int32_t count = choose_parts(search, job);
	struct lxfw_allocation *offer;
	bool within = false;
	int failed;

	if (count == 0)
		return 0;
	++*tried;
	offer = lxfw_allocation_new(job, count);
	if (!offer)
		return -1;
	failed = combine(search, job, start, count, offer);
	if (!failed)
		failed = check_budget(search, offer->price, &within);
	if (!failed && within && lxfw_market_is_better(offer, *best)) {
		lxfw_allocation_free(*best);
		*best = offer;
		return 0;
	}
	lxfw_allocation_free(offer);
	return failed;
}

int lxfw_market_offer_several(struct lxfw_market_search *search,
			      const struct lxfw_grid_job *job, int64_t earliest,
			      struct lxfw_allocation **best)
{
	int64_t free = 0;
	int32_t tried = 0;

	*best = NULL;
	if (!lxfw_market_fits_several(search, job))
		return 0;
	search->change_count = 0;
	memset(search->room, 0, (size_t)search->grid->site_count * sizeof(*search->room));
	for (int32_t i = 0; i < search->reached_count; i++) {
		int32_t site = search->reached[i].site;

		if (find_gaps(search, site) ||
		    add_changes(search, site, part_seconds(search, job, site), earliest))
			return -1;
	}
	if (search->change_count > 0)
		qsort(search->changes, search->change_count, sizeof(*search->changes),
		      by_time);
	for (size_t i = 0; i < search->change_count && tried < search->market->limits.offers;
	     i++) {
		const struct lxfw_market_change *change = &search->changes[i];

		search->room[change->site] += change->change;
		free += change->change;
		if (i + 1 < search->change_count && change[1].time == change->time)
			continue;
		if (free >= job->procs &&
		    try_start(search, job, change->time, best, &tried)) {
			lxfw_allocation_free(*best);
			*best = NULL;
			return -1;
		}
	}
	return 0;
}
