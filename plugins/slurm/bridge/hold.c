/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/hold.h"

#include <string.h>

#include "common/params/policy.h"
#include "plugins/slurm/bridge/eligible.h"
#include "plugins/slurm/bridge/hold_plan.h"
#include "plugins/slurm/bridge/leftover.h"
#include "plugins/slurm/bridge/reason.h"
#include "plugins/slurm/bridge/request.h"

/* Slurm evaluates a hold again CHECK_SECONDS after the last evaluation, or when a job
   has ended since. Evaluations are made under the locks. None begins later than
   JUDGE_US after the start of a round. The next rounds make none until CHECK_SHARE
   times the duration of this one has passed. */
#define CHECK_SECONDS 30
#define JUDGE_US 20000
#define CHECK_SHARE 20

/* Seconds for which a hold may be due before it is dropped because its job has not
   started. */
#define DUE_SECONDS 60

/* A job for which no hold could be made is not tried again for RETRY_LEAST seconds.
   The time doubles with each failure, up to RETRY_MOST, so that other jobs get their
   turn. */
#define RETRY_LEAST 60
#define RETRY_MOST 3840

/* --- during the look at all jobs -------------------------------------------------- */

static job_record_t *waiting_job(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	return job && IS_JOB_PENDING(job) && job->priority && job->details ?
		       job : NULL;
}

void lxfw_holds_sync(struct lxfw_bridge *bridge)
{
	struct lxfw_holds *holds = &bridge->holds;

	for (int i = holds->count - 1; i >= 0; i--) {
		if (!waiting_job(holds->hold[i].job_id))
			lxfw_holds_drop_one(holds, i);
	}
}

void lxfw_holds_show(const struct lxfw_bridge *bridge)
{
	for (int i = 0; i < bridge->holds.count; i++) {
		const struct lxfw_node_hold *hold = &bridge->holds.hold[i];
		job_record_t *job = waiting_job(hold->job_id);

		if (!job || IS_JOB_COMPLETING(job))
			continue;
		job->start_time = hold->start;
		lxfw_say_no_room(job);
	}
}

/* --- candidates ------------------------------------------------------------------- */

/* Jobs in advance reservations have nodes there. */
static bool may_hold(const struct lxfw_leftover *leftover, const job_record_t *job)
{
	return !IS_JOB_COMPLETING(job) && !leftover->reservation &&
	       !job->resv_name && !job->resv_list &&
	       !(job->het_job_id && job->het_job_offset);
}

/* Returns the job of LEFTOVER if it may get a hold: it was offered and did not start, and its
   QOS allows reservations. Jobs that the library schedules have its reservations. Preferred
   nodes are only used if they are free now. */
static job_record_t *candidate(const struct lxfw_bridge *bridge,
			       const struct lxfw_leftover *leftover)
{
	struct lxfw_known_job *offer =
		lxfw_table_find(&bridge->offers, lxfw_offer_id(leftover));
	job_record_t *job = waiting_job(leftover->job_id);

	if (!job || leftover->passing || leftover->where.prefer ||
	    !may_hold(leftover, job))
		return NULL;
	if (!offer || (!offer->refusals && !job->het_job_id) ||
	    lxfw_offer_of(offer)->no_hold_until > bridge->agent.clock)
		return NULL;
	/* Without a hold, others would start where jobs were preempted for this one. */
	return leftover->where.unreserved && !leftover->preempts &&
			       !lxfw_compat_is_preempting(job) ?
		       NULL : job;
}

/* Returns true if the next hold goes to the first job in Slurm's order. */
static bool first_is_next(const struct lxfw_bridge *bridge)
{
	return !bridge->holds.oldest_next ||
	       lxfw_params_site(&bridge->agent.params) != 0;
}

/* Returns the next candidate without a hold, or NULL. */
static const struct lxfw_leftover *next_candidate(const struct lxfw_bridge *bridge)
{
	const struct lxfw_leftover *found = NULL;
	int64_t since = LXFW_NEVER;

	for (size_t i = 0; i < bridge->leftover_count; i++) {
		const struct lxfw_leftover *leftover = &bridge->leftovers[i];
		job_record_t *job = candidate(bridge, leftover);

		if (!job || lxfw_request_submit(job) >= since ||
		    lxfw_holds_find(bridge, job->job_id))
			continue;
		found = leftover;
		since = lxfw_request_submit(job);
		if (first_is_next(bridge))
			break;
	}
	return found;
}

static const struct lxfw_leftover *holder(const struct lxfw_bridge *bridge,
					  const struct lxfw_node_hold *hold)
{
	for (size_t i = 0; i < bridge->leftover_count; i++) {
		if (lxfw_offer_id(&bridge->leftovers[i]) == hold->offer_id &&
		    candidate(bridge, &bridge->leftovers[i]))
			return &bridge->leftovers[i];
	}
	return NULL;
}

/* --- making holds ----------------------------------------------------------------- */

void lxfw_no_hold_for_now(struct lxfw_bridge *bridge,
			  struct lxfw_known_job *known)
{
	struct lxfw_offer *offer = lxfw_offer_of(known);

	offer->no_hold = offer->no_hold ? 2 * offer->no_hold : RETRY_LEAST;
	if (offer->no_hold > RETRY_MOST)
		offer->no_hold = RETRY_MOST;
	offer->no_hold_until = bridge->agent.clock + offer->no_hold;
}

