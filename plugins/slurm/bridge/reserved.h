/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reason of pending jobs that advance reservations keep from their nodes: ReqNodeNotAvail,
   as Slurm's main scheduler sets it. */
#ifndef LXFW_BRIDGE_RESERVED_H
#define LXFW_BRIDGE_RESERVED_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;
struct lxfw_places;

/* Time under the locks that this takes, at most 20 ms and one test a pass. If it is long, the next
   passes test a part of the jobs each, and the others keep their reason. */
struct lxfw_reserved_cost {
	uint32_t pass;		/* the present one, agent.pass */
	uint32_t parts;		/* into which the jobs are divided; 0 and 1: each is tested */
	uint64_t us;		/* in the present pass */
};

/*
 * Sets this reason if the job could not start now on idle nodes in any of PLACES, because
 * reservations that it does not request keep too many of them.
 * Returns false if this is not so, or if a remaining node is in use: then the job waits for
 * Resources. A reason other than None, Priority, Resources and ReqNodeNotAvail stays.
 */
bool lxfw_say_reserved(struct lxfw_bridge *bridge, job_record_t *job,
		       const struct lxfw_places *places);

#endif
