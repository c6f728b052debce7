/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determines which cores of a node cannot be allocated. */
#ifndef LXFW_BRIDGE_SHARES_TAKEN_H
#define LXFW_BRIDGE_SHARES_TAKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/*
 * The jobs of each host, so that resizing jobs on many hosts does not examine all jobs
 * for each host. Valid while the locks are held, except for hosts on which a job was
 * started since.
 */
struct lxfw_tenants {
	size_t *first;		/* index in `jobs` of each host's first job, with one
				   more entry at the end */
	const job_record_t **jobs;
	bool *outdated;		/* by host */
	int32_t hosts;
	bool made;
};

/* Fills TENANTS unless it is valid. Returns false if memory runs out. */
bool lxfw_tenants_make(const struct lxfw_bridge *bridge,
		       struct lxfw_tenants *tenants);
void lxfw_tenants_clear(struct lxfw_tenants *tenants);

/* Records that a job was started on the nodes of JOB. */
void lxfw_tenants_started(struct lxfw_tenants *tenants,
			  const job_record_t *job);

/* Marks the cores of JOB in TAKEN, which has an entry for each of the COUNT cores of
   HOST. Counts jobs that are running, being cleaned up, or were suspended by the agent
   and will resume there. */
void lxfw_taken_by_job(const struct lxfw_bridge *bridge, const job_record_t *job,
		       int32_t host, bool *taken, int count);

/* Marks specialized cores and cores in active advance reservations. */
void lxfw_taken_by_others(int32_t host, bool *taken, int count);

#endif
