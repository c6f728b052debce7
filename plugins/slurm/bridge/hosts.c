/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/agent/mirror.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/weight.h"

/*
 * Time in microseconds from a node's registration until jobs may start on it. A
 * controller that was killed has no record of starts that it had not saved. Such a job
 * is pending again, and its node is instructed to end it when the node registers. If
 * the job were started again before that, Slurm would treat it as a duplicate: hold or
 * cancel it and drain the node. Slurm's own schedulers are slow enough to make that
 * rare.
 */
#define SETTLE_US 3000000

/* Time in microseconds for which a restarted controller is expected to hear from a node that was
   up. Most register within seconds; Slurm declares the others down after SlurmdTimeout. */
#define UNHEARD_US 30000000

/* Seconds for which a node that did not boot is used after all others that are asleep. Without
   this, the job that waited for it would boot it again, and again, where a program or an
   administrator makes it available. */
#define FAILED_SECONDS 3600

/* Returns true if the node is resuming or booting. It will be usable soon; until then
   Slurm starts no jobs on it. */
static bool is_resuming(const node_record_t *node, int32_t index)
{
	if (bit_test(rs_node_bitmap, index))
		return true;
	return !bit_test(avail_node_bitmap, index) &&
	       IS_NODE_POWERING_UP(node) && !IS_NODE_DRAIN(node) &&
	       !IS_NODE_DOWN(node) && !IS_NODE_FAIL(node);
}

bool lxfw_hosts_has_settled(const struct lxfw_bridge *bridge, int32_t index)
{
	bitstr_t *settling = bridge->hosts.settling;

	return bridge->hosts.settled_us[index] <= lxfw_now_us() &&
	       !(settling && index < bit_size(settling) && bit_test(settling, index));
}

bool lxfw_hosts_have_settled(const struct lxfw_bridge *bridge)
{
	for (int32_t i = 0; i < bridge->hosts.count; i++) {
		if (!lxfw_hosts_has_settled(bridge, i))
			return false;
	}
	return true;
}

/* Returns true if a node that has not registered must be waited for, whatever Slurm says of it.
   Slurm takes it for idle after the end of a job's epilog, for instance, while jobs may run there
   that were started just before the controller was killed: started again, they would be
   duplicates. With suspended jobs, the first pass decides which of them stay suspended, and must
   know what is free: then, a node that Slurm does not call unknown counts as Slurm says. */
static bool is_doubtful(const struct lxfw_bridge *bridge, const node_record_t *node)
{
	return IS_NODE_UNKNOWN(node) || IS_NODE_NO_RESPOND(node) ||
	       bridge->agent.quanta.preempted_count == 0;
}

/* Returns true if the node was not down when the controller ended, and has not registered since. */
static bool is_unheard(struct lxfw_bridge *bridge, const node_record_t *node)
{
	struct lxfw_hosts *hosts = &bridge->hosts;

	if (!bridge->recovered || node->slurmd_start_time || !is_doubtful(bridge, node) ||
	    IS_NODE_FUTURE(node) ||
	    IS_NODE_DRAIN(node) || IS_NODE_DOWN(node) || IS_NODE_FAIL(node) ||
	    IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_DOWN(node))
		return false;
	if (!hosts->unheard_us)
		hosts->unheard_us = hosts->now_us + UNHEARD_US;
	return hosts->now_us < hosts->unheard_us;
}

/* Returns true if a node has settled, or has not registered. The time is that of the
   monotonic clock. If the system clock were used and then set back, the node would stay
   unusable until the clock catches up. */
static bool has_settled(struct lxfw_bridge *bridge, int32_t index,
			const node_record_t *node)
{
	uint64_t *settled_us = &bridge->hosts.settled_us[index];
	uint64_t now = bridge->hosts.now_us;

	if (!bridge->recovered || !node || !node->slurmd_start_time)
		return true;
	if (!*settled_us)
		*settled_us = now + SETTLE_US;
	if (*settled_us <= now)
		return true;
	lxfw_agent_look_again(&bridge->agent, time(NULL) +
			      (int64_t)(*settled_us - now) / 1000000 + 1);
	return false;
}

static void read_node(struct lxfw_hosts *hosts, const node_record_t *node,
		      int32_t index, struct lxfw_resources *total, uint32_t *sockets,
		      bool *up)
{
	memset(total, 0, sizeof(*total));
	*sockets = 0;
	*up = false;
	if (!node)
		return;
	total->procs = node->cpus_efctv ? node->cpus_efctv : node->cpus;
	if (node->real_memory > node->mem_spec_limit)
		total->memory_mb = lxfw_memory_bounded(node->real_memory -
						       node->mem_spec_limit);
	*sockets = lxfw_extras_of_node(&hosts->extras, node, index, false, total);
	if (is_resuming(node, index)) {
		bit_set(hosts->resuming, index);
		*up = true;
	} else {
		*up = bit_test(avail_node_bitmap, index);
	}
}

static bool is_asleep(const node_record_t *node)
{
	return IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_DOWN(node);
}

static void note_boot(struct lxfw_hosts *hosts, int32_t index, const node_record_t *node,
		      int64_t now)
{
	struct lxfw_boot *boot = &hosts->boot[index];
	bool was_under_way = boot->under_way;

	boot->under_way = IS_NODE_POWERING_UP(node);
	if (was_under_way && !boot->under_way)
		boot->failed = IS_NODE_DOWN(node) || is_asleep(node) ? now : 0;
}

static int64_t weight_of(const struct lxfw_hosts *hosts, int32_t index,
			 const node_record_t *node, int64_t now)
{
	int64_t weight = lxfw_node_weight(node), failed = hosts->boot[index].failed;

	if (failed && now >= failed && now - failed < FAILED_SECONDS &&
	    (is_asleep(node) || IS_NODE_POWERING_UP(node)))
		weight += LXFW_WEIGHT_FAILED;
	return weight;
}

