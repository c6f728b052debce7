/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs fit on which nodes. The rule is simple: count what each node can provide,
 * and use the nodes that provide most until it is enough. A job that fits on one node
 * gets the fullest such node. Slurm selects other nodes, but a job fits here if and
 * only if it fits in Slurm.
 */
#include "tests/unit/fake_ctld.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The request of a job, with defaults applied. */
struct ask {
	int64_t procs, per_task, per_host;
	int64_t least_nodes, most_nodes;
	uint64_t memory;
	bool memory_per_cpu, memory_by_gres, exclusive, memory_counts;
	uint64_t per_job[FAKE_KINDS], per_node[FAKE_KINDS];
	uint64_t per_task_gres[FAKE_KINDS], memory_per_gres[FAKE_KINDS];
	int64_t tasks_per_node;
};

/* Resources that a node can provide for a request. */
struct capacity {
	int node;
	int64_t tasks, procs;
	uint64_t gres[FAKE_KINDS];
};

int fake_kind(uint32_t plugin_id)
{
	static const char *names[FAKE_KINDS] = {
		"gpu", "shard", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9", "k10", "k11",
	};

	for (int i = 0; i < FAKE_KINDS; i++) {
		if (gres_build_id((char *)names[i]) == plugin_id)
			return i;
	}
	return -1;
}

/* Return false if the job requests a kind that no node has. */
static bool read_gres(const job_record_t *job, struct ask *ask)
{
	lxfw_slurm_iterator each;
	gres_state_t *gres;
	bool known = true;

	if (!job->gres_list_req)
		return true;
	each = list_iterator_create(job->gres_list_req);
	while ((gres = list_next(each)) != NULL) {
		const gres_job_state_t *state = gres->gres_data;
		int kind = fake_kind(gres->plugin_id);

		if (kind < 0) {
			known = false;
			continue;
		}
		ask->per_job[kind] = state->gres_per_job;
		ask->per_node[kind] = state->gres_per_node;
		if (state->gres_per_socket > ask->per_node[kind])
			ask->per_node[kind] = state->gres_per_socket;
		ask->per_task_gres[kind] = state->gres_per_task;
		ask->memory_per_gres[kind] = state->mem_per_gres;
		ask->memory_by_gres |= state->mem_per_gres > 0;
	}
	list_iterator_destroy(each);
	return known;
}

static bool read_ask(const job_record_t *job, struct ask *ask)
{
	const lxfw_slurm_details *details = job->details;
	const part_record_t *part = job->part_ptr;

	memset(ask, 0, sizeof(*ask));
	ask->per_task = details->cpus_per_task ? details->cpus_per_task : 1;
	ask->procs = details->min_cpus ? details->min_cpus : 1;
	if (ask->per_task > ask->procs)
		ask->per_task = ask->procs;
	ask->per_host = details->pn_min_cpus;
	ask->tasks_per_node = details->ntasks_per_node;
	ask->least_nodes = details->min_nodes ? details->min_nodes : 1;
	if (part->min_nodes > ask->least_nodes && part->min_nodes < NO_VAL)
		ask->least_nodes = part->min_nodes;
	ask->most_nodes = details->max_nodes ? details->max_nodes : INT32_MAX;
	if (part->max_nodes < ask->most_nodes)
		ask->most_nodes = part->max_nodes;
	ask->memory_counts = lxfw_compat_memory_counts();
	ask->memory_per_cpu = details->pn_min_memory & MEM_PER_CPU;
	ask->memory = details->pn_min_memory & ~MEM_PER_CPU;
	ask->exclusive = lxfw_compat_is_exclusive(job);
	return read_gres(job, ask) && ask->least_nodes <= ask->most_nodes;
}

static uint64_t gres_of(const node_record_t *node, int kind)
{
	lxfw_slurm_iterator each = list_iterator_create(node->gres_list);
	gres_state_t *gres;
	uint64_t count = 0;

	while ((gres = list_next(each)) != NULL) {
		const gres_node_state_t *state = gres->gres_data;

		if (fake_kind(gres->plugin_id) == kind)
			count = state->gres_cnt_avail;
	}
	list_iterator_destroy(each);
	return count;
}

static bool memory_fits(const struct ask *ask, const node_record_t *node,
			const struct fake_taken *taken, struct capacity *can)
{
	uint64_t left = node->real_memory - taken->memory_mb;

	if (taken->memory_mb > node->real_memory)
		return false;
	if (ask->memory_by_gres)
		return true;
	if (!ask->memory_per_cpu)
		return ask->memory ? ask->memory <= left : !taken->memory_mb;
	if (ask->memory) {
		int64_t most = (int64_t)(left / ask->memory);

		if (ask->exclusive && most < can->procs)
			return false;
		if (most < can->procs)
			can->procs = most;
	}
	return true;
}

