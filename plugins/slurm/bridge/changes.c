/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/changes.h"

#include <string.h>

#include "plugins/slurm/bridge/bridge.h"

bool lxfw_slurm_tables_changed(void *context)
{
	const struct lxfw_seen *seen = &((struct lxfw_bridge *)context)->seen;
	time_t now = time(NULL);
	bool touched;

	if (last_job_update != seen->job || last_node_update != seen->node ||
	    last_part_update != seen->part || last_resv_update != seen->resv ||
	    last_license_update != seen->license)
		return true;
	/* Times of change are in seconds. Changes in the second of the last look are
	   therefore read again when that second is over. */
	touched = seen->job >= seen->when || seen->node >= seen->when ||
		  seen->part >= seen->when || seen->resv >= seen->when ||
		  seen->license >= seen->when;
	return touched && now > seen->when;
}

/* Slurm resets its counters at midnight, which counts as a change. They are read
   without locks: a pass that is made too early makes no difference. */
static uint32_t ended(void)
{
	const volatile diag_stats_t *stats = &slurmctld_diag_stats;

	return stats->jobs_completed + stats->jobs_failed + stats->jobs_canceled;
}

static uint32_t submitted(void)
{
	const volatile diag_stats_t *stats = &slurmctld_diag_stats;

	return stats->jobs_submitted;
}

bool lxfw_changes_cleaned(const struct lxfw_seen *seen)
{
	return seen->cleaning && cg_node_bitmap &&
	       bit_size(cg_node_bitmap) == bit_size(seen->cleaning) &&
	       !bit_super_set(seen->cleaning, cg_node_bitmap);
}

static bool cleaned_up(const struct lxfw_seen *seen)
{
	const slurmctld_lock_t read_nodes = { .node = READ_LOCK };
	bool changed;

	if (!seen->cleaning)
		return false;
	lock_slurmctld(read_nodes);
	/* The thread may have waited long for the lock. */
	changed = !slurmctld_config.shutdown_time && lxfw_changes_cleaned(seen);
	unlock_slurmctld(read_nodes);
	return changed;
}

bool lxfw_slurm_stirred(void *context)
{
	const struct lxfw_bridge *bridge = context;
	const struct lxfw_seen *seen = &bridge->seen;

	if (submitted() != seen->submitted)
		return true;
	if (bridge->agent.decision.waiting == 0 && bridge->leftover_count == 0)
		return false;
	return ended() != seen->ended || cleaned_up(seen);
}

void lxfw_changes_note(struct lxfw_bridge *bridge)
{
	struct lxfw_seen *seen = &bridge->seen;

	lxfw_seen_clear(seen);
	seen->job = last_job_update;
	seen->node = last_node_update;
	seen->part = last_part_update;
	seen->resv = last_resv_update;
	seen->license = last_license_update;
	seen->when = time(NULL);
	seen->submitted = submitted();
	seen->ended = ended();
	if (cg_node_bitmap && bit_ffs(cg_node_bitmap) >= 0)
		seen->cleaning = bit_copy(cg_node_bitmap);
}

void lxfw_seen_clear(struct lxfw_seen *seen)
{
	FREE_NULL_BITMAP(seen->cleaning);
	memset(seen, 0, sizeof(*seen));
}
