/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/hold_plan.h"

#include "plugins/slurm/bridge/eligible.h"
#include "plugins/slurm/bridge/request.h"

/* So many of the features that a job names are tried one by one. */
#define CHOICES_MAX 8

/* Whether the reservation of KNOWN comes before JOB, which has waited since SINCE: by the
   tier of the partition, then by who has waited longer. */
static bool is_older(const struct lxfw_known_job *known, const job_record_t *job,
		     int64_t since)
{
	int32_t tier = job->part_ptr->priority_tier;

	if (known->request.tier != tier)
		return known->request.tier > tier;
	return known->submit <= since;
}

/* Clear nodes in NODES on which JOB, which has waited since SINCE, would run into the
   reservation of a job that comes before it, or into an earlier hold: from START on
   for SECONDS. */
static void spare_older(const struct lxfw_bridge *bridge, const job_record_t *job,
			int64_t since, int64_t start, int64_t seconds,
			bitstr_t *nodes)
{
	uint32_t id = job->het_job_id ? job->het_job_id : job->job_id;

	lxfw_holds_spare(bridge, id, start, seconds, nodes);
	for (size_t i = 0; i < bridge->reserved_count; i++) {
		const struct lxfw_known_job *known = bridge->reserved[i];

		if (!known->reserved_start || !is_older(known, job, since) ||
		    known->reserved_start >= start + seconds)
			continue;
		for (int32_t host = 0; host < known->reserved_count; host++)
			bit_clear(nodes, known->reserved_hosts[host]);
	}
}

/*
 * When Slurm could start JOB on NODES, which are then those it would get; 0 if never.
 * Its forecast looks at no choices between features: whether it would start the job
 * on just these nodes is asked as well then.
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

/* The same for one of the features that the job names at a time, the earliest. */
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

/* When on nodes out of USABLE, which go to NODES; 0 if never. */
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

/* Whether a job on NODES from *START on for SECONDS meets what has OTHERS from FROM until
   TO; *START is moved behind it then. */
static bool meets(const bitstr_t *nodes, int64_t *start, int64_t seconds,
		  const bitstr_t *others, int64_t from, int64_t to)
{
	if (from >= *start + seconds || to <= *start ||
	    !bit_overlap_any((bitstr_t *)nodes, (bitstr_t *)others))
		return false;
	*start = to;
	return true;
}

/* The same for what is reserved for KNOWN. */
static bool meets_reserved(const bitstr_t *nodes, int64_t *start, int64_t seconds,
			   const struct lxfw_known_job *known)
{
	int64_t end = known->reserved_start + known->request.estimate;

	if (!known->reserved_start || known->reserved_start >= *start + seconds ||
	    end <= *start)
		return false;
	for (int32_t host = 0; host < known->reserved_count; host++) {
		if (bit_test((bitstr_t *)nodes, known->reserved_hosts[host])) {
			*start = end;
			return true;
		}
	}
	return false;
}

/* The first second from START on at which JOB runs into nothing that is older. */
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

			moved |= is_older(known, job, since) &&
				 meets_reserved(nodes, &start, seconds, known);
		}
	}
	return start;
}

/* The nodes that JOB, which has waited since SINCE, would get, and when: beside all that
   is older, or behind it, whichever is earlier. */
static bitstr_t *find_nodes(const struct lxfw_bridge *bridge, job_record_t *job,
			    int64_t since, const bitstr_t *taken, int64_t *start)
{
	bitstr_t *usable = bit_copy(job->part_ptr->node_bitmap);
	bitstr_t *beside = bit_alloc(node_record_count);
	bitstr_t *behind = bit_alloc(node_record_count), *spared;
	int64_t later = 0;

	/* Drained nodes are up. */
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

/* Add NODES to the hold, on which JOB would start at START. */
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
 * When the job could start on the nodes that it has a hold of; 0 if it could not. A
 * forecast for all nodes need not find the same ones again, and a job whose hold moves
 * would never see its nodes free.
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
