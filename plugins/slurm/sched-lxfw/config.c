/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/sched-lxfw/config.h"

#include <stdlib.h>
#include <string.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "plugins/agent/kept.h"
#include "plugins/agent/setup.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

static char *copy_of_parameters(void)
{
	slurmctld_lock_t read_config = { .conf = READ_LOCK };
	char *copy;

	lock_slurmctld(read_config);
	copy = strdup(slurm_conf.sched_params ? slurm_conf.sched_params : "");
	unlock_slurmctld(read_config);
	return copy;
}

/* Returns true if ITEM is one of the comma-separated items of TEXT. */
static bool has_item(const char *text, const char *item)
{
	size_t length = strlen(item);

	while (*text) {
		size_t next = strcspn(text, ",");

		while (*text == ' ') {
			text++;
			next--;
		}
		if (next == length && strncasecmp(text, item, length) == 0)
			return true;
		text += next;
		if (*text == ',')
			text++;
	}
	return false;
}

static void warn_of_main_scheduler(const char *text)
{
	if (has_item(text, "defer") && has_item(text, "sched_interval=-1"))
		return;
	error("sched/lxfw: Slurm's main scheduler also starts jobs, by its "
	      "own priorities and into reservations of sched/lxfw: give "
	      "SchedulerParameters=defer,sched_interval=-1 to turn it off");
}

static void refuse_small(const struct lxfw_key *key, struct lxfw_error *why)
{
	lxfw_error_set(why, key->name);
	lxfw_error_add(why, ": expected ");
	lxfw_error_add_number(why, key->live_min);
	lxfw_error_add(why, " or more with Slurm");
}

/* Applies the parameters in TEXT. Returns false with *WHY set if they are invalid. The
   parameters are unchanged then. */
static bool use(struct lxfw_bridge *bridge, const char *text,
		struct lxfw_error *why)
{
	struct lxfw_params params;
	const char *journal = NULL;
	int journal_length = 0;

	/* A key that was removed returns to its default. */
	lxfw_params_default(&params);
	if (lxfw_params_parse(&params, text, &journal, &journal_length, why) < 0)
		return false;
	if (lxfw_policy_has(params.policy, LXFW_TRAIT_OFFLINE)) {
		lxfw_error_set(why, "lxfw_policy=");
		lxfw_error_add(why, lxfw_policy_name(params.policy));
		lxfw_error_add(why, " is for simulations: this plugin cannot "
				    "carry it out");
		return false;
	}
	for (int i = 0; i < lxfw_key_count; i++) {
		if (lxfw_key_too_small(&lxfw_keys[i], &params)) {
			refuse_small(&lxfw_keys[i], why);
			return false;
		}
	}
	if (!lxfw_bridge_set_unserved(bridge, text) ||
	    !lxfw_bridge_set_adaptive(bridge, text)) {
		lxfw_error_set(why, "out of memory");
		return false;
	}
	lxfw_agent_set_params(&bridge->agent, &params);
	lxfw_journal_file_set(&bridge->agent.journal, journal, journal_length);
	lxfw_journal_file_limit(&bridge->agent.journal,
				lxfw_params_number(text, "lxfw_journal_size"),
				lxfw_params_number(text, "lxfw_journal_keep"));
	info("sched/lxfw: policy %s, journal %s",
	     lxfw_policy_name(params.policy),
	     bridge->agent.journal.path ? bridge->agent.journal.path : "off");
	return true;
}

/* Called if the parameters are invalid when the controller starts. If no valid ones
   were saved, the bridge keeps the defaults. */
static void use_kept(struct lxfw_bridge *bridge)
{
	char *text = lxfw_kept_load(&bridge->agent);
	struct lxfw_error why;

	if (text && !use(bridge, text, &why))
		error("sched/lxfw: the saved parameters are also invalid: %s; "
		      "the defaults are used",
		      why.text);
	free(text);
}

char *lxfw_config_read(struct lxfw_bridge *bridge, char *before)
{
	char *text = copy_of_parameters();
	struct lxfw_error why;

	if (!text) {
		error("sched/lxfw: out of memory; parameters stay as they were");
		return before;
	}
	if (before && strcmp(text, before) == 0) {
		free(before);
		return text;
	}
	if (use(bridge, text, &why)) {
		lxfw_kept_save(&bridge->agent, text);
	} else {
		error("sched/lxfw: SchedulerParameters: %s; parameters stay as they were",
		      why.text);
		if (!before)
			use_kept(bridge);
	}
	warn_of_main_scheduler(text);
	free(before);
	return text;
}
