/* SPDX-License-Identifier: GPL-2.0-or-later */
/* First come, first served: by submit time, and nobody overtakes. */
#include "common/policy/registry.h"

const struct lxfw_policy_type lxfw_policy_fcfs = {
	.code = LXFW_POLICY_FCFS,
	.traits = LXFW_TRAIT_IN_ORDER,
	.order = { .name = "submit time" },
	/* Further ones would be of no use. */
	.backfill = { .reservations = 1, .in_order = true },
};
