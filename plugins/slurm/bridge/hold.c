/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/hold.h"

#include "plugins/slurm/bridge/act.h"
#include "plugins/slurm/bridge/request.h"

/* Slurm judges anew so many seconds after the last time; when a job has ended, sooner,
   but not before so many times as long have passed as it took: it holds the locks. */
#define CHECK_SECONDS 30
#define CHECK_SHARE 20
#define CHECK_LEAST_US 1000000

/* A job for which there was no time gets no other try for so many seconds, and so many
   jobs are tried in a pass. */
#define RETRY_SECONDS 60
#define TRIES_MAX 3

/* So long a hold may be due without its job's start. */
#define DUE_SECONDS 60

void lxfw_hold_drop(struct lxfw_hold *hold)
{
	FREE_NULL_BITMAP(hold->nodes);
	hold->job_id = 0;
	hold->due_since = 0;
}

/* --- where and when -------------------------------------------------------------------- */

/* Clear nodes in NODES that are reserved for jobs of the library which wait since before
   SINCE, where the job would run into the reservation: from now for SECONDS. */
static void spare_older(const struct lxfw_bridge *bridge, int64_t since,
			int64_t start, int64_t seconds, bitstr_t *nodes)
{
	for (size_t i = 0; i < bridge->reserved_count; i++) {
		const struct lxfw_known_job *known = bridge->reserved[i];

		if (!known->reserved_start || known->submit > since ||
		    known->reserved_start >= start + seconds)
			continue;
		for (int32_t host = 0; host < known->reserved_count; host++)
			bit_clear(nodes, known->reserved_hosts[host]);
	}
}

/* When Slurm could start JOB on NODES, which are then those it would get; 0 if never. */
static int64_t would_start(job_record_t *job, bitstr_t *nodes)
{
	if (job_req_node_filter(job, nodes, true) != SLURM_SUCCESS)
		return 0;
	return lxfw_compat_would_start(job, nodes, false);
}

/* The nodes that JOB, which has waited since SINCE, would get, and when. First beside
   the reservations of those that have waited longer; else where it has ended before
   they begin. */
static bitstr_t *find_nodes(const struct lxfw_bridge *bridge, job_record_t *job,
			    int64_t since, int64_t *start)
{
	int64_t seconds = lxfw_request_estimate(job);
	bitstr_t *usable = bit_copy(job->part_ptr->node_bitmap), *nodes;

	/* Drained nodes are up. */
	bit_and(usable, avail_node_bitmap);
	bit_and_not(usable, bridge->hold.nodes);
	if (job->details->exc_node_bitmap)
		bit_and_not(usable, job->details->exc_node_bitmap);
	nodes = bit_copy(usable);
	spare_older(bridge, since, LXFW_TIME_MAX, 0, nodes);
	*start = would_start(job, nodes);
	if (!*start) {
		bit_copybits(nodes, usable);
		*start = would_start(job, nodes);
		if (*start) {
			bit_copybits(usable, nodes);
			spare_older(bridge, since, *start, seconds, usable);
			if (!bit_equal(usable, nodes))
				*start = 0;
		}
	}
	FREE_NULL_BITMAP(usable);
	if (!*start)
		FREE_NULL_BITMAP(nodes);
	return nodes;
}

/* Add what JOB would get, and when, to the hold. */
static bool plan(struct lxfw_bridge *bridge, job_record_t *job, int64_t since)
{
	struct lxfw_hold *hold = &bridge->hold;
	int64_t start, end;
	bitstr_t *nodes = find_nodes(bridge, job, since, &start);

	if (!nodes)
		return false;
	end = start + lxfw_request_estimate(job);
	bit_or(hold->nodes, nodes);
	if (start > hold->start)
		hold->start = start;
	if (end > hold->end)
		hold->end = end;
	FREE_NULL_BITMAP(nodes);
	return true;
}

static bool plan_components(struct lxfw_bridge *bridge, job_record_t *leader,
			    int64_t since)
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
			   plan(bridge, job, since);
	list_iterator_destroy(each);
	return possible;
}

/* Give JOB the hold, or look it over. False if it could start at no time. */
static bool hold_for(struct lxfw_bridge *bridge, job_record_t *job)
{
	struct lxfw_hold *hold = &bridge->hold;
	int64_t since = lxfw_request_submit(job), due = 0;
	uint64_t before = lxfw_bridge_now_us(), took;
	bool possible;

	if (hold->job_id == job->job_id)
		due = hold->due_since;
	lxfw_hold_drop(hold);
	hold->start = bridge->clock;
	hold->end = 0;
	hold->nodes = bit_alloc(node_record_count);
	if (job->het_job_id)
		possible = plan_components(bridge, job, since);
	else
		possible = plan(bridge, job, since);
	hold->checked = bridge->clock;
	took = lxfw_bridge_now_us() - before;
	hold->again_us = before + took + CHECK_SHARE * took + CHECK_LEAST_US;
	if (!possible) {
		lxfw_hold_drop(hold);
		return false;
	}
	hold->job_id = job->job_id;
	if (hold->start <= bridge->clock)
		hold->due_since = due ? due : bridge->clock;
	debug("sched/lxfw: holding nodes for JobId=%u from %"PRId64" s on",
	      job->job_id, hold->start - bridge->clock);
	return true;
}

