/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * List scheduling (Graham, "Bounds on multiprocessing timing anomalies", 1969; Garey and
 * Graham, "Bounds for multiprocessor scheduling with resource constraints", 1975): by
 * submit time, every job that fits starts. There are no reservations, so a large job may
 * wait while smaller jobs continue to arrive.
 */
#include "common/policy/registry.h"

const struct lxfw_policy_type lxfw_policy_list = {
	.name = "list",
	.code = 9,
	.keys = LXFW_KEYS_QUANTUM | LXFW_KEYS_PLACING,
	.order = { .name = "submit time" },
	.backfill = { .reservations = LXFW_NO_RESERVATIONS },
};
