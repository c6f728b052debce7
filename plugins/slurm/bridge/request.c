/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/request.h"

#include <string.h>

#include "common/params/policy.h"
#include "plugins/slurm/bridge/adaptive.h"
#include "plugins/slurm/bridge/limit.h"
#include "plugins/slurm/bridge/sets.h"
#include "plugins/slurm/bridge/shape.h"
#include "plugins/slurm/bridge/shares_limit.h"

#define SECONDS_OF_YEAR (365 * 24 * 3600)

enum lxfw_reason lxfw_request_unknown(const struct lxfw_bridge *bridge,
				      const job_record_t *job)
{
	const lxfw_slurm_details *details = job->details;

	if (job->resv_name || job->resv_list)
		return LXFW_REASON_LEFT_RESERVATION;
	if (job->het_job_id && !lxfw_policy_groups(bridge->agent.params.policy))
		return LXFW_REASON_LEFT_GROUP;
	if (job->burst_buffer)
		return LXFW_REASON_LEFT_BUFFER;
	if (details->expanding_jobid)
		return LXFW_REASON_LEFT_EXPANDS;
	if (details->core_spec != NO_VAL16 && details->core_spec != 0)
		return LXFW_REASON_LEFT_CORES;
	if (details->contiguous)
		return LXFW_REASON_LEFT_CONTIGUOUS;
	/* --switches; a choice or a count of preferred features */
	if (job->req_switch && lxfw_compat_topology(job))
		return LXFW_REASON_LEFT_SWITCHES;
	if (lxfw_compat_needs_blocks(job))
		return LXFW_REASON_LEFT_SWITCHES;
	if (details->prefer && strpbrk(details->prefer, "[*"))
		return LXFW_REASON_LEFT_FEATURES;
	if (details->min_nodes == 0 && details->max_nodes == 0)
		return LXFW_REASON_LEFT_REQUEST;
	return LXFW_REASON_NONE;
}

int64_t lxfw_request_submit(const job_record_t *job)
{
	const lxfw_slurm_details *details = job->details;

	return details->begin_time ? details->begin_time : details->submit_time;
}

/* Returns the largest run time, at most SECONDS, with which the job could have ended
   before its deadline. */
static int64_t before_deadline(const job_record_t *job, int64_t seconds)
{
	int64_t submit = lxfw_request_submit(job);

	if (job->deadline <= 0 || job->deadline == (time_t)NO_VAL ||
	    submit < 0 || submit >= job->deadline)
		return seconds;
	return job->deadline - submit < seconds ? job->deadline - submit : seconds;
}

int64_t lxfw_request_estimate(const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;
	uint32_t most = part->max_time, minutes = job->time_limit;

	if (minutes == NO_VAL) {
		minutes = part->default_time;
		if (minutes == NO_VAL)
			minutes = most;
	}
	if (most != INFINITE && most != NO_VAL && minutes > most &&
	    job->limit_set.time != ADMIN_SET_LIMIT)
		minutes = most;
	return before_deadline(job, minutes == INFINITE || minutes == NO_VAL ?
				    SECONDS_OF_YEAR :
				    minutes ? (int64_t)minutes * 60 : 1);
}

bool lxfw_request_unreserved(job_record_t *job)
{
	if (job->qos_ptr && (job->qos_ptr->flags & QOS_FLAG_NO_RESERVE))
		return true;
	/* Slurm logs a job without an association. Suspended and held jobs have priority 0. */
	return job->assoc_ptr && job->priority > 0 &&
	       job->priority < acct_policy_get_prio_thresh(job, false);
}

static bool same_amounts(const struct lxfw_request *one,
			 const struct lxfw_request *other)
{
	return one->shape == other->shape && one->count == other->count &&
	       one->min_hosts == other->min_hosts &&
	       one->exclusive == other->exclusive &&
	       one->rigid == other->rigid && one->min_procs == other->min_procs &&
	       memcmp(&one->unit, &other->unit, sizeof(one->unit)) == 0 &&
	       memcmp(&one->per_host, &other->per_host,
		      sizeof(one->per_host)) == 0;
}

