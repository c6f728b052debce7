/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/place/ranked.h"

#include <stdlib.h>

#include "common/place/place.h"
#include "common/place/rule.h"

int lxfw_by_placement(const void *a, const void *b)
{
	const struct lxfw_ranked_host *x = a, *y = b;

	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	if (x->procs != y->procs)
		return x->procs < y->procs ? -1 : 1;
	if (x->memory_mb != y->memory_mb)
		return x->memory_mb < y->memory_mb ? -1 : 1;
	return (x->host > y->host) - (x->host < y->host);
}

int32_t lxfw_rank_hosts(struct lxfw_sched *sched, int32_t count)
{
	const struct lxfw_kinds *kinds = &sched->profile.kinds;
	int32_t hosts = 0;

	for (int32_t i = 0; i < count; i++)
		sched->order[i] = sched->ranked[i].kind;
	for (int32_t i = 0; i < count; i++)
		hosts += lxfw_kind_lowest(kinds, sched->order[i], INT32_MAX,
					  sched->room + hosts);
	for (int32_t i = 0; i < hosts; i++)
		sched->ranked[i] = (struct lxfw_ranked_host){
			.host = sched->room[i], .kind = -1, .count = 1,
		};
	return hosts;
}

/* The order of the profile is by what is free now, of a start in the future by what is
   available until the end. */
static struct lxfw_resources ranked_by(const struct lxfw_placing *placing, int32_t host)
{
	return placing->at_once ? *lxfw_profile_free(&placing->sched->profile, host) :
				  lxfw_placing_available(placing, host);
}

static int32_t level_of(const struct lxfw_placing *placing, int32_t host,
			const struct lxfw_resources *available)
{
	const struct lxfw_sched *sched = placing->sched;

	return lxfw_placing_has_levels(sched) ?
		       sched->placement->level(placing, host, available) : 0;
}

int32_t lxfw_ranked_level(const struct lxfw_placing *placing, int32_t host)
{
	struct lxfw_resources available;

	if (placing->at_once)
		return level_of(placing, host,
				lxfw_profile_free(&placing->sched->profile, host));
	available = ranked_by(placing, host);
	return level_of(placing, host, &available);
}

int32_t lxfw_place_ranked(struct lxfw_placing *placing, int32_t count)
{
	struct lxfw_sched *sched = placing->sched;
	int32_t found, fitting = 0;

	for (int32_t i = 0; i < count; i++) {
		if (sched->ranked[i].room > 0)
			sched->ranked[fitting++] = sched->ranked[i];
	}
	count = fitting;
	placing->by_kind = lxfw_placing_chooses_kinds(placing);
	if (!placing->by_kind && lxfw_placing_has_kinds(sched))
		count = lxfw_rank_hosts(sched, count);
	for (int32_t i = 0; i < count; i++) {
		struct lxfw_ranked_host *ranked = &sched->ranked[i];
		struct lxfw_resources available = ranked_by(placing, ranked->host);

		ranked->level = level_of(placing, ranked->host, &available);
		ranked->procs = available.procs;
		ranked->memory_mb = available.memory_mb;
	}
	if (count > 1)
		qsort(sched->ranked, (size_t)count, sizeof(*sched->ranked), lxfw_by_placement);
	for (int32_t i = 0; i < count && !placing->by_kind; i++)
		sched->order[i] = sched->ranked[i].host;
	placing->order = sched->order;
	placing->from = 0;
	placing->count = count;
	placing->ranked = true;
	found = lxfw_placing_choose(placing);
	placing->by_kind = placing->ranked = false;
	return found;
}

