/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The paper's rule (in_order.c) for kinds of hosts. All hosts of a kind have the same room,
 * so each kind is examined once. A *tie* is a range of kinds with the same level of the rule,
 * as many processors and as much memory; its hosts are in the order of their indices,
 * whatever their kinds.
 */
#include "common/place/by_kind.h"

#include <stdlib.h>

#include "common/place/placing.h"

static int32_t kind_at(const struct lxfw_placing *placing, int32_t i)
{
	return placing->ranked ? placing->sched->ranked[i].kind :
				 placing->sched->profile.kinds.order[i];
}

/* Room on each host of the kind with index I. */
static int32_t capacity(const struct lxfw_placing *placing, int32_t i, int32_t most)
{
	const struct lxfw_kinds *kinds = &placing->sched->profile.kinds;
	int32_t host;

	if (placing->ranked) {
		int32_t room = placing->sched->ranked[i].room;

		return room < most ? room : most;
	}
	host = kinds->list[kind_at(placing, i)].root;
	return lxfw_host_set_has(placing->set, host) ?
		       lxfw_placing_capacity(placing, host, most) : 0;
}

static bool is_tie(const struct lxfw_placing *placing, int32_t a, int32_t b)
{
	const struct lxfw_sched *sched = placing->sched;

	if (!placing->ranked) {
		const struct lxfw_kinds *kinds = &sched->profile.kinds;
		const struct lxfw_resources *x = &kinds->list[kinds->order[a]].line.free;
		const struct lxfw_resources *y = &kinds->list[kinds->order[b]].line.free;

		return x->procs == y->procs && x->memory_mb == y->memory_mb;
	}
	return sched->ranked[a].level == sched->ranked[b].level &&
	       sched->ranked[a].procs == sched->ranked[b].procs &&
	       sched->ranked[a].memory_mb == sched->ranked[b].memory_mb;
}

