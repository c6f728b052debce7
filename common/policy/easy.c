/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FCFS-backfill: by submit time; the first jobs that wait have a reservation. */
#include "common/policy/registry.h"

const struct lxfw_policy_type lxfw_policy_easy = {
	.name = "easy",
	.code = LXFW_POLICY_EASY,
	.keys = LXFW_KEYS_BACKFILL,
	.order = { .name = "submit time" },
};
