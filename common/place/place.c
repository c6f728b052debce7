/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When and where a job can start. Which of the hosts it gets is the placement
 * rule's to say; it is given hosts *in placement order*: for a start now the profile
 * keeps that order, for a start in the future the hosts are sorted as they will be.
 */
#include "common/place/place.h"

#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/place/rule.h"
#include "common/util/grow.h"
#include "common/util/heap.h"

static const struct lxfw_host_set *host_set_of(const struct lxfw_sched *sched,
					       const struct lxfw_request *request,
					       int32_t alternative)
{
	if (request->host_set_count == 0)
		return NULL;
	return &sched->host_sets[request->host_sets[alternative]];
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
	void *grown;

	if (sched->found_size >= count && sched->order_size >= count &&
	    sched->ranked_size >= count &&
	    (sched->placement != LXFW_PLACEMENT_STOCK ||
	     sched->room_size >= count))
		return 0;
	grown = lxfw_grow(sched->found, &sched->found_size, count,
			  sizeof(*sched->found));
	if (!grown)
		return -1;
	sched->found = grown;
	grown = lxfw_grow(sched->ranked, &sched->ranked_size, count,
			  sizeof(*sched->ranked));
	if (!grown)
		return -1;
	sched->ranked = grown;
	grown = lxfw_grow(sched->order, &sched->order_size, count,
			  sizeof(*sched->order));
	if (!grown)
		return -1;
	sched->order = grown;
	if (sched->placement == LXFW_PLACEMENT_STOCK) {
		grown = lxfw_grow(sched->room, &sched->room_size, count,
				  sizeof(*sched->room));
		if (!grown)
			return -1;
		sched->room = grown;
	}
	return 0;
}

int32_t lxfw_place_now(struct lxfw_sched *sched,
		       const struct lxfw_request *asked, int32_t *host_set)
{
	const struct lxfw_profile *profile = &sched->profile;
	struct lxfw_request request = lxfw_request_simplest(sched, asked);
	int32_t from, found = 0;

	if ((int64_t)request.unit.procs * request.count > profile->free.procs)
		return 0;
	if (lxfw_place_ready(sched) < 0)
		return -1;
	from = lxfw_profile_order_from(profile, request.unit.procs);
	for (int32_t i = 0; i < lxfw_request_alternatives(&request) && found == 0; i++) {
		*host_set = i;
		found = lxfw_place_by_rule(
			sched, &request, host_set_of(sched, &request, i),
			profile->order, from, profile->order_count, sched->now,
			true);
	}
	return found;
}

bool lxfw_place_on(struct lxfw_sched *sched, const struct lxfw_request *asked,
		   int32_t host, int32_t *host_set)
{
	struct lxfw_request request = *asked;
	int32_t found = 0;

	if (request.min_hosts > 1)
		return false;
	request.max_hosts = 1;
	request = lxfw_request_simplest(sched, &request);
	for (int32_t i = 0; i < lxfw_request_alternatives(&request); i++) {
		if (!lxfw_host_allowed(sched, &request, i, host))
			continue;
		if (!lxfw_place_capacity(sched, &request, host, sched->now, true, 1))
			return false;
		*host_set = i;
		lxfw_place_add(sched, &found, &request, host, 1);
		return true;
	}
	return false;
}

/* --- the earliest start ---------------------------------------------------------- */

static int by_placement(const void *a, const void *b)
{
	const struct lxfw_ranked_host *x = a, *y = b;

	if (x->procs != y->procs)
		return x->procs < y->procs ? -1 : 1;
	if (x->memory_mb != y->memory_mb)
		return x->memory_mb < y->memory_mb ? -1 : 1;
	return (x->host > y->host) - (x->host < y->host);
}

/* Place on the COUNT ranked hosts as they are at START. */
static int32_t place_ranked(struct lxfw_sched *sched,
			    const struct lxfw_request *request,
			    const struct lxfw_host_set *set, int32_t count,
			    int64_t start)
{
	for (int32_t i = 0; i < count; i++) {
		struct lxfw_ranked_host *ranked = &sched->ranked[i];
		struct lxfw_resources available;

		lxfw_profile_available(&sched->profile, ranked->host, start,
				       lxfw_time_add(start, request->estimate),
				       &available);
		ranked->procs = available.procs;
		ranked->memory_mb = available.memory_mb;
	}
	qsort(sched->ranked, (size_t)count, sizeof(*sched->ranked), by_placement);
	for (int32_t i = 0; i < count; i++)
		sched->order[i] = sched->ranked[i].host;
	return lxfw_place_by_rule(sched, request, set, sched->order, 0, count,
				  start, false);
}

