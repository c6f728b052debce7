/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FCFS-backfill (EASY): by submit time, with reservations for the first waiting jobs. */
#include "common/policy/registry.h"

const struct lxfw_policy_type lxfw_policy_easy = {
	.name = "easy",
	.code = LXFW_POLICY_EASY,
	.keys = LXFW_KEYS_BACKFILL,
	.order = { .name = "submit time" },
};
