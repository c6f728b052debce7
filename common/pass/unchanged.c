/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pass/unchanged.h"

#include <stdlib.h>

#include "common/pass/consider.h"
#include "common/place/place.h"
#include "common/place/placing.h"
#include "common/place/ranked.h"
#include "common/place/rule.h"

/* Whether a record of changes helps. With a single host there are openings. */
static bool is_useful(const struct lxfw_sched *sched)
{
	const struct lxfw_backfill *backfill = &sched->policy->backfill;

	return sched->profile.host_count > 1 && !sched->suspends && !backfill->cycles &&
	       !backfill->considers && !backfill->may_reserve && !backfill->preempts &&
	       !backfill->make_room && !backfill->grow && !lxfw_molds(sched) &&
	       sched->kept_classes == 0 && !sched->weights.stale && !sched->weights.differ &&
	       sched->weights.most_boot == 0 &&
	       (sched->placement == &lxfw_placement_paper || sched->placement->level) &&
	       lxfw_reservations_allowed(sched) > 1 &&
	       (!lxfw_is_dynamic(sched) || sched->profile.kinds.count > sched->aside_kinds);
}

int lxfw_unchanged_begin(struct lxfw_sched *sched)
{
	struct lxfw_changes *changes = &sched->profile.changes;
	bool useful = is_useful(sched);

	if (useful && !changes->list) {
		changes->list = malloc(LXFW_CHANGES_MAX * sizeof(*changes->list));
		if (!changes->list)
			return -1;
	}
	if (!useful || !changes->recorded)
		lxfw_changes_forget(changes);
	changes->recorded = useful;
	return 0;
}

void lxfw_unchanged_set_aside(struct lxfw_sched *sched)
{
	if (!sched->profile.changes.recorded || !lxfw_is_dynamic(sched) ||
	    sched->improved_until == INT64_MIN || sched->reservation_count <= 1)
		return;
	for (size_t i = 0; i < sched->reservation_count; i++)
		lxfw_reservation_set_aside(sched, &sched->reservations[i]);
}

void lxfw_unchanged_end(struct lxfw_sched *sched)
{
	for (size_t i = sched->reservation_count; i > 0; i--) {
		struct lxfw_reservation *reservation = &sched->reservations[i - 1];

		if (reservation->aside >= 0)
			lxfw_reservation_lift(sched, reservation);
	}
}

/* --- the choice of hosts ------------------------------------------------------- */

/* A rule with levels chooses hosts in one order, except for pieces anywhere without GPUs. */
static bool has_one_order(const struct lxfw_sched *sched, const struct lxfw_request *request)
{
	return !lxfw_placing_has_levels(sched) || request->shape == LXFW_SHAPE_HOSTS ||
	       lxfw_wants_gpus(sched, request);
}

static bool is_plain(const struct lxfw_request *request)
{
	return !request->exclusive && request->pool_count == 0 && request->group == 0 &&
	       request->min_hosts <= 1 && request->max_hosts == 0 &&
	       request->min_estimate == 0 && request->host_set_count <= 1 &&
	       request->more_sets == 0 && request->unit.procs > 0;
}

static int compare(const struct lxfw_place_key *a, const struct lxfw_place_key *b)
{
	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	if (a->procs != b->procs)
		return a->procs < b->procs ? -1 : 1;
	if (a->memory_mb != b->memory_mb)
		return a->memory_mb < b->memory_mb ? -1 : 1;
	return (a->host > b->host) - (a->host < b->host);
}

/* The place of a host in the order of placement for a start at placing->start; and the
   number of pieces that fit, in *PIECES. */
static struct lxfw_place_key key_on(const struct lxfw_placing *placing, int32_t host,
				    int32_t *pieces)
{
	const struct lxfw_request *request = placing->request;
	struct lxfw_resources available = lxfw_placing_available(placing, host);
	struct lxfw_resources need;

	need = lxfw_request_on(request, &placing->sched->profile.hosts[host]);
	*pieces = !lxfw_resources_fit(&need, &available) ? 0 :
		  request->shape == LXFW_SHAPE_HOSTS ? 1 :
		  lxfw_request_pieces(request, &available, request->count);
	return (struct lxfw_place_key){
		.level = lxfw_ranked_level(placing, host),
		.procs = available.procs, .memory_mb = available.memory_mb, .host = host,
	};
}

