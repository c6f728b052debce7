/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/leftover.h"

#include "common/util/grow.h"

struct lxfw_leftover *lxfw_leave_over(struct lxfw_bridge *bridge, uint32_t job_id,
				      const struct lxfw_alternative *where,
				      bool passing)
{
	struct lxfw_watched *watched = lxfw_watch_find(&bridge->watch, job_id);
	struct lxfw_leftover *leftover;

	/* The next look must offer it again. */
	if (watched)
		watched->result = LXFW_WATCH_ALWAYS;
	if (LXFW_GROW(bridge->leftovers, bridge->leftover_size,
		      bridge->leftover_count + 1)) {
		bridge->agent.events.failed = true;
		return NULL;
	}
	leftover = &bridge->leftovers[bridge->leftover_count++];
	*leftover = (struct lxfw_leftover){
		.job_id = job_id, .where = *where, .passing = passing,
	};
	return leftover;
}

uint64_t lxfw_offer_id(const struct lxfw_leftover *leftover)
{
	uint32_t hash = 2166136261;

	for (const char *c = leftover->where.part; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619;
	hash = (hash ^ leftover->where.prefer) * 16777619;
	return (uint64_t)hash << 32 | leftover->job_id;
}
