/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/request.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/grid/brokers.h"
#include "common/util/grow.h"
#include "sim-frontend/grid/request_finder.h"
#include "sim-frontend/grid/request_jobs.h"
#include "sim-frontend/util/text.h"

/* What the request is at a site. */
struct terms {
	struct lxfw_formula *price, *utility;
	int32_t procs;
	int64_t run;		/* at the usual speed */
	double offer_cost, reservation_cost;
	const char *system;	/* operating system; NULL: none */
};

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* --- the request at a site ----------------------------------------------------------------------- */

static const struct lxfw_nwire_object *resource_of(const struct lxfw_finder *finder, int32_t site)
{
	const struct lxfw_nwire *nwire = finder->request->nwire;

	for (size_t i = 0; i < nwire->object_count; i++) {
		if (nwire->objects[i].type == LXFW_NWIRE_RESOURCE &&
		    strcmp(nwire->objects[i].id, finder->sites[site].name) == 0)
			return &nwire->objects[i];
	}
	return NULL;
}

/* The processors: those that are requested, or else the smallest number with which the condition
   holds. Sets *PROCS to 0 if it holds with none. */
static int take_procs(struct lxfw_finder *finder, int32_t site, int32_t condition, int32_t *procs)
{
	int64_t requested = 0;
	int32_t first = 1, last = finder->sites[site].procs;

	*procs = 0;
	if (lxfw_finder_whole(finder, "NumberOfProcessors", 1, INT32_MAX, &requested))
		return -1;
	if (requested > 0)
		first = last = (int32_t)requested;
	else if (condition < 0)
		return lxfw_nwire_error(finder->request->path, &finder->object->place,
					finder->error, "no NumberOfProcessors, expected a value "
					"or a condition on it");
	for (int32_t i = first; i <= last && *procs == 0; i++) {
		int holds;

		finder->scope.procs = i;
		holds = lxfw_nwire_holds(&finder->scope, condition);
		if (holds < 0)
			return -1;
		if (holds)
			*procs = i;
		if (i == INT32_MAX)
			break;
	}
	return 0;
}

/* The first element whose condition holds at the site. Sets *PROCS to 0 if there is none. A
   request without elements is one without a condition. */
static int choose_element(struct lxfw_finder *finder, int32_t site, int32_t *procs)
{
	const struct lxfw_nwire *nwire = finder->request->nwire;
	bool any = false;

	*procs = 0;
	for (size_t i = 0; i < finder->object->key_count; i++) {
		const struct lxfw_nwire_key *key = &nwire->keys[finder->object->keys + i];

		for (size_t j = 0; j < key->element_count && *procs == 0; j++) {
			finder->scope.element = &nwire->elements[key->elements + j];
			any = true;
			if (take_procs(finder, site, finder->scope.element->condition, procs))
				return -1;
		}
	}
	return any ? 0 : take_procs(finder, site, -1, procs);
}

/* A text that the resource must have as well, if the request has it. */
static bool text_fits(const struct lxfw_finder *finder, const char *name)
{
	struct lxfw_nwire_scope scope = finder->scope;
	const struct lxfw_nwire_value *wanted = lxfw_finder_value(finder, name), *is;

	scope.request = NULL;
	is = lxfw_nwire_find(&scope, name, true);
	return !wanted || !wanted->text ||
	       (is && is->text && strcmp(is->text, wanted->text) == 0);
}

/* A number of the resource; *FOUND: it has one. */
static int resource_number(struct lxfw_finder *finder, const char *name, double *number,
			   bool *found)
{
	struct lxfw_nwire_scope scope = finder->scope;

	scope.request = NULL;
	scope.element = NULL;
	*found = false;
	return scope.resource ? lxfw_nwire_number(&scope, name, number, found) : 0;
}

/* Whether the resource has the memory, is there at the time, and its costs are within the
   budgets: 1, 0 or -1. */