static void no_hold_for_now(struct lxfw_bridge *bridge,
			    const struct lxfw_leftover *leftover)
{
	struct lxfw_known_job *offer =
		lxfw_table_find(&bridge->offers, lxfw_offer_id(leftover));

	if (offer)
		lxfw_no_hold_for_now(bridge, offer);
}

/* Plans the nodes and the start of HOLD for the job of LEFTOVER. Returns false if the
   job can start at no time; HOLD then has no nodes. */
static bool plan(struct lxfw_bridge *bridge, const struct lxfw_leftover *leftover,
		 struct lxfw_node_hold *hold)
{
	job_record_t *job = find_job_record(leftover->job_id);
	bitstr_t *held = hold->nodes;
	int64_t due = hold->due_since;
	bool possible;

	*hold = (struct lxfw_node_hold){
		.job_id = leftover->job_id,
		.offer_id = lxfw_offer_id(leftover),
		.start = bridge->agent.clock,
		.nodes = bit_alloc(node_record_count),
		.checked = bridge->agent.clock,
	};
	possible = lxfw_still_eligible(job, &leftover->where) &&
		   lxfw_hold_plan(bridge, job, held, hold);
	FREE_NULL_BITMAP(held);
	bridge->holds.judged = true;
	if (!possible) {
		FREE_NULL_BITMAP(hold->nodes);
		no_hold_for_now(bridge, leftover);
		return false;
	}
	if (hold->start <= bridge->agent.clock)
		hold->due_since = due ? due : bridge->agent.clock;
	bridge->agent.stale = true;	/* the hold must be reported to the library */
	debug("sched/lxfw: holding nodes for JobId=%u from %"PRId64" s on",
	      hold->job_id, hold->start - bridge->agent.clock);
	return true;
}

static bool may_judge(const struct lxfw_bridge *bridge)
{
	const struct lxfw_holds *holds = &bridge->holds;

	return holds->began_us >= holds->again_us &&
	       lxfw_now_us() - holds->began_us < JUDGE_US;
}

/* Returns true if the job has not started although Slurm's forecast allows it. Jobs that
   were preempted for it may need a while to end. */
static bool is_overdue(const struct lxfw_bridge *bridge,
		       const struct lxfw_node_hold *hold)
{
	const struct lxfw_left_job *left = lxfw_left_find(bridge, hold->job_id);

	return hold->due_since &&
	       bridge->agent.clock >= hold->due_since + DUE_SECONDS &&
	       !(left && left->why == LXFW_LEFT_PREEMPTS);
}

static bool is_to_be_checked(const struct lxfw_bridge *bridge,
			     const struct lxfw_node_hold *hold)
{
	return may_judge(bridge) &&
	       (bridge->agent.clock >= hold->checked + CHECK_SECONDS ||
		((bridge->agent.new_room || bridge->agent.had_room) &&
		 bridge->agent.clock > hold->checked));
}

/* Updates an existing hold. Returns false if the hold must be dropped. */
static bool look_over(struct lxfw_bridge *bridge, struct lxfw_node_hold *hold)
{
	const struct lxfw_leftover *leftover = holder(bridge, hold);

	if (!leftover)
		return false;
	if (is_overdue(bridge, hold)) {
		job_record_t *job = find_job_record(hold->job_id);

		no_hold_for_now(bridge, leftover);
		/* The job may have been changed so that no node satisfies it. */
		if (!job->het_job_id &&
		    lxfw_still_eligible(job, &leftover->where))
			(void)lxfw_never_runs(bridge, job);
		return false;
	}
	return !is_to_be_checked(bridge, hold) || plan(bridge, leftover, hold);
}

void lxfw_hold_now(struct lxfw_bridge *bridge, const struct lxfw_leftover *leftover)
{
	const job_record_t *job = waiting_job(leftover->job_id);
	struct lxfw_node_hold hold = { 0 };

	if (job && may_hold(leftover, job) &&
	    bridge->holds.count < LXFW_HOLDS_SIZE &&
	    !lxfw_holds_find(bridge, leftover->job_id) &&
	    plan(bridge, leftover, &hold))
		bridge->holds.hold[bridge->holds.count++] = hold;
}

void lxfw_holds_update(struct lxfw_bridge *bridge)
{
	struct lxfw_holds *holds = &bridge->holds;
	const struct lxfw_leftover *leftover;

	holds->began_us = lxfw_now_us();
	holds->judged = false;
	for (int i = 0; i < holds->count;) {
		if (look_over(bridge, &holds->hold[i])) {
			i++;
			continue;
		}
		lxfw_holds_drop_one(holds, i);
		bridge->agent.stale = true;
	}
	while (holds->count < LXFW_HOLDS_MAX && may_judge(bridge) &&
	       (leftover = next_candidate(bridge)) != NULL) {
		struct lxfw_node_hold hold = { 0 };

		if (!plan(bridge, leftover, &hold))
			continue;
		holds->hold[holds->count++] = hold;
		holds->oldest_next = !holds->oldest_next;
	}
	if (holds->judged) {
		uint64_t now = lxfw_now_us();

		holds->again_us = now + CHECK_SHARE * (now - holds->began_us);
	}
}
