/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/hold_plan.h"

#include "common/params/policy.h"
#include "plugins/slurm/bridge/eligible.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/request.h"

/* Limit of the alternative features of a job that are tried. */
#define CHOICES_MAX 8

/* Returns true if the reservation of KNOWN precedes JOB, which waits since SINCE: by
   tier, then by Slurm's priority if that counts, then by waiting time. */
static bool is_older(const struct lxfw_bridge *bridge,
		     const struct lxfw_known_job *known, const job_record_t *job,
		     int64_t since)
{
	int32_t tier = lxfw_rank_tier(bridge, job);

	if (known->request.tier != tier)
		return known->request.tier > tier;
	if (lxfw_params_site(&bridge->agent.params) != 0 &&
	    known->priority != job->priority)
		return known->priority > job->priority;
	return known->submit <= since;
}

/* Clears in NODES the nodes on which JOB, running from START for SECONDS, would delay
   an earlier hold or the reservation of a job that precedes it. */
static void spare_older(const struct lxfw_bridge *bridge, const job_record_t *job,
			int64_t since, int64_t start, int64_t seconds,
			bitstr_t *nodes)
{
	uint32_t id = job->het_job_id ? job->het_job_id : job->job_id;

	lxfw_holds_spare(bridge, id, start, seconds, nodes);
	for (size_t i = 0; i < bridge->reserved_count; i++) {
		const struct lxfw_known_job *known = bridge->reserved[i];

		if (!known->reserved_start || !is_older(bridge, known, job, since) ||
		    known->reserved_start >= start + seconds)
			continue;
		lxfw_clear_reserved(known, nodes);
	}
}

/*
 * Returns the time at which Slurm could start JOB on NODES, or 0 if never, and reduces
 * NODES to those that JOB would get. Slurm's forecast ignores alternative features, so
 * a job with features is additionally tested on exactly these nodes.
 */
static int64_t would_start(job_record_t *job, bitstr_t *nodes)
{
	int64_t start;

	if (job_req_node_filter(job, nodes, true) != SLURM_SUCCESS)
		return 0;
	start = lxfw_compat_would_start(job, nodes, false);
	if (start && job->details->feature_list &&
	    !lxfw_compat_fits_on(job, nodes))
		return 0;
	return start;
}

/* Calls would_start() for each of the job's alternative features separately. Returns
   the earliest time and sets NODES accordingly, or returns 0. */
static int64_t would_start_by_choice(job_record_t *job, bitstr_t *nodes)
{
	lxfw_slurm_iterator each;
	job_feature_t *feature;
	bitstr_t *best = NULL;
	int64_t start = 0;
	int tried = 0;

	if (!job->details->feature_list)
		return 0;
	each = list_iterator_create(job->details->feature_list);
	while (tried++ < CHOICES_MAX && (feature = list_next(each)) != NULL) {
		bitstr_t *some;
		int64_t at;

		if (!feature->node_bitmap_avail)
			continue;
		some = bit_copy(nodes);
		bit_and(some, feature->node_bitmap_avail);
		at = would_start(job, some);
		if (at && (!start || at < start)) {
			FREE_NULL_BITMAP(best);
			best = some;
			start = at;
		} else {
			FREE_NULL_BITMAP(some);
		}
	}
	list_iterator_destroy(each);
	if (best)
		bit_copybits(nodes, best);
	FREE_NULL_BITMAP(best);
	return start;
}

/* Returns the time at which JOB could start on nodes of USABLE, or 0 if never. Stores
   the nodes in NODES. */
static int64_t try_nodes(job_record_t *job, const bitstr_t *usable,
			 bitstr_t *nodes)
{
	int64_t start;

	bit_copybits(nodes, (bitstr_t *)usable);
	start = would_start(job, nodes);
	if (start)
		return start;
	bit_copybits(nodes, (bitstr_t *)usable);
	return would_start_by_choice(job, nodes);
}

/* Returns true if a job on NODES from *START for SECONDS overlaps the interval FROM to
   TO on OTHERS. *START is then set to TO. */
static bool meets(const bitstr_t *nodes, int64_t *start, int64_t seconds,
		  const bitstr_t *others, int64_t from, int64_t to)
{
	if (from >= *start + seconds || to <= *start ||
	    !bit_overlap_any((bitstr_t *)nodes, (bitstr_t *)others))
		return false;
	*start = to;
	return true;
}

/* Returns true if the job overlaps the reservation of KNOWN. *START is then set to its
   end. */
static bool meets_reserved(const bitstr_t *nodes, int64_t *start, int64_t seconds,
			   const struct lxfw_known_job *known)
{
	int64_t end = known->reserved_start + lxfw_request_least(&known->request);

	if (!known->reserved_start || known->reserved_start >= *start + seconds ||
	    end <= *start)
		return false;
	for (int32_t host = 0; host < known->reserved_count; host++) {
		if (lxfw_is_node(known->reserved_hosts[host]) &&
		    bit_test((bitstr_t *)nodes, known->reserved_hosts[host])) {
			*start = end;
			return true;
		}
	}
	return false;
}

/* Returns the first time, START or later, at which JOB overlaps no hold or reservation
   that precedes it. */