static int ascending(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

/* Sort COUNT hosts of sched->order, no two of which are equal. If they are close to each
   other, they are marked and read in order. */
static void sort_hosts(struct lxfw_sched *sched, int32_t count, bool descending)
{
	int32_t *hosts = sched->order, low = INT32_MAX, high = -1, found = 0;

	for (int32_t i = 0; i < count; i++) {
		low = hosts[i] < low ? hosts[i] : low;
		high = hosts[i] > high ? hosts[i] : high;
	}
	if (high - low < 16 * (int64_t)count) {
		sched->mark++;
		for (int32_t i = 0; i < count; i++)
			sched->marks[hosts[i]] = sched->mark;
		for (int32_t i = low; i <= high; i++) {
			hosts[found] = i;
			found += sched->marks[i] == sched->mark;
		}
	} else {
		qsort(hosts, (size_t)count, sizeof(*hosts), ascending);
	}
	for (int32_t i = 0, j = count - 1; descending && i < j; i++, j--) {
		int32_t host = hosts[i];

		hosts[i] = hosts[j];
		hosts[j] = host;
	}
}

/* Choose the hosts with the lowest indices of the first ties on which a piece fits. */
static int32_t pick(struct lxfw_placing *placing)
{
	struct lxfw_sched *sched = placing->sched;
	int32_t wanted = placing->request->count;

	for (int32_t i = placing->from; i < placing->count && placing->found < wanted;) {
		int32_t tie = i, rest = wanted - placing->found, count = 0, fitting = 0;

		for (; i < placing->count && is_tie(placing, tie, i); i++) {
			if (!capacity(placing, i, 1))
				continue;
			fitting++;
			count += lxfw_kind_lowest(&sched->profile.kinds,
						  kind_at(placing, i), rest,
						  sched->order + count);
		}
		if (fitting > 1)
			sort_hosts(sched, count, false);
		for (int32_t j = 0; j < count && j < rest; j++)
			lxfw_placing_add(placing, sched->order[j], 1);
	}
	return placing->found == wanted ? wanted : 0;
}

/* The first host, in placement order, that has room for PIECES, or -1. */
static int32_t tightest(const struct lxfw_placing *placing, int32_t pieces)
{
	const struct lxfw_kinds *kinds = &placing->sched->profile.kinds;
	int32_t tie = -1, best = -1, i = placing->from;

	if (!placing->ranked)
		i = lxfw_kinds_from(kinds, (int64_t)placing->request->unit.procs * pieces);
	for (; i < placing->count; i++) {
		int32_t host;

		if (best >= 0 && !is_tie(placing, tie, i))
			break;
		if (capacity(placing, i, pieces) < pieces)
			continue;
		host = lxfw_kind_first(kinds, kind_at(placing, i));
		if (best < 0 || host < best)
			best = host;
		tie = i;
	}
	return best;
}

/* The hosts of the kinds FROM .. TO, which are a tie, in descending order, as many as
   PIECES may need. Returns their number in sched->order. */
static int32_t emptiest(struct lxfw_placing *placing, int32_t from, int32_t to,
			int32_t pieces)
{
	struct lxfw_sched *sched = placing->sched;
	int32_t count = 0, fitting = 0;

	for (int32_t i = from; i <= to; i++) {
		int32_t room = capacity(placing, i, pieces);

		if (room == 0)
			continue;
		fitting++;
		count += lxfw_kind_highest(&sched->profile.kinds, kind_at(placing, i),
					   (pieces - 1) / room + 1, sched->order + count);
	}
	if (fitting > 1)
		sort_hosts(sched, count, true);
	return count;
}

/* Place all pieces on one host, or on the emptiest hosts until one host has room for the
   rest. No host that is chosen has room for the rest and comes before the last one. */
static int32_t spread_roomy(struct lxfw_placing *placing)
{
	const struct lxfw_request *request = placing->request;
	const struct lxfw_sched *sched = placing->sched;
	int32_t rest = request->count, host = tightest(placing, rest);
	int32_t most = request->max_hosts ? request->max_hosts : INT32_MAX;
	int32_t to = placing->count - 1, from;

	for (; host < 0 && to >= placing->from && placing->found < most; to = from - 1) {
		int32_t count, room = 0, kind = -1;

		for (from = to; from > placing->from && is_tie(placing, from - 1, to);)
			from--;
		count = emptiest(placing, from, to, rest);
		for (int32_t i = 0; i < count && host < 0 && placing->found < most; i++) {
			int32_t at = sched->order[i];

			if (from == to && i == 0)
				room = capacity(placing, to, rest);
			else if (sched->profile.kinds.of[at] != kind && from < to)
				room = lxfw_placing_capacity(placing, at, rest);
			kind = sched->profile.kinds.of[at];
			if (room >= rest) {
				placing->sched->turn = at;
				host = tightest(placing, rest);
			} else {
				lxfw_placing_add(placing, at, room);
				rest -= room;
			}
		}
	}
	if (host < 0 || placing->found == most)
		return 0;
	lxfw_placing_add(placing, host, rest);
	return placing->found;
}

static int by_room(const void *a, const void *b)
{
	const struct lxfw_ranked_host *x = a, *y = b;

	if (x->room != y->room)
		return x->room > y->room ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

/* Use the hosts that have room for the most pieces. Ranked kinds, all of which have room, are
   sorted in place. */
static int32_t spread_widely(struct lxfw_placing *placing)
{
	const struct lxfw_request *request = placing->request;
	struct lxfw_sched *sched = placing->sched;
	struct lxfw_ranked_host *ranked = sched->ranked;
	int32_t rest = request->count, kinds = placing->ranked ? placing->count : 0;

	for (int32_t i = placing->from; i < placing->count && !placing->ranked; i++) {
		int32_t room = capacity(placing, i, rest), kind = kind_at(placing, i);

		if (room > 0)
			ranked[kinds++] = (struct lxfw_ranked_host){
				.room = room, .kind = kind,
			};
	}
	if (kinds > 1)
		qsort(ranked, (size_t)kinds, sizeof(*ranked), by_room);
	for (int32_t i = 0; i < kinds && rest > 0 && placing->found < request->max_hosts;) {
		int32_t room = ranked[i].room, count = 0, first = i;
		int32_t most = request->max_hosts - placing->found;

		for (; i < kinds && ranked[i].room == room; i++)
			count += lxfw_kind_lowest(&sched->profile.kinds, ranked[i].kind,
						  most, sched->order + count);
		if (i > first + 1)
			sort_hosts(sched, count, false);
		for (int32_t j = 0; j < count && j < most && rest > 0; j++) {
			int32_t pieces = room < rest ? room : rest;

			lxfw_placing_add(placing, sched->order[j], pieces);
			rest -= pieces;
		}
	}
	return rest > 0 ? 0 : placing->found;
}

int32_t lxfw_choose_by_kind(struct lxfw_placing *placing)
{
	int32_t found;

	if (placing->request->shape == LXFW_SHAPE_HOSTS)
		return pick(placing);
	found = spread_roomy(placing);
	if (found == 0 && placing->request->max_hosts > 0) {
		placing->found = 0;
		found = spread_widely(placing);
	}
	return found;
}
