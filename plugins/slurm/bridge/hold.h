/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reservation for a job that the library does not know: by Slurm's own
 * judgement of where and when it could start, kept from the library's jobs as
 * a block. Without it a job that needs much at once would wait for as long as
 * others keep coming. One job at a time has one, the first in Slurm's order of
 * those that have waited long enough.
 */
#ifndef LXFW_BRIDGE_HOLD_H
#define LXFW_BRIDGE_HOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

struct lxfw_hold {
	uint32_t job_id;	/* 0: none */
	int64_t start, end;
	int64_t checked;
	bitstr_t *nodes;
};

/* After a round of offers: who of those left over is to have the hold? */
void lxfw_hold_update(struct lxfw_bridge *bridge);

void lxfw_hold_drop(struct lxfw_hold *hold);

#endif
