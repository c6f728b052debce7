/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_BRIDGE_FREE_NODES_H
#define LXFW_BRIDGE_FREE_NODES_H

#include <stddef.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/* Returns the nodes on which jobs may start and JOB would not delay the reservations
   of the COUNT jobs in RESERVED nor the holds of other jobs. The caller frees the
   bitmap. */
bitstr_t *lxfw_free_nodes(const struct lxfw_bridge *bridge,
			  const job_record_t *job,
			  struct lxfw_known_job *const *reserved, size_t count);

/* The same for all jobs with reservations. For offers, which collect them in
   bridge->reserved. */
bitstr_t *lxfw_free_of_reservations(const struct lxfw_bridge *bridge,
				    const job_record_t *job);

/* Adds to NODES those on which JOB could start without delaying any reservation or
   hold. */
void lxfw_add_free_nodes(const struct lxfw_bridge *bridge,
			 const job_record_t *job, bitstr_t *nodes);

#endif
