/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The placement rule (Chiang and Vernon 2001, section 2.2): among the hosts that
 * fit, the one with the fewest unallocated processors, then with the least free
 * memory, then the first.
 *
 * Pieces that may lie anywhere go on one host by that rule if one holds them all;
 * else on the emptiest hosts until the rest fits on one, which the rule chooses.
 *
 * For comparison there are two other rules, see enum lxfw_placement.
 */
#include "common/place/rule.h"

#include <stdlib.h>

#include "common/books/books.h"
#include "common/place/place.h"

struct lxfw_resources lxfw_request_on(const struct lxfw_request *request,
				      const struct lxfw_host *host)
{
	struct lxfw_resources need = request->unit;

	if (request->shape == LXFW_SHAPE_ANYWHERE)
		lxfw_resources_add(&need, &request->per_host);
	if (request->exclusive && need.procs <= host->total.procs)
		need.procs = host->total.procs;
	return need;
}

/* What the host has for the job at START. One that is to start at this moment needs
   what is free, not what is due. */
static struct lxfw_resources available_on(const struct lxfw_sched *sched,
					  const struct lxfw_request *request,
					  int32_t index, int64_t start,
					  bool at_once)
{
	const struct lxfw_host *host = &sched->profile.hosts[index];
	struct lxfw_resources available = host->free;

	if (!at_once || host->boundary_count > 0)
		lxfw_profile_available(&sched->profile, index, start,
				       lxfw_time_add(start, request->estimate),
				       &available);
	if (at_once && host->boundary_count > 0)
		lxfw_resources_lower(&available, &host->free);
	return available;
}

int32_t lxfw_place_capacity(const struct lxfw_sched *sched,
			    const struct lxfw_request *request, int32_t index,
			    int64_t start, bool at_once, int32_t most)
{
	const struct lxfw_host *host = &sched->profile.hosts[index];
	struct lxfw_resources available, need = lxfw_request_on(request, host);

	if (at_once && (!lxfw_resources_fit(&need, &host->free) ||
			(request->exclusive && host->running > 0)))
		return 0;
	available = available_on(sched, request, index, start, at_once);
	if (!lxfw_resources_fit(&need, &available))
		return 0;
	if (request->shape == LXFW_SHAPE_HOSTS)
		return 1;
	return lxfw_request_pieces(request, &available, most);
}

static int by_host(const void *a, const void *b)
{
	int32_t x = ((const struct lxfw_share *)a)->host;
	int32_t y = ((const struct lxfw_share *)b)->host;

	return (x > y) - (x < y);
}

void lxfw_place_add(struct lxfw_sched *sched, int32_t *found,
		    const struct lxfw_request *request, int32_t host,
		    int32_t pieces)
{
	struct lxfw_share *share = &sched->found[(*found)++];

	share->host = host;
	share->amount = request->unit;
	if (request->shape == LXFW_SHAPE_ANYWHERE)
		share->amount = lxfw_request_share(request, pieces);
	if (request->exclusive)
		share->amount.procs = lxfw_request_on(
			request, &sched->profile.hosts[host]).procs;
}

/* --- with the hosts in placement order --------------------------------------- */

/* The first hosts in ORDER[from ..] on which a piece fits, with worst fit the
   last. */
static int32_t pick(struct lxfw_sched *sched, const struct lxfw_request *request,
		    const struct lxfw_host_set *set, const int32_t *order,
		    int32_t from, int32_t count, int64_t start,
		    bool at_once)
{
	bool worst = sched->placement == LXFW_PLACEMENT_WORST;
	int32_t found = 0;

	for (int32_t i = from; count - i >= request->count - found; i++) {
		int32_t host = order[worst ? count - 1 - (i - from) : i];

		if (!lxfw_host_set_has(set, host) ||
		    !lxfw_place_capacity(sched, request, host, start, at_once, 1))
			continue;
		lxfw_place_add(sched, &found, request, host, 1);
		if (found == request->count)
			return found;
	}
	return 0;
}

static bool is_found(const struct lxfw_sched *sched, int32_t found, int32_t host)
{
	while (found > 0 && sched->found[found - 1].host != host)
		found--;
	return found > 0;
}

/* The first of ORDER[from .. to], with worst fit the last, that takes PIECES and has
   none yet, or -1. */
static int32_t tightest(const struct lxfw_sched *sched,
			const struct lxfw_request *request,
			const struct lxfw_host_set *set, const int32_t *order,
			int32_t from, int32_t to, int64_t start, bool at_once,
			int32_t pieces, int32_t found)
{
	bool worst = sched->placement == LXFW_PLACEMENT_WORST;

	for (int32_t i = from; i <= to; i++) {
		int32_t host = order[worst ? to - (i - from) : i];

		if (lxfw_host_set_has(set, host) &&
		    !is_found(sched, found, host) &&
		    lxfw_place_capacity(sched, request, host, start, at_once,
					pieces) == pieces)
			return host;
	}
	return -1;
}

