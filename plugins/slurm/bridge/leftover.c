/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/leftover.h"

#include "common/util/grow.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/request.h"
#include "plugins/slurm/bridge/tasks.h"

struct lxfw_leftover *lxfw_leave_over(struct lxfw_bridge *bridge, uint32_t job_id,
				      const struct lxfw_alternative *where,
				      bool passing, enum lxfw_reason reason)
{
	struct lxfw_watched *watched = lxfw_watch_find(&bridge->watch, job_id);
	struct lxfw_leftover *leftover;

	/* The next look must offer it again. */
	if (watched)
		watched->result = LXFW_WATCH_ALWAYS;
	if (watched && !watched->left && !passing)
		watched->left = (uint8_t)reason;
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

static bool attracts(const slurmctld_resv_t *resv, int64_t now)
{
	return resv && (resv->flags & RESERVE_FLAG_MAGNETIC) &&
	       !(resv->flags & RESERVE_FLAG_TIME_FLOAT) && resv->start_time <= now &&
	       resv->end_time > now && resv->node_bitmap;
}

/* Returns true if the job would end within the reservation, and there are idle nodes of its
   partition with enough processors, beside the nodes that the jobs before it in this look need. */
static bool has_room(struct lxfw_bridge *bridge, const slurmctld_resv_t *resv,
		     const job_record_t *job)
{
	const lxfw_slurm_details *details = job->details;
	uint32_t nodes = 0, cpus = 0;
	bitstr_t *idle;

	if (!(resv->flags & RESERVE_FLAG_FLEX) &&
	    bridge->agent.clock + lxfw_request_estimate(job) > resv->end_time)
		return false;
	if (bridge->attracted.pass != bridge->agent.pass)
		bridge->attracted = (struct lxfw_attracted){ .pass = bridge->agent.pass };
	idle = bit_copy(resv->node_bitmap);
	bit_and(idle, idle_node_bitmap);
	bit_and(idle, avail_node_bitmap);
	bit_and(idle, job->part_ptr->node_bitmap);
	for (int i = 0; i < node_record_count; i++) {
		if (!bit_test(idle, i))
			continue;
		nodes++;
		cpus += node_record_table_ptr[i]->cpus;
	}
	FREE_NULL_BITMAP(idle);
	if (cpus < details->min_cpus ||
	    nodes < bridge->attracted.nodes + (details->min_nodes ? details->min_nodes : 1))
		return false;
	bridge->attracted.nodes += details->min_nodes ? details->min_nodes : 1;
	return true;
}

/* Returns true if the library has the job, or a task of the array. */
static bool is_known(const struct lxfw_bridge *bridge, const job_record_t *job)
{
	if (!lxfw_is_array(job))
		return lxfw_table_find(&bridge->agent.jobs, lxfw_record_id(job));
	for (size_t i = 0; i < bridge->agent.jobs.count; i++) {
		if (bridge->agent.jobs.jobs[i]->record == job->job_id)
			return true;
	}
	return false;
}

bool lxfw_leftover_comes_first(struct lxfw_bridge *bridge, const job_queue_rec_t *record,
			       const struct lxfw_leftover *leftover)
{
	const slurmctld_resv_t *resv = record->resv_ptr;
	const job_record_t *job = record->job_ptr;

	/* A job that the library knows would lose its place and its reservation. After a restart
	   it knows none, and jobs that wait behind would start in their place. */
	if (!attracts(resv, bridge->agent.clock) || lxfw_agent_shadows(&bridge->agent) ||
	    job->details->submit_time <= slurmctld_config.boot_time ||
	    lxfw_table_find(&bridge->offers, lxfw_offer_id(leftover)) ||
	    is_known(bridge, job) || !job->part_ptr->node_bitmap ||
	    !has_room(bridge, resv, job))
		return false;
	bridge->agent.stale = true;
	return true;
}
