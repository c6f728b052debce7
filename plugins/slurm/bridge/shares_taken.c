/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/shares_taken.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/agent/quanta.h"

/* Returns true if the job occupies its cores on HOST. */
static bool is_there(const struct lxfw_bridge *bridge, const job_record_t *job,
		     int32_t host)
{
	if (job->magic != JOB_MAGIC || !job->job_resrcs ||
	    !job->job_resrcs->core_bitmap || !job->job_resrcs->node_bitmap ||
	    !bit_test(job->job_resrcs->node_bitmap, host))
		return false;
	if (IS_JOB_COMPLETING(job))
		return job->node_bitmap_cg && bit_test(job->node_bitmap_cg, host);
	if (!IS_JOB_RUNNING(job) && !(IS_JOB_SUSPENDED(job) &&
	      lxfw_quanta_hold(&bridge->agent, job->job_id)))
		return false;
	return job->node_bitmap && bit_test(job->node_bitmap, host);
}

/* --- the jobs of each host -------------------------------------------------------- */

/* Counts the jobs of each host in FIRST[host + 1], or with ENTER, stores them from
   FIRST[host] on. */
static void go_through(const struct lxfw_bridge *bridge,
		       struct lxfw_tenants *tenants, bool enter)
{
	lxfw_slurm_iterator each = list_iterator_create(job_list);
	const job_record_t *job;

	while ((job = list_next(each)) != NULL) {
		int32_t last;

		if (!job->job_resrcs || !job->job_resrcs->node_bitmap)
			continue;
		last = bit_fls(job->job_resrcs->node_bitmap);
		for (int32_t i = bit_ffs(job->job_resrcs->node_bitmap);
		     i >= 0 && i <= last && i < tenants->hosts; i++) {
			if (!is_there(bridge, job, i))
				continue;
			if (enter)
				tenants->jobs[tenants->first[i]++] = job;
			else
				tenants->first[i + 1]++;
		}
	}
	list_iterator_destroy(each);
}

void lxfw_tenants_clear(struct lxfw_tenants *tenants)
{
	free(tenants->first);
	free(tenants->jobs);
	free(tenants->outdated);
	memset(tenants, 0, sizeof(*tenants));
}

bool lxfw_tenants_make(const struct lxfw_bridge *bridge,
		       struct lxfw_tenants *tenants)
{
	size_t hosts = (size_t)node_record_count;

	if (tenants->made)
		return true;
	lxfw_tenants_clear(tenants);
	tenants->hosts = node_record_count;
	tenants->first = calloc(hosts + 2, sizeof(*tenants->first));
	tenants->outdated = calloc(hosts + 1, sizeof(*tenants->outdated));
	if (!tenants->first || !tenants->outdated)
		return false;
	go_through(bridge, tenants, false);
	for (size_t i = 1; i <= hosts; i++)
		tenants->first[i] += tenants->first[i - 1];
	tenants->jobs = calloc(tenants->first[hosts] + 1,
			       sizeof(*tenants->jobs));
	if (!tenants->jobs)
		return false;
	go_through(bridge, tenants, true);
	/* Storing has advanced each index to the start of the next host. */
	memmove(tenants->first + 1, tenants->first,
		hosts * sizeof(*tenants->first));
	tenants->first[0] = 0;
	tenants->made = true;
	return true;
}

void lxfw_tenants_started(struct lxfw_tenants *tenants, const job_record_t *job)
{
	int32_t last = -1;

	if (tenants->made && job->node_bitmap)
		last = bit_fls(job->node_bitmap);
	for (int32_t i = 0; i <= last && i < tenants->hosts; i++)
		tenants->outdated[i] |= bit_test(job->node_bitmap, i);
}

/* --- cores ------------------------------------------------------------------------ */

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

	/* node_spec_bitmap contains the cores available to jobs. */
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
