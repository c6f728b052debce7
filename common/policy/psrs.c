/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PSRS (Yahyapour 2002, sections 2.5 and 2.8), with backfill and without. */
#include "common/order/list.h"
#include "common/policy/registry.h"

#define ORDER { .name = "PSRS", .list = lxfw_list_psrs }

const struct lxfw_policy_type lxfw_policy_psrs = {
	.name = "psrs",
	.code = 15,
	.keys = LXFW_KEYS_LIST | LXFW_KEYS_BACKFILL,
	.order = ORDER,
};

/* The thesis' list schedule: no job overtakes. */
const struct lxfw_policy_type lxfw_policy_psrs_strict = {
	.name = "psrs_strict",
	.code = 16,
	.keys = LXFW_KEYS_LIST | LXFW_KEYS_QUANTUM | LXFW_KEYS_PLACING,
	.no_reservations = " lets no job overtake",
	.traits = LXFW_TRAIT_IN_ORDER,
	.order = ORDER,
	.backfill = { .reservations = 1, .in_order = true },
};