/* Whether HOST, one of SET and up, takes a piece when it is empty. */
static bool is_eligible(const struct lxfw_sched *sched,
			const struct lxfw_request *request,
			const struct lxfw_host_set *set, int32_t index)
{
	const struct lxfw_host *host = &sched->profile.hosts[index];
	struct lxfw_resources need = lxfw_request_on(request, host);

	return host->up && lxfw_host_set_has(set, index) &&
	       lxfw_resources_fit(&need, &host->total);
}

/* Rank the hosts of SET that could ever take a piece; returns how many. */
static int32_t rank_eligible(struct lxfw_sched *sched,
			     const struct lxfw_request *request,
			     const struct lxfw_host_set *set)
{
	int32_t count = 0;

	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		if (is_eligible(sched, request, set, i))
			sched->ranked[count++].host = i;
	}
	return count;
}

static int by_pieces(const void *a, const void *b)
{
	const struct lxfw_ranked_host *x = a, *y = b;

	if (x->procs != y->procs)
		return x->procs > y->procs ? -1 : 1;
	return (x->host > y->host) - (x->host < y->host);
}

int32_t lxfw_place_widest(struct lxfw_sched *sched,
			  const struct lxfw_request *request, int32_t count)
{
	int32_t rest = request->count, used = 0;
	int32_t most = request->max_hosts ? request->max_hosts : count;

	qsort(sched->ranked, (size_t)count, sizeof(*sched->ranked), by_pieces);
	while (used < count && used < most && rest > 0) {
		int32_t further = request->min_hosts - used - 1;
		int32_t *pieces = &sched->ranked[used++].procs;

		if (further > 0 && *pieces > rest - further)
			*pieces = rest - further;
		if (*pieces > rest)
			*pieces = rest;
		rest -= *pieces;
	}
	return rest > 0 || used < request->min_hosts ? 0 : used;
}

/* Whether the hosts of SET take the job when all are empty. */
static bool fits_when_empty(struct lxfw_sched *sched,
			    const struct lxfw_request *request,
			    const struct lxfw_host_set *set)
{
	int32_t count = rank_eligible(sched, request, set);

	if (request->shape == LXFW_SHAPE_HOSTS)
		return count >= request->count;
	for (int32_t i = 0; i < count; i++) {
		struct lxfw_ranked_host *ranked = &sched->ranked[i];

		ranked->procs = lxfw_request_pieces(
			request, &sched->profile.hosts[ranked->host].total,
			request->count);
	}
	return lxfw_place_widest(sched, request, count) > 0;
}

int lxfw_place_possible(struct lxfw_sched *sched,
			const struct lxfw_request *asked)
{
	struct lxfw_request request = lxfw_request_simplest(sched, asked);

	if (lxfw_place_ready(sched) < 0)
		return -1;
	for (int32_t i = 0; i < lxfw_request_alternatives(&request); i++) {
		if (fits_when_empty(sched, &request,
				    host_set_of(sched, &request, i)))
			return 1;
	}
	return 0;
}

/* The WANTED-th smallest time of COUNT ranked hosts, by a heap of the smallest
   ones seen so far, the largest of them on top. */
static int64_t nth_time(int64_t *heap, const struct lxfw_ranked_host *ranked,
			int32_t count, int32_t wanted)
{
	int32_t size = 0, at;

	for (int32_t i = 0; i < count; i++) {
		int64_t time = ranked[i].time;

		if (size < wanted) {
			for (at = size++; at > 0 && heap[(at - 1) / 2] < time;
			     at = (at - 1) / 2)
				heap[at] = heap[(at - 1) / 2];
			heap[at] = time;
			continue;
		}
		if (time >= heap[0])
			continue;
		for (at = 0; 2 * at + 1 < size;) {
			int32_t child = 2 * at + 1;

			if (child + 1 < size && heap[child + 1] > heap[child])
				child++;
			if (heap[child] <= time)
				break;
			heap[at] = heap[child];
			at = child;
		}
		heap[at] = time;
	}
	return heap[0];
}

