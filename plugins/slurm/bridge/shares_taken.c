/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/shares_taken.h"

#include <time.h>

#include "plugins/slurm/bridge/quanta.h"

/* Does the job have its cores on HOST now? */
static bool is_there(const struct lxfw_bridge *bridge, const job_record_t *job,
		     int32_t host)
{
	if (job->magic != JOB_MAGIC || !job->job_resrcs ||
	    !job->job_resrcs->core_bitmap || !job->job_resrcs->node_bitmap ||
	    !bit_test(job->job_resrcs->node_bitmap, host))
		return false;
	if (IS_JOB_COMPLETING(job))
		return job->node_bitmap_cg && bit_test(job->node_bitmap_cg, host);
	if (!IS_JOB_RUNNING(job) && !lxfw_quanta_hold(bridge, job))
		return false;
	return job->node_bitmap && bit_test(job->node_bitmap, host);
}

void lxfw_taken_by_job(const struct lxfw_bridge *bridge, const job_record_t *job,
		       int32_t host, bool *taken, int count)
{
	job_resources_t *held = job->job_resrcs;
	uint32_t position = 0;
	int first;

	if (!is_there(bridge, job, host))
		return;
	for (int node = bit_ffs(held->node_bitmap); node < host; node++)
		position += bit_test(held->node_bitmap, node);
	first = get_job_resources_offset(held, position, 0, 0);
	for (int core = 0; first >= 0 && core < count &&
			   first + core < bit_size(held->core_bitmap); core++)
		taken[core] |= bit_test(held->core_bitmap, first + core);
}

static void mark_reservation(const slurmctld_resv_t *resv, int32_t host,
			     bool *taken, int count)
{
	uint32_t first = cr_get_coremap_offset((uint32_t)host);

	if (!resv->node_bitmap || !bit_test(resv->node_bitmap, host) ||
	    !resv->core_bitmap || resv->ctld_flags & RESV_CTLD_FULL_NODE)
		return;
	for (int core = 0; core < count &&
			   first + (uint32_t)core < bit_size(resv->core_bitmap);
	     core++)
		taken[core] |= bit_test(resv->core_bitmap,
					first + (uint32_t)core);
}

void lxfw_taken_by_others(int32_t host, bool *taken, int count)
{
	const node_record_t *node = node_record_table_ptr[host];
	time_t now = time(NULL);
	lxfw_slurm_iterator each;
	const slurmctld_resv_t *resv;

	/* What is set there is for everybody. */
	for (int core = 0; node->node_spec_bitmap && core < count &&
			   core < bit_size(node->node_spec_bitmap); core++)
		taken[core] |= !bit_test(node->node_spec_bitmap, core);
	if (!resv_list)
		return;
	each = list_iterator_create(resv_list);
	while ((resv = list_next(each)) != NULL) {
		if (resv->start_time <= now && resv->end_time > now)
			mark_reservation(resv, host, taken, count);
	}
	list_iterator_destroy(each);
}
