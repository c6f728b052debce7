/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reservations for jobs that the library does not schedule: by Slurm's own judgement
 * of where and when they could start, kept from the library's jobs as blocks. Without
 * them a job that needs much at once would wait for as long as others keep coming.
 *
 * Up to LXFW_HOLDS_MAX jobs have a hold, a heterogeneous job one for all its components.
 * A job keeps it until it starts or leaves, so nobody who comes later delays it; but one
 * that does not start within a minute of when it should have gives its place to others.
 * The next one is by turns the first in Slurm's order and the one that has waited
 * longest. A hold spares the nodes of earlier holds, and those that the library has
 * reserved for jobs which have waited longer; reservations of jobs that have waited less
 * give way.
 */
#ifndef LXFW_BRIDGE_HOLD_H
#define LXFW_BRIDGE_HOLD_H

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

/* After a round of offers: who of those left over is to have a hold? */
void lxfw_holds_update(struct lxfw_bridge *bridge);

/* Drop those of jobs that have started or left. */
void lxfw_holds_sync(struct lxfw_bridge *bridge);

/* Have Slurm show when jobs that have a hold are expected to start. */
void lxfw_holds_show(const struct lxfw_bridge *bridge);

/* Clear in NODES those that are held for others than JOB_ID, which would run into the
   hold from START on for SECONDS. */
void lxfw_holds_spare(const struct lxfw_bridge *bridge, uint32_t job_id,
		      int64_t start, int64_t seconds, bitstr_t *nodes);

/* The job's hold, or NULL. */
const struct lxfw_node_hold *lxfw_holds_find(const struct lxfw_bridge *bridge,
					uint32_t job_id);

/* Whether what is held for the job is due, so that it is worth offering again. */
bool lxfw_holds_is_due(const struct lxfw_bridge *bridge, uint32_t job_id);

struct lxfw_known_job;

/* No hold is tried for the job of OFFER for a while, which is twice as long each time. */
void lxfw_no_hold_for_now(struct lxfw_bridge *bridge,
			  struct lxfw_known_job *offer);

/* The second in which the next hold is due, after now; or LXFW_NEVER. */
int64_t lxfw_holds_wake(const struct lxfw_bridge *bridge);

void lxfw_holds_drop(struct lxfw_holds *holds);

#endif