/* The first time at which enough hosts have a piece's worth at once. */
static int32_t hosts_earliest(struct lxfw_sched *sched,
			      const struct lxfw_request *request,
			      const struct lxfw_host_set *set, int64_t *start)
{
	const struct lxfw_profile *profile = &sched->profile;
	int32_t count = rank_eligible(sched, request, set), fitting = 0;
	bool moved = true;
	void *grown;

	if (count < request->count)
		return 0;
	grown = lxfw_grow(sched->times, &sched->times_size,
			  (size_t)request->count, sizeof(*sched->times));
	if (!grown)
		return -1;
	sched->times = grown;
	for (int32_t i = 0; i < count; i++)
		sched->ranked[i].time = INT64_MIN;
	for (*start = sched->now; moved;) {
		moved = false;
		for (int32_t i = 0; i < count; i++) {
			struct lxfw_ranked_host *ranked = &sched->ranked[i];
			struct lxfw_resources need;

			if (ranked->time >= *start)
				continue;
			need = lxfw_request_on(request, &profile->hosts[ranked->host]);
			ranked->time = lxfw_profile_earliest(
				profile, ranked->host, &need, request->estimate,
				*start);
			moved |= ranked->time != *start;
		}
		/* A host that fitted early need not fit until enough do. */
		if (moved)
			*start = nth_time(sched->times, sched->ranked, count,
					  request->count);
		if (*start == LXFW_NEVER)
			return 0;
	}
	for (int32_t i = 0; i < count; i++) {
		if (sched->ranked[i].time == *start)
			sched->ranked[fitting++] = sched->ranked[i];
	}
	return place_ranked(sched, request, set, fitting, *start);
}

/* --- a sweep over time ------------------------------------------------------------ */

/* A heap of hosts by when the number of pieces that they take changes next. */

static inline bool step_before(const void *of,
			       const struct lxfw_host_change *a,
			       const struct lxfw_host_change *b)
{
	(void)of;
	return a->time < b->time || (a->time == b->time && a->rank < b->rank);
}

LXFW_HEAP(step, struct lxfw_host_change, void, step_before)

/* When after TIME the number of pieces that HOST takes may change: up when it gains
   something, down when the end of the job would run into a hold. */
static int64_t next_step(const struct lxfw_profile *profile,
			 const struct lxfw_request *request, int32_t index,
			 int64_t time)
{
	const struct lxfw_host *host = &profile->hosts[index];
	int64_t next = lxfw_profile_next_gain(profile, index, time);
	int32_t low = 0, high = host->boundary_count;

	/* the first boundary that a start after TIME runs into */
	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (host->boundaries[middle].time - request->estimate + 1 <= time)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < host->boundary_count &&
	    host->boundaries[low].time - request->estimate + 1 < next)
		next = host->boundaries[low].time - request->estimate + 1;
	return next;
}

/* Whether the ranked hosts take all pieces at START. */
static bool enough_at(const struct lxfw_sched *sched,
		      const struct lxfw_request *request, int32_t count,
		      int64_t start)
{
	int32_t rest = request->count;

	for (int32_t i = 0; i < count && rest > 0; i++)
		rest -= lxfw_place_capacity(sched, request, sched->ranked[i].host, start,
				 false, rest);
	return rest == 0;
}

/* At START or not at all. */
static int32_t anywhere_at(struct lxfw_sched *sched,
			   const struct lxfw_request *request,
			   const struct lxfw_host_set *set, int64_t start)
{
	int32_t count = rank_eligible(sched, request, set);

	if (start == LXFW_NEVER || !enough_at(sched, request, count, start))
		return 0;
	return place_ranked(sched, request, set, count, start);
}

/*
 * How many hosts take how many pieces, kept during a sweep for a job with limits of its
 * number of hosts: whether it fits is known without placing it.
 */
struct spread_count {
	int64_t *hosts;		/* that take so many pieces; in sched->times */
	int32_t most;		/* pieces on a host, at most */
	int32_t used;		/* hosts that take any */
};

static int count_spread(struct lxfw_sched *sched,
			const struct lxfw_request *request, int32_t count,
			struct spread_count *spread)
{
	void *grown;

	*spread = (struct spread_count){ .most = 0 };
	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_host *host =
			&sched->profile.hosts[sched->ranked[i].host];
		int32_t pieces = lxfw_request_pieces(request, &host->total,
						     request->count);

		if (pieces > spread->most)
			spread->most = pieces;
	}
	grown = lxfw_grow(sched->times, &sched->times_size,
			  (size_t)spread->most + 1, sizeof(*sched->times));
	if (!grown)
		return -1;
	sched->times = grown;
	spread->hosts = sched->times;
	memset(spread->hosts, 0,
	       ((size_t)spread->most + 1) * sizeof(*spread->hosts));
	spread->hosts[0] = count;
	return 0;
}

static void move_host(struct spread_count *spread, int32_t from, int32_t to)
{
	spread->hosts[from]--;
	spread->hosts[to]++;
	spread->used += (to > 0) - (from > 0);
}

/* Whether the hosts that take the most pieces take all of them. */
static bool is_enough(const struct spread_count *spread,
		      const struct lxfw_request *request)
{
	int64_t rest = request->count;
	int64_t hosts = request->max_hosts ? request->max_hosts : INT32_MAX;

	if (spread->used < request->min_hosts)
		return false;
	for (int32_t pieces = spread->most; pieces > 0 && hosts > 0; pieces--) {
		int64_t taken = spread->hosts[pieces] < hosts ?
				spread->hosts[pieces] : hosts;

		hosts -= taken;
		rest -= taken * pieces;
		if (rest <= 0)
			return true;
	}
	return false;
}