/* Allocates the arrays for all nodes. */
static bool make_room(struct lxfw_hosts *hosts)
{
	size_t count = (size_t)node_record_count + 1;

	if (hosts->settled_us && hosts->boot && hosts->count == node_record_count)
		return true;
	lxfw_hosts_destroy(hosts);
	hosts->settled_us = calloc(count, sizeof(*hosts->settled_us));
	hosts->boot = calloc(count, sizeof(*hosts->boot));
	hosts->count = node_record_count;
	return hosts->settled_us && hosts->boot;
}

/* Returns what lxfw_mirror_hosts() does. */
static int show_names(struct lxfw_bridge *bridge)
{
	const struct lxfw_licenses *licenses = &bridge->licenses;
	struct lxfw_hosts *hosts = &bridge->hosts;
	int32_t count = hosts->count + licenses->count;

	if (LXFW_GROW(hosts->names, hosts->names_size, (size_t)count + 1)) {
		bridge->agent.events.failed = true;
		return -1;
	}
	for (int32_t i = 0; i < hosts->count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		hosts->names[i] = node && node->name ? node->name : "";
	}
	for (int32_t i = 0; i < licenses->count; i++)
		hosts->names[lxfw_license_host(bridge, i)] = licenses->license[i].host;
	return lxfw_mirror_hosts(&bridge->agent, hosts->names, count);
}

/* A license has no GPUs: its amount is in the place of the first kind of GRES. */
static void show_licenses(struct lxfw_bridge *bridge)
{
	const struct lxfw_licenses *licenses = &bridge->licenses;

	bridge->agent.hosts.gpus = 0;
	for (int32_t i = 0; i < licenses->count; i++) {
		const struct lxfw_resources total = {
			.extras = { lxfw_license_amount(&licenses->license[i]) },
		};

		lxfw_mirror_host(&bridge->agent, lxfw_license_host(bridge, i), true, &total,
				 0, 0, 0);
	}
	bridge->agent.hosts.gpus = bridge->hosts.extras.gpus;
}

/* Reads and reports all nodes. */
static void sync_nodes(struct lxfw_bridge *bridge)
{
	struct lxfw_hosts *hosts = &bridge->hosts;

	for (int32_t i = 0; i < hosts->count; i++) {
		const node_record_t *node = node_record_table_ptr[i];
		struct lxfw_resources total;
		uint32_t sockets;
		bool up, settled;

		read_node(hosts, node, i, &total, &sockets, &up);
		/* Jobs wait for such a node as for one that completes a job. If it were down,
		   reservations on it would be lost, and jobs behind them would start. */
		settled = has_settled(bridge, i, node);
		if ((up && !settled) || (node && is_unheard(bridge, node))) {
			bit_set(hosts->settling, i);
			up = true;
		}
		bridge->agent.hosts.gpus = hosts->extras.gpus;
		if (node)
			note_boot(hosts, i, node, bridge->agent.clock);
		lxfw_mirror_host(&bridge->agent, i, up, &total, sockets,
				 node ? weight_of(hosts, i, node, bridge->agent.clock) : 0,
				 node ? lxfw_node_boot(node) : 0);
	}
}

static void name_extras(struct lxfw_bridge *bridge)
{
	const struct lxfw_extras *extras = &bridge->hosts.extras;
	char name[256];

	for (int i = 0; i < extras->own; i++) {
		lxfw_extras_name(extras, i, name, sizeof(name));
		lxfw_mirror_extra(&bridge->agent, i, name);
	}
}

void lxfw_hosts_sync(struct lxfw_bridge *bridge)
{
	struct lxfw_hosts *hosts = &bridge->hosts;
	bool memory_counts = lxfw_compat_memory_counts();
	int same;

	if (!make_room(hosts) || !lxfw_licenses_read(&bridge->licenses)) {
		bridge->agent.events.failed = true;
		return;
	}
	same = show_names(bridge);
	if (same == 0) {
		memset(hosts->settled_us, 0,
		       (size_t)hosts->count * sizeof(*hosts->settled_us));
		memset(hosts->boot, 0, (size_t)hosts->count * sizeof(*hosts->boot));
		lxfw_extras_clear(&hosts->extras);
	} else if (memory_counts != hosts->memory_counts) {
		bridge->agent.rebuild = true;
	}
	hosts->memory_counts = memory_counts;
	FREE_NULL_BITMAP(hosts->resuming);
	FREE_NULL_BITMAP(hosts->settling);
	if (bridge->agent.rebuild || same < 0 || hosts->count == 0)
		return;
	hosts->resuming = bit_alloc(hosts->count);
	hosts->settling = bit_alloc(hosts->count);
	hosts->now_us = lxfw_now_us();
	sync_nodes(bridge);
	switch (lxfw_extras_share(&hosts->extras)) {
	case LXFW_EXTRAS_SAME:
		break;
	case LXFW_EXTRAS_MORE:
		sync_nodes(bridge);
		break;
	case LXFW_EXTRAS_OVERLAP:
		lxfw_extras_clear(&hosts->extras);
		bridge->agent.rebuild = true;
		return;
	}
	name_extras(bridge);
	show_licenses(bridge);
}

void lxfw_hosts_destroy(struct lxfw_hosts *hosts)
{
	free(hosts->settled_us);
	free(hosts->boot);
	free(hosts->names);
	lxfw_extras_clear(&hosts->extras);
	FREE_NULL_BITMAP(hosts->resuming);
	FREE_NULL_BITMAP(hosts->settling);
	memset(hosts, 0, sizeof(*hosts));
}
