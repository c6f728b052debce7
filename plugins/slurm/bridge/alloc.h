/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The resources allocated to a job in Slurm, as shares of hosts. */
#ifndef LXFW_BRIDGE_ALLOC_H
#define LXFW_BRIDGE_ALLOC_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/* Allocates memory for COUNT shares in bridge->shares. Returns false when memory runs
   out. */
bool lxfw_shares_reserve(struct lxfw_bridge *bridge, size_t count);

/*
 * Stores the shares of a running or suspended job in bridge->shares, those of licenses last. Returns their
 * number, or -1 when memory runs out. The shares of a suspended job contain only its
 * memory and GRES, unless the agent suspended the job: then its processors are
 * included.
 */
int32_t lxfw_shares_of_job(struct lxfw_bridge *bridge, const job_record_t *job);

/* Stores shares of all resources of NODES in bridge->shares. Returns their number, or
   -1 when memory runs out. */
int32_t lxfw_shares_of_nodes(struct lxfw_bridge *bridge, const bitstr_t *nodes);

/* Returns the expected end of the job, or LXFW_NEVER. */
int64_t lxfw_shares_end(const struct lxfw_bridge *bridge,
			const job_record_t *job);

#endif