static bool gres_fits(const struct ask *ask, const node_record_t *node,
		      const struct fake_taken *taken, struct capacity *can)
{
	for (int kind = 0; kind < FAKE_KINDS; kind++) {
		uint64_t left = gres_of(node, kind), room;

		left -= taken->gres[kind] < left ? taken->gres[kind] : left;
		if (ask->memory_counts && ask->memory_per_gres[kind]) {
			room = (node->real_memory - taken->memory_mb) /
			       ask->memory_per_gres[kind];
			if (room < left)
				left = room;
		}
		can->gres[kind] = left;
		if (ask->per_node[kind] > left ||
		    (ask->per_job[kind] && !left))
			return false;
		if (ask->per_task_gres[kind] &&
		    left / ask->per_task_gres[kind] < (uint64_t)can->tasks)
			can->tasks = (int64_t)(left / ask->per_task_gres[kind]);
	}
	return true;
}

/* Return false if the node provides nothing for the job. */
static bool count_node(const struct ask *ask, int index,
		       const struct fake_taken *taken, struct capacity *can)
{
	const node_record_t *node = node_record_table_ptr[index];

	can->node = index;
	can->procs = node->cpus_efctv - taken->procs;
	if (taken->whole || (ask->exclusive && taken->jobs) || can->procs <= 0)
		return false;
	if (ask->memory_counts && !memory_fits(ask, node, taken, can))
		return false;
	if (can->procs < ask->per_host)
		return false;
	can->tasks = can->procs / ask->per_task;
	if (!gres_fits(ask, node, taken, can))
		return false;
	if (ask->tasks_per_node) {
		if (can->tasks < ask->tasks_per_node)
			return false;
		can->tasks = ask->tasks_per_node;
	}
	return can->tasks > 0;
}

/* --- choice ------------------------------------------------------------- */

static int by_tasks(const void *one, const void *other)
{
	const struct capacity *a = one, *b = other;

	if (a->tasks != b->tasks)
		return a->tasks > b->tasks ? -1 : 1;
	return a->node - b->node;
}

static int by_gpus(const void *one, const void *other)
{
	const struct capacity *a = one, *b = other;

	if (a->gres[0] != b->gres[0])
		return a->gres[0] > b->gres[0] ? -1 : 1;
	return by_tasks(one, other);
}

/* True if the first COUNT nodes are sufficient. */
static bool enough(const struct ask *ask, const struct capacity *can,
		   int64_t count)
{
	int64_t tasks = 0, wanted;
	uint64_t gres[FAKE_KINDS] = { 0 };

	wanted = (ask->procs + ask->per_task - 1) / ask->per_task;
	for (int64_t i = 0; i < count; i++) {
		tasks += can[i].tasks;
		for (int kind = 0; kind < FAKE_KINDS; kind++)
			gres[kind] += can[i].gres[kind];
	}
	for (int kind = 0; kind < FAKE_KINDS; kind++) {
		if (gres[kind] < ask->per_job[kind])
			return false;
	}
	return count >= ask->least_nodes && count <= ask->most_nodes &&
	       tasks >= wanted;
}

/* Return the number of nodes at the beginning of CAN that the job gets, 0 for none. */
static int64_t choose(const struct ask *ask, struct capacity *can, int64_t count)
{
	static int (*const orders[])(const void *, const void *) = {
		by_tasks, by_gpus,
	};

	if (ask->least_nodes <= 1) {
		struct capacity best = { .tasks = INT64_MAX };

		for (int64_t i = 0; i < count; i++) {
			if (enough(ask, &can[i], 1) && can[i].tasks < best.tasks)
				best = can[i];
		}
		if (best.tasks != INT64_MAX) {
			can[0] = best;
			return 1;
		}
	}
	for (size_t order = 0; order < 2; order++) {
		qsort(can, (size_t)count, sizeof(*can), orders[order]);
		for (int64_t i = 1; i <= count; i++) {
			if (enough(ask, can, i))
				return i;
		}
	}
	return 0;
}