static int resource_fits(struct lxfw_finder *finder, struct terms *terms)
{
	const struct lxfw_nwire_value *system;
	double wanted, is = 0, from = -INFINITY, to = INFINITY;
	bool found, has;

	if (lxfw_nwire_number(&finder->scope, "Memory", &wanted, &found) ||
	    resource_number(finder, "Memory", &is, &has))
		return -1;
	if (found && has && is < wanted)
		return 0;
	terms->offer_cost = terms->reservation_cost = 0;
	if (resource_number(finder, "OfferCost", &terms->offer_cost, &has) ||
	    resource_number(finder, "ReservationCost", &terms->reservation_cost, &has) ||
	    resource_number(finder, "StartTime", &from, &has) ||
	    resource_number(finder, "EndTime", &to, &has))
		return -1;
	system = finder->scope.resource ? lxfw_nwire_find(&(struct lxfw_nwire_scope){
		.nwire = finder->scope.nwire, .resource = finder->scope.resource,
	}, "OperatingSystem", true) : NULL;
	terms->system = system ? system->text : NULL;
	return terms->offer_cost <= finder->asked.offer_budget &&
	       terms->reservation_cost <= finder->asked.reservation_budget &&
	       (double)finder->asked.start >= from &&
	       (finder->asked.end == LXFW_NEVER || (double)finder->asked.end <= to) &&
	       text_fits(finder, "OperatingSystem");
}

static int take_run(struct lxfw_finder *finder, struct terms *terms)
{
	double run;
	bool found;

	if (!lxfw_finder_value(finder, "RunTime"))
		return lxfw_nwire_error(finder->request->path, &finder->object->place,
					finder->error, "no RunTime, expected a value");
	if (lxfw_nwire_number(&finder->scope, "RunTime", &run, &found))
		return -1;
	if (!(run > 0 && run <= LXFW_FINDER_TIME_MOST))
		return lxfw_nwire_error(finder->request->path, lxfw_finder_place(finder, "RunTime"),
					finder->error, "RunTime is %.15g, expected more than 0 "
					"and at most 1e15 seconds", run);
	terms->run = (int64_t)ceil(run);
	if (finder->asked.end < LXFW_NEVER &&
	    finder->asked.end - finder->asked.start < terms->run &&
	    finder->scope.speed <= 1)
		return lxfw_finder_contradiction(finder, "RunTime", terms->run, "at most the time from "
				     "StartTime to EndTime,",
				     finder->asked.end - finder->asked.start);
	return 0;
}

static int take_formulas(struct lxfw_finder *finder, struct terms *terms)
{
	const struct lxfw_nwire_value *utility = lxfw_finder_value(finder, "UtilityValue");
	const struct lxfw_nwire_value *price = finder->scope.resource ?
		lxfw_nwire_find(&(struct lxfw_nwire_scope){
			.nwire = finder->scope.nwire, .resource = finder->scope.resource,
		}, "Objective", true) : NULL;

	if (utility) {
		terms->utility = lxfw_nwire_formula(&finder->scope, utility,
						    LXFW_MARKET_VALUES);
		if (!terms->utility)
			return -1;
	}
	if (price) {
		struct lxfw_nwire_scope scope = finder->scope;

		scope.request = NULL;
		scope.element = NULL;
		terms->price = lxfw_nwire_formula(&scope, price, LXFW_MARKET_OWNER_VALUES);
		if (!terms->price)
			return -1;
	}
	return 0;
}

/* Sets the terms of the request at a site. Returns 1, 0 if the site does not fit, or -1. */
static int take_terms(struct lxfw_finder *finder, int32_t site, struct terms *terms)
{
	int fits;

	finder->scope.resource = resource_of(finder, site);
	finder->scope.element = NULL;
	finder->scope.speed = (double)finder->sites[site].speed / LXFW_GRID_SPEED;
	if (choose_element(finder, site, &terms->procs))
		return -1;
	if (terms->procs == 0)
		return 0;
	if (take_run(finder, terms))
		return -1;
	fits = resource_fits(finder, terms);
	if (fits <= 0)
		return fits;
	return take_formulas(finder, terms) ? -1 : 1;
}

static void clear_terms(struct terms *terms)
{
	lxfw_formula_free(terms->price);
	lxfw_formula_free(terms->utility);
	*terms = (struct terms){ 0 };
}

/* --- offers -------------------------------------------------------------------------------------- */

static int add_offer(struct lxfw_finder *finder, const struct lxfw_grid_offer *offer,
		     const struct lxfw_grid_part *parts)
{
	struct lxfw_grid_request *request = finder->request;
	struct lxfw_grid_offer *to;

	if (LXFW_GROW(request->offers, request->size, request->count + 1))
		return out_of_memory(finder->error);
	to = &request->offers[request->count];
	*to = *offer;
	to->parts = malloc((size_t)offer->count * sizeof(*to->parts));
	if (!to->parts)
		return out_of_memory(finder->error);
	memcpy(to->parts, parts, (size_t)offer->count * sizeof(*to->parts));
	request->count++;
	return 0;
}

