/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/start.h"

#include <string.h>

#include "plugins/agent/mirror.h"
#include "plugins/slurm/bridge/components.h"
#include "plugins/slurm/bridge/cores.h"
#include "plugins/slurm/bridge/eligible.h"
#include "plugins/slurm/bridge/free_nodes.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/leftover.h"
#include "plugins/slurm/bridge/limit.h"
#include "plugins/slurm/bridge/reason.h"
#include "plugins/slurm/bridge/request.h"
#include "plugins/slurm/bridge/serve.h"
#include "plugins/slurm/bridge/shares.h"
#include "plugins/slurm/bridge/statistics.h"

/* Number of reservations per pass whose nodes are recorded by name. Names are rarely
   needed, and each takes time under the locks. */
#define NAMED_RESERVATIONS 64

/* Restores the excluded nodes in the record of an array: select_nodes() may have moved
   the details to the record of the task that was split off. */
static void restore_array(const job_record_t *job, const bitstr_t *excluded)
{
	job_record_t *array = find_job_record(job->array_job_id);

	if (!array || array == job || !array->array_recs || !array->details)
		return;
	FREE_NULL_BITMAP(array->details->exc_node_bitmap);
	if (excluded)
		array->details->exc_node_bitmap =
			bit_copy((bitstr_t *)excluded);
}

/* The time in Slurm's functions that start jobs is counted. */
static int select_nodes_timed(struct lxfw_bridge *bridge, job_record_t *job,
			      bool may_preempt)
{
	uint64_t before = lxfw_now_us();
	int error_code = lxfw_compat_select_nodes(job, may_preempt);

	bridge->agent.counts.start_us += lxfw_now_us() - before;
	return error_code;
}

static void launch_timed(struct lxfw_bridge *bridge, job_record_t *job)
{
	uint64_t before = lxfw_now_us();

	lxfw_compat_launch(job);
	bridge->agent.counts.start_us += lxfw_now_us() - before;
}

int lxfw_start_job(struct lxfw_bridge *bridge, job_record_t *job,
		   const bitstr_t *nodes, uint64_t served,
		   const struct lxfw_asked *asked)
{
	bitstr_t *excluded = job->details->exc_node_bitmap;
	bitstr_t *others = bit_copy((bitstr_t *)nodes);
	bool is_array = job->array_recs;
	int error_code;

	bit_not(others);
	if (excluded)
		bit_or(others, excluded);
	job->details->exc_node_bitmap = others;
	if (fed_mgr_job_lock(job)) {
		error_code = ESLURM_FED_JOB_LOCK;
	} else {
		job->bit_flags |= BACKFILL_SCHED;
		lxfw_shield_up(bridge, nodes, served);
		lxfw_spare_suspended(bridge);
		/* The library's decisions assume that nothing is preempted. */
		error_code = select_nodes_timed(bridge, job, !asked);
		lxfw_spare_no_more(bridge);
		lxfw_shield_down(bridge);
		if (error_code == SLURM_SUCCESS)
			fed_mgr_job_start(job, job->start_time);
		else
			fed_mgr_job_unlock(job);
	}
	if (is_array && job->details)
		restore_array(job, excluded);
	if (job->details) {
		FREE_NULL_BITMAP(job->details->exc_node_bitmap);
		job->details->exc_node_bitmap = excluded;
	} else {
		FREE_NULL_BITMAP(excluded);
	}
	if (asked)
		lxfw_shares_begun(bridge, job, asked,
				  error_code == SLURM_SUCCESS);
	if (error_code != SLURM_SUCCESS)
		return error_code;
	last_job_update = time(NULL);
	schedule_job_save();
	schedule_node_save();
	info("sched/lxfw: started JobId=%u in %s on %s", job->job_id,
	     job->part_ptr ? job->part_ptr->name : "?",
	     job->nodes ? job->nodes : "?");
	launch_timed(bridge, job);
	lxfw_statistics_start(job);
	return SLURM_SUCCESS;
}

/* --- starts ----------------------------------------------------------------------- */

/* Slurm starts no jobs on a node that is completing a job. */
static bool on_cleaned_host(const struct lxfw_action *action)
{
	for (int32_t i = 0; cg_node_bitmap && i < action->count; i++) {
		if (lxfw_is_node(action->shares[i].host) &&
		    bit_test(cg_node_bitmap, action->shares[i].host))
			return true;
	}
	return false;
}

static bitstr_t *nodes_of(const struct lxfw_action *action)
{
	bitstr_t *nodes = bit_alloc(node_record_count);

	for (int32_t i = 0; i < action->count; i++) {
		if (lxfw_is_node(action->shares[i].host))
			bit_set(nodes, action->shares[i].host);
	}
	return nodes;
}

