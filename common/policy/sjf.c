/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SJF-backfill: shortest request first. A start time, once given, is kept (section 2.3 of
   the paper). With lxfw_age_first the oldest jobs come before the short ones, so no job
   depends on a start time that is kept. */
#include "common/order/order.h"
#include "common/policy/registry.h"

#define KEYS (LXFW_KEYS_RESERVATIONS | LXFW_KEYS_QUANTUM | LXFW_KEYS_PLACING | \
	      LXFW_KEYS_AGE)
#define PRESET "lxfw_reservation_mode=compress"

static const struct lxfw_policy_type by_age = {
	.name = "sjf",
	.code = LXFW_POLICY_SJF,
	.keys = KEYS,
	.preset = PRESET,
	.traits = LXFW_TRAIT_SHORTEST,
	.order = { .name = "requested time, oldest jobs first",
		   .line = lxfw_line_shortest, .ages = true },
	.backfill = { .dynamic = true },
};

const struct lxfw_policy_type lxfw_policy_sjf = {
	.name = "sjf",
	.code = LXFW_POLICY_SJF,
	.keys = KEYS,
	.preset = PRESET,
	.no_mode = " keeps the start times that it gives, unless it has lxfw_age_first",
	.traits = LXFW_TRAIT_SHORTEST,
	.by_age = &by_age,
	.order = { .name = "requested time", .line = lxfw_line_shortest },
	.backfill = { .keeps = true },
};
