/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/slurm/bridge/bridge.h"

int lxfw_hosts_extra(const struct lxfw_hosts *hosts, uint32_t plugin_id,
		     uint32_t type_id)
{
	for (int i = 0; i < hosts->extra_count; i++) {
		if (hosts->extra[i].plugin_id == plugin_id &&
		    hosts->extra[i].type_id == type_id)
			return i;
	}
	return -1;
}

/* The extra's index; a new one is entered while there is room. */
static int enter_extra(struct lxfw_hosts *hosts, uint32_t plugin_id,
		       uint32_t type_id)
{
	int index = lxfw_hosts_extra(hosts, plugin_id, type_id);

	if (index >= 0 || hosts->extra_count == LXFW_EXTRAS_MAX)
		return index;
	hosts->extra[hosts->extra_count] = (struct lxfw_extra){
		.plugin_id = plugin_id,
		.type_id = type_id,
	};
	return hosts->extra_count++;
}

static int32_t clipped(uint64_t count)
{
	return count > INT32_MAX / 4 ? INT32_MAX / 4 : (int32_t)count;
}

static void count_extras(struct lxfw_hosts *hosts, const node_record_t *node,
			 struct lxfw_resources *total)
{
	lxfw_slurm_iterator each;
	gres_state_t *gres;

	if (!node->gres_list || list_count(node->gres_list) == 0)
		return;
	each = list_iterator_create(node->gres_list);
	while ((gres = list_next(each)) != NULL) {
		const gres_node_state_t *state = gres->gres_data;
		int extra;

		if (!state || state->no_consume || state->gres_cnt_avail == 0)
			continue;
		extra = enter_extra(hosts, gres->plugin_id, NO_VAL);
		if (extra >= 0)
			total->extras[extra] = clipped(state->gres_cnt_avail);
		for (int i = 0; i < state->type_cnt; i++) {
			if (!state->type_name[i])
				continue;
			extra = enter_extra(hosts, gres->plugin_id,
					    state->type_id[i]);
			if (extra >= 0)
				total->extras[extra] +=
					clipped(state->type_cnt_avail[i]);
		}
	}
	list_iterator_destroy(each);
}

int32_t lxfw_hosts_round(const node_record_t *node, int64_t procs)
{
	int32_t unit = 1;

	if (!lxfw_compat_gives_threads() && node->tpc > 1)
		unit = node->tpc;
	if (lxfw_compat_gives_sockets() && node->cores > 1)
		unit *= node->cores;
	procs = (procs + unit - 1) / unit * unit;
	return procs > INT32_MAX ? INT32_MAX : (int32_t)procs;
}

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

static void read_node(struct lxfw_hosts *hosts, const node_record_t *node,
		      int32_t index, struct lxfw_resources *total, bool *up)
{
	memset(total, 0, sizeof(*total));
	*up = false;
	if (!node)
		return;
	total->procs = node->cpus_efctv ? node->cpus_efctv : node->cpus;
	if (node->real_memory > node->mem_spec_limit)
		total->memory_mb =
			(int64_t)(node->real_memory - node->mem_spec_limit);
	count_extras(hosts, node, total);
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