/*
 * Returns true if Slurm must choose the job's nodes. A job with -N2-4 or --spread-job
 * gets more nodes than the model assigns, which are as few as possible. The model does
 * not know which node is the least loaded according to Slurm, or the network.
 */
static bool leave_choice(const job_record_t *job, int32_t nodes)
{
	return lxfw_compat_max_nodes(job) > job->details->min_nodes ||
	       lxfw_compat_least_loaded(job) ||
	       (nodes > 1 && lxfw_compat_topology(job));
}

/* Returns the nodes from which Slurm may choose: those of ACTION, or also all on which
   the job delays no reservation. */
static bitstr_t *nodes_to_start_on(const struct lxfw_bridge *bridge,
				   const struct lxfw_known_job *known,
				   const job_record_t *job,
				   const struct lxfw_action *action)
{
	bitstr_t *nodes = nodes_of(action);

	if (action->until == LXFW_NEVER && known->request.min_procs == 0 &&
	    known->request.group == 0 &&
	    leave_choice(job, action->count - known->request.pool_count))
		lxfw_add_free_nodes(bridge, job, nodes);
	return nodes;
}

/* The reason for the journal. LXFW_REASON_NONE: that of the answer. */
static enum lxfw_reason refusal_of(int error_code)
{
	switch (error_code) {
	case ESLURM_ACCOUNTING_POLICY:
		return LXFW_REASON_REFUSED_LIMIT;
	case ESLURM_FED_JOB_LOCK:
		return LXFW_REASON_REFUSED_ELSEWHERE;
	default:
		return LXFW_REASON_NONE;
	}
}

static enum lxfw_answer why_refused(struct lxfw_bridge *bridge, struct lxfw_known_job *known,
				    job_record_t *job, bool quantum, int error_code)
{
	known->refusal = refusal_of(error_code);
	debug("sched/lxfw: JobId=%u refused: %s", job->job_id,
	      slurm_strerror(error_code));
	if (quantum || !lxfw_is_about_nodes(error_code))
		return LXFW_REFUSED;
	if (error_code == ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE &&
	    lxfw_never_runs(bridge, job))
		return LXFW_GONE;
	return LXFW_UNFIT;
}

static enum lxfw_answer is_busy(const struct lxfw_bridge *bridge,
				struct lxfw_known_job *known)
{
	struct lxfw_own *own = lxfw_own_of(known);

	if (own->busy_pass != bridge->agent.pass &&
	    own->busy_pass + 1 != bridge->agent.pass)
		own->busy_since = bridge->agent.clock;
	own->busy_pass = bridge->agent.pass;
	return LXFW_BUSY;
}

/* Returns true if Slurm would start the job on these nodes now. */
static bool would_start(job_record_t *job, const struct lxfw_action *action)
{
	bitstr_t *nodes = nodes_of(action);
	bool would;

	bit_and(nodes, job->part_ptr->node_bitmap);
	bit_and(nodes, avail_node_bitmap);
	would = job_req_node_filter(job, nodes, true) == SLURM_SUCCESS &&
		lxfw_compat_would_start(job, nodes, true);
	FREE_NULL_BITMAP(nodes);
	return would;
}

/* Returns true if the licenses of the job are free, and the job may have them if the library
   does not count them. */
static bool has_licenses(struct lxfw_bridge *bridge, struct lxfw_known_job *known,
			 job_record_t *job)
{
	if (lxfw_licensed(job) &&
	    (known->request.pool_count > 0 ||
	     lxfw_licenses_spare(bridge, job, lxfw_request_estimate(job))))
		return true;
	known->refusal = LXFW_REASON_REFUSED_LICENSES;
	if (!lxfw_licensed(job))
		lxfw_say_licenses(job);
	return false;
}

bool lxfw_slurm_busy(void *context, const struct lxfw_action *action)
{
	(void)context;
	return on_cleaned_host(action);
}

enum lxfw_answer lxfw_slurm_may_start(void *context, struct lxfw_known_job *known,
				      const struct lxfw_action *action)
{
	job_record_t *job = find_job_record(known->record);

	if (on_cleaned_host(action))
		return LXFW_BUSY;
	if (!job || !lxfw_still_waits(job,
			lxfw_place(&lxfw_own_of(known)->places, action->host_set)))
		return LXFW_GONE;
	if (!has_licenses(context, known, job))
		return LXFW_REFUSED;
	if (!lxfw_components_permitted(context, job)) {
		known->refusal = LXFW_REASON_REFUSED_LIMIT;
		return LXFW_REFUSED;
	}
	return would_start(job, action) ? LXFW_DONE : LXFW_UNFIT;
}

