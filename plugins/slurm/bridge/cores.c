/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/cores.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/slurm/bridge/bridge.h"

/* First core of the node that is the job's POSITION-th, in the job's bitmap, and
   their number. */
static int first_core(job_resources_t *held, uint32_t position, int *count)
{
	uint16_t sockets = 0, cores = 0;

	*count = 0;
	if (get_job_resources_cnt(held, position, &sockets, &cores) !=
	    SLURM_SUCCESS)
		return -1;
	*count = sockets * cores;
	return get_job_resources_offset(held, position, 0, 0);
}

/* Nodes on which JOB has its cores now, or NULL. */
static const bitstr_t *occupied(const job_record_t *job)
{
	if (job->magic != JOB_MAGIC || !job->job_resrcs ||
	    !job->job_resrcs->core_bitmap || !job->job_resrcs->node_bitmap)
		return NULL;
	if (IS_JOB_COMPLETING(job))
		return job->node_bitmap_cg;
	return IS_JOB_RUNNING(job) ? job->node_bitmap : NULL;
}

/*
 * For each core of HELD that OTHER has, too: with CLEAR take it out of HELD, else
 * return true at the first.
 */
static bool common_cores(job_resources_t *held, const job_record_t *other,
			 const bitstr_t *nodes, bool clear)
{
	job_resources_t *theirs = other->job_resrcs;
	int last = bit_fls(held->node_bitmap), mine = -1, position = -1;

	if (!bit_overlap_any(held->node_bitmap, (bitstr_t *)nodes))
		return false;
	for (int node = 0; node <= last; node++) {
		bool has = bit_test(theirs->node_bitmap, node);
		int count, their_count, at, their_at;

		position += has;
		if (!bit_test(held->node_bitmap, node))
			continue;
		mine++;
		if (!has || !bit_test((bitstr_t *)nodes, node))
			continue;
		at = first_core(held, (uint32_t)mine, &count);
		their_at = first_core(theirs, (uint32_t)position, &their_count);
		if (at < 0 || their_at < 0)
			continue;
		for (int core = 0; core < count && core < their_count; core++) {
			if (!bit_test(held->core_bitmap, at + core) ||
			    !bit_test(theirs->core_bitmap, their_at + core))
				continue;
			if (!clear)
				return true;
			bit_clear(held->core_bitmap, at + core);
		}
	}
	return false;
}

const job_record_t *lxfw_cores_taken(const job_record_t *job)
{
	lxfw_slurm_iterator each;
	const job_record_t *other, *found = NULL;

	if (!job->job_resrcs || !job->job_resrcs->core_bitmap ||
	    !job->job_resrcs->node_bitmap)
		return NULL;
	each = list_iterator_create(job_list);
	while (!found && (other = list_next(each)) != NULL) {
		const bitstr_t *nodes = other != job ? occupied(other) : NULL;

		if (nodes &&
		    common_cores(job->job_resrcs, other, nodes, false))
			found = other;
	}
	list_iterator_destroy(each);
	return found;
}

/* --- the shield ------------------------------------------------------------------ */

/* A record that holds the idle cores of VICTIM, for the select plugin alone. */
static void add_stub(struct lxfw_bridge *bridge, const job_record_t *victim)
{
	job_record_t *stub = &bridge->shield[bridge->shield_count];
	lxfw_slurm_iterator each;
	const job_record_t *other;

	memset(stub, 0, sizeof(*stub));
	stub->magic = JOB_MAGIC;
	stub->job_id = victim->job_id;
	stub->array_task_id = NO_VAL;
	stub->part_ptr = victim->part_ptr;
	stub->start_time = victim->start_time;
	stub->job_resrcs = copy_job_resources(victim->job_resrcs);
	stub->job_resrcs->node_req = 0;	/* nobody is to be kept off the node */
	each = list_iterator_create(job_list);
	while ((other = list_next(each)) != NULL) {
		const bitstr_t *nodes = occupied(other);

		if (nodes)
			(void)common_cores(stub->job_resrcs, other, nodes, true);
	}
	list_iterator_destroy(each);
	if (bit_ffs(stub->job_resrcs->core_bitmap) < 0 ||
	    select_g_job_resume(stub, true) != SLURM_SUCCESS)
		free_job_resources(&stub->job_resrcs);
	else
		bridge->shield_count++;
}

void lxfw_shield_up(struct lxfw_bridge *bridge, uint64_t except)
{
	const struct lxfw_quanta_books *books = &bridge->quanta;

	bridge->shield_count = 0;
	if (books->lent_count == 0)
		return;
	bridge->shield = calloc(books->lent_count, sizeof(*bridge->shield));
	if (!bridge->shield)
		return;		/* resumption is guarded all the same */
	for (size_t i = 0; i < books->lent_count; i++) {
		const struct lxfw_lent *lent = &books->lent[i];
		const job_record_t *victim = find_job_record(lent->job_id);

		if (victim && IS_JOB_SUSPENDED(victim) && victim->job_resrcs &&
		    victim->job_resrcs->core_bitmap && victim->part_ptr &&
		    (!except || lent->served != except))
			add_stub(bridge, victim);
	}
}

void lxfw_shield_down(struct lxfw_bridge *bridge)
{
	for (size_t i = bridge->shield_count; i-- > 0;) {
		job_record_t *stub = &bridge->shield[i];

		(void)select_g_job_suspend(stub, true);
		free_job_resources(&stub->job_resrcs);
	}
	free(bridge->shield);
	bridge->shield = NULL;
	bridge->shield_count = 0;
}