/* The rules of the market at a site. The old formulas are restored by the same call. */
static void use(struct lxfw_finder *finder, int32_t site, const struct terms *terms,
		const struct lxfw_formula **machines)
{
	machines[site] = terms->price ? terms->price : finder->market.machines[site];
	finder->market.rules.utility = terms->utility ? terms->utility :
							finder->market.utility;
}

static struct lxfw_grid_job job_of(const struct lxfw_finder *finder, const struct terms *terms)
{
	return (struct lxfw_grid_job){
		.id = 1, .home = finder->request->home, .procs = terms->procs,
		.submit = finder->request->at, .estimate = terms->run,
	};
}

/* When a site knows that its offer is accepted. */
static int64_t known_at(const struct lxfw_finder *finder, int32_t hops)
{
	const struct lxfw_market_search *search = &finder->search;
	int32_t depth = search->reached[search->reached_count - 1].hops;

	return finder->request->at + finder->market.rules.delay * (2 * (int64_t)depth + hops);
}

static int failed_search(const struct lxfw_finder *finder)
{
	if (errno == ENOMEM)
		return out_of_memory(finder->error);
	return lxfw_error_format(finder->error, "%s: request %s: formula: %s",
				 finder->request->path, finder->object->id,
				 finder->market.error.text);
}

/* The offers of one site. */
static int ask_site(struct lxfw_finder *finder, const struct lxfw_market_site *site,
		    const struct terms *terms)
{
	const struct lxfw_grid_job job = job_of(finder, terms);
	struct lxfw_allocation *best;
	const struct lxfw_offer_search *found = &finder->search.offers;
	const struct lxfw_grid_part part = { site->site, terms->procs };
	int64_t known = known_at(finder, site->hops);

	if (terms->procs > finder->sites[site->site].procs)
		return 0;
	if (finder->asked.until < known) {
		finder->market.counts.expired++;
		return 0;
	}
	if (lxfw_market_offer(&finder->search, &job, site, known > finder->asked.start ?
			      known : finder->asked.start, &best))
		return failed_search(finder);
	lxfw_allocation_free(best);
	for (size_t i = 0; i < found->count; i++) {
		const struct lxfw_grid_offer offer = {
			.count = 1, .hops = site->hops, .start = found->offers[i].terms.start,
			.end = found->offers[i].terms.end, .price = found->offers[i].price,
			.utility = found->offers[i].utility,
			.offer_cost = terms->offer_cost,
			.reservation_cost = terms->reservation_cost,
		};

		if (offer.price <= finder->asked.job_budget && add_offer(finder, &offer, &part))
			return -1;
	}
	return 0;
}

/* An offer of several of the sites that fit, with the values at the first one. */
static int ask_several(struct lxfw_finder *finder, const struct terms *terms,
		       const struct lxfw_market_site *fits, int32_t count)
{
	struct lxfw_grid_job job = job_of(finder, &terms[0]);
	int64_t known = 2 * known_at(finder, 0) - finder->request->at;
	struct lxfw_allocation *best;
	struct lxfw_grid_offer offer = { 0 };
	int failed = 0;

	if (finder->asked.until < known)
		return 0;

	memcpy(finder->search.reached, fits, (size_t)count * sizeof(*fits));
	finder->search.reached_count = count;
	job.home = fits[0].site;
	if (lxfw_market_offer_several(&finder->search, &job, known > finder->asked.start ?
				      known : finder->asked.start, &best))
		return failed_search(finder);
	if (!best)
		return 0;
	offer = (struct lxfw_grid_offer){
		.count = best->count, .hops = best->hops, .start = best->start,
		.price = best->price, .utility = best->utility,
	};
	for (int32_t i = 0; i < best->count; i++) {
		int64_t end = best->start + best->seconds[i];

		offer.end = end > offer.end ? end : offer.end;
		for (int32_t j = 0; j < count; j++) {
			if (fits[j].site == best->parts[i].site) {
				offer.offer_cost += terms[j].offer_cost;
				offer.reservation_cost += terms[j].reservation_cost;
			}
		}
	}
	if (offer.price <= finder->asked.job_budget &&
	    offer.offer_cost <= finder->asked.offer_budget &&
	    offer.reservation_cost <= finder->asked.reservation_budget)
		failed = add_offer(finder, &offer, best->parts);
	lxfw_allocation_free(best);
	return failed;
}

static int by_utility(const void *one, const void *other)
{
	const struct lxfw_grid_offer *a = one, *b = other;

	if (a->utility > b->utility || a->utility < b->utility)
		return a->utility > b->utility ? -1 : 1;
	if (a->hops != b->hops)
		return a->hops < b->hops ? -1 : 1;
	if (a->price > b->price || a->price < b->price)
		return a->price < b->price ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->parts[0].site > b->parts[0].site) - (a->parts[0].site < b->parts[0].site);
}

