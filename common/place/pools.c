/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/place/pools.h"

#include <string.h>

static struct lxfw_resources amount_of(const struct lxfw_pool_need *need)
{
	return (struct lxfw_resources){ .extras = { need->amount } };
}

static bool has_now(const struct lxfw_sched *sched, const struct lxfw_request *request,
		    const struct lxfw_pool_need *need)
{
	const struct lxfw_profile *profile = &sched->profile;
	const struct lxfw_host *pool = &profile->hosts[need->pool];
	const struct lxfw_line *line = lxfw_profile_line(profile, need->pool);
	struct lxfw_resources amount = amount_of(need), available;

	if (!pool->up || !lxfw_resources_fit(&amount, &line->free))
		return false;
	if (line->boundary_count == 0)
		return true;
	lxfw_profile_available(profile, need->pool, sched->now,
			       lxfw_time_add(sched->now, request->estimate), &available);
	return lxfw_resources_fit(&amount, &available);
}

bool lxfw_pools_now(const struct lxfw_sched *sched, const struct lxfw_request *request)
{
	for (int i = 0; i < request->pool_count; i++) {
		if (!has_now(sched, request, &request->pools[i]))
			return false;
	}
	return true;
}

bool lxfw_pools_when_empty(const struct lxfw_sched *sched,
			   const struct lxfw_request *request)
{
	for (int i = 0; i < request->pool_count; i++) {
		const struct lxfw_pool_need *need = &request->pools[i];
		const struct lxfw_host *pool = &sched->profile.hosts[need->pool];

		if (!pool->up || need->amount > pool->total.extras[0])
			return false;
	}
	return true;
}

int64_t lxfw_pools_earliest(const struct lxfw_sched *sched,
			    const struct lxfw_request *request, int64_t from)
{
	int64_t start = from, next = from;

	if (!lxfw_pools_when_empty(sched, request))
		return LXFW_NEVER;
	/* A pool may have enough at a time at which another one has not. */
	do {
		start = next;
		for (int i = 0; i < request->pool_count && next != LXFW_NEVER; i++) {
			const struct lxfw_pool_need *need = &request->pools[i];
			struct lxfw_resources amount = amount_of(need);

			next = lxfw_profile_earliest(&sched->profile, need->pool, &amount,
						     request->estimate, next);
		}
	} while (next != start && next != LXFW_NEVER);
	return next;
}

int32_t lxfw_pools_add(struct lxfw_sched *sched, const struct lxfw_request *request,
		       int32_t count)
{
	for (int i = 0; i < request->pool_count; i++) {
		const struct lxfw_pool_need *need = &request->pools[i];
		int32_t at = count;

		while (at > 0 && sched->found[at - 1].host > need->pool)
			at--;
		memmove(&sched->found[at + 1], &sched->found[at],
			(size_t)(count - at) * sizeof(*sched->found));
		sched->found[at] = (struct lxfw_share){
			.host = need->pool, .amount = amount_of(need),
		};
		count++;
	}
	return count;
}
