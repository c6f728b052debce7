/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job holds in Slurm, as shares of hosts. */
#ifndef LXFW_BRIDGE_ALLOC_H
#define LXFW_BRIDGE_ALLOC_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/* Room for COUNT shares in bridge->shares. */
bool lxfw_shares_reserve(struct lxfw_bridge *bridge, size_t count);

/*
 * The shares of a running or suspended job into bridge->shares; their number,
 * or -1 when memory runs out. A suspended job keeps its memory only, unless we
 * have suspended it: then its processors wait for it.
 */
int32_t lxfw_shares_of_job(struct lxfw_bridge *bridge, const job_record_t *job);

/* Whole hosts, for blocks. */
int32_t lxfw_shares_of_nodes(struct lxfw_bridge *bridge, const bitstr_t *nodes);

/* When the job is expected to have ended. */
int64_t lxfw_shares_end(const struct lxfw_bridge *bridge,
			const job_record_t *job);

#endif
