/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/cores.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/slurm/bridge/bridge.h"

/* Adds a job record that allocates the idle cores of VICTIM in the select plugin. */
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
	stub->job_resrcs->node_req = 0;	/* the node stays available to other jobs */
	each = list_iterator_create(job_list);
	while ((other = list_next(each)) != NULL) {
		const bitstr_t *nodes = lxfw_occupied(other);

		if (nodes)
			(void)lxfw_common_cores(stub->job_resrcs, other, nodes, true);
	}
	list_iterator_destroy(each);
	if (bit_ffs(stub->job_resrcs->core_bitmap) < 0 ||
	    select_g_job_resume(stub, true) != SLURM_SUCCESS)
		free_job_resources(&stub->job_resrcs);
	else
		bridge->shield_count++;
}

/* Skips jobs on other nodes: with thousands of preempted jobs, they would take seconds
   under the locks. */
static bool is_on(const job_record_t *victim, const bitstr_t *nodes)
{
	const job_resources_t *held = victim->job_resrcs;

	return held && held->core_bitmap && held->node_bitmap &&
	       bit_overlap_any(held->node_bitmap, (bitstr_t *)nodes);
}

void lxfw_shield_up(struct lxfw_bridge *bridge, const bitstr_t *nodes,
		    uint64_t except)
{
	const struct lxfw_quanta_books *books = &bridge->agent.quanta;

	bridge->shield_count = 0;
	if (books->preempted_count == 0)
		return;
	bridge->shield = calloc(books->preempted_count, sizeof(*bridge->shield));
	if (!bridge->shield)
		return;		/* lxfw_slurm_resume() checks the cores nevertheless */
	for (size_t i = 0; i < books->preempted_count; i++) {
		const struct lxfw_preempted *preempted = &books->preempted[i];
		const job_record_t *victim = find_job_record(preempted->job_id);

		/* The library gives its processors to others. */
		if (preempted->waits && !preempted->resume)
			continue;
		if (victim && IS_JOB_SUSPENDED(victim) && victim->part_ptr &&
		    (!except || preempted->served != except) &&
		    is_on(victim, nodes))
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