/* Pieces on one host, or on the emptiest in ORDER[from ..] until one takes the
   rest. */
static int32_t spread_roomy(struct lxfw_sched *sched,
			    const struct lxfw_request *request,
			    const struct lxfw_host_set *set,
			    const int32_t *order, int32_t from, int32_t count,
			    int64_t start, bool at_once)
{
	int32_t rest = request->count, found = 0, i, host = -1;
	int32_t most = request->max_hosts ? request->max_hosts : INT32_MAX;
	int32_t roomy = from;

	if (at_once)	/* the profile's order: by what is free now */
		roomy = lxfw_profile_order_from(&sched->profile,
						request->unit.procs * rest);
	if (request->min_hosts <= 1)
		host = tightest(sched, request, set, order, roomy, count - 1,
				start, at_once, rest, 0);
	for (i = count - 1; host < 0 && i >= from && found < most; i--) {
		int32_t further = request->min_hosts - found - 1, pieces = rest;

		if (!lxfw_host_set_has(set, order[i]))
			continue;
		if (further > 0)	/* one piece at least for each of these */
			pieces -= further;
		pieces = lxfw_place_capacity(sched, request, order[i], start,
					     at_once, pieces);
		if (pieces == rest) {
			host = tightest(sched, request, set, order, from, i,
					start, at_once, rest, found);
		} else if (pieces > 0) {
			lxfw_place_add(sched, &found, request, order[i], pieces);
			rest -= pieces;
		}
	}
	if (host < 0 || found == most)
		return 0;
	lxfw_place_add(sched, &found, request, host, rest);
	return found;
}

/* As many pieces on each of the fewest hosts that the job may have, or one more on the
   first of them: the first in ORDER[from ..]. Slurm divides a job's tasks so. */
static int32_t spread_evenly(struct lxfw_sched *sched,
			     const struct lxfw_request *request,
			     const struct lxfw_host_set *set,
			     const int32_t *order, int32_t from, int32_t count,
			     int64_t start, bool at_once)
{
	int32_t pieces = request->count / request->min_hosts;
	int32_t larger = request->count % request->min_hosts;
	int32_t found = 0;

	for (int32_t i = from; i < count && found < request->min_hosts; i++) {
		int32_t wanted = pieces + (found < larger);

		if (lxfw_host_set_has(set, order[i]) &&
		    lxfw_place_capacity(sched, request, order[i], start,
					at_once, wanted) == wanted)
			lxfw_place_add(sched, &found, request, order[i], wanted);
	}
	return found == request->min_hosts ? found : 0;
}

/* On the hosts that take most pieces: where their number is limited this finds hosts
   if there are any. */
static int32_t spread_widely(struct lxfw_sched *sched,
			     const struct lxfw_request *request,
			     const struct lxfw_host_set *set,
			     const int32_t *order, int32_t from, int32_t count,
			     int64_t start, bool at_once)
{
	int32_t ranked = 0, found = 0, used;

	for (int32_t i = from; i < count; i++) {
		int32_t pieces;

		if (!lxfw_host_set_has(set, order[i]))
			continue;
		pieces = lxfw_place_capacity(sched, request, order[i], start,
					     at_once, request->count);
		if (pieces == 0)
			continue;
		sched->ranked[ranked].host = order[i];
		sched->ranked[ranked++].procs = pieces;
	}
	used = lxfw_place_widest(sched, request, ranked);
	for (int32_t i = 0; i < used; i++)
		lxfw_place_add(sched, &found, request, sched->ranked[i].host,
			       sched->ranked[i].procs);
	return found;
}

static int32_t spread(struct lxfw_sched *sched,
		      const struct lxfw_request *request,
		      const struct lxfw_host_set *set, const int32_t *order,
		      int32_t from, int32_t count, int64_t start, bool at_once)
{
	int32_t found = 0;

	if (request->min_hosts > 1)
		found = spread_evenly(sched, request, set, order, from, count,
				      start, at_once);
	if (found == 0)
		found = spread_roomy(sched, request, set, order, from, count,
				     start, at_once);
	if (found == 0 && request->max_hosts > 0)
		found = spread_widely(sched, request, set, order, from, count,
				      start, at_once);
	return found;
}

/* --- as Slurm does -------------------------------------------------------------------- */

/* What is still to be had by select/cons_tres's rule, and of whom. */
struct stock_search {
	int32_t rest;		/* processors or pieces */
	int32_t hosts;		/* at least */
	int32_t most;		/* hosts */
	int32_t found;
};

/* Hosts first .. last, all with room. */
struct stock_run {
	int32_t first, last;
	int64_t room;
	bool enough;
};

