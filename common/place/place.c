/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When and where a job can start. The placement rule chooses among the hosts. It receives
 * them in placement order: for a start now the profile maintains this order; for a start
 * in the future the hosts are sorted by their resources at that time.
 */
#include "common/place/place.h"

#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/place/placing.h"
#include "common/place/pools.h"
#include "common/place/ranked.h"
#include "common/place/rule.h"
#include "common/place/single.h"
#include "common/place/sweep.h"
#include "common/util/grow.h"

static const struct lxfw_host_set *host_set_of(const struct lxfw_sched *sched,
					       const struct lxfw_request *request,
					       int32_t alternative)
{
	int32_t further = alternative - request->host_set_count + 1;

	if (request->host_set_count == 0)
		return NULL;
	if (further > 0)
		return &sched->host_sets[request->host_sets[request->host_set_count - 1] +
					 further];
	return &sched->host_sets[request->host_sets[alternative]];
}

/* Set the hosts of an alternative, less those that other jobs of the group have. */
static void use_set(struct lxfw_placing *placing, int32_t alternative)
{
	const struct lxfw_host_set *set =
		host_set_of(placing->sched, placing->request, alternative);
	const struct lxfw_job_groups *groups = &placing->sched->groups;
	size_t words = lxfw_job_groups_words(placing->sched);

	placing->set = set;
	if (!groups->placing)
		return;
	for (size_t i = 0; i < words; i++) {
		groups->untaken[i] = ~groups->taken[i];
		if (set)
			groups->untaken[i] &= i < set->words ? set->members[i] : 0;
	}
	placing->untaken = (struct lxfw_host_set){
		.members = groups->untaken, .words = words,
	};
	placing->set = &placing->untaken;
}

bool lxfw_host_allowed(const struct lxfw_sched *sched,
		       const struct lxfw_request *request, int32_t alternative,
		       int32_t host)
{
	return lxfw_host_set_has(host_set_of(sched, request, alternative), host);
}

struct lxfw_request lxfw_request_simplest(const struct lxfw_sched *sched,
					  const struct lxfw_request *request)
{
	struct lxfw_request same = *request;

	if (request->shape == LXFW_SHAPE_ANYWHERE && request->min_hosts <= 1 &&
	    (sched->profile.host_count == 1 || request->max_hosts == 1 ||
	     request->count == 1)) {
		same.unit = lxfw_request_share(request, request->count);
		same.per_host = (struct lxfw_resources){ 0 };
		same.min_hosts = 0;
		same.count = 1;
		same.shape = LXFW_SHAPE_HOSTS;
	}
	return same;
}

int lxfw_place_ready(struct lxfw_sched *sched)
{
	size_t count = (size_t)sched->profile.host_count;

	if (sched->weights.stale && lxfw_weights_update(sched) < 0)
		return -1;
	if (sched->found_size >= count && sched->order_size >= count &&
	    sched->ranked_size >= count && sched->room_size >= count &&
	    sched->marks_size >= count)
		return 0;
	if (LXFW_GROW(sched->found, sched->found_size, count))
		return -1;
	if (LXFW_GROW(sched->ranked, sched->ranked_size, count))
		return -1;
	if (LXFW_GROW(sched->order, sched->order_size, count))
		return -1;
	if (LXFW_GROW(sched->room, sched->room_size, count))
		return -1;
	if (sched->marks_size < count) {
		if (LXFW_GROW(sched->marks, sched->marks_size, count))
			return -1;
		memset(sched->marks, 0, sched->marks_size * sizeof(*sched->marks));
	}
	return 0;
}

/* No host with fewer free processors has room for a piece. */
static int32_t least_free(const struct lxfw_profile *profile,
			  const struct lxfw_request *request)
{
	int32_t whole = request->exclusive ? profile->least_procs : 0;

	return request->unit.procs > whole ? request->unit.procs : whole;
}

