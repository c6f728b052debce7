/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policies, each of which has a file or folder of its own. */
#ifndef LXFW_POLICY_REGISTRY_H
#define LXFW_POLICY_REGISTRY_H

#include "common/params/policy.h"

extern const struct lxfw_policy_type lxfw_policy_fcfs, lxfw_policy_easy,
	lxfw_policy_conservative, lxfw_policy_priority, lxfw_policy_lxfw,
	lxfw_policy_sjf, lxfw_policy_eqspatial, lxfw_policy_classes;

#endif
