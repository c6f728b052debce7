/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose cores are whose, by the jobs' records. The caller holds the locks of
 * compat.h.
 */
#ifndef LXFW_BRIDGE_OVERLAP_H
#define LXFW_BRIDGE_OVERLAP_H

#include <stdbool.h>

#include "plugins/slurm/compat/compat.h"

/* First bit in HELD's bitmap of cores of its POSITION-th node, and the number of that
   node's cores; -1 if there is none. */
int lxfw_first_core(job_resources_t *held, uint32_t position, int *count);

/* Nodes on which JOB has its cores now, running or being cleaned up after, or
   NULL. */
const bitstr_t *lxfw_occupied(const job_record_t *job);

/*
 * For each core of HELD that OTHER has on NODES, too: with CLEAR take it out of
 * HELD, else return true at the first.
 */
bool lxfw_common_cores(job_resources_t *held, const job_record_t *other,
		       const bitstr_t *nodes, bool clear);

/* The job that holds a core of JOB's now, running or being cleaned up after, or
   NULL. */
const job_record_t *lxfw_cores_taken(const job_record_t *job);

#endif