/* Puts all processors and memory of the job on one host, regardless of its tasks. */
static void make_adaptive(const struct lxfw_bridge *bridge,
			  const struct lxfw_known_set *set, int32_t min_procs,
			  struct lxfw_request *ask)
{
	int64_t stretch = bridge->adaptive.max_stretch;
	int32_t enough = 1;

	if (!lxfw_request_is_valid(ask) || ask->min_hosts > 1 ||
	    (int64_t)ask->unit.procs * ask->count > set->most_procs)
		return;
	ask->unit = lxfw_request_share(ask, ask->count);
	memset(&ask->per_host, 0, sizeof(ask->per_host));
	ask->shape = LXFW_SHAPE_HOSTS;
	ask->count = 1;
	ask->min_hosts = 0;
	ask->max_hosts = 0;
	ask->rigid = false;
	/* A moldable job keeps its processors. With fewer, its time limit would be less than
	   its work. */
	if (stretch > 0)
		enough = (int32_t)((ask->unit.procs + stretch - 1) / stretch);
	if (min_procs < enough &&
	    lxfw_policy_has(bridge->agent.params.policy, LXFW_TRAIT_MOLDABLE))
		min_procs = enough;
	ask->min_procs = min_procs < ask->unit.procs ? min_procs : ask->unit.procs;
	ask->min_estimate = 0;
}

/*
 * Determines whether the job is adaptive or moldable, if the policy has such jobs. Returns false if the site
 * refuses the job and it has been held.
 */
static bool shape_share(const struct lxfw_bridge *bridge, job_record_t *job,
			const struct lxfw_known_set *set,
			struct lxfw_request *ask)
{
	int32_t min_procs = lxfw_adaptive_min_procs(bridge, job);
	const char *why_not;

	if (!lxfw_adaptive_counts(bridge))
		return true;
	ask->rigid = true;
	if (min_procs == 0)
		return true;
	if (job->license_list) {
		lxfw_adaptive_say(job, "it requests licenses");
		return true;
	}
	if (lxfw_adaptive_is_wide(job, set->most_procs)) {
		if (lxfw_adaptive_refuse(bridge, job))
			return false;
		lxfw_adaptive_say(job, "it requests several nodes");
		return true;
	}
	why_not = lxfw_adaptive_why_not(job, node_record_table_ptr[set->first]);
	if (why_not)
		lxfw_adaptive_say(job, why_not);
	else
		make_adaptive(bridge, set, min_procs, ask);
	return true;
}

int lxfw_request_running(const struct lxfw_bridge *bridge,
			 const job_record_t *job, int32_t host,
			 struct lxfw_request *request)
{
	const node_record_t *node = node_record_table_ptr[host];
	const lxfw_slurm_details *details = job->details;
	int32_t min_procs = lxfw_adaptive_min_procs(bridge, job);
	uint32_t limit = lxfw_limit_submitted(job);

	memset(request, 0, sizeof(*request));
	if (min_procs == 0 || !node || !job->part_ptr || !job->job_resrcs ||
	    job->license_list ||
	    job->job_resrcs->nhosts != 1 || job->job_resrcs->whole_node ||
	    lxfw_adaptive_why_not(job, node))
		return 0;
	request->submit = lxfw_request_submit(job);
	request->estimate = limit == NO_VAL ? lxfw_request_estimate(job) :
			    limit == INFINITE ? SECONDS_OF_YEAR :
			    limit ? (int64_t)limit * 60 : 1;
	request->shape = LXFW_SHAPE_HOSTS;
	request->count = 1;
	request->no_quantum = true;
	request->unit.procs = (int32_t)details->orig_min_cpus;
	if (request->unit.procs < (int32_t)details->orig_pn_min_cpus)
		request->unit.procs = (int32_t)details->orig_pn_min_cpus;
	if (request->unit.procs < job->job_resrcs->cpus[0])
		request->unit.procs = job->job_resrcs->cpus[0];
	if (bridge->hosts.memory_counts && job->job_resrcs->memory_allocated)
		request->unit.memory_mb =
			(int64_t)job->job_resrcs->memory_allocated[0];
	request->min_procs = min_procs < request->unit.procs ? min_procs :
						       request->unit.procs;
	return 1;
}

