/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/leftover.h"

#include "common/util/grow.h"
#include "plugins/slurm/bridge/known.h"

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
	for (const char *c = leftover->reservation; c && *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619;
	return (uint64_t)hash << 32 | leftover->job_id;
}

/* Returns true if the reservation attracts jobs now and has as many idle nodes as the job needs
   at least. */
static bool has_room(const slurmctld_resv_t *resv, const job_record_t *job, int64_t now)
{
	return resv && (resv->flags & RESERVE_FLAG_MAGNETIC) &&
	       !(resv->flags & RESERVE_FLAG_TIME_FLOAT) && resv->start_time <= now &&
	       resv->end_time > now && resv->node_bitmap &&
	       bit_overlap(resv->node_bitmap, idle_node_bitmap) >=
		       (int)job->details->min_nodes;
}

bool lxfw_leftover_comes_first(struct lxfw_bridge *bridge, const job_queue_rec_t *record,
			       const struct lxfw_leftover *leftover)
{
	const job_record_t *job = record->job_ptr;
	struct lxfw_known_job *offer;

	/* A job that the library knows would lose its place and its reservation. */
	if (!has_room(record->resv_ptr, job, bridge->agent.clock) ||
	    lxfw_agent_shadows(&bridge->agent) ||
	    lxfw_table_find(&bridge->agent.jobs, lxfw_record_id(job)))
		return false;
	offer = lxfw_table_find(&bridge->offers, lxfw_offer_id(leftover));
	bridge->agent.stale |= !offer;
	/* Of an array, tasks are started one after the other until one is refused. */
	return !offer || lxfw_offer_of(offer)->round == 0;
}
