/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which cores of a node are not to be given to anybody. */
#ifndef LXFW_BRIDGE_SHARES_TAKEN_H
#define LXFW_BRIDGE_SHARES_TAKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/*
 * The jobs of each host, so that changing the shares of many hosts does not look at all
 * jobs for each. As the controller's records were when it was made: good for as long
 * as the locks are held, but for hosts on which something was started since.
 */
struct lxfw_tenants {
	size_t *first;		/* of each host, in `jobs`; one more at the end */
	const job_record_t **jobs;
	bool *outdated;		/* hosts */
	int32_t hosts;
	bool made;
};

/* Make them, if they are not. False if memory runs out. */
bool lxfw_tenants_make(const struct lxfw_bridge *bridge,
		       struct lxfw_tenants *tenants);
void lxfw_tenants_clear(struct lxfw_tenants *tenants);

/* Something was started on the nodes of JOB. */
void lxfw_tenants_started(struct lxfw_tenants *tenants,
			  const job_record_t *job);

/* Mark in TAKEN, an entry for each of COUNT cores of HOST, those that JOB has: it
   runs, is being cleaned up after, or was suspended by us and will go on there. */
void lxfw_taken_by_job(const struct lxfw_bridge *bridge, const job_record_t *job,
		       int32_t host, bool *taken, int count);

/* Mark those that are specialized, or in an advance reservation that has begun. */
void lxfw_taken_by_others(int32_t host, bool *taken, int count);

#endif
