/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/reserved.h"

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/places.h"
#include "plugins/slurm/bridge/reason.h"

/* Time of the tests of a pass after which no other begins, in microseconds. */
#define MOST_US 20000

/* Returns true if NODES have COUNT processors. */
static bool have_processors(const bitstr_t *nodes, int64_t count)
{
	int last = bit_fls((bitstr_t *)nodes);

	for (int i = bit_ffs((bitstr_t *)nodes); i >= 0 && i <= last && count > 0; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && bit_test((bitstr_t *)nodes, i))
			count -= node->cpus_efctv ? node->cpus_efctv : node->cpus;
	}
	return count <= 0;
}

/* Returns true if the job could start on NODES if they were idle, as far as their number and
   that of their processors tells. */
static bool has_enough(const job_record_t *job, const bitstr_t *nodes)
{
	const bitstr_t *named = job->details->req_node_bitmap;

	return (!named || bit_super_set((bitstr_t *)named, (bitstr_t *)nodes)) &&
	       bit_set_count((bitstr_t *)nodes) >= (int)job->details->min_nodes &&
	       have_processors(nodes, job->details->min_cpus);
}

/* Returns true if some of NODES cannot be used now because of other jobs. */
static bool are_busy(const job_record_t *job, const bitstr_t *nodes)
{
	bitstr_t *usable = lxfw_compat_is_exclusive(job) ? idle_node_bitmap :
							   share_node_bitmap;

	return !bit_super_set((bitstr_t *)nodes, usable) ||
	       bit_overlap_any((bitstr_t *)nodes, cg_node_bitmap) ||
	       bit_overlap_any((bitstr_t *)nodes, rs_node_bitmap);
}

/* Tests the job's partition, where it may run on ALL nodes. Returns LXFW_KEPT_OUT_NODE also if
   too few nodes remain. */
static enum lxfw_kept_out test_partition(job_record_t *job, const bitstr_t *all)
{
	bitstr_t *nodes = bit_copy((bitstr_t *)all);
	enum lxfw_kept_out kept_out;

	kept_out = lxfw_compat_kept_out(job, nodes);
	if (kept_out == LXFW_KEPT_OUT_NOT && !bit_equal(nodes, (bitstr_t *)all)) {
		bit_and(nodes, avail_node_bitmap);
		if (!has_enough(job, nodes) && !are_busy(job, nodes))
			kept_out = LXFW_KEPT_OUT_NODE;
	}
	FREE_NULL_BITMAP(nodes);
	return kept_out;
}

/* Tests all partitions: the job is kept out if it is in each of them. */
static enum lxfw_kept_out test_partitions(const struct lxfw_bridge *bridge, job_record_t *job,
					  const struct lxfw_places *places)
{
	enum lxfw_kept_out kept_out = LXFW_KEPT_OUT_NOT;

	for (int32_t i = 0; i < places->count; i++) {
		const struct lxfw_alternative *place = lxfw_place(places, i);
		const bitstr_t *nodes = bridge->sets.set[place->set].nodes;

		job->part_ptr = find_part_record((char *)place->part);
		if (!job->part_ptr || !nodes)
			return LXFW_KEPT_OUT_NOT;
		kept_out = test_partition(job, nodes);
		if (kept_out == LXFW_KEPT_OUT_NOT)
			break;
	}
	return kept_out;
}

static bool may_say(const job_record_t *job)
{
	return job->state_reason == WAIT_NO_REASON || job->state_reason == WAIT_PRIORITY ||
	       job->state_reason == WAIT_RESOURCES || job->state_reason == WAIT_NODE_NOT_AVAIL;
}

/* Returns true if it is the job's turn in this pass. */
static bool has_turn(struct lxfw_bridge *bridge, const job_record_t *job)
{
	struct lxfw_reserved_cost *cost = &bridge->reserved_cost;
	uint32_t parts = cost->parts ? cost->parts : 1;

	if (cost->pass != bridge->agent.pass) {
		parts = (uint32_t)(cost->us * parts / MOST_US) + 1;
		*cost = (struct lxfw_reserved_cost){ .pass = bridge->agent.pass, .parts = parts };
	}
	return cost->us < MOST_US && (job->job_id + cost->pass) % parts == 0;
}

bool lxfw_say_reserved(struct lxfw_bridge *bridge, job_record_t *job,
		       const struct lxfw_places *places)
{
	part_record_t *part = job->part_ptr;
	enum lxfw_kept_out kept_out;
	uint64_t began;

	if (!resv_list || list_count(resv_list) == 0 || job->resv_name || !may_say(job))
		return false;
	if (!has_turn(bridge, job))
		return job->state_reason == WAIT_NODE_NOT_AVAIL;
	began = lxfw_now_us();
	kept_out = test_partitions(bridge, job, places);
	bridge->reserved_cost.us += lxfw_now_us() - began;
	job->part_ptr = part;
	if (kept_out == LXFW_KEPT_OUT_ALL)
		lxfw_say_maintenance(job);
	else if (kept_out == LXFW_KEPT_OUT_NODE)
		lxfw_say_not_available(job);
	return kept_out != LXFW_KEPT_OUT_NOT;
}
