/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where and when Slurm could start a job that the library does not schedule. */
#ifndef LXFW_BRIDGE_HOLD_PLAN_H
#define LXFW_BRIDGE_HOLD_PLAN_H

#include <stdbool.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/*
 * Enter nodes, start and end for JOB, in its present partition, in HOLD, which has no
 * nodes yet; for a heterogeneous job, its leader, those of all components. It keeps the
 * nodes HELD, which it had until now, unless others will do earlier; NULL if it had
 * none. False if it could start at no time beside what it has to spare.
 */
bool lxfw_hold_plan(const struct lxfw_bridge *bridge, job_record_t *job,
		    const bitstr_t *held, struct lxfw_node_hold *hold);

#endif
