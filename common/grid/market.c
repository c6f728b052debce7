/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Economic scheduling (Yahyapour 2002, section 6.2). A request for a job reaches its home, and
 * from there the sites that each site asks, as long as the number of hops and the time to live
 * allow it; a site that has received it makes no other offers. Each site makes offers on its
 * timetable at the price of its owner, and returns the one with the highest utility for the
 * user. The best of these is allocated, the others are released: of equal ones that with the
 * fewest hops from the home, and of these the cheapest. If the home has too few processors, the
 * sites also make an offer together, at the sum of their prices.
 *
 * The allocation is the place of the job on the timetable of its site: it is sent there when its
 * time has come, and its scheduler starts it. What the site has free between is offered to other
 * jobs, whenever they were submitted; no allocation is moved for them.
 *
 * If messages take time, a site reserves its offer when it receives the request, and the home
 * chooses when the last answer is there. An accepted job starts when the site can know of it, or
 * later. An offer whose reservation ends before is lost.
 *
 * The thesis does not state the following. A request without any offer is repeated when a job
 * has ended. With `reschedules`, the allocations of a site are exchanged for better ones, the
 * earliest first, when a job has ended early there: "changes in the current scheduling" (7.3.4)
 * that its future implementations may have.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/grid/brokers.h"
#include "common/grid/market_search.h"
#include "common/model/time.h"
#include "common/profile/duration.h"
#include "common/util/grow.h"

/* A request that waits for answers. */
struct request {
	struct lxfw_grid_job job;
	struct lxfw_market_site *sites;	/* in the order in which they are reached */
	int32_t count, next;
	int64_t asked, decides;
};

struct market {
	struct lxfw_allocations allocations;
	struct lxfw_market_search search;
	struct request *requests;	/* in the order of submission */
	size_t request_count, requests_size;
	struct lxfw_grid_job *unserved;	/* jobs without an offer */
	size_t unserved_count, unserved_size;
	bool ended;			/* a job has, since the last decision */
	bool *early;			/* by site: a job has ended before its estimate */
};

static int begin(struct lxfw_grid *grid)
{
	struct market *market = calloc(1, sizeof(*market));

	grid->state = market;
	if (!market)
		return -1;
	*grid->params.market->counts = (struct lxfw_market_counts){ 0 };
	market->early = calloc((size_t)grid->site_count, sizeof(*market->early));
	if (!market->early ||
	    lxfw_allocations_begin(&market->allocations, grid->sites, grid->site_count))
		return -1;
	return lxfw_market_search_begin(&market->search, grid, &market->allocations);
}

static void end(struct lxfw_grid *grid)
{
	struct market *market = grid->state;

	if (!market)
		return;
	for (size_t i = 0; i < market->request_count; i++)
		free(market->requests[i].sites);
	lxfw_market_search_clear(&market->search);
	lxfw_allocations_clear(&market->allocations);
	free(market->requests);
	free(market->unserved);
	free(market->early);
	free(market);
}

/* --- requests ------------------------------------------------------------------------------- */

/* When a site with HOPS from the home knows of the choice. */
static int64_t known_at(const struct lxfw_grid *grid, const struct request *request,
			int32_t hops)
{
	return lxfw_time_add(request->decides, hops * grid->params.market->delay);
}

/* A site makes its offer, and reserves it. */
static int make_offer(struct lxfw_grid *grid, struct request *request,
		      const struct lxfw_market_site *from)
{
	struct market *market = grid->state;
	struct lxfw_allocation *offer;

	if (lxfw_market_offer(&market->search, &request->job, from,
			      known_at(grid, request, from->hops), &offer))
		return -1;
	if (!offer)
		return 0;
	grid->params.market->counts->offers++;
	offer->until = lxfw_time_add(grid->now, grid->params.market->reserved);
	return lxfw_allocations_add(&market->allocations, offer);
}

/* Takes the best offer from the list, and releases the others. NULL: none. */
static struct lxfw_allocation *choose(struct lxfw_grid *grid, const struct request *request)
{
	struct market *market = grid->state;
	struct lxfw_allocations *allocations = &market->allocations;
	struct lxfw_allocation *best = NULL;

	for (size_t i = 0; i < allocations->count;) {
		struct lxfw_allocation *offer = allocations->list[i];

		if (offer->state != LXFW_ALLOCATION_OFFERED ||
		    offer->job.id != request->job.id) {
			i++;
			continue;
		}
		lxfw_allocations_take(allocations, offer);
		if (offer->hops > 0 &&
		    offer->until < known_at(grid, request, offer->hops)) {
			grid->params.market->counts->expired++;
			lxfw_allocation_free(offer);
		} else if (lxfw_market_is_better(offer, best)) {
			lxfw_allocation_free(best);
			best = offer;
		} else {
			lxfw_allocation_free(offer);
		}
	}
	return best;
}

