/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Offers jobs to Slurm's own node selection, in Slurm's order: jobs that the model
 * cannot represent, and jobs whose selected nodes Slurm refused. Nodes are excluded if
 * the job would delay a reservation of the library there.
 */
#include "plugins/slurm/bridge/offer.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/refuse.h"
#include "plugins/slurm/bridge/components.h"
#include "plugins/slurm/bridge/eligible.h"
#include "plugins/slurm/bridge/free_nodes.h"
#include "plugins/slurm/bridge/hold.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/leftover.h"
#include "plugins/slurm/bridge/limit.h"
#include "plugins/slurm/bridge/preemptor.h"
#include "plugins/slurm/bridge/reason.h"
#include "plugins/slurm/bridge/request.h"
#include "plugins/slurm/bridge/start.h"

/* Number of jobs at the head of the order that are retried regardless of their back-off
   when a job has ended, and when nodes, partitions or reservations have changed. */
#define FIRST_BY_ROOM 20
#define FIRST_BY_CHANCE 200

/* Limit of the time under the locks in one pass. The remaining jobs follow in the next
   pass. */
#define OFFERS_US 1000000

/* Limit of the time under the locks in which nodes are sought for all components of a
   heterogeneous job that preempts others. */
#define PREEMPT_US 500000

/* A job whose hold is due is retried after DUE_SHARE times the duration of the last try
   plus DUE_LEAST_US. */
#define DUE_SHARE 20
#define DUE_LEAST_US 1000000

static int by_priority(const void *one, const void *other)
{
	const struct lxfw_leftover *a = one, *b = other;

	if (a->where.tier != b->where.tier)
		return a->where.tier > b->where.tier ? -1 : 1;
	if (a->where.priority != b->where.priority)
		return a->where.priority > b->where.priority ? -1 : 1;
	if (a->job_id != b->job_id)
		return a->job_id < b->job_id ? -1 : 1;
	if (a->where.prefer != b->where.prefer)
		return a->where.prefer ? -1 : 1;
	/* partitions by name, which makes the order unique */
	return strcmp(a->where.part, b->where.part);
}

static bitstr_t *free_of_reservations(const struct lxfw_bridge *bridge,
				      const job_record_t *job)
{
	return lxfw_free_nodes(bridge, job, bridge->reserved,
			       bridge->reserved_count);
}

static void use_reservation(const struct lxfw_leftover *leftover,
			    job_record_t *job)
{
	job_queue_rec_t record = { .job_ptr = job };

	if (!leftover->reservation)
		return;
	record.resv_ptr = find_resv_name((char *)leftover->reservation);
	if (job->resv_list)
		job_queue_rec_resv_list(&record);
	else
		job_queue_rec_magnetic_resv(&record);
}

/* Reports a job that Slurm started to the library. */
static void tell_of_start(struct lxfw_bridge *bridge, const job_record_t *job)
{
	struct lxfw_known_job *known;

	bridge->agent.counts.offered++;
	bridge->agent.total.offers++;
	if (!IS_JOB_RUNNING(job))
		return;
	known = lxfw_mirror_running(&bridge->agent, lxfw_record_id(job),
				    job->job_id);
	if (known)
		lxfw_known_run(bridge, known, job);
}

/* --- heterogeneous jobs ----------------------------------------------------------- */

static const struct lxfw_leftover *find_leftover(const struct lxfw_bridge *bridge,
						 uint32_t job_id)
{
	for (size_t i = 0; i < bridge->leftover_count; i++) {
		if (bridge->leftovers[i].job_id == job_id)
			return &bridge->leftovers[i];
	}
	return NULL;
}

static bool component_eligible(const struct lxfw_bridge *bridge,
			       job_record_t *job)
{
	const struct lxfw_leftover *leftover =
		find_leftover(bridge, job->job_id);

	return leftover && lxfw_still_eligible(job, &leftover->where);
}

/* How nodes are selected for the components of a heterogeneous job. */
struct het_plan {
	bool ranked;	/* some component may preempt others: the job delays no job that
			   precedes it, otherwise no job that has a reservation */
	bool preempts;	/* nodes count that become free when running jobs are preempted */
	bitstr_t **nodes;	/* of each component */
	int count;
};

