/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/place/ranked.h"

#include <stdlib.h>

#include "common/place/place.h"

int lxfw_by_placement(const void *a, const void *b)
{
	const struct lxfw_ranked_host *x = a, *y = b;

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
		struct lxfw_resources available =
			lxfw_placing_available(placing, ranked->host);

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
	found = lxfw_placing_choose(placing);
	placing->by_kind = false;
	return found;
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
	lxfw_kinds_settle(&sched->profile);
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

int64_t lxfw_ranked_hosts(const struct lxfw_sched *sched, int32_t count)
{
	int64_t hosts = 0;

	for (int32_t i = 0; i < count; i++)
		hosts += sched->ranked[i].count;
	return hosts;
}