/* Choose hosts of the first alternative on which the request fits now. */
static int32_t choose_among(struct lxfw_sched *sched, bool awake_only,
			    const struct lxfw_request *request,
			    int32_t *host_set)
{
	struct lxfw_profile *profile = &sched->profile;
	struct lxfw_placing placing = {
		.sched = sched, .request = request,
		.start = sched->now, .awake_only = awake_only, .at_once = true,
		.only_procs = lxfw_placing_wants_procs(sched, request),
	};
	int32_t found = 0;
	bool ranks;

	if (!lxfw_pools_now(sched, request))
		return 0;
	ranks = lxfw_placing_has_levels(sched);
	placing.by_kind = !ranks && lxfw_placing_chooses_kinds(&placing);
	if (placing.by_kind) {
		placing.from = lxfw_kinds_from(&profile->kinds,
					       least_free(profile, request));
		placing.count = profile->kinds.count;
	} else if (!ranks) {
		lxfw_profile_order(profile);
		placing.order = profile->order;
		placing.from = lxfw_profile_order_from(profile,
							least_free(profile, request));
		placing.count = profile->order_count;
	}
	for (int32_t i = 0; i < lxfw_request_alternatives(request) && found == 0; i++) {
		*host_set = i;
		use_set(&placing, i);
		found = ranks ? lxfw_place_ranked_now(&placing) : lxfw_placing_choose(&placing);
	}
	return found > 0 ? lxfw_pools_add(sched, request, found) : found;
}

/* Choose among the hosts that are up, or among all for the boot time as well. */
static int32_t choose_now(struct lxfw_sched *sched,
			  const struct lxfw_request *request, int32_t *host_set)
{
	int64_t boot = sched->weights.most_boot;
	struct lxfw_request longer;
	int32_t found = choose_among(sched, boot > 0, request, host_set);

	if (found != 0 || boot == 0)
		return found;
	longer = *request;
	longer.estimate = lxfw_time_add(request->estimate, boot);
	return choose_among(sched, false, &longer, host_set);
}

int32_t lxfw_place_now(struct lxfw_sched *sched,
		       const struct lxfw_request *asked, int32_t *host_set)
{
	struct lxfw_request request = lxfw_request_simplest(sched, asked);
	int32_t found;

	if ((int64_t)request.unit.procs * request.count > sched->profile.free.procs)
		return 0;
	if (lxfw_place_ready(sched) < 0)
		return -1;
	found = choose_now(sched, &request, host_set);
	if (found == 0 && request.min_estimate) {
		request.estimate = request.min_estimate;
		found = choose_now(sched, &request, host_set);
	}
	return found;
}

bool lxfw_place_on(struct lxfw_sched *sched, const struct lxfw_request *asked,
		   int32_t host, int32_t *host_set)
{
	struct lxfw_request request = *asked;
	struct lxfw_placing placing = {
		.sched = sched, .request = &request,
		.start = sched->now, .at_once = true,
	};

	if (request.min_hosts > 1)
		return false;
	request.max_hosts = 1;
	request.estimate = lxfw_time_add(request.estimate,
					 sched->weights.boot[host]);
	request = lxfw_request_simplest(sched, &request);
	if (request.pool_count)	/* the caller expects one share */
		return false;
	for (int32_t i = 0; i < lxfw_request_alternatives(&request); i++) {
		if (!lxfw_host_allowed(sched, &request, i, host))
			continue;
		if (!lxfw_placing_capacity(&placing, host, 1))
			return false;
		*host_set = i;
		lxfw_placing_add(&placing, host, 1);
		return true;
	}
	return false;
}

/* --- the earliest start ---------------------------------------------------------- */

static int by_room(const void *a, const void *b)
{
	const struct lxfw_ranked_host *x = a, *y = b;

	return (x->procs < y->procs) - (x->procs > y->procs);
}

/* Number of hosts of the set that the job uses when all are empty, or 0 if it does not
   fit. They come first in sched->ranked. */
static int32_t hosts_when_empty(struct lxfw_placing *placing)
{
	const struct lxfw_request *request = placing->request;
	const struct lxfw_sched *sched = placing->sched;
	int32_t count = lxfw_rank_eligible(placing);

	if (lxfw_placing_has_kinds(sched)) {
		count = lxfw_rank_hosts(placing->sched, count);
		qsort(sched->ranked, (size_t)count, sizeof(*sched->ranked), lxfw_by_placement);
	}
	if (request->shape == LXFW_SHAPE_HOSTS)
		return count >= request->count ? request->count : 0;
	for (int32_t i = 0; i < count; i++) {
		struct lxfw_ranked_host *ranked = &sched->ranked[i];

		ranked->procs = lxfw_request_pieces(
			request, &sched->profile.hosts[ranked->host].total,
			request->count);
	}
	return lxfw_placing_widest(placing, count);
}