/* Whether a site counts among those that run the job together. */
static bool is_like(const struct lxfw_finder *finder, const struct terms *first,
		    const struct terms *terms)
{
	return !finder->asked.same_system || first == terms ||
	       (first->system && terms->system && strcmp(first->system, terms->system) == 0);
}

static int ask_all(struct lxfw_finder *finder, struct terms *terms,
		   struct lxfw_market_site *fits, const struct lxfw_formula **machines)
{
	const struct lxfw_market_search *search = &finder->search;
	int32_t count = 0;

	finder->market.rules.machines = machines;
	for (int32_t i = 0; i < search->reached_count; i++) {
		const struct lxfw_market_site *site = &search->reached[i];
		struct terms *at = &terms[count];
		int found = take_terms(finder, site->site, at);

		if (found < 0)
			return -1;
		if (found) {
			use(finder, site->site, at, machines);
			if (ask_site(finder, site, at))
				return -1;
		}
		if (found && is_like(finder, &terms[0], at))
			fits[count++] = *site;
		else
			clear_terms(at);
	}
	if (count > 1) {
		use(finder, fits[0].site, &terms[0], machines);
		if (ask_several(finder, terms, fits, count))
			return -1;
	}
	if (finder->request->count > 0)
		qsort(finder->request->offers, finder->request->count,
		      sizeof(*finder->request->offers), by_utility);
	return 0;
}

/* Releases all but the first offers. */
static void keep_first(struct lxfw_grid_request *request, int64_t most)
{
	while (most >= 0 && request->count > (size_t)most)
		free(request->offers[--request->count].parts);
}

static int ask(struct lxfw_finder *finder)
{
	size_t sites = (size_t)finder->request->sites->count;
	struct terms *terms = calloc(sites, sizeof(*terms));
	struct lxfw_market_site *fits = calloc(sites, sizeof(*fits));
	const struct lxfw_formula **machines = calloc(sites, sizeof(*machines));
	int failed = -1;

	if (!terms || !fits || !machines) {
		out_of_memory(finder->error);
	} else {
		for (size_t i = 0; i < sites; i++)
			machines[i] = finder->market.machines[i];
		failed = ask_all(finder, terms, fits, machines);
	}
	for (size_t i = 0; terms && i < sites; i++)
		clear_terms(&terms[i]);
	free(terms);
	free(fits);
	free(machines);
	finder->request->chooses = finder->asked.most_offers == 0;
	keep_first(finder->request, finder->request->chooses ? 1 : finder->asked.most_offers);
	return failed;
}

/* --- the market ---------------------------------------------------------------------------------- */

/* Every job that the processors of a site suffice for may run there. */
static bool accept(void *context, uint64_t job, const struct lxfw_grid_part *part,
		   int64_t seconds, struct lxfw_request *request)
{
	(void)context;
	(void)job;
	(void)part;
	(void)seconds;
	(void)request;
	return true;
}

static int find_object(struct lxfw_finder *finder)
{
	const struct lxfw_grid_request *request = finder->request;
	const struct lxfw_nwire *nwire = request->nwire;

	for (size_t i = 0; i < nwire->object_count; i++) {
		const struct lxfw_nwire_object *object = &nwire->objects[i];

		if (object->type == LXFW_NWIRE_OFFER)
			return lxfw_nwire_error(request->path, &object->place, finder->error,
						"OFFER, expected REQUEST or MASCHINE");
		if (object->type != LXFW_NWIRE_REQUEST ||
		    (request->id && strcmp(request->id, object->id) != 0))
			continue;
		if (finder->object)
			return lxfw_nwire_error(request->path, &object->place, finder->error,
						"a second request, expected one, or --id");
		finder->object = object;
	}
	return finder->object ? 0 : lxfw_error_format(finder->error, "%s: no request%s%s, "
						      "expected REQUEST \"ID\" { ... }",
						      request->path, request->id ? " " : "",
						      request->id ? request->id : "");
}

/* Every resource is one of the sites. */
static int check_resources(const struct lxfw_finder *finder)
{
	const struct lxfw_nwire *nwire = finder->request->nwire;

	for (size_t i = 0; i < nwire->object_count; i++) {
		const struct lxfw_nwire_object *object = &nwire->objects[i];

		if (object->type == LXFW_NWIRE_RESOURCE &&
		    lxfw_sites_find(finder->request->sites, object->id) < 0)
			return lxfw_nwire_error(finder->request->path, &object->place,
						finder->error, "no site '%s', expected the name "
						"of a site", object->id);
	}
	return 0;
}

