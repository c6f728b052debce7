/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of the workload manager: its priority of each job, which
   LXFW_EVENT_JOB_PRIORITY reports. Jobs of equal priority are ordered by submit time. */
#include "common/policy/registry.h"

static double one(const struct lxfw_params *params)
{
	(void)params;
	return 1;
}

const struct lxfw_policy_type lxfw_policy_site = {
	.name = "site",
	.code = 10,
	.keys = LXFW_KEYS_BACKFILL,
	.order = { .name = "the workload manager's priority", .site = one },
};
