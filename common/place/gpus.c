/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The placement rule for GPUs. The level of a host is, for a job that requests GPUs, the
 * number of its free GPUs of the requested kind; for another job, 0 if the host has no GPUs,
 * otherwise 1 and the number of its free GPUs. Jobs of few GPUs then leave hosts with many
 * free ones to jobs that need them. Within a level, the paper's rule (in_order.c) chooses.
 *
 * A job without GPUs whose pieces may be anywhere uses the hosts of the lowest level alone,
 * if it fits there, otherwise those of the next level with them, and so on.
 */
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

static int32_t level(const struct lxfw_sched *sched, const struct lxfw_request *request,
		     int32_t host, const struct lxfw_resources *available)
{
	const struct lxfw_resources *total = &sched->profile.hosts[host].total;
	unsigned wanted = wanted_kinds(sched, request);

	if (wanted)
		return fewest(wanted, available);
	return kinds_in(sched, total) ? 1 + of_any_type(sched->gpus, total, available) : 0;
}

/* A host has no fewer GPUs than a piece needs. */
static int32_t lowest(const struct lxfw_sched *sched, const struct lxfw_request *request)
{
	unsigned wanted = wanted_kinds(sched, request);

	return wanted ? fewest(wanted, &request->unit) : 0;
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
