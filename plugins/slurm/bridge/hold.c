/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/hold.h"

#include "plugins/slurm/bridge/act.h"
#include "plugins/slurm/bridge/request.h"

/* A job waits so long before it gets a hold, and its hold is looked over again
   so often: Slurm's judgement takes time under the locks. */
#ifndef HOLD_AFTER_SECONDS
#define HOLD_AFTER_SECONDS 300
#endif
#define HOLD_CHECK_SECONDS 30

void lxfw_hold_drop(struct lxfw_hold *hold)
{
	FREE_NULL_BITMAP(hold->nodes);
	hold->job_id = 0;
}

/* Add what JOB would get, and when, to HOLD. */
static bool plan(struct lxfw_hold *hold, job_record_t *job)
{
	bitstr_t *nodes = bit_copy(job->part_ptr->node_bitmap);
	int64_t end;
	time_t start;

	bit_and(nodes, up_node_bitmap);
	bit_and_not(nodes, hold->nodes);
	if (job->details->exc_node_bitmap)
		bit_and_not(nodes, job->details->exc_node_bitmap);
	if (job_req_node_filter(job, nodes, true) != SLURM_SUCCESS)
		start = 0;
	else
		start = lxfw_compat_would_start(job, nodes, false);
	if (start) {
		end = start + lxfw_request_estimate(job);
		bit_or(hold->nodes, nodes);
		if (start > hold->start)
			hold->start = start;
		if (end > hold->end)
			hold->end = end;
	}
	FREE_NULL_BITMAP(nodes);
	return start != 0;
}

static bool plan_components(struct lxfw_hold *hold, job_record_t *leader)
{
	lxfw_slurm_iterator each;
	job_record_t *job;
	bool possible = true;

	if (!leader->het_job_list)
		return false;
	each = list_iterator_create(leader->het_job_list);
	while (possible && (job = list_next(each)) != NULL)
		possible = job->magic == JOB_MAGIC && job->details &&
			   job->part_ptr && IS_JOB_PENDING(job) &&
			   plan(hold, job);
	list_iterator_destroy(each);
	return possible;
}

static void hold_for(struct lxfw_bridge *bridge, job_record_t *job)
{
	struct lxfw_hold *hold = &bridge->hold;
	bool possible;

	lxfw_hold_drop(hold);
	hold->job_id = job->job_id;
	hold->checked = bridge->clock;
	hold->start = bridge->clock;
	hold->end = 0;
	hold->nodes = bit_alloc(node_record_count);
	if (job->het_job_id)
		possible = plan_components(hold, job);
	else
		possible = plan(hold, job);
	if (!possible)
		FREE_NULL_BITMAP(hold->nodes);	/* try again later */
	else
		debug("sched/lxfw: holding nodes for JobId=%u from %"PRId64" s on",
		      job->job_id, hold->start - bridge->clock);
}

/* Could LEFTOVER have the hold? Jobs in advance reservations have one in
   these. */
static job_record_t *candidate(const struct lxfw_bridge *bridge,
			       const struct lxfw_leftover *leftover)
{
	job_record_t *job = find_job_record(leftover->job_id);

	if (!job || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) ||
	    !job->details || leftover->refused || leftover->reservation[0] ||
	    job->resv_name || job->resv_list ||
	    (job->het_job_id && job->het_job_offset))
		return NULL;
	if (bridge->clock - lxfw_request_submit(job) < HOLD_AFTER_SECONDS)
		return NULL;
	return lxfw_still_eligible(job, leftover->part, leftover->priority,
				   leftover->qos) ? job : NULL;
}

void lxfw_hold_update(struct lxfw_bridge *bridge)
{
	struct lxfw_hold *hold = &bridge->hold;
	job_record_t *job = NULL;

	for (size_t i = 0; !job && i < bridge->leftover_count; i++)
		job = candidate(bridge, &bridge->leftovers[i]);
	if (!job) {
		lxfw_hold_drop(hold);
		return;
	}
	if (hold->job_id == job->job_id &&
	    bridge->clock < hold->checked + HOLD_CHECK_SECONDS)
		return;
	hold_for(bridge, job);
	bridge->stale = true;
}
