/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Offers the components of heterogeneous jobs to Slurm's own node selection, all of them
   or none. */
#ifndef LXFW_BRIDGE_OFFER_COMPONENTS_H
#define LXFW_BRIDGE_OFFER_COMPONENTS_H

#include <stdbool.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/*
 * Starts all components of the job of LEADER on nodes without reservations, or none. If
 * the library schedules the job (PASSING), it is tried only with the preemption of others.
 * Returns true if all components have started. false: they wait, perhaps for the jobs that
 * were preempted for them.
 */
bool lxfw_offer_components(struct lxfw_bridge *bridge, job_record_t *leader,
			   bool passing);

/* Gives all pending components the reason of a job that waits for resources, as those
   have that the library schedules. */
void lxfw_components_wait(struct lxfw_bridge *bridge, const job_record_t *leader);

#endif