/* sched->room: what each host could give the job, however little. */
static void stock_measure(struct lxfw_sched *sched,
			  const struct lxfw_request *request,
			  const struct lxfw_host_set *set, int64_t start,
			  bool at_once)
{
	const struct lxfw_profile *profile = &sched->profile;

	for (int32_t i = 0; i < profile->host_count; i++) {
		const struct lxfw_host *host = &profile->hosts[i];
		struct lxfw_resources available, need;

		sched->room[i] = 0;
		if (!host->up || !lxfw_host_set_has(set, i))
			continue;
		if (request->shape == LXFW_SHAPE_ANYWHERE ||
		    request->exclusive) {
			sched->room[i] = lxfw_place_capacity(
				sched, request, i, start, at_once,
				request->count);
			if (request->shape == LXFW_SHAPE_HOSTS)
				sched->room[i] *= host->total.procs;
			continue;
		}
		need = request->unit;
		need.procs = request->count > 1 ? request->unit.procs : 1;
		available = available_on(sched, request, i, start, at_once);
		if (lxfw_resources_fit(&need, &available))
			sched->room[i] = available.procs;
	}
}

/* The tightest run of hosts that has enough; else the roomiest. */
static bool stock_run(const struct lxfw_sched *sched,
		      const struct stock_search *search, struct stock_run *best)
{
	int32_t count = sched->profile.host_count;
	struct stock_run run;
	bool any = false;

	for (run.first = 0; run.first < count; run.first = run.last + 2) {
		run.room = 0;
		for (run.last = run.first - 1;
		     run.last + 1 < count && sched->room[run.last + 1] > 0;
		     run.last++)
			run.room += sched->room[run.last + 1];
		if (run.last < run.first)
			continue;
		run.enough = run.room >= search->rest &&
			     run.last - run.first + 1 >= search->hosts;
		if (!any || (run.enough && !best->enough) ||
		    (run.enough && run.room < best->room) ||
		    (!run.enough && !best->enough && run.room > best->room))
			*best = run;
		any = true;
	}
	return any;
}

/* The host of the run with the least room that has enough for all the rest, or -1. */
static int32_t stock_single(const struct lxfw_sched *sched,
			    const struct stock_search *search,
			    const struct stock_run *run)
{
	int32_t single = -1;

	for (int32_t i = run->first; i <= run->last; i++) {
		if (sched->room[i] >= search->rest &&
		    (single < 0 || sched->room[i] < sched->room[single]))
			single = i;
	}
	return single;
}

static void stock_take(struct lxfw_sched *sched,
		       const struct lxfw_request *request,
		       struct stock_search *search, int32_t host)
{
	int32_t pieces = 1, taken = request->unit.procs;

	if (request->shape == LXFW_SHAPE_ANYWHERE) {
		pieces = search->rest;
		if (search->hosts > 1)	/* one at least for each further host */
			pieces -= search->hosts - 1;
		if (sched->room[host] < pieces)
			pieces = sched->room[host];
		taken = pieces;
	}
	lxfw_place_add(sched, &search->found, request, host, pieces);
	search->rest -= taken;
	search->hosts--;
	search->most--;
}

static int32_t stock_place(struct lxfw_sched *sched,
			   const struct lxfw_request *request,
			   const struct lxfw_host_set *set, int64_t start,
			   bool at_once)
{
	bool anywhere = request->shape == LXFW_SHAPE_ANYWHERE;
	struct stock_search search = {
		.rest = anywhere ? request->count :
			request->unit.procs * request->count,
		.hosts = !anywhere ? request->count :
			 request->min_hosts ? request->min_hosts : 1,
		.most = anywhere ? request->max_hosts : request->count,
	};
	struct stock_run run = { 0 };

	if (search.most == 0)
		search.most = sched->profile.host_count;
	stock_measure(sched, request, set, start, at_once);
	while (search.rest > 0 && search.most > 0 &&
	       stock_run(sched, &search, &run)) {
		int32_t single = search.hosts <= 1 ?
				 stock_single(sched, &search, &run) : -1;

		for (int32_t i = run.first; i <= run.last && search.rest > 0 &&
					    search.most > 0; i++) {
			bool last = search.most == 1;

			if (i == single ||
			    (single < 0 &&
			     (!last || sched->room[i] >= search.rest)))
				stock_take(sched, request, &search, i);
		}
		for (int32_t i = run.first; i <= run.last; i++)
			sched->room[i] = 0;
	}
	return search.rest > 0 ? 0 : search.found;
}

int32_t lxfw_place_by_rule(struct lxfw_sched *sched,
			   const struct lxfw_request *request,
			   const struct lxfw_host_set *set, const int32_t *order,
			   int32_t from, int32_t count, int64_t start,
			   bool at_once)
{
	int32_t found;

	if (sched->placement == LXFW_PLACEMENT_STOCK)
		found = stock_place(sched, request, set, start, at_once);
	else if (request->shape == LXFW_SHAPE_ANYWHERE)
		found = spread(sched, request, set, order, from, count, start,
			       at_once);
	else
		found = pick(sched, request, set, order, from, count, start,
			     at_once);
	if (found > 1)
		qsort(sched->found, (size_t)found, sizeof(*sched->found), by_host);
	return found;
}