static int allocate(struct lxfw_grid *grid, struct lxfw_allocation *allocation)
{
	struct market *market = grid->state;

	allocation->state = LXFW_ALLOCATION_PLANNED;
	grid->params.market->counts->price += allocation->price;
	return lxfw_allocations_add(&market->allocations, allocation);
}

/* The home chooses. */
static int decide_request(struct lxfw_grid *grid, const struct request *request)
{
	struct market *market = grid->state;
	struct lxfw_allocation *best = choose(grid, request), *several = NULL;
	int64_t round = request->decides - request->asked;

	memcpy(market->search.reached, request->sites,
	       (size_t)request->count * sizeof(*request->sites));
	market->search.reached_count = request->count;
	/* The messages about parts take as long again. */
	if (lxfw_market_offer_several(&market->search, &request->job,
				      lxfw_time_add(grid->now, round), &several)) {
		lxfw_allocation_free(best);
		return -1;
	}
	if (several)
		grid->params.market->counts->offers++;
	if (lxfw_market_is_better(several, best)) {
		lxfw_allocation_free(best);
		best = several;
	} else {
		lxfw_allocation_free(several);
	}
	if (best)
		return allocate(grid, best);
	if (LXFW_GROW(market->unserved, market->unserved_size, market->unserved_count + 1))
		return -1;
	market->unserved[market->unserved_count++] = request->job;
	return 0;
}

/* Sets *OVER to whether the home has chosen. */
static int advance(struct lxfw_grid *grid, struct request *request, bool *over)
{
	int64_t delay = grid->params.market->delay;

	for (; request->next < request->count; request->next++) {
		const struct lxfw_market_site *site = &request->sites[request->next];

		if (request->asked + site->hops * delay > grid->now)
			break;
		if (make_offer(grid, request, site))
			return -1;
	}
	*over = request->decides <= grid->now;
	return *over ? decide_request(grid, request) : 0;
}

static int advance_all(struct lxfw_grid *grid)
{
	struct market *market = grid->state;

	for (size_t i = 0; i < market->request_count;) {
		struct request *request = &market->requests[i];
		bool over;

		if (advance(grid, request, &over))
			return -1;
		if (!over) {
			i++;
			continue;
		}
		free(request->sites);
		memmove(request, request + 1, (market->request_count - i - 1) *
			sizeof(*request));
		market->request_count--;
	}
	return 0;
}

static bool can_ever_run(const struct market *market, const struct lxfw_grid_job *job)
{
	for (int32_t i = 0; i < market->search.reached_count; i++) {
		if (lxfw_market_fits(&market->search, job, market->search.reached[i].site))
			return true;
	}
	return lxfw_market_fits_several(&market->search, job);
}

static int ask(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	struct market *market = grid->state;
	struct lxfw_market_search *search = &market->search;
	struct request *request;
	int32_t count;

	lxfw_market_reach(search, job->home);
	if (!can_ever_run(market, job)) {
		errno = EINVAL;
		return -1;
	}
	count = search->reached_count;
	if (LXFW_GROW(market->requests, market->requests_size, market->request_count + 1))
		return -1;
	request = &market->requests[market->request_count];
	*request = (struct request){
		.job = *job, .count = count, .asked = grid->now,
		.sites = malloc((size_t)count * sizeof(*request->sites)),
		.decides = lxfw_time_add(grid->now, 2 * grid->params.market->delay *
					 search->reached[count - 1].hops),
	};
	if (!request->sites)
		return -1;
	memcpy(request->sites, search->reached, (size_t)count * sizeof(*request->sites));
	market->request_count++;
	return 0;
}

static int submitted(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	struct market *market = grid->state;

	grid->params.market->counts->requests++;
	if (lxfw_allocations_settle(&market->allocations, grid->now) || ask(grid, job))
		return -1;
	return advance_all(grid);
}

static int repeat_unserved(struct lxfw_grid *grid)
{
	struct market *market = grid->state;
	size_t count = market->unserved_count;

	if (!market->ended || count == 0)
		return 0;
	for (size_t i = 0; i < count; i++) {
		struct lxfw_grid_job job = market->unserved[i];

		grid->params.market->counts->repeated++;
		if (ask(grid, &job) || advance_all(grid))
			return -1;
	}
	memmove(market->unserved, market->unserved + count,
		(market->unserved_count - count) * sizeof(*market->unserved));
	market->unserved_count -= count;
	return 0;
}

/* --- other allocations ------------------------------------------------------------------------ */

static bool can_move(const struct lxfw_allocation *allocation, int32_t site, int64_t now)
{
	return allocation->state == LXFW_ALLOCATION_PLANNED && allocation->count == 1 &&
	       allocation->parts[0].site == site && allocation->start > now;
}

/* The allocation of the site with the earliest start after *START, and of several the first
   after *ID; NULL: none. */
static struct lxfw_allocation *next_at(const struct market *market, int32_t site, int64_t now,
				       int64_t start, uint64_t id)
{
	struct lxfw_allocation *best = NULL;

	for (size_t i = 0; i < market->allocations.count; i++) {
		struct lxfw_allocation *next = market->allocations.list[i];

		if (!can_move(next, site, now) || next->start < start ||
		    (next->start == start && next->id <= id))
			continue;
		if (!best || next->start < best->start)
			best = next;
	}
	return best;
}

