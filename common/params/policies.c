/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Policies by name, and which keys mean something to each. */
#include "common/params/keys.h"

#include <string.h>

/* What a policy is called, which groups of keys mean something to it, and what of its
   preset is not that of the table of keys. */
static const struct policy {
	enum lxfw_policy policy;
	const char *name;
	unsigned groups;
	const char *preset;		/* NULL: all as in the table */
	const char *no_reservations;	/* why these keys mean nothing */
} policies[] = {
	{ LXFW_POLICY_FCFS, "fcfs", LXFW_KEYS_QUANTUM,
	  .no_reservations = " lets no job overtake" },
	{ LXFW_POLICY_EASY, "easy", LXFW_KEYS_RESERVATIONS | LXFW_KEYS_QUANTUM,
	  .preset = NULL },
	{ LXFW_POLICY_CONSERVATIVE, "conservative", LXFW_KEYS_QUANTUM,
	  .preset = "lxfw_reservations=all",
	  .no_reservations = " reserves for every job" },
	{ LXFW_POLICY_PRIORITY, "priority",
	  LXFW_KEYS_WEIGHTS | LXFW_KEYS_RESERVATIONS | LXFW_KEYS_QUANTUM,
	  .preset = "lxfw_ww=1,lxfw_wx=5,lxfw_wp=0.2" },
	{ LXFW_POLICY_LXFW, "lxfw",
	  LXFW_KEYS_WEIGHTS | LXFW_KEYS_RESERVATIONS | LXFW_KEYS_QUANTUM,
	  .preset = "lxfw_ww=0.0167,lxfw_wx=1" },
	{ LXFW_POLICY_SJF, "sjf", LXFW_KEYS_RESERVATIONS | LXFW_KEYS_QUANTUM,
	  .preset = NULL },
	{ LXFW_POLICY_EQSPATIAL, "eqspatial",
	  LXFW_KEYS_WEIGHTS | LXFW_KEYS_RESERVATIONS | LXFW_KEYS_QUANTUM |
	  LXFW_KEYS_PARTITION,
	  .preset = "lxfw_ww=0.0167,lxfw_wx=1" },
	{ LXFW_POLICY_CLASSES, "classes", 0,
	  .no_reservations = " reserves after the wait that a class is given" },
};

#define POLICY_NAMES \
	"fcfs, easy, conservative, priority, lxfw, sjf, eqspatial, classes"
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const struct policy *policy_of(enum lxfw_policy policy)
{
	for (int i = 0; i < COUNT(policies); i++) {
		if (policies[i].policy == policy)
			return &policies[i];
	}
	return NULL;
}

enum lxfw_policy lxfw_policy_by_name(const char *name, int length)
{
	for (int i = 0; i < COUNT(policies); i++) {
		if (strlen(policies[i].name) == (size_t)length &&
		    memcmp(policies[i].name, name, (size_t)length) == 0)
			return policies[i].policy;
	}
	return 0;
}

const char *lxfw_policy_name(enum lxfw_policy policy)
{
	const struct policy *found = policy_of(policy);

	return found ? found->name : "unknown";
}

const char *lxfw_policy_names(void)
{
	return POLICY_NAMES;
}

bool lxfw_key_means(const struct lxfw_key *key, enum lxfw_policy policy,
		    const char **why)
{
	const struct policy *found = policy_of(policy);
	unsigned lacks = found ? key->groups & ~found->groups : 0;

	if (why)
		*why = lacks & LXFW_KEYS_WEIGHTS ? " has no weights" :
		       lacks & LXFW_KEYS_RESERVATIONS ? found->no_reservations :
		       lacks & LXFW_KEYS_QUANTUM ?
			       " has no quantum of immediate service" :
		       lacks & LXFW_KEYS_PARTITION ? " does not repartition" :
						     NULL;
	return lacks == 0;
}

const char *lxfw_policy_preset(enum lxfw_policy policy)
{
	const struct policy *found = policy_of(policy);

	return found ? found->preset : NULL;
}
