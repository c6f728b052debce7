/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A user's policy from a file that the simulator has read. Parameters name it by the
 * SHA-256 of the file and point to the policy that was made from it
 * (lxfw_params_policy()). This type represents all such policies if the file is not
 * known.
 */
#include "common/policy/registry.h"

const struct lxfw_policy_type lxfw_policy_script = {
	.name = "script",
	.code = LXFW_POLICY_SCRIPT,
	.keys = LXFW_KEYS_BACKFILL,
	.traits = LXFW_TRAIT_OFFLINE | LXFW_TRAIT_SCRIPT,
	.order = { .name = "a file" },
};
