/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forecasts where and when Slurm could start a job that the library does not
   schedule. */
#ifndef LXFW_BRIDGE_HOLD_PLAN_H
#define LXFW_BRIDGE_HOLD_PLAN_H

#include <stdbool.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/*
 * Sets nodes, start and end of HOLD, whose bitmap must be empty, for JOB in its present
 * partition. For the leader of a heterogeneous job, the hold covers all components. The
 * job keeps HELD, the nodes of its present hold (NULL: none), unless it can start
 * earlier on others. Returns false if the job can start at no time.
 */
bool lxfw_hold_plan(const struct lxfw_bridge *bridge, job_record_t *job,
		    const bitstr_t *held, struct lxfw_node_hold *hold);

#endif