static int32_t pieces_of(const struct lxfw_request *request, const struct lxfw_share *share)
{
	return share->amount.procs / request->unit.procs;
}

void lxfw_unchanged_note(struct lxfw_sched *sched, const struct lxfw_job *job,
			 struct lxfw_reservation *own, int32_t count)
{
	struct lxfw_request request = lxfw_request_simplest(sched, &job->request);
	struct lxfw_placing placing = {
		.sched = sched, .request = &request, .start = own->start,
		.only_procs = lxfw_placing_wants_procs(sched, &request),
	};
	struct lxfw_choice *choice = &own->choice;
	bool hosts = request.shape == LXFW_SHAPE_HOSTS;
	struct lxfw_place_key taken = { .level = INT32_MAX };
	int32_t second = 0;

	choice->known = sched->profile.changes.recorded && is_plain(&job->request) &&
			has_one_order(sched, &request) && !job->kept;
	if (!choice->known)
		return;
	choice->rest_before = INT32_MAX;
	choice->turn = (struct lxfw_place_key){ .level = INT32_MAX, .host = -1 };
	for (int32_t i = 0; i < count; i++) {
		int32_t pieces;
		struct lxfw_place_key key = key_on(&placing, sched->found[i].host, &pieces);

		pieces = pieces_of(&request, &sched->found[i]);
		if (hosts) {
			if (i == 0 || compare(&key, &choice->last) > 0)
				choice->last = key;
		} else if (i == 0 || compare(&key, &choice->last) < 0) {
			if (i > 0) {
				taken = choice->last;
				second = choice->rest;
			}
			choice->last = key;
			choice->rest = pieces;
		} else if (compare(&key, &taken) < 0) {
			taken = key;
			second = pieces;
		}
	}
	if (!hosts && count > 1) {
		int32_t pieces;

		choice->rest_before = choice->rest + second;
		choice->turn = key_on(&placing, sched->turn, &pieces);
	}
}

/* Whether the rule would choose a host with KEY and room for PIECES, which is not among those
   chosen, in place of one of them. */
static bool is_preferred(const struct lxfw_request *request,
			 const struct lxfw_choice *choice,
			 const struct lxfw_place_key *key, int32_t pieces)
{
	if (pieces == 0)
		return false;
	if (request->shape == LXFW_SHAPE_HOSTS)
		return compare(key, &choice->last) < 0;
	return pieces >= choice->rest_before || compare(key, &choice->turn) > 0 ||
	       (pieces >= choice->rest && compare(key, &choice->last) < 0);
}

/* --- what changed ---------------------------------------------------------------- */

/* A search for what a change means for a reservation. */
struct search {
	struct lxfw_placing placing;
	struct lxfw_request request;
	struct lxfw_reservation *own;
	bool prepared;
	bool enough_before;	/* all hosts together may have enough before the start */
	/* The last host that was examined, for the same interval. Hosts of a kind differ in
	   their indices only. */
	struct lxfw_change last;
	struct lxfw_place_key key;
	int32_t kind, pieces;
	bool chosen;
};

/* Mark the hosts of a hold. */
static void mark_chosen(struct lxfw_sched *sched, int32_t claim)
{
	sched->mark++;
	for (; claim >= 0; claim = sched->profile.holds[claim].next)
		sched->marks[sched->profile.holds[claim].host] = sched->mark;
}

/* All hosts together often have enough for one piece. */
static bool is_single(const struct lxfw_request *request)
{
	return request->shape == LXFW_SHAPE_HOSTS && request->count == 1;
}

static int32_t hold_of(const struct lxfw_reservation *own)
{
	return own->aside >= 0 ? own->aside : own->claim;
}

