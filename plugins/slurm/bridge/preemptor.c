/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/preemptor.h"

#include "plugins/slurm/bridge/hold.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/leftover.h"
#include "plugins/slurm/bridge/preempt.h"
#include "plugins/slurm/bridge/rank.h"
#include "plugins/slurm/bridge/request.h"

/* Seconds for which a job that the library is about to start on a node that is being
   cleaned up preempts no others. */
#define CLEAN_UP_SECONDS 10

bool lxfw_preemptors_possible(const struct lxfw_bridge *bridge)
{
	return bridge->preemption.enabled && bridge->preemption.candidates > 0;
}

/* Returns true if the library has decided to start the job, which waits for the cleanup
   of a node. */
static bool is_starting(const struct lxfw_bridge *bridge,
			const struct lxfw_own *own)
{
	return own->busy_pass == bridge->agent.pass &&
	       bridge->agent.clock < own->busy_since + CLEAN_UP_SECONDS;
}

void lxfw_preemptors_gather(struct lxfw_bridge *bridge)
{
	bridge->preemption.refused_count = 0;
	if (!lxfw_preemptors_possible(bridge))
		return;
	for (size_t i = 0; i < bridge->agent.jobs.count; i++) {
		struct lxfw_known_job *known = bridge->agent.jobs.jobs[i];
		const struct lxfw_own *own = lxfw_own_of(known);

		if (known->state != LXFW_KNOWN_WAITING || known->requeued ||
		    known->asked || is_starting(bridge, own))
			continue;
		for (int32_t at = 0; at < own->places.count; at++) {
			const struct lxfw_alternative *where = lxfw_place(&own->places, at);
			struct lxfw_leftover *offer;

			/* Preferred nodes are only used if they are free. Of a
			   heterogeneous job, other components may preempt. */
			if ((!where->preempts && !known->request.group) ||
			    where->prefer)
				continue;
			offer = lxfw_leave_over(bridge, known->record, where, true,
						LXFW_REASON_NONE);
			if (!offer)
				return;
			offer->preempts = true;
			offer->id = known->id;
		}
	}
}

/* Returns true if both jobs would get the same answer. */
static bool are_alike(const struct lxfw_known_job *one,
		      const struct lxfw_known_job *other,
		      const struct lxfw_alternative *where)
{
	const struct lxfw_places *places =
		&lxfw_own_of((struct lxfw_known_job *)one)->places;
	bool same_place = false;

	for (int32_t at = 0; at < places->count; at++) {
		const struct lxfw_alternative *tried = lxfw_place(places, at);

		same_place |= tried->part == where->part &&
			      tried->qos == where->qos;
	}
	return same_place && lxfw_request_asks_same(&one->request, &other->request);
}

bool lxfw_preemptor_may_try(const struct lxfw_bridge *bridge,
			    const struct lxfw_leftover *offer)
{
	const struct lxfw_preemption *preemption = &bridge->preemption;
	const struct lxfw_known_job *known;

	if (!offer->passing || !offer->preempts)
		return true;
	known = lxfw_table_find(&bridge->agent.jobs, offer->id);
	if (!known || known->state != LXFW_KNOWN_WAITING ||
	    bridge->holds.count >= LXFW_HOLDS_SIZE)
		return false;
	for (int i = 0; i < preemption->refused_count; i++) {
		const struct lxfw_known_job *refused = lxfw_table_find(
			&bridge->agent.jobs, preemption->refused[i]);

		if (refused && are_alike(refused, known, &offer->where))
			return false;
	}
	return true;
}

/* --- nodes ------------------------------------------------------------------------ */

/* Returns true if the job of HOLD precedes JOB in Slurm's order. */
static bool holds_before(const struct lxfw_bridge *bridge,
			 const struct lxfw_node_hold *hold,
			 const job_record_t *job)
{
	const job_record_t *holder = find_job_record(hold->job_id);
	int32_t tier = lxfw_rank_tier(bridge, job), other;

	if (!holder || !holder->part_ptr)
		return false;
	other = lxfw_rank_tier(bridge, holder);
	return other != tier ? other > tier : holder->priority >= job->priority;
}

/* Returns true if KNOWN, which has a reservation, precedes JOB in Slurm's order. */
static bool is_reserved_before(const struct lxfw_bridge *bridge,
			       const struct lxfw_known_job *known,
			       const job_record_t *job)
{
	int32_t tier = lxfw_rank_tier(bridge, job);

	if (known->request.tier != tier)
		return known->request.tier > tier;
	return lxfw_place(&lxfw_own_of((struct lxfw_known_job *)known)->places, 0)->priority >=
	       job->priority;
}