/* --- for whom -------------------------------------------------------------------------- */

/* The job of LEFTOVER if it could have the hold: it was offered in vain. Jobs in advance
   reservations have nodes in these; jobs that the library schedules have its own. */
static job_record_t *candidate(const struct lxfw_bridge *bridge,
			       const struct lxfw_leftover *leftover)
{
	const struct lxfw_known_job *offer =
		lxfw_table_find(&bridge->offers, lxfw_offer_id(leftover));
	job_record_t *job = find_job_record(leftover->job_id);

	if (!job || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) ||
	    !job->details || job->priority == 0 || leftover->passing ||
	    leftover->reservation || job->resv_name || job->resv_list ||
	    (job->het_job_id && job->het_job_offset))
		return NULL;
	if (!offer || (!offer->refusals && !job->het_job_id) ||
	    offer->no_hold_until > bridge->clock)
		return NULL;
	return job;
}

/* The candidate whose turn it is, NULL if there is none. */
static const struct lxfw_leftover *next_candidate(const struct lxfw_bridge *bridge)
{
	const struct lxfw_leftover *found = NULL;
	int64_t since = LXFW_NEVER;

	for (size_t i = 0; i < bridge->leftover_count; i++) {
		job_record_t *job = candidate(bridge, &bridge->leftovers[i]);

		if (!job || lxfw_request_submit(job) >= since)
			continue;
		found = &bridge->leftovers[i];
		since = lxfw_request_submit(job);
		if (!bridge->hold.oldest_next)
			break;
	}
	return found;
}

static const struct lxfw_leftover *holder(const struct lxfw_bridge *bridge)
{
	for (size_t i = 0; i < bridge->leftover_count; i++) {
		if (bridge->leftovers[i].job_id == bridge->hold.job_id &&
		    candidate(bridge, &bridge->leftovers[i]))
			return &bridge->leftovers[i];
	}
	return NULL;
}

static bool is_to_be_checked(const struct lxfw_bridge *bridge)
{
	const struct lxfw_hold *hold = &bridge->hold;

	return bridge->clock >= hold->checked + CHECK_SECONDS ||
	       ((bridge->new_room || bridge->had_room) &&
		lxfw_bridge_now_us() >= hold->again_us);
}

/* Slurm says that the job could start, and does not start it. */
static bool is_overdue(const struct lxfw_bridge *bridge)
{
	const struct lxfw_hold *hold = &bridge->hold;

	return hold->due_since &&
	       bridge->clock >= hold->due_since + DUE_SECONDS;
}

static void give_up(struct lxfw_bridge *bridge,
		    const struct lxfw_leftover *leftover)
{
	struct lxfw_known_job *offer =
		lxfw_table_find(&bridge->offers, lxfw_offer_id(leftover));

	if (offer)
		offer->no_hold_until = bridge->clock + RETRY_SECONDS;
	lxfw_hold_drop(&bridge->hold);
	bridge->stale = true;
}

static bool try_to_hold(struct lxfw_bridge *bridge,
			const struct lxfw_leftover *leftover)
{
	struct lxfw_known_job *offer =
		lxfw_table_find(&bridge->offers, lxfw_offer_id(leftover));
	job_record_t *job = find_job_record(leftover->job_id);

	bridge->stale = true;
	if (lxfw_still_eligible(job, &leftover->where) && hold_for(bridge, job))
		return true;
	offer->no_hold_until = bridge->clock + RETRY_SECONDS;
	return false;
}

void lxfw_hold_update(struct lxfw_bridge *bridge)
{
	const struct lxfw_leftover *leftover = NULL;

	if (bridge->hold.job_id)
		leftover = holder(bridge);
	if (leftover && is_overdue(bridge)) {
		give_up(bridge, leftover);
		leftover = NULL;
	}
	if (leftover && (!is_to_be_checked(bridge) ||
			 try_to_hold(bridge, leftover)))
		return;
	lxfw_hold_drop(&bridge->hold);
	for (int i = 0; i < TRIES_MAX; i++) {
		leftover = next_candidate(bridge);
		if (!leftover)
			return;
		if (!try_to_hold(bridge, leftover))
			continue;
		bridge->hold.oldest_next = !bridge->hold.oldest_next;
		return;
	}
}

void lxfw_hold_show(const struct lxfw_bridge *bridge)
{
	const struct lxfw_hold *hold = &bridge->hold;
	job_record_t *job = hold->job_id ? find_job_record(hold->job_id) : NULL;

	if (!job || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job))
		return;
	job->start_time = hold->start;
	if (job->state_reason == WAIT_NO_REASON ||
	    job->state_reason == WAIT_PRIORITY) {
		job->state_reason = WAIT_RESOURCES;
		xfree(job->state_desc);
	}
}

bool lxfw_hold_is_due(const struct lxfw_bridge *bridge, uint32_t job_id)
{
	return bridge->hold.job_id == job_id &&
	       (bridge->hold.start <= bridge->clock || bridge->new_room ||
		bridge->had_room);
}
