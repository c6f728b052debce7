/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model of Slurm's own schedulers, for simulations: sched/backfill, and between two of its
 * passes the main scheduler. The order is the workload manager's priority of each job, as in
 * policy site; jobs of equal priority are ordered by submit time.
 *
 * A backfill pass (pass/cycle.h) follows every lxfw_backfill_interval seconds. It considers
 * the first lxfw_reservations jobs of the order; each of them starts, or has a reservation at
 * its expected start beside those before it (pass/whole.h), if that is within
 * lxfw_reservation_window. Other jobs wait. Between two backfill passes, jobs start in order
 * only. Hosts are chosen as select/cons_tres chooses them.
 */
#include "common/policy/registry.h"

static double one(const struct lxfw_params *params)
{
	(void)params;
	return 1;
}

const struct lxfw_policy_type lxfw_policy_slurm = {
	.name = "slurm",
	.code = 24,
	.keys = LXFW_KEYS_RESERVATIONS | LXFW_KEYS_PLACING | LXFW_KEYS_CYCLES,
	.preset = "lxfw_reservations=500,lxfw_reservation_window=86400,"
		  "lxfw_backfill_interval=30,lxfw_placement=stock",
	.no_mode = " makes all reservations again in each backfill pass",
	.traits = LXFW_TRAIT_OFFLINE,
	.order = { .name = "Slurm's priority", .site = one },
	.backfill = { .cycles = true },
};