/* Returns true if KNOWN and JOB are components of one heterogeneous job. */
static bool is_component(const struct lxfw_known_job *known, const job_record_t *job)
{
	return job->het_job_id && (uint32_t)known->request.group == job->het_job_id;
}

bitstr_t *lxfw_preemptor_nodes(const struct lxfw_bridge *bridge,
			       const job_record_t *job)
{
	bitstr_t *nodes = bit_alloc(node_record_count);
	int64_t end = bridge->agent.clock + lxfw_request_estimate(job);
	uint32_t id = job->het_job_id ? job->het_job_id : job->job_id;

	for (int32_t host = 0; host < bridge->hosts.count; host++) {
		if (lxfw_hosts_has_settled(bridge, host))
			bit_set(nodes, host);
	}
	for (int i = 0; i < bridge->holds.count; i++) {
		const struct lxfw_node_hold *hold = &bridge->holds.hold[i];

		if (hold->job_id != id && hold->start < end &&
		    holds_before(bridge, hold, job))
			bit_and_not(nodes, hold->nodes);
	}
	for (size_t i = 0; i < bridge->reserved_count; i++) {
		const struct lxfw_known_job *known = bridge->reserved[i];

		if (!known->reserved_start || known->record == job->job_id ||
		    is_component(known, job) || known->reserved_start >= end ||
		    !is_reserved_before(bridge, known, job))
			continue;
		lxfw_clear_reserved(known, nodes);
	}
	return nodes;
}

/* --- after an offer --------------------------------------------------------------- */

/* Passes the job of KNOWN, which has preempted others, to Slurm. */
static void pass_to_slurm(struct lxfw_bridge *bridge, uint64_t id)
{
	struct lxfw_known_job *known = lxfw_table_find(&bridge->agent.jobs, id);

	if (known)
		lxfw_left_add(bridge, known, LXFW_LEFT_PREEMPTS);
}

/* Returns true if others have been preempted for JOB or for a component of it, or have
   been given notice. These are then passed to Slurm. */
static bool has_preempted(struct lxfw_bridge *bridge,
			  const struct lxfw_leftover *offer, job_record_t *job)
{
	lxfw_slurm_iterator each;
	job_record_t *component;
	bool any = false;

	if (!job->het_job_list) {
		any = lxfw_compat_has_preempted(job);
		if (any && offer->passing)
			pass_to_slurm(bridge, offer->id);
		return any;
	}
	each = list_iterator_create(job->het_job_list);
	while ((component = list_next(each)) != NULL) {
		if (component->magic != JOB_MAGIC ||
		    !lxfw_compat_has_preempted(component))
			continue;
		any = true;
		if (offer->passing)
			pass_to_slurm(bridge, lxfw_record_id(component));
	}
	list_iterator_destroy(each);
	return any;
}

/* Returns true if a job on nodes of JOB's partition is being preempted. */
static bool is_anything_ending(const job_record_t *job)
{
	lxfw_slurm_iterator each = list_iterator_create(job_list);
	const job_record_t *other;
	bool found = false;

	while (!found && (other = list_next(each)) != NULL)
		found = (other->preempt_time || IS_JOB_COMPLETING(other)) &&
			!(IS_JOB_FINISHED(other) && !IS_JOB_COMPLETING(other)) &&
			other->node_bitmap && job->part_ptr->node_bitmap &&
			bit_overlap_any(other->node_bitmap, job->part_ptr->node_bitmap);
	list_iterator_destroy(each);
	return found;
}

/*
 * Handles a job for which others were preempted, but which does not fit now that they
 * have ended. They may have been in a quantum, and those that were suspended for them
 * run again. Slurm would preempt these only after KillWait and MessageTimeout.
 */
static void still_waits(struct lxfw_bridge *bridge, job_record_t *job)
{
	if (bridge->agent.quanta.served_count > 0 && !is_anything_ending(job))
		lxfw_compat_preempt_again(job);
}

bool lxfw_preemptor_waits(struct lxfw_bridge *bridge,
			  const struct lxfw_leftover *offer, job_record_t *job)
{
	struct lxfw_preemption *preemption = &bridge->preemption;

	bool news = !lxfw_holds_find(bridge, offer->job_id);

	if (has_preempted(bridge, offer, job)) {
		bridge->agent.stale = true;
		if (news)
			info("sched/lxfw: JobId=%u preempts running jobs in %s",
			     offer->job_id, offer->where.part);
		lxfw_hold_now(bridge, offer);
		return true;
	}
	if (!offer->preempts)
		return false;
	if (!offer->passing)
		still_waits(bridge, job);
	else if (preemption->refused_count < LXFW_PREEMPT_REFUSED)
		preemption->refused[preemption->refused_count++] = offer->id;
	return true;
}
