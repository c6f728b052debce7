/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/agent/quanta.h"
#include "plugins/slurm/bridge/gpu_sockets.h"
#include "plugins/slurm/bridge/weight.h"

bool lxfw_shares_reserve(struct lxfw_bridge *bridge, size_t count)
{
	if (LXFW_GROW(bridge->shares, bridge->shares_size, count) == 0)
		return true;
	bridge->agent.events.failed = true;
	return false;
}

/* Adds the GRES of the job on its node NODE to a share. */
static void add_gres(const struct lxfw_bridge *bridge, const job_record_t *job,
		     int32_t node, struct lxfw_share *share)
{
	struct lxfw_resources *amount = &share->amount;
	lxfw_slurm_iterator each;
	gres_state_t *gres;

	each = list_iterator_create(job->gres_list_alloc);
	while ((gres = list_next(each)) != NULL) {
		const gres_job_state_t *state = gres->gres_data;
		uint64_t count;

		if (!state || !state->gres_cnt_node_alloc ||
		    (uint32_t)node >= state->node_cnt)
			continue;
		count = state->gres_cnt_node_alloc[node];
		lxfw_extras_add(amount,
				lxfw_extras_find(&bridge->hosts.extras,
						 gres->plugin_id, NO_VAL),
				count);
		if (bridge->agent.hosts.host[share->host].sockets &&
		    lxfw_gres_is_gpu(gres) && state->gres_bit_alloc &&
		    state->gres_bit_alloc[node])
			share->sockets = lxfw_gpu_sockets_of(
				node_record_table_ptr[share->host],
				state->gres_bit_alloc[node]);
		if (!state->type_name)
			continue;
		lxfw_extras_add(amount,
				lxfw_extras_find(&bridge->hosts.extras,
						 gres->plugin_id,
						 state->type_id),
				count);
	}
	list_iterator_destroy(each);
}

int32_t lxfw_shares_of_job(struct lxfw_bridge *bridge, const job_record_t *job)
{
	const job_resources_t *held = job->job_resrcs;
	bool has_gres = job->gres_list_alloc &&
			list_count(job->gres_list_alloc) > 0;
	bool has_procs = !IS_JOB_SUSPENDED(job) || lxfw_is_gang_suspended(job) ||
			 lxfw_quanta_hold(&bridge->agent, job->job_id);
	int32_t count = 0, node = -1;

	if (!held || !held->node_bitmap)
		return 0;
	if (!lxfw_shares_reserve(bridge, held->nhosts))
		return -1;
	/* The loop ends at the last node of the job: thousands of others may follow. */
	for (int32_t i = bit_ffs(held->node_bitmap);
	     i >= 0 && i < bridge->hosts.count && node + 1 < (int32_t)held->nhosts;
	     i++) {
		struct lxfw_share *share;

		if (!bit_test(held->node_bitmap, i))
			continue;
		node++;
		/* The job has lost this node: it failed or was released. */
		if (job->node_bitmap && !bit_test(job->node_bitmap, i))
			continue;
		share = &bridge->shares[count++];
		memset(share, 0, sizeof(*share));
		share->host = i;
		if (has_procs && held->cpus)
			share->amount.procs = held->cpus[node];
		if (bridge->hosts.memory_counts && held->memory_allocated)
			share->amount.memory_mb =
				lxfw_memory_bounded(held->memory_allocated[node]);
		if (has_gres)
			add_gres(bridge, job, node, share);
	}
	return count > 0 ? lxfw_licenses_share(bridge, job->license_list, count) : count;
}

int32_t lxfw_shares_of_nodes(struct lxfw_bridge *bridge, const bitstr_t *nodes)
{
	bitstr_t *bits = (bitstr_t *)nodes;
	int32_t count = 0, all = bit_set_count(bits);

	if (!lxfw_shares_reserve(bridge, (size_t)all))
		return -1;
	for (int32_t i = bit_ffs(bits);
	     i >= 0 && i < bridge->hosts.count && count < all; i++) {
		if (!bit_test(bits, i))
			continue;
		bridge->shares[count++] = (struct lxfw_share){
			.host = i, .amount = bridge->agent.hosts.host[i].total,
		};
	}
	return count;
}

/* Returns the seconds within which the nodes that the job waits for are up. */
static int64_t boot_of_job(const job_record_t *job)
{
	int64_t most = 0;
	int last;

	if (!IS_JOB_CONFIGURING(job) || !IS_JOB_POWER_UP_NODE(job) ||
	    !job->node_bitmap)
		return 0;
	last = bit_fls(job->node_bitmap);
	for (int i = bit_ffs(job->node_bitmap); i >= 0 && i <= last; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && bit_test(job->node_bitmap, i) &&
		    (IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_DOWN(node) ||
		     IS_NODE_POWERING_UP(node)) &&
		    lxfw_node_resume(node) > most)
			most = lxfw_node_resume(node);
	}
	return most;
}

int64_t lxfw_shares_end(const struct lxfw_bridge *bridge,
			const job_record_t *job)
{
	int64_t end = job->end_time;

	if (IS_JOB_SUSPENDED(job) && job->suspend_time) {
		/* The rest of the time limit starts when the job is resumed. The end is
		   rounded to minutes so that it is reported once a minute and not in
		   each pass. */
		int64_t minute = bridge->agent.clock / 60 * 60 + 60;

		if (end > job->suspend_time)
			end = minute + (end - job->suspend_time);
	}
	/* The time limit begins when the nodes are up. */
	return end > 0 ? end + boot_of_job(job) : LXFW_NEVER;
}