int32_t lxfw_place_empty(struct lxfw_sched *sched, const struct lxfw_request *asked)
{
	struct lxfw_request request = lxfw_request_simplest(sched, asked);
	struct lxfw_placing placing = { .sched = sched, .request = &request };
	int32_t found = 0;

	if (lxfw_place_ready(sched) < 0)
		return -1;
	for (int32_t i = 0; i < lxfw_request_alternatives(&request) && found == 0; i++) {
		use_set(&placing, i);
		found = hosts_when_empty(&placing);
	}
	if (!lxfw_pools_when_empty(sched, &request))
		return 0;
	for (int32_t i = 0; i < found; i++)
		sched->found[i] = (struct lxfw_share){ .host = sched->ranked[i].host };
	return found;
}

/* Whether the request, of pieces on any number of hosts, fits when all hosts are empty. */
static bool fits_anywhere(const struct lxfw_placing *placing, int32_t count)
{
	const struct lxfw_request *request = placing->request;
	const struct lxfw_ranked_host *ranked = placing->sched->ranked;
	int64_t rest = request->count;

	for (int32_t i = 0; i < count && rest > 0; i++)
		rest -= (int64_t)ranked[i].count *
			lxfw_request_pieces(
				request,
				&placing->sched->profile.hosts[ranked[i].host].total,
				request->count);
	return rest <= 0;
}

/* Whether the hosts with room for the most pieces are enough when all are empty. */
static bool fits_when_empty(struct lxfw_placing *placing)
{
	const struct lxfw_request *request = placing->request;
	struct lxfw_ranked_host *ranked = placing->sched->ranked;
	int32_t count, rest = request->count, used = 0;
	int32_t most = request->max_hosts ? request->max_hosts : INT32_MAX;

	if (request->shape == LXFW_SHAPE_HOSTS && request->count == 1)
		return lxfw_any_eligible(placing);
	count = lxfw_rank_eligible(placing);
	if (request->shape == LXFW_SHAPE_HOSTS)
		return lxfw_ranked_hosts(placing->sched, count) >= request->count;
	if (request->max_hosts == 0 && request->min_hosts <= 1)
		return fits_anywhere(placing, count);
	for (int32_t i = 0; i < count; i++)
		ranked[i].procs = lxfw_request_pieces(
			request, &placing->sched->profile.hosts[ranked[i].host].total,
			request->count);
	if (count > 1)
		qsort(ranked, (size_t)count, sizeof(*ranked), by_room);
	for (int32_t i = 0; i < count && rest > 0; i++) {
		for (int32_t j = 0; j < ranked[i].count && used < most && rest > 0; j++) {
			int32_t further = request->min_hosts - ++used;
			int32_t pieces = ranked[i].procs;

			if (further > 0 && pieces > rest - further)
				pieces = rest - further;
			rest -= pieces < rest ? pieces : rest;
		}
	}
	return rest == 0 && used >= request->min_hosts;
}

int lxfw_place_possible(struct lxfw_sched *sched, const struct lxfw_request *asked)
{
	struct lxfw_request request = lxfw_request_simplest(sched, asked);
	struct lxfw_placing placing = { .sched = sched, .request = &request };
	bool fits = false;

	if (lxfw_place_ready(sched) < 0)
		return -1;
	for (int32_t i = 0; i < lxfw_request_alternatives(&request) && !fits; i++) {
		use_set(&placing, i);
		fits = fits_when_empty(&placing);
	}
	return fits && lxfw_pools_when_empty(sched, &request);
}

int32_t lxfw_place_eligible(struct lxfw_sched *sched, const struct lxfw_request *request)
{
	struct lxfw_placing placing = { .sched = sched, .request = request };
	int32_t count = 0;

	if (lxfw_place_ready(sched) < 0)
		return -1;
	for (int32_t i = 0; i < lxfw_request_alternatives(request); i++) {
		placing.set = host_set_of(sched, request, i);
		count += (int32_t)lxfw_ranked_hosts(sched, lxfw_rank_eligible(&placing));
	}
	return count;
}

/* The WANTED-th smallest time of the hosts of COUNT ranked ones, which have enough. */
static int64_t nth_time(struct lxfw_sched *sched, int32_t count, int64_t wanted)
{
	struct lxfw_host_change *heap = sched->steps;
	size_t left = (size_t)count;

	for (int32_t i = 0; i < count; i++)
		heap[i] = (struct lxfw_host_change){ sched->ranked[i].time, i };
	lxfw_step_make(heap, left, NULL);
	for (;;) {
		wanted -= sched->ranked[heap[0].rank].count;
		if (wanted <= 0)
			return heap[0].time;
		heap[0] = heap[--left];
		lxfw_step_sift(heap, left, 0, NULL);
	}
}

