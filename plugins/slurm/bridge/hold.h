/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reservation for a job that the library does not schedule: by Slurm's own judgement
 * of where and when it could start, kept from the library's jobs as a block. Without it
 * a job that needs much at once would wait for as long as others keep coming.
 *
 * One job at a time has the hold, a heterogeneous job all its components. It keeps it
 * until it starts or leaves, so nobody who comes later delays it; but a job that does not
 * start within a minute of when it should have gives the others a turn. The next one is by
 * turns the first in Slurm's order and the one that has waited longest. The hold spares
 * the nodes that the library has reserved for jobs which have waited longer; those of
 * jobs that have waited less give way.
 */
#ifndef LXFW_BRIDGE_HOLD_H
#define LXFW_BRIDGE_HOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;
struct lxfw_leftover;

struct lxfw_hold {
	uint32_t job_id;	/* 0: none */
	int64_t start, end;
	bitstr_t *nodes;
	int64_t checked;	/* second of Slurm's last judgement */
	uint64_t again_us;	/* none before, by the monotonic clock */
	int64_t due_since;	/* second since when it could have started; 0 */
	bool oldest_next;	/* whose turn it is */
};

/* After a round of offers: who of those left over is to have the hold? */
void lxfw_hold_update(struct lxfw_bridge *bridge);

/* Have Slurm show when the job that has the hold is expected to start. */
void lxfw_hold_show(const struct lxfw_bridge *bridge);

/* Whether what is held for the job is due, so that it is worth offering again. */
bool lxfw_hold_is_due(const struct lxfw_bridge *bridge, uint32_t job_id);

void lxfw_hold_drop(struct lxfw_hold *hold);

#endif