/* The first host, in placement order, of those on which a single piece fits now. */
static int32_t first_of_kinds(const struct lxfw_placing *placing)
{
	const struct lxfw_sched *sched = placing->sched;
	const struct lxfw_kinds *kinds = &sched->profile.kinds;
	struct lxfw_ranked_host best = { .host = -1 };
	int32_t lowest = sched->placement->lowest(sched, placing->request);
	int32_t i = lxfw_kinds_from(kinds, placing->request->unit.procs);

	for (; i < kinds->count; i++) {
		const struct lxfw_kind *kind = &kinds->list[kinds->order[i]];
		bool after = best.host >= 0 && (kind->line.free.procs > best.procs ||
						kind->line.free.memory_mb > best.memory_mb);
		int32_t level, host;

		if (after && best.level == lowest)
			break;
		level = lxfw_ranked_level(placing, kind->root);
		if (level < lowest ||
		    (best.host >= 0 && (level > best.level ||
					(level == best.level && after))))
			continue;
		if (!lxfw_host_set_has(placing->set, kind->root) ||
		    !lxfw_placing_capacity(placing, kind->root, 1))
			continue;
		host = lxfw_kind_first(kinds, kinds->order[i]);
		if (best.host < 0 || level < best.level || host < best.host)
			best = (struct lxfw_ranked_host){
				.level = level, .procs = kind->line.free.procs,
				.memory_mb = kind->line.free.memory_mb, .host = host,
			};
	}
	return best.host;
}

int32_t lxfw_place_ranked_now(struct lxfw_placing *placing)
{
	const struct lxfw_request *request = placing->request;
	struct lxfw_sched *sched = placing->sched;
	int32_t count, host;

	if (request->shape == LXFW_SHAPE_HOSTS && request->count == 1 &&
	    lxfw_placing_chooses_kinds(placing)) {
		placing->found = 0;
		host = first_of_kinds(placing);
		if (host >= 0)
			lxfw_placing_add(placing, host, 1);
		return placing->found;
	}
	count = lxfw_rank_eligible(placing);
	for (int32_t i = 0; i < count; i++)
		sched->ranked[i].room = lxfw_placing_capacity(placing, sched->ranked[i].host,
							      request->count);
	return lxfw_place_ranked(placing, count);
}

/* Whether the host is up, in the set, and has room for a piece when it is empty. */
static bool is_eligible(const struct lxfw_placing *placing, int32_t index)
{
	const struct lxfw_host *host = &placing->sched->profile.hosts[index];
	struct lxfw_resources need;

	if (!host->up || !lxfw_host_set_has(placing->set, index) ||
	    (placing->awake_only && placing->sched->weights.boot[index]))
		return false;
	if (placing->only_procs)
		return placing->request->unit.procs <= host->total.procs;
	need = lxfw_request_on(placing->request, host);
	return lxfw_resources_fit(&need, &host->total);
}

int32_t lxfw_rank_eligible(const struct lxfw_placing *placing)
{
	struct lxfw_sched *sched = placing->sched;
	struct lxfw_kinds *kinds = &sched->profile.kinds;
	int32_t count = 0;

	if (!lxfw_placing_has_kinds(sched)) {
		for (int32_t i = 0; i < sched->profile.host_count; i++) {
			if (is_eligible(placing, i))
				sched->ranked[count++] = (struct lxfw_ranked_host){
					.host = i, .kind = -1, .count = 1,
				};
		}
		return count;
	}
	for (int32_t i = 0; i < kinds->count; i++) {
		const struct lxfw_kind *kind = &kinds->list[kinds->order[i]];

		if (is_eligible(placing, kind->root))
			sched->ranked[count++] = (struct lxfw_ranked_host){
				.host = kind->root, .kind = kinds->order[i],
				.count = kind->count,
			};
	}
	return count;
}

bool lxfw_any_eligible(const struct lxfw_placing *placing)
{
	const struct lxfw_profile *profile = &placing->sched->profile;
	const struct lxfw_kinds *kinds = &profile->kinds;
	bool by_kind = lxfw_placing_has_kinds(placing->sched);
	int32_t count = by_kind ? kinds->count : profile->host_count;

	for (int32_t i = 0; i < count; i++) {
		if (is_eligible(placing, by_kind ? kinds->list[kinds->order[i]].root : i))
			return true;
	}
	return false;
}

int64_t lxfw_ranked_hosts(const struct lxfw_sched *sched, int32_t count)
{
	int64_t hosts = 0;

	for (int32_t i = 0; i < count; i++)
		hosts += sched->ranked[i].count;
	return hosts;
}