/* Exchanges an allocation for a better one at its site. */
static int move(struct lxfw_grid *grid, struct lxfw_allocation *allocation)
{
	struct market *market = grid->state;
	const struct lxfw_market_site from = { allocation->parts[0].site, allocation->hops };
	struct lxfw_allocation *offer;

	lxfw_allocations_take(&market->allocations, allocation);
	if (lxfw_market_offer(&market->search, &allocation->job, &from, grid->now, &offer)) {
		lxfw_allocation_free(allocation);
		return -1;
	}
	if (!lxfw_market_is_better(offer, allocation)) {
		lxfw_allocation_free(offer);
		return lxfw_allocations_add(&market->allocations, allocation);
	}
	grid->params.market->counts->moved++;
	grid->params.market->counts->price -= allocation->price;
	lxfw_allocation_free(allocation);
	return allocate(grid, offer);
}

static int reschedule(struct lxfw_grid *grid, int32_t site)
{
	struct market *market = grid->state;
	uint64_t last = market->allocations.next, id = 0;
	int64_t start = grid->now;
	struct lxfw_allocation *next;

	while ((next = next_at(market, site, grid->now, start, id)) != NULL) {
		start = next->start;
		id = next->id;
		if (id < last && move(grid, next))
			return -1;
	}
	return 0;
}

static int reschedule_all(struct lxfw_grid *grid)
{
	struct market *market = grid->state;

	for (int32_t i = 0; i < grid->site_count; i++) {
		if (market->early[i] && grid->params.market->reschedules &&
		    reschedule(grid, i))
			return -1;
		market->early[i] = false;
	}
	return 0;
}

/* --- starts ----------------------------------------------------------------------------------- */

/* Whether the sites can start all parts now. Returns as lxfw_grid_starts_now(). */
static int can_start(struct lxfw_grid *grid, const struct lxfw_allocation *allocation)
{
	int32_t overhead = allocation->count > 1 ? grid->params.overhead : 0;

	for (int32_t i = 0; i < allocation->count; i++) {
		int starts = lxfw_grid_starts_now(grid, &allocation->job,
						  &allocation->parts[i], overhead);

		if (starts <= 0)
			return starts;
	}
	return 1;
}

static int start_due(struct lxfw_grid *grid)
{
	struct market *market = grid->state;
	struct lxfw_allocation **due;
	size_t count;

	due = lxfw_allocations_due(&market->allocations, grid->now, &count);
	if (!due)
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct lxfw_allocation *allocation = due[i];
		int starts = can_start(grid, allocation);

		if (starts < 0)
			return -1;
		if (!starts)
			continue;
		if (allocation->agreed < grid->now)
			grid->params.market->counts->late++;
		allocation->state = LXFW_ALLOCATION_RUNNING;
		if (grid->world->send(grid->world->context, allocation->job.id,
				      allocation->parts, allocation->count,
				      allocation->count > 1 ? grid->params.overhead : 0))
			return -1;
	}
	return 0;
}

static void note_early(struct market *market, int64_t now, int32_t site, uint64_t job)
{
	for (size_t i = 0; i < market->allocations.count; i++) {
		const struct lxfw_allocation *ended = market->allocations.list[i];

		if (ended->job.id != job)
			continue;
		for (int32_t j = 0; j < ended->count; j++) {
			if (ended->parts[j].site == site &&
			    ended->start + ended->seconds[j] > now)
				market->early[site] = true;
		}
	}
}

static int ended(struct lxfw_grid *grid, int32_t site, uint64_t job)
{
	struct market *market = grid->state;

	note_early(market, grid->now, site, job);
	lxfw_allocations_ended(&market->allocations, site, job);
	market->ended = true;
	return 0;
}

static int decide(struct lxfw_grid *grid)
{
	struct market *market = grid->state;

	if (lxfw_allocations_settle(&market->allocations, grid->now) || advance_all(grid) ||
	    reschedule_all(grid) || repeat_unserved(grid))
		return -1;
	market->ended = false;
	return start_due(grid);
}

static int64_t wake(struct lxfw_grid *grid)
{
	const struct market *market = grid->state;
	int64_t next = lxfw_allocations_next(&market->allocations, grid->now);
	int64_t delay = grid->params.market->delay;

	for (size_t i = 0; i < market->request_count; i++) {
		const struct request *request = &market->requests[i];
		int64_t time = request->next == request->count ? request->decides :
			request->asked + request->sites[request->next].hops * delay;

		next = time < next ? time : next;
	}
	return next;
}

const struct lxfw_broker lxfw_broker_market = {
	.name = "market",
	.summary = "the site with the best offer; sites make offers at their owners' prices",
	.splits = true,
	.begin = begin, .end = end, .submitted = submitted, .ended = ended, .decide = decide,
	.wake = wake,
};
