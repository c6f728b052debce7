/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/slurm/bridge/bridge.h"

/*
 * Of a start that it had not saved a controller that was killed knows nothing. The
 * job waits again, and the node, when it reports, is told to end what runs there. A
 * second start meanwhile Slurm takes for a duplicate: it holds or cancels the job and
 * drains the node. Its own schedulers are slow enough for that to be rare.
 */
#define SETTLE_US 3000000

/* A node that resumes or boots will be usable soon; Slurm starts nothing on it
   before. */
static bool is_resuming(const node_record_t *node, int32_t index)
{
	if (bit_test(rs_node_bitmap, index))
		return true;
	return !bit_test(avail_node_bitmap, index) &&
	       IS_NODE_POWERING_UP(node) && !IS_NODE_DRAIN(node) &&
	       !IS_NODE_DOWN(node) && !IS_NODE_FAIL(node);
}

bool lxfw_hosts_has_settled(const struct lxfw_hosts *hosts, int32_t index)
{
	return hosts->host[index].settled_us <= lxfw_now_us();
}

bool lxfw_hosts_have_settled(const struct lxfw_hosts *hosts)
{
	uint64_t now = lxfw_now_us();

	for (int32_t i = 0; i < hosts->count; i++) {
		if (hosts->host[i].settled_us > now)
			return false;
	}
	return true;
}

/* May something start on a node, as far as that goes? Whatever becomes of the clock of
   the day meanwhile: set back, it would keep the node from use until it is there
   again. */
static bool has_settled(struct lxfw_bridge *bridge, int32_t index,
			const node_record_t *node)
{
	struct lxfw_known_host *host = &bridge->hosts.host[index];
	uint64_t now = lxfw_now_us();
	int64_t again;

	if (!bridge->recovered || !node || !node->slurmd_start_time)
		return true;
	if (!host->settled_us)
		host->settled_us = now + SETTLE_US;
	if (host->settled_us <= now)
		return true;
	again = time(NULL) + (int64_t)(host->settled_us - now) / 1000000 + 1;
	if (again < bridge->next_begin)
		bridge->next_begin = again;
	return false;
}

static void read_node(struct lxfw_hosts *hosts, const node_record_t *node,
		      int32_t index, struct lxfw_resources *total, bool *up)
{
	memset(total, 0, sizeof(*total));
	*up = false;
	if (!node)
		return;
	total->procs = node->cpus_efctv ? node->cpus_efctv : node->cpus;
	if (node->real_memory > node->mem_spec_limit)
		total->memory_mb = lxfw_memory_bounded(node->real_memory -
						       node->mem_spec_limit);
	lxfw_extras_of_node(&hosts->extras, node, false, total);
	if (is_resuming(node, index)) {
		bit_set(hosts->resuming, index);
		*up = true;
	} else {
		*up = bit_test(avail_node_bitmap, index);
	}
}

/* Are these the nodes we know, by name and place? */
static bool same_nodes(const struct lxfw_hosts *hosts)
{
	if (hosts->count != node_record_count)
		return false;
	for (int32_t i = 0; i < hosts->count; i++) {
		const node_record_t *node = node_record_table_ptr[i];
		const char *name = node ? node->name : "";

		if (!name || strcmp(hosts->host[i].name, name) != 0)
			return false;
	}
	return true;
}

static bool take_over_nodes(struct lxfw_hosts *hosts)
{
	lxfw_hosts_destroy(hosts);
	if (node_record_count <= 0)
		return true;
	hosts->host = calloc((size_t)node_record_count, sizeof(*hosts->host));
	if (!hosts->host)
		return false;
	hosts->count = node_record_count;
	for (int32_t i = 0; i < hosts->count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		hosts->host[i].name =
			strdup(node && node->name ? node->name : "");
		if (!hosts->host[i].name) {
			lxfw_hosts_destroy(hosts);
			return false;
		}
	}
	return true;
}

void lxfw_hosts_sync(struct lxfw_bridge *bridge)
{
	struct lxfw_hosts *hosts = &bridge->hosts;
	bool memory_counts = lxfw_compat_memory_counts();

	if (!same_nodes(hosts) || memory_counts != hosts->memory_counts) {
		/* Books of other hosts are of no use. */
		if (hosts->count)
			bridge->rebuild = true;
		if (!take_over_nodes(hosts)) {
			bridge->events.failed = true;
			return;
		}
		hosts->memory_counts = memory_counts;
		if (bridge->rebuild)
			return;
	}
	FREE_NULL_BITMAP(hosts->resuming);
	if (hosts->count == 0)
		return;
	hosts->resuming = bit_alloc(hosts->count);
	for (int32_t i = 0; i < hosts->count; i++) {
		struct lxfw_known_host *host = &hosts->host[i];
		struct lxfw_resources total;
		bool up;

		read_node(hosts, node_record_table_ptr[i], i, &total, &up);
		up &= has_settled(bridge, i, node_record_table_ptr[i]);
		if (host->told && host->up == up &&
		    memcmp(&host->total, &total, sizeof(total)) == 0)
			continue;
		host->total = total;
		host->up = up;
		host->told = true;
		hosts->changes++;
		lxfw_events_host(&bridge->events, i, up, &total, host->name);
	}
}

void lxfw_hosts_forget(struct lxfw_hosts *hosts)
{
	for (int32_t i = 0; i < hosts->count; i++)
		hosts->host[i].told = false;
}

void lxfw_hosts_destroy(struct lxfw_hosts *hosts)
{
	for (int32_t i = 0; i < hosts->count; i++)
		free(hosts->host[i].name);
	free(hosts->host);
	FREE_NULL_BITMAP(hosts->resuming);
	memset(hosts, 0, sizeof(*hosts));
}
