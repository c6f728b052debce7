/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits of QOS and associations, and licenses. If they do not permit a start, the
 * functions set the reason in the record of the job concerned, except in shadow mode.
 */
#ifndef LXFW_BRIDGE_PERMIT_H
#define LXFW_BRIDGE_PERMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

enum lxfw_permission {
	LXFW_PERMIT_NOT,
	LXFW_PERMIT_SHARED,	/* on nodes that are in use by jobs of the same association,
				   QOS or user: limits on nodes count each of them once */
	LXFW_PERMIT_UNLICENSED,	/* when its licenses are free, for which it may wait in the
				   library (licenses.h) */
	LXFW_PERMIT_ANY,
};

/* Returns whether the licenses of the job are free, and the limits permit its request in
   its present partition. A job that uses its nodes alone counts with all their
   processors. */
enum lxfw_permission lxfw_permitted(struct lxfw_bridge *bridge, job_record_t *job);

/*
 * Returns true if the limits and licenses permit that all of the NUMBER jobs start. Slurm
 * tests a job against the usage of running jobs; here those before it count as running,
 * too. Jobs without an association are permitted only if limits are not enforced.
 */
bool lxfw_permitted_together(struct lxfw_bridge *bridge, job_record_t *const *jobs,
			     size_t number);

#endif
