/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SJF-backfill: shortest request first. A start time, once given, is kept (section 2.3 of
   the paper). */
#include "common/order/order.h"
#include "common/policy/registry.h"

const struct lxfw_policy_type lxfw_policy_sjf = {
	.name = "sjf",
	.code = LXFW_POLICY_SJF,
	.keys = LXFW_KEYS_RESERVATIONS | LXFW_KEYS_QUANTUM |
		LXFW_KEYS_PLACING,
	.preset = "lxfw_reservation_mode=compress",
	.no_mode = " keeps the start times that it gives",
	.traits = LXFW_TRAIT_SHORTEST,
	.order = { .name = "requested time", .line = lxfw_line_shortest },
	.backfill = { .keeps = true },
};
