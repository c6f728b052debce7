/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SMART-NFIW (Yahyapour 2002, sections 2.5 and 2.8), with backfill and without. */
#include "common/order/list.h"
#include "common/policy/registry.h"

#define ORDER { .name = "SMART-NFIW", .list = lxfw_list_nfiw }

const struct lxfw_policy_type lxfw_policy_smart_nfiw = {
	.name = "smart_nfiw",
	.code = 13,
	.keys = LXFW_KEYS_LIST | LXFW_KEYS_BACKFILL,
	.order = ORDER,
};

/* The thesis' list schedule: no job overtakes. */
const struct lxfw_policy_type lxfw_policy_smart_nfiw_strict = {
	.name = "smart_nfiw_strict",
	.code = 14,
	.keys = LXFW_KEYS_LIST | LXFW_KEYS_QUANTUM | LXFW_KEYS_PLACING,
	.no_reservations = " lets no job overtake",
	.traits = LXFW_TRAIT_IN_ORDER,
	.order = ORDER,
	.backfill = { .reservations = 1, .in_order = true },
};