void lxfw_slurm_take_back(void *context, struct lxfw_known_job *known)
{
	struct lxfw_bridge *bridge = context;
	job_record_t *job = find_job_record(known->record);

	if (!job || !job->details || IS_JOB_PENDING(job))
		return;
	info("sched/lxfw: the start of JobId=%u is undone: another component of the heterogeneous job could not be started",
	     job->job_id);
	lxfw_compat_take_back(job);
	bridge->agent.stale = true;
}

enum lxfw_answer lxfw_slurm_start(void *context, struct lxfw_known_job *known,
			    const struct lxfw_action *action,
			    struct lxfw_run *run)
{
	struct lxfw_bridge *bridge = context;
	job_record_t *job = find_job_record(known->record);
	bool quantum = action->until != LXFW_NEVER;
	struct lxfw_limit limit;
	struct lxfw_asked asked;
	bitstr_t *nodes;
	int error_code;

	if (!quantum && on_cleaned_host(action))
		return is_busy(bridge, known);
	if (!job || !lxfw_still_waits(job,
			lxfw_place(&lxfw_own_of(known)->places, action->host_set)))
		return LXFW_GONE;
	if (!has_licenses(bridge, known, job))
		return LXFW_REFUSED;
	if (quantum && !lxfw_serve_begin(bridge, job, known, action)) {
		known->refusal = LXFW_REASON_REFUSED_QUANTUM;
		return LXFW_REFUSED;
	}
	nodes = nodes_to_start_on(bridge, known, job, action);
	lxfw_shares_begin(bridge, job, known, action, &asked);
	lxfw_limit_shorten(job, action->limit ? action->limit : INT64_MAX,
			   &limit);
	error_code = lxfw_start_job(bridge, job, nodes, known->id, &asked);
	lxfw_limit_started(job, error_code == SLURM_SUCCESS, &limit);
	FREE_NULL_BITMAP(nodes);
	if (quantum)
		lxfw_serve_begun(job, error_code == SLURM_SUCCESS);
	if (error_code != SLURM_SUCCESS)
		return why_refused(bridge, known, job, quantum, error_code);
	lxfw_tenants_started(&bridge->tenants, job);
	if (!IS_JOB_RUNNING(job))
		return LXFW_GONE;
	(void)lxfw_known_read(bridge, job, run);
	return LXFW_DONE;
}

/*
 * The job may be able to start elsewhere for reasons unknown to the model, so it is
 * offered to Slurm. After LXFW_LEFT_REFUSALS consecutive refusals it is passed to
 * Slurm.
 */
void lxfw_slurm_unfit(void *context, struct lxfw_known_job *known,
		const struct lxfw_action *action)
{
	struct lxfw_bridge *bridge = context;
	const struct lxfw_alternative *where =
		lxfw_place(&lxfw_own_of(known)->places, action->host_set);

	if (known->in_vain >= LXFW_LEFT_REFUSALS)
		lxfw_left_add(bridge, known, LXFW_LEFT_REFUSED);
	else if (!known->request.group)
		(void)lxfw_leave_over(bridge, known->record, where, true,
				      LXFW_REASON_NONE);
}

/* --- reservations ----------------------------------------------------------------- */

void lxfw_slurm_reserve(void *context, struct lxfw_known_job *known,
		  const struct lxfw_action *action)
{
	const struct lxfw_bridge *bridge = context;
	job_record_t *job = find_job_record(known->record);

	if (!job || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job))
		return;
	xfree(job->sched_nodes);
	if (bridge->agent.counts.reserved <= NAMED_RESERVATIONS) {
		bitstr_t *nodes = nodes_of(action);
		char *names = bitmap2node_name(nodes);

		known->reserved_nodes = names ? strdup(names) : NULL;
		job->sched_nodes = names;
		FREE_NULL_BITMAP(nodes);
	}
	job->start_time = action->start +
			  lxfw_mirror_boot(&bridge->agent, known->reserved_hosts,
					   known->reserved_count);
	lxfw_say_no_room(job);
}

void lxfw_slurm_unreserve(void *context, struct lxfw_known_job *known)
{
	job_record_t *job = find_job_record(known->record);

	(void)context;
	if (!job || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job))
		return;
	xfree(job->sched_nodes);
	job->start_time = 0;
	if (job->state_reason == WAIT_RESOURCES)
		job->state_reason = WAIT_PRIORITY;
}