/* Returns nodes for one component, none of them in USED, or NULL. */
static bitstr_t *plan_component(const struct lxfw_bridge *bridge,
				job_record_t *job, const bitstr_t *used,
				const struct het_plan *plan)
{
	bitstr_t *nodes = plan->ranked ? lxfw_preemptor_nodes(bridge, job) :
					 free_of_reservations(bridge, job);

	bit_and(nodes, job->part_ptr->node_bitmap);
	bit_and(nodes, avail_node_bitmap);
	bit_and_not(nodes, (bitstr_t *)used);
	bit_and_not(nodes, cg_node_bitmap);
	if (job->details->exc_node_bitmap)
		bit_and_not(nodes, job->details->exc_node_bitmap);
	if (job_req_node_filter(job, nodes, true) == SLURM_SUCCESS &&
	    (plan->preempts ? lxfw_compat_would_preempt(job, nodes) :
			      lxfw_compat_would_start(job, nodes, true) != 0))
		return nodes;
	FREE_NULL_BITMAP(nodes);
	return NULL;
}

static void clear_plan(struct het_plan *plan)
{
	for (int i = 0; i < plan->count; i++)
		FREE_NULL_BITMAP(plan->nodes[i]);
}

/* Selects nodes for each component. Returns false if there are too few or a limit does not
   permit all components. */
static bool make_plan(struct lxfw_bridge *bridge, job_record_t *leader,
		      struct het_plan *plan)
{
	lxfw_slurm_iterator each = list_iterator_create(leader->het_job_list);
	bitstr_t *used = bit_alloc(node_record_count);
	uint64_t until = plan->preempts ? lxfw_now_us() + PREEMPT_US : UINT64_MAX;
	bool possible = true;
	job_record_t *job;
	int i = 0;

	clear_plan(plan);
	while (possible && (job = list_next(each)) != NULL) {
		possible = job->magic == JOB_MAGIC &&
			   component_eligible(bridge, job) && lxfw_now_us() < until;
		if (possible)
			plan->nodes[i] = plan_component(bridge, job, used, plan);
		possible = plan->nodes[i];
		if (possible)
			bit_or(used, plan->nodes[i++]);
	}
	list_iterator_destroy(each);
	FREE_NULL_BITMAP(used);
	return possible && lxfw_components_permitted(bridge, leader);
}

/* Tries to start JOB. Returns false if it fails. */
static bool start_component(struct lxfw_bridge *bridge, job_record_t *job,
			    const bitstr_t *nodes)
{
	int error_code = lxfw_start_job(bridge, job, nodes, 0, NULL);

	if (error_code != SLURM_SUCCESS)
		debug("sched/lxfw: component JobId=%u refused: %s", job->job_id,
		      slurm_strerror(error_code));
	return error_code == SLURM_SUCCESS;
}

/* Reports the components to the library if all were STARTED. Otherwise takes back those
   that were. */
static void end_start(struct lxfw_bridge *bridge, job_record_t *leader, bool started)
{
	lxfw_slurm_iterator each = list_iterator_create(leader->het_job_list);
	job_record_t *job;

	while ((job = list_next(each)) != NULL) {
		if (started)
			tell_of_start(bridge, job);
		else
			lxfw_compat_take_back(job);
	}
	list_iterator_destroy(each);
}

static bool start_components(struct lxfw_bridge *bridge, job_record_t *leader,
			     const struct het_plan *plan)
{
	lxfw_slurm_iterator each = list_iterator_create(leader->het_job_list);
	bool started = true;
	job_record_t *job;

	for (int i = 0; started && (job = list_next(each)) != NULL; i++)
		started = start_component(bridge, job, plan->nodes[i]);
	list_iterator_destroy(each);
	end_start(bridge, leader, started);
	return started;
}

/* Returns true if the component has to preempt others to start on NODES. */
static bool must_preempt(job_record_t *job, const bitstr_t *nodes)
{
	bitstr_t *some = bit_copy((bitstr_t *)nodes);
	bool free = lxfw_compat_would_start(job, some, true) != 0;

	FREE_NULL_BITMAP(some);
	return !free;
}

/*
 * Preempts running jobs for the components that do not fit on their nodes now. No other
 * component is started before these have ended. Slurm's gang scheduler suspends jobs at once: then
 * all components start. Returns true in this case.
 */
