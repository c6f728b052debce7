/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes that are held for jobs which the library does not schedule: who has them. Who is
   to have them says hold.h. */
#ifndef LXFW_BRIDGE_HELD_H
#define LXFW_BRIDGE_HELD_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

#define LXFW_HOLDS_MAX 12

struct lxfw_bridge;

struct lxfw_node_hold {
	uint32_t job_id;
	uint64_t offer_id;	/* of the job in the partition that it is for */
	int64_t start, end;
	bitstr_t *nodes;
	int64_t checked;	/* second of Slurm's last judgement */
	int64_t due_since;	/* second since when it could have started; 0 */
};

struct lxfw_holds {
	struct lxfw_node_hold hold[LXFW_HOLDS_MAX];	/* in the order of their age */
	int count;
	uint64_t began_us;	/* when this round did, by the monotonic clock */
	uint64_t again_us;	/* no judgement in a round that begins before */
	bool judged;		/* in this round */
	bool oldest_next;	/* whose turn it is */
};

/* Clear in NODES those that are held for others than JOB_ID, which would run into the
   hold from START on for SECONDS. */
void lxfw_holds_spare(const struct lxfw_bridge *bridge, uint32_t job_id,
		      int64_t start, int64_t seconds, bitstr_t *nodes);

/* The job's hold, or NULL. */
const struct lxfw_node_hold *lxfw_holds_find(const struct lxfw_bridge *bridge,
					uint32_t job_id);

/* Whether what is held for the job is due, so that it is worth offering again. */
bool lxfw_holds_is_due(const struct lxfw_bridge *bridge, uint32_t job_id);

/* The second in which the next hold is due, after now; or LXFW_NEVER. */
int64_t lxfw_holds_wake(const struct lxfw_bridge *bridge);

void lxfw_holds_drop_one(struct lxfw_holds *holds, int at);
void lxfw_holds_drop(struct lxfw_holds *holds);

#endif
