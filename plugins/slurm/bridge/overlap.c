/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/overlap.h"

int lxfw_first_core(job_resources_t *held, uint32_t position, int *count)
{
	uint16_t sockets = 0, cores = 0;

	*count = 0;
	if (get_job_resources_cnt(held, position, &sockets, &cores) !=
	    SLURM_SUCCESS)
		return -1;
	*count = sockets * cores;
	return get_job_resources_offset(held, position, 0, 0);
}

const bitstr_t *lxfw_occupied(const job_record_t *job)
{
	if (job->magic != JOB_MAGIC || !job->job_resrcs ||
	    !job->job_resrcs->core_bitmap || !job->job_resrcs->node_bitmap)
		return NULL;
	if (IS_JOB_COMPLETING(job))
		return job->node_bitmap_cg;
	return IS_JOB_RUNNING(job) ? job->node_bitmap : NULL;
}

bool lxfw_common_cores(job_resources_t *held, const job_record_t *other,
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
		at = lxfw_first_core(held, (uint32_t)mine, &count);
		their_at = lxfw_first_core(theirs, (uint32_t)position, &their_count);
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
		const bitstr_t *nodes = other != job ? lxfw_occupied(other) : NULL;

		if (nodes &&
		    lxfw_common_cores(job->job_resrcs, other, nodes, false))
			found = other;
	}
	list_iterator_destroy(each);
	return found;
}