static bool preempt_for_components(struct lxfw_bridge *bridge, job_record_t *leader,
				   const struct het_plan *plan)
{
	lxfw_slurm_iterator each = list_iterator_create(leader->het_job_list);
	bool started = true;
	job_record_t *job;
	int i = 0;

	while ((job = list_next(each)) != NULL) {
		if (must_preempt(job, plan->nodes[i]))
			started &= start_component(bridge, job, plan->nodes[i]);
		i++;
	}
	list_iterator_reset(each);
	for (i = 0; started && (job = list_next(each)) != NULL; i++)
		started = !IS_JOB_PENDING(job) ||
			  start_component(bridge, job, plan->nodes[i]);
	list_iterator_destroy(each);
	end_start(bridge, leader, started);
	return started;
}

/* Returns true if a component may preempt running jobs. */
static bool preempts(const struct lxfw_bridge *bridge, const job_record_t *leader)
{
	lxfw_slurm_iterator each;
	const job_record_t *job;
	bool any = false;

	if (!lxfw_preemptors_possible(bridge))
		return false;
	each = list_iterator_create(leader->het_job_list);
	while (!any && (job = list_next(each)) != NULL) {
		const struct lxfw_leftover *leftover =
			find_leftover(bridge, job->job_id);

		any = leftover && leftover->where.preempts;
	}
	list_iterator_destroy(each);
	return any;
}

/* Returns true if jobs were preempted for a component a short time ago. */
static bool is_preempting(const job_record_t *leader)
{
	lxfw_slurm_iterator each = list_iterator_create(leader->het_job_list);
	const job_record_t *job;
	bool any = false;

	while (!any && (job = list_next(each)) != NULL)
		any = job->magic == JOB_MAGIC && job->details &&
		      lxfw_compat_is_preempting(job);
	list_iterator_destroy(each);
	return any;
}

/* Starts all components or none. If the library schedules the job (PASSING), it is only
   tried with the preemption of others. */
static bool offer_het_job(struct lxfw_bridge *bridge, job_record_t *leader, bool passing)
{
	struct het_plan plan = { 0 };
	bool started = false;

	if (!leader->het_job_list)
		return false;
	plan.count = list_count(leader->het_job_list);
	plan.ranked = preempts(bridge, leader);
	if (passing && !plan.ranked)
		return false;
	plan.nodes = calloc((size_t)plan.count + 1, sizeof(bitstr_t *));
	if (!plan.nodes)
		return false;
	if (!passing && make_plan(bridge, leader, &plan))
		started = start_components(bridge, leader, &plan);
	plan.preempts = true;
	if (!started && plan.ranked && !is_preempting(leader) &&
	    bridge->holds.count < LXFW_HOLDS_SIZE &&
	    make_plan(bridge, leader, &plan))
		started = preempt_for_components(bridge, leader, &plan);
	clear_plan(&plan);
	free(plan.nodes);
	return started;
}

/* The components wait together, as those that the library schedules. */
static void components_wait(struct lxfw_bridge *bridge, const job_record_t *leader)
{
	lxfw_slurm_iterator each;
	job_record_t *job;

	if (!leader->het_job_list)
		return;
	each = list_iterator_create(leader->het_job_list);
	while ((job = list_next(each)) != NULL) {
		if (job->magic == JOB_MAGIC && IS_JOB_PENDING(job))
			lxfw_say_no_room(job);
	}
	list_iterator_destroy(each);
	lxfw_left_say(bridge, leader);
}

/* --- one job ---------------------------------------------------------------------- */

/* Returns nodes for JOB, or NULL if there are too few or if a node requested by name is
   missing. In these cases Slurm would conclude that no node satisfies the job and log
   that each time. */
static bitstr_t *nodes_for(const struct lxfw_bridge *bridge,
			   const job_record_t *job, bool preempts)
{
	bitstr_t *nodes = preempts ? lxfw_preemptor_nodes(bridge, job) :
				     free_of_reservations(bridge, job);
	bitstr_t *named = job->details->req_node_bitmap;

	if (job->part_ptr->node_bitmap)
		bit_and(nodes, job->part_ptr->node_bitmap);
	bit_and(nodes, avail_node_bitmap);
	if (job->details->exc_node_bitmap)
		bit_and_not(nodes, job->details->exc_node_bitmap);
	if ((named && !bit_super_set(named, nodes)) ||
	    bit_set_count(nodes) < (int)job->details->min_nodes ||
	    bit_ffs(nodes) < 0)
		FREE_NULL_BITMAP(nodes);
	return nodes;
}

