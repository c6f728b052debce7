/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's node table as the library's hosts: the same indices.
 */
#ifndef LXFW_BRIDGE_HOSTS_H
#define LXFW_BRIDGE_HOSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/resources.h"
#include "plugins/slurm/bridge/extras.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/* What Slurm keeps of its nodes beside agent.hosts. */
struct lxfw_hosts {
	uint64_t *settled_us;	/* of each: nothing starts there before, by the
				   monotonic clock; 0: it has not reported since the
				   controller has started */
	int32_t count;
	const char **names;	/* scratch */
	struct lxfw_extras extras;
	bool memory_counts;	/* memory is a consumable */
	bitstr_t *resuming;	/* up soon: nothing starts there now */
};

/* Show all nodes. Sets agent.rebuild if they came, went or moved. */
void lxfw_hosts_sync(struct lxfw_bridge *bridge);

/* Has nothing to be waited for before something starts there? */
bool lxfw_hosts_has_settled(const struct lxfw_bridge *bridge, int32_t index);

/* Whether that is true of all hosts. */
bool lxfw_hosts_have_settled(const struct lxfw_bridge *bridge);

void lxfw_hosts_destroy(struct lxfw_hosts *hosts);

#endif
