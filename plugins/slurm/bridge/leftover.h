/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that are offered to Slurm in this pass. */
#ifndef LXFW_BRIDGE_LEFTOVER_H
#define LXFW_BRIDGE_LEFTOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/bridge/bridge.h"

/* State of a leftover job in one of its partitions, in bridge->offers. */
struct lxfw_offer {
	uint32_t round;		/* last round of offers in which it was tried */
	uint64_t again_us;	/* earliest time, lxfw_now_us(), of the next try
				   while its hold is due */
	int64_t no_hold_until;	/* no hold is tried before this time */
	int32_t no_hold;	/* length of the last such interval in seconds */
};

static inline struct lxfw_offer *lxfw_offer_of(struct lxfw_known_job *known)
{
	return (struct lxfw_offer *)known->own;
}

/* Adds an offer of the job in one of its partitions to this pass. REASON is why it is left to
   Slurm; it is not used if PASSING. Returns the entry, or NULL with agent.events.failed set
   when memory runs out. */
struct lxfw_leftover *lxfw_leave_over(struct lxfw_bridge *bridge, uint32_t job_id,
				      const struct lxfw_alternative *where,
				      bool passing, enum lxfw_reason reason);

/* Returns the id in bridge->offers. It depends on the job, the partition, the use of
   preferred features and the reservation. */
uint64_t lxfw_offer_id(const struct lxfw_leftover *leftover);

/*
 * Returns true if the job of RECORD, which LEFTOVER offers in a magnetic reservation, must be
 * tried there before the library knows it: the reservation has begun, has enough idle nodes and
 * lasts long enough, and the job is new; of an array, before its first task starts. Slurm's own
 * scheduler tries such reservations before all other nodes. Schedules a pass, before which the
 * job has been tried.
 */
bool lxfw_leftover_comes_first(struct lxfw_bridge *bridge, const job_queue_rec_t *record,
			       const struct lxfw_leftover *leftover);

#endif