/* Returns SLURM_SUCCESS if the job was started. */
static int offer_one(struct lxfw_bridge *bridge,
		     const struct lxfw_leftover *leftover, job_record_t *job)
{
	int error_code = ESLURM_NODES_BUSY;
	struct lxfw_limit limit;
	bitstr_t *nodes;

	if (job->het_job_id) {
		if (job->het_job_offset == 0 &&
		    offer_het_job(bridge, job, leftover->passing))
			error_code = SLURM_SUCCESS;
		return error_code;
	}
	if (!lxfw_still_eligible(job, &leftover->where))
		return ESLURM_JOB_HELD;
	nodes = nodes_for(bridge, job,
			  leftover->preempts || leftover->where.preempts);
	if (!nodes) {
		/* Slurm's node selection would set the same reason. */
		lxfw_say_no_nodes(job);
		return error_code;
	}
	use_reservation(leftover, job);
	lxfw_limit_shorten(job, INT64_MAX, &limit);
	error_code = lxfw_start_job(bridge, job, nodes, 0, NULL);
	lxfw_limit_started(job, error_code == SLURM_SUCCESS, &limit);
	FREE_NULL_BITMAP(nodes);
	job_resv_clear_magnetic_flag(job);
	if (error_code == SLURM_SUCCESS)
		tell_of_start(bridge, job);
	return error_code;
}

/*
 * Handles a failed offer. Slurm's main scheduler holds a job that no node can ever
 * satisfy, with reason BadConstraints. Nodes that were excluded here must not cause
 * that, so the test is repeated with all nodes.
 */
static void offered_in_vain(struct lxfw_bridge *bridge,
			    const struct lxfw_leftover *leftover,
			    struct lxfw_known_job *offer, job_record_t *job,
			    int error_code)
{
	bool first = offer->refusals == 0;

	lxfw_offer_of(offer)->round = bridge->offer_round;
	if (offer->refusals < UINT8_MAX)
		offer->refusals++;
	offer->refused_until = bridge->agent.clock + lxfw_backoff(offer->refusals);
	/* Nodes held for it would stay idle. */
	if (!lxfw_is_about_nodes(error_code)) {
		lxfw_no_hold_for_now(bridge, offer);
		return;
	}
	if (!leftover->passing && job->het_job_id && job->het_job_offset == 0)
		components_wait(bridge, job);
	if (lxfw_preemptor_waits(bridge, leftover, job))
		return;
	/* The test is made only at the first refusal, unless something has
	   changed, or the nodes held for the job are free and do not satisfy it. */
	if (leftover->passing || leftover->where.prefer || job->het_job_id ||
	    (!first && !bridge->agent.new_chances &&
	     (error_code != ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE ||
	      !lxfw_holds_is_due(bridge, job->job_id))) ||
	    !lxfw_still_eligible(job, &leftover->where))
		return;
	use_reservation(leftover, job);
	if (!lxfw_never_runs(bridge, job))
		lxfw_left_say(bridge, job);
	job_resv_clear_magnetic_flag(job);
}

static void offer_and_note(struct lxfw_bridge *bridge,
			   const struct lxfw_leftover *leftover,
			   struct lxfw_known_job *offer, job_record_t *job)
{
	uint64_t before = lxfw_now_us(), after;
	uint32_t priority = job->priority;
	int error_code = offer_one(bridge, leftover, job);

	/* Slurm shows the priority in the partition where the library schedules it. */
	if (leftover->passing && error_code != SLURM_SUCCESS && job->priority != 0)
		job->priority = priority;
	after = lxfw_now_us();
	lxfw_offer_of(offer)->again_us =
		after + DUE_SHARE * (after - before) + DUE_LEAST_US;
	if (error_code != SLURM_SUCCESS) {
		offered_in_vain(bridge, leftover, offer, job, error_code);
		lxfw_reason_not_final(job);
		return;
	}
	offer->refusals = 0;
	offer->refused_until = 0;
	bridge->agent.stale = true;
}

/* Returns true if the job was refused so recently that its chances have not changed.
   Each end of a job may change them, but Slurm's evaluation of all nodes is expensive:
   only the first jobs are retried immediately. */
