/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The holds: nodes that are kept for jobs that the library does not schedule. hold.h
   determines which jobs get one. */
#ifndef LXFW_BRIDGE_HELD_H
#define LXFW_BRIDGE_HELD_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

#define LXFW_HOLDS_MAX 12

/* The number of holds is larger while jobs wait for others to be preempted. */
#define LXFW_HOLDS_SIZE 64

struct lxfw_bridge;

struct lxfw_node_hold {
	uint32_t job_id;
	uint64_t offer_id;	/* lxfw_offer_id() of the job in its partition */
	int64_t start, end;
	bitstr_t *nodes;
	int64_t checked;	/* time of Slurm's last evaluation */
	int64_t due_since;	/* time from which the job could have started; 0: not
				   yet */
};

struct lxfw_holds {
	struct lxfw_node_hold hold[LXFW_HOLDS_SIZE];	/* oldest first */
	int count;
	uint64_t began_us;	/* start of this round of evaluations, lxfw_now_us() */
	uint64_t again_us;	/* a round that begins earlier makes no evaluations */
	bool judged;		/* an evaluation was made in this round */
	bool oldest_next;	/* the next hold goes to the job that has waited
				   longest */
};

/* Clears in NODES the nodes of holds that begin before START + SECONDS. The hold of
   JOB_ID and younger ones are ignored. */
void lxfw_holds_spare(const struct lxfw_bridge *bridge, uint32_t job_id,
		      int64_t start, int64_t seconds, bitstr_t *nodes);

/* Returns the job's hold, or NULL. */
const struct lxfw_node_hold *lxfw_holds_find(const struct lxfw_bridge *bridge,
					uint32_t job_id);

/* Returns true if the job has a hold and may be able to start: the hold's start is
   reached, or a job has ended. */
bool lxfw_holds_is_due(const struct lxfw_bridge *bridge, uint32_t job_id);

/* Returns the time, after now, at which the next hold is due, or LXFW_NEVER. */
int64_t lxfw_holds_wake(const struct lxfw_bridge *bridge);

/* Remove hold number AT, or all holds. */
void lxfw_holds_drop_one(struct lxfw_holds *holds, int at);
void lxfw_holds_drop(struct lxfw_holds *holds);

#endif