static int make_market(struct lxfw_finder *finder)
{
	struct lxfw_grid_request *request = finder->request;
	size_t count = (size_t)request->sites->count;

	finder->sites = calloc(count, sizeof(*finder->sites));
	if (!finder->sites)
		return out_of_memory(finder->error);
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_site *site = &request->sites->list[i];

		finder->sites[i] = (struct lxfw_grid_site){
			.name = site->name, .procs = (int32_t)site->cluster.procs,
			.speed = site->speed,
		};
	}
	if (lxfw_grid_market_make(&finder->market, &request->options, request->sites,
				  finder->error))
		return -1;
	finder->world.request = accept;
	finder->grid = (struct lxfw_grid){
		.broker = &lxfw_broker_market, .world = &finder->world,
		.params.market = &finder->market.rules, .sites = finder->sites,
		.site_count = request->sites->count, .now = request->at,
	};
	if (lxfw_allocations_begin(&finder->allocations, finder->sites,
				   request->sites->count) ||
	    lxfw_market_search_begin(&finder->search, &finder->grid, &finder->allocations))
		return out_of_memory(finder->error);
	return 0;
}

static int run(struct lxfw_finder *finder)
{
	struct lxfw_grid_request *request = finder->request;
	struct lxfw_market *rules;

	if (find_object(finder) || check_resources(finder) || make_market(finder))
		return -1;
	request->name = finder->object->id;
	finder->scope = (struct lxfw_nwire_scope){
		.nwire = request->nwire, .path = request->path, .request = finder->object,
		.error = finder->error,
	};
	if (lxfw_finder_numbers(finder) ||
	    (request->jobs && lxfw_request_jobs_read(request->jobs, request->at,
						     request->sites, &finder->allocations,
						     finder->error)))
		return -1;
	rules = &finder->market.rules;
	rules->hops = (int32_t)finder->asked.hops;
	rules->live = finder->asked.search < LXFW_NEVER ?
		      finder->asked.search - request->at : LXFW_NEVER;
	request->reserved = finder->asked.until;
	finder->search.latest = finder->asked.end;
	lxfw_market_reach(&finder->search, request->home);
	if (ask(finder))
		return -1;
	request->counts = finder->market.counts;
	return 0;
}

int lxfw_grid_request_run(struct lxfw_grid_request *request, struct lxfw_error *error)
{
	struct lxfw_finder finder = { .request = request, .error = error };
	int failed = run(&finder), saved = errno;

	if (finder.search.grid)
		lxfw_market_search_clear(&finder.search);
	lxfw_allocations_clear(&finder.allocations);
	lxfw_grid_market_clear(&finder.market);
	free(finder.sites);
	errno = saved;
	return failed;
}

void lxfw_grid_request_clear(struct lxfw_grid_request *request)
{
	keep_first(request, 0);
	free(request->offers);
	request->offers = NULL;
	request->size = 0;
}

int lxfw_grid_request_sites(struct lxfw_sites *sites, const struct lxfw_nwire *nwire,
			    const char *path, struct lxfw_error *error)
{
	for (size_t i = 0; i < nwire->object_count; i++) {
		const struct lxfw_nwire_object *object = &nwire->objects[i];
		struct lxfw_nwire_scope scope = {
			.nwire = nwire, .path = path, .resource = object, .error = error,
		};
		double procs;
		bool found;

		if (object->type == LXFW_NWIRE_OFFER)
			return lxfw_nwire_error(path, &object->place, error, "OFFER, expected "
						"REQUEST or MASCHINE");
		if (object->type != LXFW_NWIRE_RESOURCE)
			continue;
		if (lxfw_nwire_number(&scope, "NumberOfProcessors", &procs, &found))
			return -1;
		if (!found || !(procs >= 1 && procs <= 1000000) || procs > floor(procs))
			return lxfw_nwire_error(path, &object->place, error, "the resource '%s' "
						"has no NumberOfProcessors from 1 to 1000000, "
						"expected a value, or --sites", object->id);
		if (lxfw_sites_add(sites, object->id, (int32_t)procs, error))
			return -1;
	}
	return sites->count > 0 ? 0 : lxfw_error_format(error, "%s: no resources, expected "
							"MASCHINE \"ID\" { ... }, or --sites",
							path);
}
