/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/sched-lxfw/config.h"

#include <stdlib.h>
#include <string.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "plugins/agent/kept.h"
#include "plugins/agent/setup.h"
#include "plugins/agent/shadow.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"
#include "plugins/slurm/parameters/parameters.h"
#include "plugins/slurm/sched-lxfw/fall_back.h"
#include "plugins/slurm/sched-lxfw/rpcs.h"

static char *copy_of_parameters(void)
{
	slurmctld_lock_t read_config = { .conf = READ_LOCK };
	char *copy;

	lock_slurmctld(read_config);
	copy = strdup(slurm_conf.sched_params ? slurm_conf.sched_params : "");
	unlock_slurmctld(read_config);
	return copy;
}

static bool has_no_interval(const char *text)
{
	struct lxfw_parameter_item item;

	while (lxfw_parameters_next(&text, &item)) {
		if (item.length == strlen("sched_interval=-1") &&
		    strncasecmp(item.at, "sched_interval=-1", item.length) == 0)
			return true;
	}
	return false;
}

static void warn_of_main_scheduler(const char *text)
{
	if (lxfw_parameters_has(text, "defer") && has_no_interval(text))
		return;
	error("sched/lxfw: Slurm's main scheduler also starts jobs, by its "
	      "own priorities and into reservations of sched/lxfw: give "
	      "SchedulerParameters=defer,sched_interval=-1 to turn it off");
}

static void refuse_value(const struct lxfw_key *key, struct lxfw_error *why)
{
	lxfw_error_set(why, key->name);
	lxfw_error_add(why, ": expected ");
	lxfw_key_live(key, why);
	lxfw_error_add(why, " with Slurm");
}

/* Names the items of Slurm's that have no effect, in one line. */
static void tell_idle(const char *text)
{
	char *idle = lxfw_parameters_idle(text);

	if (idle && *idle)
		info("sched/lxfw: SchedulerParameters without effect: %s", idle);
	free(idle);
}

/* Names the items that neither Slurm nor this plugin has, in one line. Scheduling continues:
   a later release of Slurm may have them. */
static void tell_unknown(const char *text)
{
	char *unknown = lxfw_parameters_unknown(text);

	if (unknown && *unknown)
		info("sched/lxfw: SchedulerParameters that neither Slurm nor sched/lxfw has: %s",
		     unknown);
	free(unknown);
}

/* Parses TEXT. Items of Slurm's may set lxfw_* keys. */
static bool parse(struct lxfw_params *params, const char *text, struct lxfw_error *why)
{
	char *translated = lxfw_parameters_translate(text);
	bool good;

	if (!translated) {
		lxfw_error_set(why, "out of memory");
		return false;
	}
	good = lxfw_params_parse(params, translated, NULL, NULL, why) == 0;
	free(translated);
	return good;
}

/* Applies the parameters in TEXT. Returns false with *WHY set if they are invalid. The
   parameters are unchanged then. */
static bool use(struct lxfw_bridge *bridge, const char *text,
		struct lxfw_error *why)
{
	struct lxfw_params params;
	const char *journal, *metrics;
	int journal_length, metrics_length;

	/* A key that was removed returns to its default. */
	lxfw_params_default(&params);
	if (!parse(&params, text, why))
		return false;
	journal = lxfw_params_value(text, "lxfw_journal", &journal_length);
	metrics = lxfw_params_value(text, "lxfw_metrics", &metrics_length);
	if (lxfw_policy_has(params.policy, LXFW_TRAIT_OFFLINE)) {
		lxfw_error_set(why, "lxfw_policy=");
		lxfw_error_add(why, lxfw_policy_name(params.policy));
		lxfw_error_add(why, " is for simulations: this plugin cannot "
				    "carry it out");
		return false;
	}
	for (int i = 0; i < lxfw_key_count; i++) {
		if (lxfw_key_not_live(&lxfw_keys[i], &params)) {
			refuse_value(&lxfw_keys[i], why);
			return false;
		}
	}
	if (params.preempt_tiers > 0) {
		lxfw_error_set(why, "lxfw_preempt_tiers: expected 0 with Slurm, whose PreemptType "
				    "preempts by partition");
		return false;
	}
	if (params.shadow == LXFW_SHADOW_ON && !lxfw_shadow_permits(&params)) {
		lxfw_error_set(why, "lxfw_shadow=on: policy ");
		lxfw_error_add(why, lxfw_policy_name(params.policy));
		lxfw_error_add(why, " interrupts jobs; record under another one, and "
				    "give this one to 'lxfw compare --instead'");
		return false;
	}
	if (!lxfw_bridge_set_unserved(bridge, text) ||
	    !lxfw_bridge_set_adaptive(bridge, text)) {
		lxfw_error_set(why, "out of memory");
		return false;
	}
	lxfw_depth_set(&bridge->depth, text);
	lxfw_rpcs_set(text);
	bridge->user_top = lxfw_parameters_has(text, "enable_user_top");
	lxfw_agent_set_params(&bridge->agent, &params);
	lxfw_journal_file_set(&bridge->agent.journal, journal, journal_length);
	lxfw_journal_file_limit(&bridge->agent.journal,
				lxfw_params_number(text, "lxfw_journal_size"),
				lxfw_params_number(text, "lxfw_journal_keep"));
	lxfw_journal_file_share(&bridge->agent.journal,
				(gid_t)lxfw_params_number(text, "lxfw_journal_group"));
	lxfw_fall_back_set((unsigned int)lxfw_params_number(text, "lxfw_let_go"),
			   params.quantum, metrics, metrics_length);
	lxfw_meter_set(&bridge->agent.meter, metrics, metrics_length);
	info("sched/lxfw: policy %s, journal %s",
	     lxfw_policy_name(params.policy),
	     bridge->agent.journal.path ? bridge->agent.journal.path : "off");
	if (params.shadow == LXFW_SHADOW_OFF)
		tell_idle(text);
	tell_unknown(text);
	return true;
}

/* The line is invalid, but does not want the plugin to schedule. */
static bool wants_shadow(const char *text)
{
	const char *value;
	int length;

	value = lxfw_params_value(text, "lxfw_shadow", &length);
	return value && !(length == 3 && strncmp(value, "off", 3) == 0);
}

/* Called if the parameters TEXT are invalid when the controller starts. If no valid ones
   were saved, the bridge keeps the defaults, in shadow mode if TEXT names it. */
static void use_kept(struct lxfw_bridge *bridge, const char *text)
{
	char *kept = lxfw_kept_load(&bridge->agent);
	bool good = false;
	struct lxfw_error why;

	if (kept && !(good = use(bridge, kept, &why)))
		error("sched/lxfw: the saved parameters are also invalid: %s; "
		      "the defaults are used",
		      why.text);
	free(kept);
	if (!good && wants_shadow(text)) {
		struct lxfw_params params;

		lxfw_params_default(&params);
		params.shadow = LXFW_SHADOW_ON;
		lxfw_agent_set_params(&bridge->agent, &params);
	}
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
			use_kept(bridge, text);
	}
	if (!lxfw_agent_shadows(&bridge->agent))
		warn_of_main_scheduler(text);
	free(before);
	return text;
}