/* Find the first time at which a piece fits on enough hosts at once. */
static int32_t hosts_earliest(struct lxfw_placing *placing)
{
	const struct lxfw_request *request = placing->request;
	struct lxfw_sched *sched = placing->sched;
	const struct lxfw_profile *profile = &sched->profile;
	int32_t count = lxfw_rank_eligible(placing), fitting = 0;
	int64_t start = placing->from_time;
	bool moved = true;

	if (lxfw_ranked_hosts(sched, count) < request->count)
		return 0;
	if (LXFW_GROW(sched->steps, sched->steps_size, (size_t)count))
		return -1;
	for (int32_t i = 0; i < count; i++)
		sched->ranked[i].time = INT64_MIN;
	if (lxfw_placing_has_kinds(sched))
		start = lxfw_profile_bound(
			profile, (int64_t)request->unit.procs * request->count,
			request->estimate, start);
	if (start == LXFW_NEVER)
		return 0;
	while (moved) {
		moved = false;
		for (int32_t i = 0; i < count; i++) {
			struct lxfw_ranked_host *ranked = &sched->ranked[i];
			struct lxfw_resources need;

			if (ranked->time >= start)
				continue;
			need = lxfw_request_on(request, &profile->hosts[ranked->host]);
			ranked->time = lxfw_placing_is_kept(placing, ranked->host) ?
				LXFW_NEVER :
				lxfw_profile_earliest(profile, ranked->host, &need,
						      request->estimate, start);
			moved |= ranked->time != start;
		}
		/* A host on which a piece fits early may be in use when enough hosts are
		   free. */
		if (moved)
			start = nth_time(sched, count, request->count);
		if (start == LXFW_NEVER)
			return 0;
	}
	for (int32_t i = 0; i < count; i++) {
		sched->ranked[i].room = 1;
		if (sched->ranked[i].time == start)
			sched->ranked[fitting++] = sched->ranked[i];
	}
	placing->start = start;
	return lxfw_place_ranked(placing, fitting);
}

/* Set the room of the ranked hosts. Returns whether they have room for all pieces at the
   start. */
static bool is_enough_then(const struct lxfw_placing *placing, int32_t count)
{
	int32_t most = placing->request->count;
	int64_t sum = 0;

	for (int32_t i = 0; i < count; i++) {
		struct lxfw_ranked_host *ranked = &placing->sched->ranked[i];

		ranked->room = lxfw_placing_capacity(placing, ranked->host, most);
		sum += ranked->count * (int64_t)ranked->room;
	}
	return sum >= most;
}

/* Place the job at START, or not at all. */
static int32_t anywhere_at(struct lxfw_placing *placing, int64_t start)
{
	int32_t count = lxfw_rank_eligible(placing);

	placing->start = start;
	if (start == LXFW_NEVER || !is_enough_then(placing, count))
		return 0;
	return lxfw_place_ranked(placing, count);
}

/* The next time after the start at which any of the COUNT ranked hosts may have more
   room. */
static int64_t next_gain(const struct lxfw_placing *placing, int32_t count)
{
	const struct lxfw_sched *sched = placing->sched;
	int64_t next = LXFW_NEVER;

	for (int32_t i = 0; i < count; i++) {
		int64_t gain = lxfw_profile_next_gain(
			&sched->profile, sched->ranked[i].host, placing->start);

		if (next > gain)
			next = gain;
	}
	return next;
}

/* Number of times that are tried before a sweep. */
#define BOUNDS_MOST 16

/* The first times from START on at which all hosts together have enough processors for as
   long as the job runs are tried, before a sweep goes through all changes. */
static int32_t anywhere_bounded(struct lxfw_placing *placing, int64_t start)
{
	const struct lxfw_request *request = placing->request;
	int64_t procs = (int64_t)request->unit.procs * request->count;
	struct lxfw_sched *sched = placing->sched;
	int32_t count = lxfw_rank_eligible(placing);

	for (int tries = 0; tries < BOUNDS_MOST; tries++) {
		int32_t found;

		start = lxfw_profile_bound(&sched->profile, procs, request->estimate, start);
		if (start == LXFW_NEVER)
			return 0;
		placing->start = start;
		if (is_enough_then(placing, count)) {
			found = lxfw_place_ranked(placing, count);
			if (found != 0)
				return found;
			break;
		}
		start = next_gain(placing, count);
		if (start == LXFW_NEVER)
			return 0;
	}
	return lxfw_place_sweep(placing, start);
}

