/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Placement rules that go through the hosts in placement order.
 *
 * The paper's rule (Chiang and Vernon 2001, section 2.2): of the hosts on which the job
 * fits, the one with the fewest unallocated processors, then the least free memory, then
 * the lowest index. Pieces that may be anywhere are placed on one host by this rule if a
 * host has room for all of them. Otherwise they go to the hosts with the most unallocated
 * processors, until the rest fits on one host, which the rule chooses.
 *
 * Worst fit: the same order in reverse.
 */
#include "common/place/by_kind.h"
#include "common/place/placing.h"
#include "common/place/rule.h"

/* The end of ORDER[from .. to] at which a rule begins. */
enum end {
	FULLEST,
	EMPTIEST,
};

static int32_t host_at(const struct lxfw_placing *placing, enum end first,
		       int32_t from, int32_t to, int32_t i)
{
	return placing->order[first == EMPTIEST ? to - (i - from) : i];
}

/* Choose the first hosts on which a piece fits. */
static int32_t pick(struct lxfw_placing *placing, enum end first)
{
	int32_t from = placing->from, count = placing->count;
	int32_t wanted = placing->request->count;

	for (int32_t i = from; count - i >= wanted - placing->found; i++) {
		int32_t host = host_at(placing, first, from, count - 1, i);

		if (!lxfw_host_set_has(placing->set, host) ||
		    !lxfw_placing_capacity(placing, host, 1))
			continue;
		lxfw_placing_add(placing, host, 1);
		if (placing->found == wanted)
			return wanted;
	}
	return 0;
}

/* The first host of ORDER[from .. to] that has room for PIECES, or -1. None of them has been
   chosen. */
static int32_t tightest(const struct lxfw_placing *placing, enum end first,
			int32_t from, int32_t to, int32_t pieces)
{
	for (int32_t i = from; i <= to; i++) {
		int32_t host = host_at(placing, first, from, to, i);

		if (lxfw_host_set_has(placing->set, host) &&
		    lxfw_placing_capacity(placing, host, pieces) == pieces)
			return host;
	}
	return -1;
}

/* An index in `order` before which no host has room for PIECES. */
static int32_t first_roomy(const struct lxfw_placing *placing, int32_t pieces)
{
	int32_t from = placing->from;

	if (placing->at_once && !placing->ranked)	/* by free processors */
		from = lxfw_profile_order_from(&placing->sched->profile,
					       placing->request->unit.procs * pieces);
	return from > placing->from ? from : placing->from;
}

/* Place all pieces on one host, or on the emptiest hosts until one host has room for the
   rest. */
static int32_t spread_roomy(struct lxfw_placing *placing, enum end first)
{
	const struct lxfw_request *request = placing->request;
	int32_t rest = request->count, i, host = -1;
	int32_t most = request->max_hosts ? request->max_hosts : INT32_MAX;
	int32_t last = placing->count - 1;

	if (request->min_hosts <= 1)
		host = tightest(placing, first, first_roomy(placing, rest), last, rest);
	for (i = last; host < 0 && i >= placing->from && placing->found < most;
	     i--) {
		int32_t further = request->min_hosts - placing->found - 1;
		int32_t pieces = rest;

		if (!lxfw_host_set_has(placing->set, placing->order[i]))
			continue;
		if (further > 0)	/* leave at least one piece for each further
					   host */
			pieces -= further;
		pieces = lxfw_placing_capacity(placing, placing->order[i], pieces);
		if (pieces == rest) {
			/* The hosts after this one have been chosen. */
			host = tightest(placing, first, first_roomy(placing, rest), i,
					rest);
		} else if (pieces > 0) {
			lxfw_placing_add(placing, placing->order[i], pieces);
			rest -= pieces;
		}
	}
	if (host < 0 || placing->found == most)
		return 0;
	lxfw_placing_add(placing, host, rest);
	return placing->found;
}

/* Distribute the pieces evenly over min_hosts hosts, the first in placement order; the
   first hosts get one piece more if the division leaves a remainder. Slurm distributes
   the tasks of a job in the same way. */
static int32_t spread_evenly(struct lxfw_placing *placing)
{
	const struct lxfw_request *request = placing->request;
	int32_t pieces = request->count / request->min_hosts;
	int32_t larger = request->count % request->min_hosts;

	for (int32_t i = placing->from;
	     i < placing->count && placing->found < request->min_hosts; i++) {
		int32_t host = placing->order[i];
		int32_t wanted = pieces + (placing->found < larger);

		if (lxfw_host_set_has(placing->set, host) &&
		    lxfw_placing_capacity(placing, host, wanted) == wanted)
			lxfw_placing_add(placing, host, wanted);
	}
	return placing->found == request->min_hosts ? placing->found : 0;
}

/* Use the hosts that have room for the most pieces. If the number of hosts is limited,
   this finds hosts whenever any choice does. */
static int32_t spread_widely(struct lxfw_placing *placing)
{
	struct lxfw_ranked_host *ranked = placing->sched->ranked;
	int32_t count = 0, used;

	for (int32_t i = placing->from; i < placing->count; i++) {
		int32_t pieces;

		if (!lxfw_host_set_has(placing->set, placing->order[i]))
			continue;
		pieces = lxfw_placing_capacity(placing, placing->order[i],
					       placing->request->count);
		if (pieces == 0)
			continue;
		ranked[count].host = placing->order[i];
		ranked[count++].procs = pieces;
	}
	used = lxfw_placing_widest(placing, count);
	for (int32_t i = 0; i < used; i++)
		lxfw_placing_add(placing, ranked[i].host, ranked[i].procs);
	return placing->found;
}

static int32_t spread(struct lxfw_placing *placing, enum end first)
{
	int32_t found = 0;

	if (placing->request->min_hosts > 1)
		found = spread_evenly(placing);
	if (found == 0) {
		placing->found = 0;
		found = spread_roomy(placing, first);
	}
	if (found == 0 && placing->request->max_hosts > 0) {
		placing->found = 0;
		found = spread_widely(placing);
	}
	return found;
}

static int32_t choose(struct lxfw_placing *placing, enum end first)
{
	return placing->request->shape == LXFW_SHAPE_ANYWHERE ?
		       spread(placing, first) : pick(placing, first);
}

static int32_t choose_fullest(struct lxfw_placing *placing)
{
	return choose(placing, FULLEST);
}

static int32_t choose_emptiest(struct lxfw_placing *placing)
{
	return choose(placing, EMPTIEST);
}

const struct lxfw_placement_rule lxfw_placement_paper = {
	.choose = choose_fullest,
	.choose_kinds = lxfw_choose_by_kind,
};

const struct lxfw_placement_rule lxfw_placement_worst = {
	.choose = choose_emptiest,
};