/* The hosts on top of the heap, with a change at TIME, take so many pieces from then
   on. Returns how many hosts change later still. */
static size_t take_steps(struct lxfw_sched *sched,
			 const struct lxfw_request *request, int64_t time,
			 size_t left, struct spread_count *spread, int64_t *sum)
{
	while (left > 0 && sched->steps[0].time == time) {
		struct lxfw_host_change *step = &sched->steps[0];
		struct lxfw_ranked_host *ranked = &sched->ranked[step->rank];
		int32_t pieces = lxfw_place_capacity(sched, request, ranked->host,
						     time, false,
						     request->count);

		move_host(spread, ranked->procs, pieces);
		*sum += pieces - ranked->procs;
		ranked->procs = pieces;
		step->time = next_step(&sched->profile, request, ranked->host,
				       time);
		if (step->time == LXFW_NEVER)
			*step = sched->steps[--left];
		if (left > 0)
			step_sift(sched->steps, left, 0, NULL);
	}
	return left;
}

/* Sweep over the changes of all hosts, from *START on, until they take all pieces
   at once. */
static int32_t anywhere_sweep(struct lxfw_sched *sched,
			      const struct lxfw_request *request,
			      const struct lxfw_host_set *set, int64_t *start)
{
	int32_t count = rank_eligible(sched, request, set), found;
	struct spread_count spread;
	size_t left = (size_t)count;
	int64_t sum = 0;
	void *grown;

	if (count == 0)
		return 0;
	if (count_spread(sched, request, count, &spread) < 0)
		return -1;
	grown = lxfw_grow(sched->steps, &sched->steps_size, left,
			  sizeof(*sched->steps));
	if (!grown)
		return -1;
	sched->steps = grown;
	for (int32_t i = 0; i < count; i++) {
		sched->ranked[i].procs = 0;	/* pieces, during the sweep */
		sched->steps[i] = (struct lxfw_host_change){ *start, i };
	}
	while (left > 0) {
		int64_t time = sched->steps[0].time;

		left = take_steps(sched, request, time, left, &spread, &sum);
		if (sum < request->count || !is_enough(&spread, request))
			continue;
		*start = time;
		found = place_ranked(sched, request, set, count, time);
		if (found > 0)
			return found;
		/* Not by this placement rule: the ranks were sorted away, so look
		   on from the next change with fresh ones. */
		count = rank_eligible(sched, request, set);
		for (int32_t j = 0; j < count; j++)
			sched->ranked[j].procs = lxfw_place_capacity(
				sched, request, sched->ranked[j].host, *start,
				false, request->count);
	}
	return 0;
}

static int32_t anywhere_earliest(struct lxfw_sched *sched,
				 const struct lxfw_request *request,
				 const struct lxfw_host_set *set, int64_t *start)
{
	struct lxfw_resources sum = lxfw_request_sum(request);
	int64_t bound = lxfw_profile_not_before(&sched->profile, &sum);
	int32_t found;

	/* Often the first time at which all hosts together have enough will do. */
	*start = bound > sched->now ? bound : sched->now;
	found = anywhere_at(sched, request, set, *start);
	if (found != 0 || bound == LXFW_NEVER)
		return found;
	return anywhere_sweep(sched, request, set, start);
}

static int32_t earliest(struct lxfw_sched *sched,
			const struct lxfw_request *request, int32_t alternative,
			int64_t *start)
{
	const struct lxfw_host_set *set =
		host_set_of(sched, request, alternative);

	if (request->shape == LXFW_SHAPE_HOSTS)
		return hosts_earliest(sched, request, set, start);
	return anywhere_earliest(sched, request, set, start);
}

int32_t lxfw_place_earliest(struct lxfw_sched *sched,
			    const struct lxfw_request *asked,
			    int64_t *start, int32_t *host_set)
{
	struct lxfw_request request = lxfw_request_simplest(sched, asked);
	int32_t last = lxfw_request_alternatives(&request) - 1, found, best = 0;
	int64_t at;

	if (lxfw_place_ready(sched) < 0)
		return -1;
	*start = LXFW_NEVER;
	for (int32_t i = 0; i <= last; i++) {
		found = earliest(sched, &request, i, &at);
		if (found < 0)
			return -1;
		if (found == 0 || at >= *start)
			continue;
		*start = at;
		*host_set = i;
		best = found;
	}
	/* The hosts that were found last may be another alternative's. */
	if (best > 0 && *host_set != last)
		best = earliest(sched, &request, *host_set, start);
	return best;
}

/* --- asked from outside --------------------------------------------------------------- */