static void prepare(struct search *search, const struct lxfw_job *job)
{
	struct lxfw_sched *sched = search->placing.sched;

	search->prepared = true;
	search->request = lxfw_request_simplest(sched, &job->request);
	search->placing.request = &search->request;
	search->placing.only_procs = lxfw_placing_wants_procs(sched, &search->request);
	search->placing.start = search->own->start;
	search->kind = -1;
	mark_chosen(sched, hold_of(search->own));
	search->enough_before = is_single(&search->request) ||
		lxfw_profile_bound_before(&sched->profile,
					  (int64_t)search->request.unit.procs *
						  search->request.count,
					  search->own->end - search->own->start, sched->now,
					  search->own->start) < search->own->start;
}

static bool is_same(const struct search *search, const struct lxfw_change *change,
		    bool chosen)
{
	const struct lxfw_kinds *kinds = &search->placing.sched->profile.kinds;

	return search->kind >= 0 && kinds->of[change->host] == search->kind &&
	       search->chosen == chosen && search->last.from == change->from &&
	       search->last.until == change->until;
}

/* Whether a piece fits before the start on the host of a change because of it. */
static bool fits_before(const struct search *search, const struct lxfw_change *change,
			bool chosen)
{
	const struct lxfw_reservation *own = search->own;
	const struct lxfw_sched *sched = search->placing.sched;
	int64_t duration = own->end - own->start, from = change->from, before = change->until;
	struct lxfw_resources need;

	from = from < sched->now + duration ? sched->now : from - duration + 1;
	if (before > own->start)
		before = own->start;
	if (from >= before)
		return false;
	need = lxfw_request_on(&search->request, &sched->profile.hosts[change->host]);
	return lxfw_profile_fits_before(&sched->profile, change->host, &need, duration, from,
					before, chosen ? own->start : LXFW_NEVER);
}

/* Examine a change. Returns false if the reservation may have another start or other
   hosts. */
static bool examine(struct search *search, const struct lxfw_change *change)
{
	const struct lxfw_sched *sched = search->placing.sched;
	const struct lxfw_reservation *own = search->own;
	bool chosen = sched->marks[change->host] == sched->mark;
	bool same = is_same(search, change, chosen);

	if (search->request.host_set_count > 0 &&
	    !lxfw_host_allowed(sched, &search->request, 0, change->host))
		return true;
	if (!same) {
		search->last = *change;
		search->chosen = chosen;
		search->kind = sched->profile.kinds.of[change->host];
		search->pieces = 0;
		if (search->enough_before && fits_before(search, change, chosen))
			return false;
		if (change->until > own->start && !chosen)
			search->key = key_on(&search->placing, change->host,
					     &search->pieces);
	}
	if (change->until <= own->start)
		return true;
	search->key.host = change->host;
	return !chosen && change->host != own->choice.turn.host &&
	       !is_preferred(&search->request, &own->choice, &search->key, search->pieces);
}

bool lxfw_is_unchanged(struct lxfw_sched *sched, const struct lxfw_job *job,
		       struct lxfw_reservation *own)
{
	const struct lxfw_changes *changes = &sched->profile.changes;
	struct lxfw_choice *choice = &own->choice;
	struct search search;

	if (!changes->recorded || !choice->known || choice->seen < changes->base ||
	    hold_of(own) < 0 || own->start <= sched->now ||
	    (lxfw_is_dynamic(sched) && own->aside < 0))
		return false;
	/* A search of all kinds of hosts is faster then. */
	if (is_single(&job->request) &&
	    changes->base + changes->count - choice->seen > sched->profile.kinds.count / 2)
		return false;
	search.placing = (struct lxfw_placing){ .sched = sched };
	search.own = own;
	search.prepared = false;
	for (int64_t i = choice->seen - changes->base; i < changes->count; i++) {
		const struct lxfw_change *change = &changes->list[i];

		if (change->until <= sched->now || change->from >= own->end)
			continue;
		if (!search.prepared)
			prepare(&search, job);
		if (!examine(&search, change))
			return false;
	}
	choice->seen = lxfw_changes_next(changes);
	return true;
}
