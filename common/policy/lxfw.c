/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LXF&W-backfill: table 3 of the paper, column LXF&W-bf. */
#include "common/order/order.h"
#include "common/policy/registry.h"

const struct lxfw_policy_type lxfw_policy_lxfw = {
	.code = LXFW_POLICY_LXFW,
	.traits = LXFW_TRAIT_WEIGHTS,
	.order = { .name = "weights", .line = lxfw_line_weights },
};
