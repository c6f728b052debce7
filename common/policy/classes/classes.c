/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NCSA-LSF*: job classes with limits and priorities per host. pass.c has the rules. */
#include "common/policy/classes/private.h"
#include "common/policy/registry.h"

const struct lxfw_policy_type lxfw_policy_classes = {
	.name = "classes",
	.code = LXFW_POLICY_CLASSES,
	.no_reservations = " reserves after the wait that a class is given",
	.traits = LXFW_TRAIT_CLASSES | LXFW_TRAIT_ONE_HOST |
		  LXFW_TRAIT_OWN_PLACING | LXFW_TRAIT_OFFLINE,
	.order = { .name = "rank, submit time" },
	.begin = lxfw_classes_begin,
	.end = lxfw_classes_end,
	.pass = lxfw_classes_pass,
};
