/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Protection of the cores of suspended jobs. Slurm's select plugin considers them free:
 * it may allocate them to other jobs, and it resumes a job even if another job uses its
 * cores.
 */
#ifndef LXFW_BRIDGE_CORES_H
#define LXFW_BRIDGE_CORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/slurm/bridge/overlap.h"

struct lxfw_bridge;

/*
 * lxfw_shield_up() marks the idle cores of suspended jobs on NODES as allocated in the
 * select plugin, so that jobs that start there get other cores. Jobs preempted for the
 * job EXCEPT (0: none), and those that wait in the library's queue, are left out. lxfw_shield_down() reverses it. Both must
 * be called without releasing the locks in between.
 */
void lxfw_shield_up(struct lxfw_bridge *bridge, const bitstr_t *nodes,
		    uint64_t except);
void lxfw_shield_down(struct lxfw_bridge *bridge);

#endif
