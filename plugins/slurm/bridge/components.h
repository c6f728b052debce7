/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Components of heterogeneous jobs during a look. They are reported as a group of the
 * library when all are known. If one of them is passed to Slurm, all are.
 */
#ifndef LXFW_BRIDGE_COMPONENTS_H
#define LXFW_BRIDGE_COMPONENTS_H

#include <stdbool.h>

#include "common/model/request.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/compat/compat.h"

/* A pending component that may be scheduled. */
struct lxfw_component {
	job_record_t *job;
	struct lxfw_request request;	/* with its group */
	struct lxfw_places places;
	bool known;		/* the library may schedule it; otherwise it has been
				   passed to Slurm */
};

/* Sets the group in the request of a component of a heterogeneous job. */
void lxfw_component_group(const job_record_t *job, struct lxfw_request *request);

/* Returns true if limits and licenses permit all pending components of the heterogeneous
   job of JOB together. They are tested for the first pending component. For the others,
   the function returns true. */
bool lxfw_components_permitted(struct lxfw_bridge *bridge, const job_record_t *job);

/* Adds a component, with a copy of its places. Sets agent.events.failed when memory runs out. */
void lxfw_component_add(struct lxfw_bridge *bridge,
			const struct lxfw_component *component);

/*
 * Ends the look: calls REPORT for each component of the heterogeneous jobs whose
 * components are all known, and passes those of others to Slurm. A heterogeneous job of
 * which a component may not start now is left out. If a component has missed its
 * deadline, the others are cancelled for the same reason.
 */
void lxfw_components_settle(struct lxfw_bridge *bridge,
			    void (*report)(struct lxfw_bridge *bridge,
					   struct lxfw_component *component));

#endif
