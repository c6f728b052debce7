/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of policies. A new one is a line here, and its file. */
#include "common/policy/registry.h"

#include <stddef.h>

const struct lxfw_policy_type *const lxfw_policies[] = {
	&lxfw_policy_fcfs,
	&lxfw_policy_easy,
	&lxfw_policy_conservative,
	&lxfw_policy_priority,
	&lxfw_policy_lxfw,
	&lxfw_policy_sjf,
	&lxfw_policy_eqspatial,
	&lxfw_policy_classes,
	NULL
};

const struct lxfw_policy_type *lxfw_policy_type(enum lxfw_policy code)
{
	for (int i = 0; lxfw_policies[i]; i++) {
		if (lxfw_policies[i]->code == code)
			return lxfw_policies[i];
	}
	return NULL;
}

bool lxfw_policy_has(enum lxfw_policy code, enum lxfw_policy_trait trait)
{
	const struct lxfw_policy_type *policy = lxfw_policy_type(code);

	return policy && (policy->traits & trait);
}

enum lxfw_policy lxfw_policy_with(enum lxfw_policy_trait trait)
{
	for (int i = 0; lxfw_policies[i]; i++) {
		if (lxfw_policies[i]->traits & trait)
			return lxfw_policies[i]->code;
	}
	return 0;
}

void lxfw_params_default(struct lxfw_params *params)
{
	lxfw_params_preset(params, lxfw_policy_lxfw.code);
}

bool lxfw_params_interrupt(const struct lxfw_params *params)
{
	return lxfw_params_serve(params) ||
	       lxfw_policy_has(params->policy, LXFW_TRAIT_INTERRUPTS);
}
