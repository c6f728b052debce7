/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_BRIDGE_FREE_NODES_H
#define LXFW_BRIDGE_FREE_NODES_H

#include <stddef.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/* Nodes on which something may start, and JOB would run into no reservation of the COUNT
   jobs in RESERVED, nor into the hold of another job. */
bitstr_t *lxfw_free_nodes(const struct lxfw_bridge *bridge,
			  const job_record_t *job,
			  struct lxfw_known_job *const *reserved, size_t count);

/* Add to NODES those on which JOB could start beside all reservations and holds. */
void lxfw_add_free_nodes(const struct lxfw_bridge *bridge,
			 const job_record_t *job, bitstr_t *nodes);

#endif
