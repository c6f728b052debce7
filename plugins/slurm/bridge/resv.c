/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/resv.h"

#include "common/params/policy.h"
#include "plugins/agent/mirror.h"
#include "plugins/slurm/bridge/alloc.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/* Ids of blocks. Slurm starts no jobs on a node that is completing a job or
   resuming, and none may start on one that settles after a restart of the controller. */
#define BLOCK_COMPLETING 1
#define BLOCK_RESUMING 2
#define BLOCK_SETTLING 3
#define BLOCK_HOLD 4		/* first of the ids for holds */
_Static_assert(BLOCK_HOLD + LXFW_HOLDS_MAX - 1 <= LXFW_BLOCK_PASSING_MAX,
	       "blocks of holds pass");
#define BLOCK_RESERVATION (LXFW_BLOCK_PASSING_MAX + 1)	/* plus the reservation's
							   number */

/* The licenses of a reservation, too; plus its number. */
#define BLOCK_LICENSES (BLOCK_RESERVATION + ((uint64_t)UINT32_MAX + 1))

#define COMPLETING_SECONDS 2
#define RESUMING_SECONDS 60
#define SETTLING_SECONDS 4

/* Reports COUNT shares of bridge->shares as blocked. */
static void show(struct lxfw_bridge *bridge, uint64_t id, int64_t start,
		 int64_t end, int32_t count)
{
	lxfw_mirror_block(&bridge->agent, id, start, end, bridge->shares, count);
}

static struct lxfw_share *share_of(struct lxfw_bridge *bridge, int32_t count,
				   int32_t host)
{
	int32_t first = 0, last = count - 1;

	while (first <= last) {
		int32_t middle = first + (last - first) / 2;
		struct lxfw_share *share = &bridge->shares[middle];

		if (share->host == host)
			return share;
		if (share->host < host)
			first = middle + 1;
		else
			last = middle - 1;
	}
	return NULL;
}

/*
 * Reduces the blocked shares by the processors of running jobs. No new job may start on
 * these hosts, but running jobs stay. If shares can change, a block of all processors
 * would take them from adaptive jobs.
 */
static void leave_running(struct lxfw_bridge *bridge, int32_t count)
{
	lxfw_slurm_iterator each;
	const job_record_t *job;

	if (!lxfw_policy_has(bridge->agent.params.policy, LXFW_TRAIT_ADAPTIVE))
		return;
	each = list_iterator_create(job_list);
	while ((job = list_next(each)) != NULL) {
		const job_resources_t *held = job->job_resrcs;
		int32_t node = -1, last;

		if (!IS_JOB_RUNNING(job) || IS_JOB_COMPLETING(job) || !held ||
		    !held->node_bitmap || !held->cpus)
			continue;
		last = bit_fls(held->node_bitmap);
		for (int32_t i = bit_ffs(held->node_bitmap); i <= last; i++) {
			struct lxfw_share *share;

			if (!bit_test(held->node_bitmap, i))
				continue;
			node++;
			share = share_of(bridge, count, i);
			if (!share)
				continue;
			share->amount.procs -= held->cpus[node];
			if (share->amount.procs < 0)
				share->amount.procs = 0;
		}
	}
	list_iterator_destroy(each);
}

/* Stores NODES, which may be NULL, in bridge->shares. Returns their number. */
static int32_t read_nodes(struct lxfw_bridge *bridge, const bitstr_t *nodes)
{
	int32_t count;

	if (!nodes || bit_ffs((bitstr_t *)nodes) < 0)
		return 0;
	count = lxfw_shares_of_nodes(bridge, nodes);
	leave_running(bridge, count);
	return count;
}

/* Reports COUNT shares of bridge->shares as blocked for an unknown time. */
static void show_for_a_while(struct lxfw_bridge *bridge, uint64_t id, int32_t count,
			     int64_t seconds)
{
	if (count > 0)
		lxfw_mirror_passing_block(&bridge->agent, id, seconds, bridge->shares,
					  count);
}

/* Stores the processors of reserved cores in bridge->shares. Returns the number of
   shares. */
static int32_t read_cores(struct lxfw_bridge *bridge,
			  const slurmctld_resv_t *resv)
{
	int32_t count = lxfw_shares_of_nodes(bridge, resv->node_bitmap);
	int32_t kept = 0;

	for (int32_t i = 0; i < count; i++) {
		int32_t host = bridge->shares[i].host, cores = 0;
		uint32_t first = cr_get_coremap_offset((uint32_t)host);
		uint32_t last = cr_get_coremap_offset((uint32_t)host + 1);
		const node_record_t *node = node_record_table_ptr[host];

		for (uint32_t core = first;
		     core < last && core < bit_size(resv->core_bitmap); core++)
			cores += bit_test(resv->core_bitmap, core);
		if (!cores || !node)
			continue;
		bridge->shares[kept] = (struct lxfw_share){
			.host = host,
			.amount.procs = cores * (node->tpc ? node->tpc : 1),
		};
		kept++;
	}
	return kept;
}

static void read_reservation(struct lxfw_bridge *bridge,
			     const slurmctld_resv_t *resv)
{
	int64_t start = resv->start_time, end = resv->end_time;
	int32_t count;

	if (resv->flags & RESERVE_FLAG_TIME_FLOAT) {
		/* A floating reservation moves with the time. */
		int64_t minute = bridge->agent.clock / 60 * 60;

		start += minute;
		end += minute;
	}
	if (end <= bridge->agent.clock)
		return;
	/* Slurm assumes that a job without the reservation may have to boot the nodes. */
	show(bridge, BLOCK_LICENSES + resv->resv_id, start - resv->boot_time, end,
	     lxfw_licenses_share(bridge, resv->license_list, 0));
	if (!resv->node_bitmap || bit_ffs(resv->node_bitmap) < 0)
		return;
	if (resv->core_bitmap && !(resv->ctld_flags & RESV_CTLD_FULL_NODE))
		count = read_cores(bridge, resv);
	else
		count = lxfw_shares_of_nodes(bridge, resv->node_bitmap);
	if (start <= bridge->agent.clock && !resv->core_bitmap)
		leave_running(bridge, count);
	show(bridge, (uint64_t)BLOCK_RESERVATION + resv->resv_id, start, end,
	     count);
}

void lxfw_slurm_look_at_blocks(void *context)
{
	struct lxfw_bridge *bridge = context;

	int32_t count;

	count = read_nodes(bridge, cg_node_bitmap);
	count = lxfw_licenses_completing(bridge, count);
	show_for_a_while(bridge, BLOCK_COMPLETING, count, COMPLETING_SECONDS);
	count = read_nodes(bridge, bridge->hosts.resuming);
	show_for_a_while(bridge, BLOCK_RESUMING, count, RESUMING_SECONDS);
	count = read_nodes(bridge, bridge->hosts.settling);
	show_for_a_while(bridge, BLOCK_SETTLING, count, SETTLING_SECONDS);
	for (int i = 0; i < bridge->holds.count; i++) {
		const struct lxfw_node_hold *hold = &bridge->holds.hold[i];

		show(bridge, BLOCK_HOLD + (uint64_t)i, hold->start, hold->end,
		     lxfw_shares_of_nodes(bridge, hold->nodes));
	}
	if (resv_list && list_count(resv_list) > 0) {
		lxfw_slurm_iterator each = list_iterator_create(resv_list);
		slurmctld_resv_t *resv;

		while ((resv = list_next(each)) != NULL)
			read_reservation(bridge, resv);
		list_iterator_destroy(each);
	}
}
