/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/workload/partition_demand.h"

#include <stdlib.h>

#include "sim-frontend/trace/cluster_extras.h"

static void describe_hosts(const struct lxfw_cluster *cluster, const struct lxfw_cluster_set *set,
			   struct lxfw_partition_demand *to)
{
	*to = (struct lxfw_partition_demand) { .name = set->name, .hosts = set->count };
	for (int32_t i = 0; i < set->count; i++) {
		const struct lxfw_resources *total = &cluster->hosts[set->hosts[i]].total;

		to->procs += total->procs;
		to->memory_mb += cluster->memory_bound ? total->memory_mb : 0;
		to->gpus += lxfw_cluster_gpus_in(cluster, total);
	}
}

static void add_job(struct lxfw_partition_demands *demands, const struct lxfw_cluster *cluster,
		    const struct lxfw_trace_job *job, const struct lxfw_need *need)
{
	struct lxfw_resources asked = { .procs = 0 };
	int32_t partition = need->set_count > 0 ?
			    lxfw_cluster_partition_of(cluster, need->sets[0]) : -1;
	struct lxfw_partition_demand *to;

	if (partition < 0 || (size_t)partition >= demands->count)
		return;
	to = &demands->list[partition];
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		asked.extras[i] = need->extras[i];
	to->jobs++;
	to->proc_seconds += (double)job->procs * (double)job->run;
	to->mb_seconds += (double)lxfw_job_memory_mb(job) * (double)job->run;
	to->gpu_seconds += (double)lxfw_cluster_gpus_in(cluster, &asked) * (double)job->run;
}

int lxfw_partition_demands_find(struct lxfw_partition_demands *demands,
				const struct lxfw_trace *trace,
				const struct lxfw_cluster *cluster, int64_t begin, int64_t end)
{
	demands->count = 0;
	demands->list = calloc((size_t)cluster->set_count + 1, sizeof(*demands->list));
	if (!demands->list)
		return -1;
	while (demands->count < (size_t)cluster->set_count &&
	       !cluster->sets[demands->count].is_part) {
		describe_hosts(cluster, &cluster->sets[demands->count],
			       &demands->list[demands->count]);
		demands->count++;
	}
	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_need *need = lxfw_trace_need(trace, i);
		const struct lxfw_trace_job *job = &trace->jobs[i];

		if (need && job->submit >= begin && job->submit < end)
			add_job(demands, cluster, job, need);
	}
	return 0;
}

void lxfw_partition_demands_clear(struct lxfw_partition_demands *demands)
{
	free(demands->list);
	*demands = (struct lxfw_partition_demands) { NULL, 0 };
}
