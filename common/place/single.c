/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/place/single.h"

#include "common/model/event.h"
#include "common/place/place.h"
#include "common/place/ranked.h"

static bool may_use(const struct lxfw_placing *placing, int32_t host)
{
	return lxfw_host_set_has(placing->set, host) &&
	       !(placing->awake_only && placing->sched->weights.boot[host]) &&
	       !lxfw_placing_is_kept(placing, host);
}

/* Whether LINE certainly has NEED at no time up to LATEST: it lacks processors until then. */
static inline bool is_later(const struct lxfw_line *line, const struct lxfw_resources *need,
			    int64_t latest)
{
	return line->free.procs < need->procs && line->first_release > latest;
}

/* Rank the kinds that are free first, at *START. Returns their number. */
static int32_t rank_first(const struct lxfw_placing *placing, int64_t *start)
{
	const struct lxfw_request *request = placing->request;
	struct lxfw_sched *sched = placing->sched;
	const struct lxfw_profile *profile = &sched->profile;
	const struct lxfw_kinds *kinds = &profile->kinds;
	struct lxfw_resources need = request->unit;
	int32_t count = 0;

	*start = LXFW_NEVER - 1;
	for (int32_t i = 0; i < kinds->count; i++) {
		const struct lxfw_kind *kind = &kinds->list[kinds->order[i]];
		int64_t time;

		if (request->exclusive)
			need = lxfw_request_on(request, &profile->hosts[kind->root]);
		/* Nearly always, and much faster than to ask for the time. */
		if (is_later(&kind->line, &need, *start) || !may_use(placing, kind->root))
			continue;
		time = lxfw_profile_earliest_before(profile, kind->root, &need,
						    request->estimate, placing->from_time,
						    *start + 1);
		if (time > *start)
			continue;
		if (time < *start)
			count = 0;
		*start = time;
		sched->ranked[count++] = (struct lxfw_ranked_host){
			.time = time, .host = kind->root, .kind = kinds->order[i],
			.count = kind->count, .room = 1,
		};
	}
	return count;
}

int32_t lxfw_place_single(struct lxfw_placing *placing)
{
	int32_t count = rank_first(placing, &placing->start);

	return count > 0 ? lxfw_place_ranked(placing, count) : 0;
}
