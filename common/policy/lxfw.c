/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LXF&W-backfill: table 3 of the paper, column LXF&W-bf. */
#include "common/order/order.h"
#include "common/policy/registry.h"

const struct lxfw_policy_type lxfw_policy_lxfw = {
	.name = "lxfw",
	.code = LXFW_POLICY_LXFW,
	.keys = LXFW_KEYS_WEIGHTS | LXFW_KEYS_BACKFILL | LXFW_KEYS_AGE,
	.preset = "lxfw_ww=0.0167,lxfw_wx=1",
	.traits = LXFW_TRAIT_WEIGHTS | LXFW_TRAIT_DEFAULT,
	.order = { .name = "weights", .line = lxfw_line_weights,
		   .site = lxfw_site_weight, .ages = true },
};
