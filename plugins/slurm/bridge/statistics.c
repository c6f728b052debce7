/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/statistics.h"

#include <time.h>

#include "plugins/slurm/bridge/bridge.h"

void lxfw_statistics_start(const job_record_t *job)
{
	slurmctld_diag_stats.backfilled_jobs++;
	slurmctld_diag_stats.last_backfilled_jobs++;
	if (job->het_job_id)
		slurmctld_diag_stats.backfilled_het_jobs++;
}

static uint32_t count_reservations(const struct lxfw_job_table *jobs)
{
	uint32_t count = 0;

	for (size_t i = 0; i < jobs->count; i++)
		count += jobs->jobs[i]->reserved_start != 0;
	return count;
}

/* The table of sched/backfill has an entry for each time at which the available resources
   change. The plugin's profile changes at the end of each running job and at the start of
   each reservation. */
static uint32_t table_size(const struct lxfw_agent *agent)
{
	return (uint32_t)agent->decision.running + count_reservations(&agent->jobs);
}

static void count_cycle(diag_stats_t *stats, uint64_t us)
{
	stats->bf_cycle_counter++;
	stats->bf_cycle_last = (uint32_t)us;
	stats->bf_cycle_sum += us;
	if (stats->bf_cycle_max < stats->bf_cycle_last)
		stats->bf_cycle_max = stats->bf_cycle_last;
}

static void count_pass(const struct lxfw_bridge *bridge)
{
	const struct lxfw_pass_counts *counts = &bridge->agent.counts;
	diag_stats_t *stats = &slurmctld_diag_stats;

	stats->bf_when_last_cycle = bridge->agent.clock;
	/* The time of pauses between the locks does not count. */
	count_cycle(stats, counts->sync_us + counts->decide_us + counts->act_us);
	stats->bf_queue_len = bridge->queue_length;
	stats->bf_queue_len_sum += bridge->queue_length;
	/* Every record of the queue is considered. Those that limits, licences and the
	   like permit are tested for resources. */
	stats->bf_last_depth = bridge->queue_length;
	stats->bf_depth_sum += stats->bf_last_depth;
	stats->bf_last_depth_try = counts->jobs + counts->leftovers;
	stats->bf_depth_try_sum += stats->bf_last_depth_try;
	stats->bf_table_size = table_size(&bridge->agent);
	stats->bf_table_size_sum += stats->bf_table_size;
	lxfw_compat_count_exit(bridge->next_leftover == bridge->leftover_count);
}

void lxfw_statistics_passing(void *context, bool begins)
{
	const struct lxfw_bridge *bridge = context;

	slurmctld_diag_stats.bf_active = begins;
	if (!begins && bridge->queue_length > 0)
		count_pass(bridge);
}
