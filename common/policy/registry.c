/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/registry.h"

#include <stddef.h>
#include <string.h>

#define ADDRESS(name) &lxfw_policy_##name,
const struct lxfw_policy_type *const lxfw_policies[] = {
	LXFW_POLICIES(ADDRESS) NULL
};

const int lxfw_policy_count =
	(int)(sizeof(lxfw_policies) / sizeof(lxfw_policies[0])) - 1;

const struct lxfw_policy_type *lxfw_policy_type(enum lxfw_policy code)
{
	if (code == LXFW_POLICY_SCRIPT)
		return &lxfw_policy_script;
	/* The list need not be in the order of the codes. */
	for (int i = 0; i < lxfw_policy_count; i++) {
		if (lxfw_policies[i]->code == code)
			return lxfw_policies[i];
	}
	return NULL;
}

const struct lxfw_policy_type *lxfw_params_policy(const struct lxfw_params *params)
{
	const struct lxfw_policy_type *policy =
		params->policy == LXFW_POLICY_SCRIPT ? params->script :
						       lxfw_policy_type(params->policy);

	if (policy && policy->by_tier && lxfw_params_by_tier(params))
		return policy->by_tier;
	return policy && policy->by_age && params->age_first > 0 ? policy->by_age : policy;
}

bool lxfw_policy_has(enum lxfw_policy code, enum lxfw_policy_trait trait)
{
	const struct lxfw_policy_type *policy = lxfw_policy_type(code);

	return policy && (policy->traits & trait);
}

bool lxfw_params_has(const struct lxfw_params *params, enum lxfw_policy_trait trait)
{
	const struct lxfw_policy_type *policy = lxfw_params_policy(params);

	return policy ? policy->traits & trait : lxfw_policy_has(params->policy, trait);
}

bool lxfw_policy_groups(enum lxfw_policy code)
{
	const struct lxfw_policy_type *type = lxfw_policy_type(code);

	return type && lxfw_policy_type_groups(type);
}

double lxfw_params_site(const struct lxfw_params *params)
{
	const struct lxfw_policy_type *policy = lxfw_params_policy(params);

	return policy && policy->order.site ? policy->order.site(params) : 0;
}

bool lxfw_params_read_priority(const struct lxfw_params *params)
{
	return lxfw_params_site(params) != 0 || params->reservation_priority > 0;
}

enum lxfw_policy lxfw_policy_with(enum lxfw_policy_trait trait)
{
	for (int i = 0; i < lxfw_policy_count; i++) {
		if (lxfw_policies[i]->traits & trait)
			return lxfw_policies[i]->code;
	}
	return 0;
}

enum lxfw_policy lxfw_policy_by_name(const char *name, int length)
{
	static const char script[] = "script:";
	const int prefix = (int)sizeof(script) - 1;

	if (length > prefix && memcmp(name, script, (size_t)prefix) == 0)
		return LXFW_POLICY_SCRIPT;
	for (int i = 0; i < lxfw_policy_count; i++) {
		const char *known = lxfw_policies[i]->name;

		if (strlen(known) == (size_t)length &&
		    memcmp(known, name, (size_t)length) == 0)
			return lxfw_policies[i]->code;
	}
	return 0;
}

const char *lxfw_policy_name(enum lxfw_policy code)
{
	const struct lxfw_policy_type *policy = lxfw_policy_type(code);

	return policy ? policy->name : "unknown";
}

const char *lxfw_policy_names(void)
{
#define NAME(name) ", " #name
	static const char names[] = LXFW_POLICIES(NAME);

	return names + 2;
#undef NAME
}

/* --- keys and presets
   ----------------------------------------------------------------- */

static const char *no_reservations(const struct lxfw_policy_type *policy)
{
	return policy->no_reservations ? policy->no_reservations :
					 " reserves nothing";
}

bool lxfw_key_means(const struct lxfw_key *key, enum lxfw_policy code,
		    const char **why)
{
	const struct lxfw_policy_type *policy = lxfw_policy_type(code);
	unsigned lacks = policy ? key->groups & ~policy->keys : 0;

	if (why)
		*why = lacks & LXFW_KEYS_WEIGHTS ? " has no weights" :
		       lacks & LXFW_KEYS_RESERVATIONS ? no_reservations(policy) :
		       lacks & LXFW_KEYS_RESERVATION_MODE ?
			       (policy->no_mode ? policy->no_mode :
						  no_reservations(policy)) :
		       lacks & LXFW_KEYS_QUANTUM ?
			       " has no quantum of immediate service" :
		       lacks & LXFW_KEYS_GANG ? " has no gangs" :
		       lacks & LXFW_KEYS_MOLD ? " has no moldable jobs" :
		       lacks & LXFW_KEYS_REMAINING ?
			       " does not order jobs by remaining time" :
		       lacks & LXFW_KEYS_TIERS ? " does not preempt by tier" :
		       lacks & LXFW_KEYS_CYCLES ? " backfills in each pass" :
		       lacks & LXFW_KEYS_AGE ? " does not put short jobs first" :
		       lacks & LXFW_KEYS_PARTITION ? " does not repartition" :
		       lacks & LXFW_KEYS_PLACING ?
			       " places jobs by its own rule" :
		       lacks & LXFW_KEYS_LIST ?
			       " does not weight jobs in its order" : NULL;
	return lacks == 0;
}

const char *lxfw_policy_preset(enum lxfw_policy code)
{
	const struct lxfw_policy_type *policy = lxfw_policy_type(code);

	return policy ? policy->preset : NULL;
}