/* Describes the nodes of the job's request. Returns false if the set is empty or cannot
   represent the job's choice of nodes. */
static bool find_ground(const struct lxfw_bridge *bridge,
			const job_record_t *job,
			const struct lxfw_job_nodes *nodes,
			struct lxfw_ground *ground)
{
	const struct lxfw_known_set *set = nodes->set;

	if (nodes->vague || set->count == 0)
		return false;
	if (job->details->req_node_bitmap &&
	    (uint32_t)set->count < job->details->min_nodes)
		return false;	/* some nodes are named, the others may be any */
	*ground = (struct lxfw_ground){
		.node = node_record_table_ptr[set->first],
		.most_procs = set->most_procs,
		.least_procs = set->least_procs,
		.least_memory = set->least_memory,
		.memory_counts = bridge->hosts.memory_counts,
		.extras = &bridge->hosts.extras,
	};
	return true;
}

/* Adds ASK as an alternative of REQUEST. Returns false if the two cannot be alternatives of
   one request. */
static bool add_alternative(struct lxfw_request *request, const struct lxfw_request *ask)
{
	if (request->host_set_count == 0) {
		*request = *ask;
		request->host_set_count = 1;
	} else {
		if (!same_amounts(request, ask))
			return false;
		if (ask->estimate > request->estimate)
			request->estimate = ask->estimate;
		if (ask->min_estimate < request->min_estimate)
			request->min_estimate = ask->min_estimate;
		if (ask->max_hosts && (!request->max_hosts ||
				       ask->max_hosts < request->max_hosts))
			request->max_hosts = ask->max_hosts;
		if (ask->tier > request->tier)
			request->tier = ask->tier;
		request->no_reservation &= ask->no_reservation;
	}
	return true;
}

int lxfw_request_add(struct lxfw_bridge *bridge, job_record_t *job,
		     struct lxfw_request *request, int32_t *set)
{
	struct lxfw_job_nodes nodes;
	struct lxfw_ground ground;
	struct lxfw_request ask;
	int found;

	*set = -1;
	if (lxfw_shares_processors(job))
		return 0;
	found = lxfw_sets_find(bridge, job, &nodes);
	if (found <= 0)
		return found;
	memset(&ask, 0, sizeof(ask));
	ask.estimate = lxfw_request_estimate(job);
	if (!lxfw_policy_has(bridge->agent.params.policy, LXFW_TRAIT_ADAPTIVE) &&
	    lxfw_limit_least(job) < ask.estimate)
		ask.min_estimate = lxfw_limit_least(job);
	ask.tier = lxfw_rank_tier(bridge, job);
	ask.no_reservation = lxfw_request_unreserved(job);
	if (!find_ground(bridge, job, &nodes, &ground) ||
	    !lxfw_shape(job, &ground, &ask))
		return 0;
	lxfw_licenses_request(bridge, job, &ask);
	ask.id = 1;
	ask.submit = lxfw_request_submit(job);
	if (!shape_share(bridge, job, nodes.set, &ask))
		return 1;
	/* Users choose the numbers, so they may be out of range. */
	if (!lxfw_request_is_valid(&ask))
		return 0;
	ask.id = 0;
	ask.submit = 0;
	if (!add_alternative(request, &ask))
		return 0;
	*set = nodes.id;
	return 1;
}
