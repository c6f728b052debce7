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
#include "plugins/agent/refuse.h"
#include "plugins/slurm/bridge/eligible.h"
#include "plugins/slurm/bridge/free_nodes.h"
#include "plugins/slurm/bridge/hold.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/leftover.h"
#include "plugins/slurm/bridge/limit.h"
#include "plugins/slurm/bridge/offer_components.h"
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
	/* Slurm's own schedulers try reservations before other nodes, too. */
	if (!a->reservation != !b->reservation)
		return a->reservation ? -1 : 1;
	if (a->where.prefer != b->where.prefer)
		return a->where.prefer ? -1 : 1;
	if (strcmp(a->where.part, b->where.part) != 0)
		return strcmp(a->where.part, b->where.part);
	/* reservations by name, which makes the order unique */
	return strcmp(a->reservation ? a->reservation : "",
		      b->reservation ? b->reservation : "");
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

/* --- one job ---------------------------------------------------------------------- */

/* Returns nodes for JOB, or NULL if there are too few or if a node requested by name is
   missing. In these cases Slurm would conclude that no node satisfies the job and log
   that each time. */
static bitstr_t *nodes_for(const struct lxfw_bridge *bridge,
			   const job_record_t *job, bool preempts)
{
	bitstr_t *nodes = preempts ? lxfw_preemptor_nodes(bridge, job) :
				     lxfw_free_of_reservations(bridge, job);
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
		    lxfw_offer_components(bridge, job, leftover->passing))
			error_code = SLURM_SUCCESS;
		return error_code;
	}
	if (!lxfw_still_eligible(job, &leftover->where))
		return ESLURM_JOB_HELD;
	if (!lxfw_licenses_spare(bridge, job, lxfw_request_estimate(job)))
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
		lxfw_known_started(bridge, job);
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
		lxfw_components_wait(bridge, job);
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
