/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports Slurm's nodes as the library's hosts, with the same indices. */
#ifndef LXFW_BRIDGE_HOSTS_H
#define LXFW_BRIDGE_HOSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/resources.h"
#include "plugins/slurm/bridge/extras.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/* The last boot of a node (power saving) that was seen. */
struct lxfw_boot {
	bool under_way;
	int64_t failed;		/* time at which the node was found down or powered down
				   instead of up; 0: it was not */
};

/* Data of nodes in addition to agent.hosts. */
struct lxfw_hosts {
	uint64_t *settled_us;	/* by host: time, lxfw_now_us(), from which jobs may
				   start on it; 0: the node has not registered since
				   the controller started */
	struct lxfw_boot *boot;	/* by host */
	uint64_t now_us;	/* time of the look */
	int32_t count;		/* of nodes; the licenses follow in agent.hosts */
	const char **names;	/* scratch */
	size_t names_size;
	struct lxfw_extras extras;
	bool memory_counts;	/* memory is a consumable resource */
	bitstr_t *resuming;	/* nodes that will be usable soon; no job starts on
				   them now */
	bitstr_t *settling;	/* the same, after a restart of the controller: nodes that
				   are expected to register or registered recently */
	uint64_t unheard_us;	/* time, lxfw_now_us(), from which a node that has not
				   registered is down; 0: not yet determined */
};

/* Reports all nodes and licenses. Sets agent.rebuild if nodes were added, removed or moved. */
void lxfw_hosts_sync(struct lxfw_bridge *bridge);

/* Returns true unless jobs must not start on the node yet because it registered
   recently. */
bool lxfw_hosts_has_settled(const struct lxfw_bridge *bridge, int32_t index);

/* Returns true if all nodes have settled. */
bool lxfw_hosts_have_settled(const struct lxfw_bridge *bridge);

void lxfw_hosts_destroy(struct lxfw_hosts *hosts);

#endif
