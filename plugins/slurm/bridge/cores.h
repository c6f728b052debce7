/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose cores are whose. Slurm's books forget the cores of a suspended job: it
 * may start anything on them, and resumes the job there whoever is on them. Here
 * they are remembered.
 */
#ifndef LXFW_BRIDGE_CORES_H
#define LXFW_BRIDGE_CORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/slurm/bridge/overlap.h"

struct lxfw_bridge;

/*
 * For as long as the shield is up, Slurm's books count the idle cores of
 * suspended jobs on NODES as taken, so that what is started there gets others; but
 * those of the victims of EXCEPT's quantum. Up and down under the same hold of the
 * locks.
 */
void lxfw_shield_up(struct lxfw_bridge *bridge, const bitstr_t *nodes,
		    uint64_t except);
void lxfw_shield_down(struct lxfw_bridge *bridge);

#endif