static int64_t behind_older(const struct lxfw_bridge *bridge,
			    const job_record_t *job, int64_t since,
			    const bitstr_t *nodes, int64_t start)
{
	int64_t seconds = lxfw_request_estimate(job);
	uint32_t id = job->het_job_id ? job->het_job_id : job->job_id;
	bool moved = true;

	while (moved) {
		moved = false;
		for (int i = 0; i < bridge->holds.count; i++) {
			const struct lxfw_node_hold *hold = &bridge->holds.hold[i];

			if (hold->job_id == id)
				break;
			moved |= meets(nodes, &start, seconds, hold->nodes,
				       hold->start, hold->end);
		}
		for (size_t i = 0; i < bridge->reserved_count; i++) {
			const struct lxfw_known_job *known = bridge->reserved[i];

			moved |= is_older(bridge, known, job, since) &&
				 meets_reserved(nodes, &start, seconds, known);
		}
	}
	return start;
}

/* Returns the nodes that JOB, which waits since SINCE, would get, and sets *START. The
   start is either on nodes that avoid all preceding holds and reservations, or after
   these, whichever is earlier. Returns NULL if the job can never start. */
static bitstr_t *find_nodes(const struct lxfw_bridge *bridge, job_record_t *job,
			    int64_t since, const bitstr_t *taken, int64_t *start)
{
	bitstr_t *usable = bit_copy(job->part_ptr->node_bitmap);
	bitstr_t *beside = bit_alloc(node_record_count);
	bitstr_t *behind = bit_alloc(node_record_count), *spared;
	int64_t later = 0;

	/* Drained nodes are up but not available. */
	bit_and(usable, avail_node_bitmap);
	bit_and_not(usable, (bitstr_t *)taken);
	if (job->details->exc_node_bitmap)
		bit_and_not(usable, job->details->exc_node_bitmap);
	spared = bit_copy(usable);
	spare_older(bridge, job, since, LXFW_TIME_MAX, 0, spared);
	*start = try_nodes(job, spared, beside);
	if (!bit_equal(spared, usable))
		later = try_nodes(job, usable, behind);
	if (later)
		later = behind_older(bridge, job, since, behind, later);
	if (later && (!*start || later < *start)) {
		*start = later;
		bit_copybits(beside, behind);
	}
	FREE_NULL_BITMAP(usable);
	FREE_NULL_BITMAP(spared);
	FREE_NULL_BITMAP(behind);
	if (!*start)
		FREE_NULL_BITMAP(beside);
	return beside;
}

/* Adds NODES, on which JOB would start at START, to the hold. */
static void add(struct lxfw_node_hold *hold, const job_record_t *job,
		const bitstr_t *nodes, int64_t start)
{
	int64_t end = start + lxfw_request_estimate(job);

	bit_or(hold->nodes, (bitstr_t *)nodes);
	if (start > hold->start)
		hold->start = start;
	if (end > hold->end)
		hold->end = end;
}

static bool plan_components(const struct lxfw_bridge *bridge,
			    job_record_t *leader, int64_t since,
			    struct lxfw_node_hold *hold)
{
	lxfw_slurm_iterator each;
	job_record_t *job;
	bool possible = true;

	if (!leader->het_job_list)
		return false;
	each = list_iterator_create(leader->het_job_list);
	while (possible && (job = list_next(each)) != NULL) {
		bitstr_t *nodes;
		int64_t start;

		possible = job->magic == JOB_MAGIC && job->details &&
			   job->part_ptr && IS_JOB_PENDING(job);
		if (!possible)
			break;
		nodes = find_nodes(bridge, job, since, hold->nodes, &start);
		possible = nodes;
		if (nodes)
			add(hold, job, nodes, start);
		FREE_NULL_BITMAP(nodes);
	}
	list_iterator_destroy(each);
	return possible;
}

/*
 * Returns the time at which the job could start on the nodes of its present hold, or 0
 * if never. A forecast over all nodes might select other nodes each time, and a job
 * whose hold moves might never find its nodes free.
 */
static int64_t start_on_held(const struct lxfw_bridge *bridge, job_record_t *job,
			     int64_t since, const bitstr_t *held)
{
	bitstr_t *nodes;
	int64_t start;

	if (!held)
		return 0;
	nodes = bit_copy((bitstr_t *)held);
	bit_and(nodes, avail_node_bitmap);
	start = would_start(job, nodes);
	FREE_NULL_BITMAP(nodes);
	return start ? behind_older(bridge, job, since, held, start) : 0;
}

bool lxfw_hold_plan(const struct lxfw_bridge *bridge, job_record_t *job,
		    const bitstr_t *held, struct lxfw_node_hold *hold)
{
	int64_t since = lxfw_request_submit(job), start, there;
	bitstr_t *nodes = NULL;

	if (job->het_job_id)
		return plan_components(bridge, job, since, hold);
	there = start_on_held(bridge, job, since, held);
	if (!there || there > bridge->agent.clock)
		nodes = find_nodes(bridge, job, since, hold->nodes, &start);
	if (nodes && (!there || start < there))
		add(hold, job, nodes, start);
	else if (there)
		add(hold, job, held, there);
	FREE_NULL_BITMAP(nodes);
	return bit_ffs(hold->nodes) >= 0;
}