/* Distribute the request to the first COUNT nodes. */
static void divide(const struct ask *ask, const struct capacity *can,
		   int64_t count, struct fake_place *place)
{
	int64_t tasks = (ask->procs + ask->per_task - 1) / ask->per_task;
	uint64_t job_gres[FAKE_KINDS];

	memcpy(job_gres, ask->per_job, sizeof(job_gres));
	for (int64_t i = 0; i < count; i++) {
		const node_record_t *node = node_record_table_ptr[can[i].node];
		int64_t left = count - i - 1, here = tasks - left;
		int64_t *procs = &place->procs[can[i].node];

		if (here > can[i].tasks)
			here = can[i].tasks;
		if (here < 1)
			here = 1;
		tasks -= here;
		*procs = here * ask->per_task;
		if (*procs < ask->per_host)
			*procs = ask->per_host;
		if (ask->exclusive)
			*procs = node->cpus_efctv;
		if (ask->memory_counts)
			place->memory_mb[can[i].node] = ask->memory_per_cpu ?
				ask->memory * (uint64_t)*procs :
				ask->memory ? ask->memory : node->real_memory;
		for (int kind = 0; kind < FAKE_KINDS; kind++) {
			uint64_t *gres = &place->gres[can[i].node][kind];
			uint64_t most = can[i].gres[kind];

			*gres = ask->per_node[kind] +
				ask->per_task_gres[kind] * (uint64_t)here;
			if (!*gres && job_gres[kind]) {
				uint64_t keep = (uint64_t)left;

				*gres = job_gres[kind] > keep ?
					job_gres[kind] - keep : 1;
			}
			if (*gres > most)
				*gres = most;
			job_gres[kind] -= *gres < job_gres[kind] ?
					  *gres : job_gres[kind];
			if (ask->memory_counts && ask->memory_per_gres[kind])
				place->memory_mb[can[i].node] =
					*gres * ask->memory_per_gres[kind];
		}
		bit_set(place->nodes, can[i].node);
	}
	place->count = (uint32_t)count;
}

static void place_init(struct fake_place *place)
{
	size_t count = (size_t)node_record_count;

	place->nodes = bit_alloc(node_record_count);
	place->procs = calloc(count, sizeof(*place->procs));
	place->memory_mb = calloc(count, sizeof(*place->memory_mb));
	place->gres = calloc(count, sizeof(*place->gres));
	if (!place->procs || !place->memory_mb || !place->gres)
		abort();
}

void fake_place_clear(struct fake_place *place)
{
	FREE_NULL_BITMAP(place->nodes);
	free(place->procs);
	free(place->memory_mb);
	free(place->gres);
	memset(place, 0, sizeof(*place));
}

static bool has_feature(const job_record_t *job, const node_record_t *node)
{
	const char *wanted = job->details->features_use;

	if (!wanted)
		wanted = job->details->features;
	return !wanted || (node->features && strcmp(node->features, wanted) == 0);
}

bool fake_place(const job_record_t *job, const bitstr_t *among,
		const struct fake_taken *taken, struct fake_place *place)
{
	const lxfw_slurm_details *details = job->details;
	struct capacity *can;
	struct ask ask;
	int64_t count = 0, chosen = 0;

	memset(place, 0, sizeof(*place));
	if (!read_ask(job, &ask))
		return false;
	can = calloc((size_t)node_record_count, sizeof(*can));
	if (!can)
		abort();
	for (int i = 0; i < node_record_count; i++) {
		if (!bit_test((bitstr_t *)among, i) ||
		    !has_feature(job, node_record_table_ptr[i]) ||
		    (details->exc_node_bitmap &&
		     bit_test(details->exc_node_bitmap, i)) ||
		    (details->req_node_bitmap &&
		     !bit_test(details->req_node_bitmap, i)))
			continue;
		if (count_node(&ask, i, &taken[i], &can[count]))
			count++;
	}
	if (count)
		chosen = choose(&ask, can, count);
	if (chosen) {
		place_init(place);
		divide(&ask, can, chosen, place);
	}
	free(can);
	return chosen > 0;
}

bool fake_fits_empty(const job_record_t *job, bool up)
{
	struct fake_taken *nothing;
	struct fake_place place;
	bitstr_t *nodes;
	bool fits;

	nothing = calloc((size_t)node_record_count, sizeof(*nothing));
	nodes = bit_copy(job->part_ptr->node_bitmap);
	if (!nothing)
		abort();
	if (up)
		bit_and(nodes, up_node_bitmap);
	fits = fake_place(job, nodes, nothing, &place);
	fake_place_clear(&place);
	FREE_NULL_BITMAP(nodes);
	free(nothing);
	return fits;
}
