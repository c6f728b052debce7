/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that Slurm is to be offered in this pass. */
#ifndef LXFW_BRIDGE_LEFTOVER_H
#define LXFW_BRIDGE_LEFTOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/bridge/bridge.h"

/* What is known of a leftover job in one of its partitions, in bridge->offers. */
struct lxfw_offer {
	uint32_t round;		/* of offers, in which it was tried */
	uint64_t again_us;	/* if its hold is due, not tried before, by the
				   monotonic clock */
	int64_t no_hold_until;	/* no hold is tried before */
	int32_t no_hold;	/* seconds of the last such time */
};

static inline struct lxfw_offer *lxfw_offer_of(struct lxfw_known_job *known)
{
	return (struct lxfw_offer *)known->own;
}

/* Slurm is to be offered the job in this pass, in one of its partitions. Returns the
   entry, or NULL with agent.events.failed when memory runs out. */
struct lxfw_leftover *lxfw_leave_over(struct lxfw_bridge *bridge, uint32_t job_id,
				      const struct lxfw_alternative *where,
				      bool passing);

/* The id in bridge->offers: a job is offered in each of its partitions. */
uint64_t lxfw_offer_id(const struct lxfw_leftover *leftover);

#endif