static bool leave_alone(const struct lxfw_bridge *bridge,
			const struct lxfw_leftover *leftover,
			struct lxfw_known_job *offer)
{
	if (!leftover->preempts && lxfw_holds_is_due(bridge, (uint32_t)offer->id))
		return lxfw_now_us() < lxfw_offer_of(offer)->again_us;
	/* The last pass ended early: jobs not tried in this round come first. */
	if (lxfw_offer_of(offer)->round == bridge->offer_round)
		return true;
	if (leftover->preempts && (!leftover->passing || bridge->preemption.fresh))
		return false;
	if (offer->refused_until <= bridge->agent.clock)
		return false;
	if (bridge->agent.new_room && bridge->next_leftover <= FIRST_BY_ROOM)
		return false;
	return !bridge->agent.new_chances || bridge->next_leftover > FIRST_BY_CHANCE;
}

static void forget_old_offers(struct lxfw_bridge *bridge)
{
	for (size_t i = 0; i < bridge->offers.count;) {
		if (bridge->offers.jobs[i]->seen == bridge->agent.pass)
			i++;
		else
			lxfw_table_remove(&bridge->offers, i);
	}
}

/* Schedules a pass for the next retry and for the next due hold. */
static void wake_for_offers(struct lxfw_bridge *bridge)
{
	int64_t due = lxfw_holds_wake(bridge);

	if (due < bridge->agent.wake)
		bridge->agent.wake = due;
	for (size_t i = 0; i < bridge->offers.count; i++) {
		int64_t until = bridge->offers.jobs[i]->refused_until;

		if (until > bridge->agent.clock && until < bridge->agent.wake)
			bridge->agent.wake = until;
	}
}

/* Collects the jobs with reservations, whose nodes each offer avoids. Returns false
   when memory runs out. */
static bool gather_reserved(struct lxfw_bridge *bridge)
{
	if (LXFW_GROW(bridge->reserved, bridge->reserved_size,
		      bridge->agent.jobs.count))
		return false;
	bridge->reserved_count = 0;
	for (size_t i = 0; i < bridge->agent.jobs.count; i++) {
		if (bridge->agent.jobs.jobs[i]->reserved_start)
			bridge->reserved[bridge->reserved_count++] =
				bridge->agent.jobs.jobs[i];
	}
	return true;
}

/* Returns false when memory runs out. */
static bool begin_offers(struct lxfw_bridge *bridge)
{
	if (!gather_reserved(bridge)) {
		bridge->agent.events.failed = true;
		return false;
	}
	bridge->agent.counts.leftovers = (uint32_t)bridge->leftover_count;
	lxfw_preemptors_gather(bridge);
	if (bridge->leftover_count > 0)
		qsort(bridge->leftovers, bridge->leftover_count,
		      sizeof(*bridge->leftovers), by_priority);
	bridge->offers_from_us = bridge->agent.counts.act_us;
	bridge->offer_round += bridge->offer_round == 0;	/* 0 denotes no round */
	return true;
}

bool lxfw_slurm_has_offers(void *context)
{
	const struct lxfw_bridge *bridge = context;

	return bridge->leftover_count > 0 || lxfw_preemptors_possible(bridge);
}

bool lxfw_slurm_offer(void *context, uint64_t deadline_us)
{
	struct lxfw_bridge *bridge = context;

	lxfw_agent_tick(&bridge->agent);
	if (bridge->next_leftover == 0 && !begin_offers(bridge))
		return true;
	while (bridge->next_leftover < bridge->leftover_count) {
		/* a copy: an offer may add others */
		const struct lxfw_leftover leftover =
			bridge->leftovers[bridge->next_leftover];
		struct lxfw_known_job *offer;
		job_record_t *job;

		bridge->agent.rebuild |= !lxfw_same_world(bridge);
		if (bridge->agent.rebuild ||
		    bridge->agent.counts.act_us >
			    bridge->offers_from_us + OFFERS_US)
			break;
		if (lxfw_now_us() >= deadline_us)
			return false;
		bridge->next_leftover++;
		offer = lxfw_table_enter(&bridge->offers, lxfw_offer_id(&leftover));
		if (!offer)
			return true;
		offer->seen = bridge->agent.pass;
		job = find_job_record(leftover.job_id);
		if (!job || !IS_JOB_PENDING(job) ||
		    leave_alone(bridge, &leftover, offer) ||
		    !lxfw_preemptor_may_try(bridge, &leftover))
			continue;
		offer_and_note(bridge, &leftover, offer, job);
	}
	if (bridge->next_leftover < bridge->leftover_count) {
		bridge->agent.stale = true;
		return true;
	}
	bridge->offer_round++;
	forget_old_offers(bridge);
	lxfw_holds_update(bridge);
	wake_for_offers(bridge);
	return true;
}
