/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Priority-backfill: table 3 of the paper, column Priority-bf. */
#include "common/order/order.h"
#include "common/policy/registry.h"

const struct lxfw_policy_type lxfw_policy_priority = {
	.name = "priority",
	.code = LXFW_POLICY_PRIORITY,
	.keys = LXFW_KEYS_WEIGHTS | LXFW_KEYS_BACKFILL,
	.preset = "lxfw_ww=1,lxfw_wx=5,lxfw_wp=0.2",
	.traits = LXFW_TRAIT_WEIGHTS,
	.order = { .name = "weights", .line = lxfw_line_weights,
		   .site = lxfw_site_weight },
};
