/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The placement rule for GPUs. The level of a host is, for a job that requests GPUs, the
 * number of its free GPUs of the requested kind; for another job, 0 if the host has no GPUs,
 * otherwise 1 and the number of its free GPUs. Jobs of few GPUs then leave hosts with many
 * free ones to jobs that need them. Within a level, the paper's rule (in_order.c) chooses.
 *
 * Where it is known on which sockets GPUs are, the level is lower the fewer sockets the GPUs of
 * the job are on; then, the fewer GPUs it leaves on these sockets, so that whole sockets stay
 * free; then, the fewer free GPUs the host has. This is for starts now: which sockets are free
 * later is not predicted.
 *
 * A job without GPUs whose pieces may be anywhere uses the hosts of the lowest level alone,
 * if it fits there, otherwise those of the next level with them, and so on.
 */
#include "common/model/sockets.h"
#include "common/place/by_kind.h"
#include "common/place/placing.h"
#include "common/place/ranked.h"
#include "common/place/rule.h"

/* The kinds of GPUs in an amount, as a mask. */
static inline unsigned kinds_in(const struct lxfw_sched *sched,
				const struct lxfw_resources *amount)
{
	unsigned kinds = 0;

	for (unsigned rest = sched->gpus; rest; rest &= rest - 1) {
		int kind = __builtin_ctz(rest);

		kinds |= (unsigned)(amount->extras[kind] > 0) << kind;
	}
	return kinds;
}

static inline unsigned wanted_kinds(const struct lxfw_sched *sched,
				    const struct lxfw_request *request)
{
	return kinds_in(sched, &request->unit) | kinds_in(sched, &request->per_host);
}

bool lxfw_wants_gpus(const struct lxfw_sched *sched, const struct lxfw_request *request)
{
	return wanted_kinds(sched, request) != 0;
}

/* GPUs of a type are also counted as GPUs of any type: the fewest are those of the type. */
static inline int32_t fewest(unsigned kinds, const struct lxfw_resources *amount)
{
	int32_t count = INT32_MAX;

	for (; kinds; kinds &= kinds - 1) {
		int32_t of_kind = amount->extras[__builtin_ctz(kinds)];

		count = of_kind < count ? of_kind : count;
	}
	return count;
}

/* GPUs of any type: the kind of which the host has the most in TOTAL. A job that requested no
   type has GPUs of any type only, so that more of a type may seem to be free. */
static inline int32_t of_any_type(unsigned kinds, const struct lxfw_resources *total,
				  const struct lxfw_resources *available)
{
	int32_t most = 0, count = 0;

	for (; kinds; kinds &= kinds - 1) {
		int kind = __builtin_ctz(kinds);
		int32_t has = total->extras[kind], left = available->extras[kind];

		if (has > most || (has == most && left < count)) {
			most = has;
			count = left;
		}
	}
	return count < 0 ? 0 : count < INT32_MAX ? count : count - 1;
}

/* The most GPUs of any type in an amount. */
static int32_t most_gpus(unsigned kinds, const struct lxfw_resources *amount)
{
	int32_t count = 0;

	for (; kinds; kinds &= kinds - 1) {
		int32_t of_kind = amount->extras[__builtin_ctz(kinds)];

		count = of_kind > count ? of_kind : count;
	}
	return count;
}

/* The number of GPUs that the job uses on a host: those of all pieces that may be there, if they
   are available, otherwise those of one piece. */
static int32_t gpus_on_host(const struct lxfw_request *request, unsigned wanted,
			    const struct lxfw_resources *available)
{
	struct lxfw_resources share = request->unit;
	int32_t pieces = request->count, least = request->min_hosts;

	if (request->shape == LXFW_SHAPE_HOSTS)
		return most_gpus(wanted, &share);
	if (least > 1)
		pieces = (pieces - 1) / least + 1;
	share = lxfw_request_share(request, pieces);
	if (!lxfw_resources_fit(&share, available))
		share = lxfw_request_share(request, 1);
	return most_gpus(wanted, &share);
}

/* More than the GPUs of a host whose sockets are known. */
#define GPUS_MOST (LXFW_SOCKETS_MAX * LXFW_SOCKET_GPUS_MAX + 1)

static inline int32_t limited(int32_t gpus)
{
	return gpus < 0 ? 0 : gpus < GPUS_MOST ? gpus : GPUS_MOST - 1;
}

/* The level of a host with FREE GPUs for a start now. One whose sockets are not known counts as
   one socket. */
static int32_t level_of_sockets(const struct lxfw_placing *placing,
				const struct lxfw_host *host, unsigned wanted,
				const struct lxfw_resources *available, int32_t free)
{
	int32_t used = 1, left, count;

	if (free < fewest(wanted, &placing->request->unit))
		return free;	/* no piece fits */
	count = gpus_on_host(placing->request, wanted, available);
	left = free - count;
	if (host->sockets)
		used = lxfw_sockets_needed(host->sockets_free, count, &left);
	return (used * GPUS_MOST + limited(left)) * GPUS_MOST + limited(free);
}

static int32_t level(const struct lxfw_placing *placing, int32_t index,
		     const struct lxfw_resources *available)
{
	const struct lxfw_sched *sched = placing->sched;
	const struct lxfw_host *host = &sched->profile.hosts[index];
	unsigned wanted = wanted_kinds(sched, placing->request);
	int32_t free;

	if (!wanted)
		return kinds_in(sched, &host->total) ?
			       1 + of_any_type(sched->gpus, &host->total, available) : 0;
	free = fewest(wanted, available);
	return sched->profile.has_sockets && placing->at_once ?
		       level_of_sockets(placing, host, wanted, available, free) : free;
}

/* A host has no fewer GPUs than a piece needs, and the job is on one socket or more. */
static int32_t lowest(const struct lxfw_sched *sched, const struct lxfw_request *request)
{
	unsigned wanted = wanted_kinds(sched, request);
	int32_t count = wanted ? fewest(wanted, &request->unit) : 0;

	return wanted && sched->profile.has_sockets ?
		       GPUS_MOST * GPUS_MOST + limited(count) : count;
}

static int32_t level_at(const struct lxfw_placing *placing, int32_t i)
{
	return placing->by_kind ? placing->sched->ranked[i].level :
				  lxfw_ranked_level(placing, placing->order[i]);
}

static int32_t choose_among(struct lxfw_placing *placing)
{
	return placing->by_kind ? lxfw_choose_by_kind(placing) :
				  lxfw_placement_paper.choose(placing);
}

/* Choose among the hosts of the lowest levels that are enough. */
static int32_t choose_lowest(struct lxfw_placing *placing)
{
	int32_t count = placing->count, found = 0;

	for (int32_t end = 0; end < count && found == 0;) {
		int32_t first = level_at(placing, end);

		while (end < count && level_at(placing, end) == first)
			end++;
		placing->found = 0;
		placing->count = end;
		found = choose_among(placing);
	}
	placing->count = count;
	return found;
}

static int32_t choose(struct lxfw_placing *placing)
{
	const struct lxfw_request *request = placing->request;
	const struct lxfw_sched *sched = placing->sched;

	if (lxfw_placing_has_levels(sched) && request->shape == LXFW_SHAPE_ANYWHERE &&
	    !lxfw_wants_gpus(sched, request))
		return choose_lowest(placing);
	return choose_among(placing);
}

const struct lxfw_placement_rule lxfw_placement_gpus = {
	.choose = choose,
	.choose_kinds = choose,
	.level = level,
	.lowest = lowest,
};