static int32_t anywhere_earliest(struct lxfw_placing *placing)
{
	const struct lxfw_sched *sched = placing->sched;
	struct lxfw_resources sum = lxfw_request_sum(placing->request);
	int64_t bound = lxfw_profile_not_before(&sched->profile, &sum);
	int64_t start = bound > placing->from_time ? bound : placing->from_time;
	int32_t found;

	if (lxfw_placing_has_kinds(sched))
		return bound == LXFW_NEVER ? 0 : anywhere_bounded(placing, start);
	/* The first time at which all hosts together have enough resources is often the
	   start. */
	found = anywhere_at(placing, start);
	if (found != 0 || bound == LXFW_NEVER)
		return found;
	return lxfw_place_sweep(placing, start);
}

static int32_t shape_earliest(struct lxfw_placing *placing)
{
	if (placing->request->shape != LXFW_SHAPE_HOSTS)
		return anywhere_earliest(placing);
	return placing->request->count == 1 && lxfw_placing_has_kinds(placing->sched) ?
		       lxfw_place_single(placing) : hosts_earliest(placing);
}

/* Find the first time at which hosts and pools have enough, in placing->start. */
static int32_t earliest_of_all(struct lxfw_placing *placing)
{
	const struct lxfw_request *request = placing->request;
	struct lxfw_sched *sched = placing->sched;
	int64_t from = placing->from_time, start;
	int32_t found;

	for (;;) {
		start = lxfw_pools_earliest(sched, request, placing->from_time);
		if (start == LXFW_NEVER) {
			found = 0;
			break;
		}
		placing->from_time = start;
		found = shape_earliest(placing);
		if (found <= 0 || request->pool_count == 0)
			break;
		/* The hosts are free later: the pools may not be. */
		start = lxfw_pools_earliest(sched, request, placing->start);
		if (start == placing->start) {
			found = lxfw_pools_add(sched, request, found);
			break;
		}
		placing->from_time = start;
	}
	placing->from_time = from;
	return found;
}

/* Find the earliest start on the hosts of one alternative, in placing->start. ROUND counts
   alternatives; if hosts are asleep, each has one round without and one with them. */
static int32_t earliest(struct lxfw_placing *placing, int32_t round,
			int64_t estimate)
{
	struct lxfw_sched *sched = placing->sched;
	struct lxfw_request request = *placing->request;
	int64_t boot = sched->weights.most_boot;
	const struct lxfw_request *asked = placing->request;
	int32_t found;

	placing->awake_only = boot > 0 && round % 2 == 0;
	request.estimate = boot > 0 && round % 2 == 1 ?
				   lxfw_time_add(estimate, boot) : estimate;
	placing->request = &request;
	use_set(placing, boot > 0 ? round / 2 : round);
	found = earliest_of_all(placing);
	placing->request = asked;
	return found;
}

int32_t lxfw_place_earliest_from(struct lxfw_sched *sched,
				 const struct lxfw_request *asked, int64_t from,
				 int64_t *start, int32_t *host_set)
{
	struct lxfw_request request = lxfw_request_simplest(sched, asked);
	struct lxfw_placing placing = {
		.sched = sched, .request = &request, .from_time = from,
		.only_procs = lxfw_placing_wants_procs(sched, &request),
	};
	int64_t least = lxfw_request_least(&request);
	int32_t rounds, found, best = 0, best_round = 0;

	if (lxfw_place_ready(sched) < 0)
		return -1;
	rounds = lxfw_request_alternatives(&request) *
		 (sched->weights.most_boot > 0 ? 2 : 1);
	*start = LXFW_NEVER;
	for (int32_t i = 0; i < rounds; i++) {
		found = earliest(&placing, i, least);
		if (found < 0)
			return -1;
		if (found == 0 || placing.start >= *start)
			continue;
		*start = placing.start;
		best_round = i;
		best = found;
	}
	/* sched->found may have the hosts of a later round. */
	if (best > 0 && best_round != rounds - 1)
		best = earliest(&placing, best_round, least);
	*host_set = sched->weights.most_boot > 0 ? best_round / 2 : best_round;
	return best;
}

int32_t lxfw_place_earliest(struct lxfw_sched *sched,
			    const struct lxfw_request *request,
			    int64_t *start, int32_t *host_set)
{
	return lxfw_place_earliest_from(sched, request, sched->now, start,
					host_set);
}
