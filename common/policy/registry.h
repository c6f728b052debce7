/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of policies. Each policy has a line here, and a file or folder that defines
 * lxfw_policy_NAME. Messages, help, completion and `lxfw params` are derived from the
 * list.
 */
#ifndef LXFW_POLICY_REGISTRY_H
#define LXFW_POLICY_REGISTRY_H

#include "common/params/policy.h"

#define LXFW_POLICIES(policy) \
	policy(fcfs) \
	policy(easy) \
	policy(conservative) \
	policy(priority) \
	policy(lxfw) \
	policy(sjf) \
	policy(eqspatial) \
	policy(classes) \
	policy(list) \
	policy(site)

/* " fcfs easy ...", a string constant for messages and help. */
#define LXFW_NAME(name) " " #name
#define LXFW_ALL_POLICIES LXFW_POLICIES(LXFW_NAME)

#define LXFW_DECLARE(name) extern const struct lxfw_policy_type lxfw_policy_##name;
LXFW_POLICIES(LXFW_DECLARE)
#undef LXFW_DECLARE

/* Not in the list: a policy from a file is named by the digest of the file. */
extern const struct lxfw_policy_type lxfw_policy_script;

#endif
