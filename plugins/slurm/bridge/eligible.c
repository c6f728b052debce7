/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/eligible.h"

#include "plugins/slurm/bridge/limit.h"
#include "plugins/slurm/bridge/reason.h"

bool lxfw_is_about_nodes(int error_code)
{
	return error_code == ESLURM_NODES_BUSY ||
	       error_code == ESLURM_NODE_NOT_AVAIL ||
	       error_code == ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE ||
	       error_code == ESLURM_RESERVATION_BUSY;
}

bool lxfw_same_world(const struct lxfw_bridge *bridge)
{
	return slurm_conf.last_update == bridge->seen_config &&
	       node_record_count == bridge->hosts.count;
}

void lxfw_use_features(job_record_t *job, bool prefer)
{
	lxfw_slurm_details *details = job->details;

	details->features_use = prefer ? details->prefer : details->features;
	details->feature_list_use =
		prefer ? details->prefer_list : details->feature_list;
}

enum lxfw_permission lxfw_eligible(struct lxfw_bridge *bridge,
				   const job_queue_rec_t *record)
{
	job_record_t *job = record->job_ptr;
	enum lxfw_permission permission;

	lxfw_compat_take_record(record);
	if (!(record->part_ptr->state_up & PARTITION_SCHED) ||
	    !record->part_ptr->node_bitmap)
		return LXFW_PERMIT_NOT;
	lxfw_use_features(job, record->use_prefer);
	permission = lxfw_permitted(bridge, job);
	/* All components are tested together, with all their nodes. */
	if (permission == LXFW_PERMIT_SHARED && job->het_job_id)
		return LXFW_PERMIT_NOT;
	if (permission != LXFW_PERMIT_NOT && permission != LXFW_PERMIT_UNLICENSED &&
	    !lxfw_agent_shadows(&bridge->agent))
		lxfw_reason_renew(job);
	return permission;
}

bool lxfw_meets_deadline(const struct lxfw_bridge *bridge, job_record_t *job)
{
	if (lxfw_agent_shadows(&bridge->agent))
		return lxfw_limit_latest_start(job) >= bridge->agent.clock;
	return lxfw_compat_deadline_ok(job);
}

static bool has_partition(const job_record_t *job, const part_record_t *part)
{
	lxfw_slurm_iterator each;
	part_record_t *one;
	bool found = false;

	if (!job->part_ptr_list)
		return job->part_ptr == part;
	each = list_iterator_create(job->part_ptr_list);
	while (!found && (one = list_next(each)) != NULL)
		found = one == part;
	list_iterator_destroy(each);
	return found;
}

bool lxfw_still_waits(job_record_t *job, const struct lxfw_alternative *where)
{
	part_record_t *part = find_part_record((char *)where->part);

	if (job->magic != JOB_MAGIC || !job->details || !part)
		return false;
	if (!IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) ||
	    IS_JOB_REVOKED(job) || job->priority == 0)
		return false;
	if (!(part->state_up & PARTITION_SCHED) || !has_partition(job, part))
		return false;
	if (job->preempt_in_progress || !lxfw_compat_use_qos(job, where->qos))
		return false;
	if (where->prefer && !job->details->prefer)
		return false;
	lxfw_use_features(job, where->prefer);
	job->part_ptr = part;
	job->priority = where->priority;
	job->last_sched_eval = time(NULL);
	if ((job->array_recs || job->array_task_id != NO_VAL) &&
	    !job_array_start_test(job))
		return false;
	if (job_limits_check(&job, true) != WAIT_NO_REASON)
		return false;
	return job_independent(job) && lxfw_compat_deadline_ok(job);
}

bool lxfw_licensed(job_record_t *job)
{
	return !job->license_list ||
	       license_job_test(job, time(NULL), true) == SLURM_SUCCESS;
}

bool lxfw_still_eligible(job_record_t *job, const struct lxfw_alternative *where)
{
	return lxfw_still_waits(job, where) && lxfw_licensed(job);
}

/* Slurm releases a job that it held for its constraints when nodes register and when the
   job is updated. It is then tested again at its first refusal. */
static void forget_refusals(struct lxfw_bridge *bridge, uint32_t job_id)
{
	for (size_t i = 0; i < bridge->offers.count; i++) {
		if ((uint32_t)bridge->offers.jobs[i]->id == job_id)
			bridge->offers.jobs[i]->refusals = 0;
	}
}

bool lxfw_never_runs(struct lxfw_bridge *bridge, job_record_t *job)
{
	if (!lxfw_compat_never_runs(job))
		return false;
	forget_refusals(bridge, job->job_id);
	if (lxfw_left_is_news(bridge, job->job_id))
		info("sched/lxfw: JobId=%u of user %u cannot run on any nodes "
		     "according to Slurm: held with reason BadConstraints",
		     job->job_id, job->user_id);
	bridge->agent.stale = true;
	return true;
}
