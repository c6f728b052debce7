/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SMART-FFIA (Yahyapour 2002, sections 2.5 and 2.8), with backfill and without. */
#include "common/order/list.h"
#include "common/policy/registry.h"

#define ORDER { .name = "SMART-FFIA", .list = lxfw_list_ffia }

const struct lxfw_policy_type lxfw_policy_smart_ffia = {
	.name = "smart_ffia",
	.code = 11,
	.keys = LXFW_KEYS_LIST | LXFW_KEYS_BACKFILL,
	.order = ORDER,
};

/* The thesis' list schedule: no job overtakes. */
const struct lxfw_policy_type lxfw_policy_smart_ffia_strict = {
	.name = "smart_ffia_strict",
	.code = 12,
	.keys = LXFW_KEYS_LIST | LXFW_KEYS_QUANTUM | LXFW_KEYS_PLACING,
	.no_reservations = " lets no job overtake",
	.traits = LXFW_TRAIT_IN_ORDER,
	.order = ORDER,
	.backfill = { .reservations = 1, .in_order = true },
};
