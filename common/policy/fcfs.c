/* SPDX-License-Identifier: GPL-2.0-or-later */
/* First come, first served: by submit time, without overtaking. */
#include "common/policy/registry.h"

const struct lxfw_policy_type lxfw_policy_fcfs = {
	.name = "fcfs",
	.code = LXFW_POLICY_FCFS,
	.keys = LXFW_KEYS_QUANTUM | LXFW_KEYS_PLACING,
	.no_reservations = " lets no job overtake",
	.traits = LXFW_TRAIT_IN_ORDER,
	.order = { .name = "submit time" },
	/* Further reservations would have no effect. */
	.backfill = { .reservations = 1, .in_order = true },
};
