/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds which job uses which cores according to job records. The caller holds the locks
 * of compat.h.
 */
#ifndef LXFW_BRIDGE_OVERLAP_H
#define LXFW_BRIDGE_OVERLAP_H

#include <stdbool.h>

#include "plugins/slurm/compat/compat.h"

/* Returns the first bit of HELD's POSITION-th node in its core bitmap and sets *COUNT
   to the node's number of cores. Returns -1 if there is no such node. */
int lxfw_first_core(job_resources_t *held, uint32_t position, int *count);

/* Returns the nodes on which JOB occupies its cores, while it is running or being
   cleaned up, or NULL. */
const bitstr_t *lxfw_occupied(const job_record_t *job);

/*
 * Finds cores of HELD that OTHER has too on NODES. With CLEAR, removes them from HELD
 * and returns false. Otherwise returns true if there is one.
 */
bool lxfw_common_cores(job_resources_t *held, const job_record_t *other,
		       const bitstr_t *nodes, bool clear);

/* Returns a job that is running or being cleaned up and has a core of JOB, or NULL. */
const job_record_t *lxfw_cores_taken(const job_record_t *job);

#endif
