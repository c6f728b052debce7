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

struct lxfw_known_host {
	char *name;
	struct lxfw_resources total;
	bool up;
	bool told;
	uint64_t settled_us;	/* nothing starts there before, by the monotonic
				   clock; 0: it has not reported since the
				   controller has started */
};

struct lxfw_hosts {
	struct lxfw_known_host *host;
	int32_t count;
	struct lxfw_extras extras;
	bool memory_counts;	/* memory is a consumable */
	uint32_t changes;	/* grows with every host event */
	bitstr_t *resuming;	/* up soon: nothing starts there now */
};

/* Tell what has changed. Sets bridge->rebuild if nodes came, went or moved. */
void lxfw_hosts_sync(struct lxfw_bridge *bridge);

/* Has nothing to be waited for before something starts there? */
bool lxfw_hosts_has_settled(const struct lxfw_hosts *hosts, int32_t index);

/* Whether that is true of all hosts. */
bool lxfw_hosts_have_settled(const struct lxfw_hosts *hosts);

/* Nothing has been told yet. */
void lxfw_hosts_forget(struct lxfw_hosts *hosts);
void lxfw_hosts_destroy(struct lxfw_hosts *hosts);

#endif
