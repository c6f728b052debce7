/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which cores of a node are not to be given to anybody. */
#ifndef LXFW_BRIDGE_SHARES_TAKEN_H
#define LXFW_BRIDGE_SHARES_TAKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/* Mark in TAKEN, an entry for each of COUNT cores of HOST, those that JOB has: it
   runs, is being cleaned up after, or was suspended by us and will go on there. */
void lxfw_taken_by_job(const struct lxfw_bridge *bridge, const job_record_t *job,
		       int32_t host, bool *taken, int count);

/* Mark those that are specialized, or in an advance reservation that has begun. */
void lxfw_taken_by_others(int32_t host, bool *taken, int count);

#endif
