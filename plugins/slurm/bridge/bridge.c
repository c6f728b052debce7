/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/bridge.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/agent/log.h"
#include "plugins/agent/setup.h"
#include "plugins/slurm/bridge/eligible.h"
#include "plugins/slurm/bridge/interrupt.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/leftover.h"
#include "plugins/slurm/bridge/names.h"
#include "plugins/slurm/bridge/offer.h"
#include "plugins/slurm/bridge/resv.h"
#include "plugins/slurm/bridge/serve.h"
#include "plugins/slurm/bridge/shares.h"
#include "plugins/slurm/bridge/start.h"
#include "plugins/slurm/bridge/statistics.h"
#include "plugins/slurm/bridge/sync.h"
#include "plugins/slurm/compat/compat.h"

static void write_log(enum lxfw_log_level level, const char *text)
{
	switch (level) {
	case LXFW_LOG_ERROR:
		error("sched/lxfw: %s", text);
		break;
	case LXFW_LOG_INFO:
		info("sched/lxfw: %s", text);
		break;
	case LXFW_LOG_VERBOSE:
		verbose("sched/lxfw: %s", text);
		break;
	case LXFW_LOG_DEBUG:
		debug("sched/lxfw: %s", text);
		break;
	}
}

void lxfw_bridge_use_log(void)
{
	lxfw_log_to(write_log);
}

/* --- short operations ------------------------------------------------------------- */

static void lock(void *context)
{
	struct lxfw_bridge *bridge = context;

	lock_slurmctld(lxfw_compat_locks);
	bridge->tenants.made = false;
}

static void unlock(void *context)
{
	(void)context;
	unlock_slurmctld(lxfw_compat_locks);
}

static char *folder(void *context)
{
	slurmctld_lock_t read_config = { .conf = READ_LOCK };
	char *copy = NULL;

	(void)context;
	lock_slurmctld(read_config);
	if (slurm_conf.state_save_location)
		copy = strdup(slurm_conf.state_save_location);
	unlock_slurmctld(read_config);
	return copy;
}

static bool same_world(void *context)
{
	return lxfw_same_world(context);
}

static void forget(void *context)
{
	struct lxfw_bridge *bridge = context;

	lxfw_sets_forget(&bridge->sets);
	memset(&bridge->tasks, 0, sizeof(bridge->tasks));
	lxfw_holds_drop(&bridge->holds);
	lxfw_table_destroy(&bridge->offers);
	lxfw_watch_forget(&bridge->watch);
}

static void invalid(void *context, struct lxfw_known_job *known)
{
	struct lxfw_bridge *bridge = context;

	/* The agent has logged it already. */
	(void)lxfw_left_is_news(bridge, known->record);
	lxfw_left_add(bridge, known, LXFW_LEFT_INVALID);
}

static void decided(void *context)
{
	lxfw_left_judge(context);
}

const struct lxfw_wlm lxfw_slurm = {
	.name = "Slurm",
	.job = "JobId=",
	.lock = lock,
	.unlock = unlock,
	.folder_name = "StateSaveLocation",
	.folder = folder,
	.changed = lxfw_slurm_tables_changed,
	.stirred = lxfw_slurm_stirred,
	.look_at_hosts = lxfw_slurm_look_at_hosts,
	.look_at_blocks = lxfw_slurm_look_at_blocks,
	.look_at_jobs = lxfw_slurm_look_at_jobs,
	.looked = lxfw_slurm_looked,
	.forget = forget,
	.same_world = same_world,
	.phase = lxfw_slurm_phase,
	.began = lxfw_slurm_began,
	.read_run = lxfw_slurm_read_run,
	.busy = lxfw_slurm_busy,
	.may_start = lxfw_slurm_may_start,
	.start = lxfw_slurm_start,
	.take_back = lxfw_slurm_take_back,
	.unfit = lxfw_slurm_unfit,
	.invalid = invalid,
	.decided = decided,
	.suspend = lxfw_slurm_suspend,
	.resume = lxfw_slurm_resume,
	.requeue = lxfw_slurm_requeue,
	.resize = lxfw_slurm_resize,
	.remind = lxfw_slurm_remind,
	.heard_since = lxfw_slurm_heard_since,
	.give_priority = lxfw_slurm_give_priority,
	.settle = lxfw_slurm_settle,
	.outgrew = lxfw_slurm_outgrew,
	.save = lxfw_slurm_save_records,
	.reserve = lxfw_slurm_reserve,
	.unreserve = lxfw_slurm_unreserve,
	.has_offers = lxfw_slurm_has_offers,
	.offer = lxfw_slurm_offer,
	.passing = lxfw_statistics_passing,
};

/* --- the bridge ------------------------------------------------------------------- */

void lxfw_bridge_init(struct lxfw_bridge *bridge,
		      const struct lxfw_params *params)
{
	lxfw_bridge_use_log();
	lxfw_agent_init(&bridge->agent, &lxfw_slurm, bridge, params);
	bridge->agent.jobs.own_size = sizeof(struct lxfw_own);
	bridge->agent.jobs.clear_own = lxfw_own_clear;
	bridge->offers.own_size = sizeof(struct lxfw_offer);
	bridge->watch.least = LXFW_WATCH_LEAST;
	bridge->watch.most = LXFW_WATCH_MOST;
	bridge->watch.read_us = LXFW_WATCH_READ_US;
	bridge->watch.turn_us = LXFW_WATCH_TURN_US;
}

void lxfw_bridge_destroy(struct lxfw_bridge *bridge)
{
	struct lxfw_agent_counts total;

	lxfw_agent_destroy(&bridge->agent);
	lxfw_seen_clear(&bridge->seen);
	lxfw_watch_clear(&bridge->watch);
	lxfw_features_clear(&bridge->features);
	lxfw_hosts_destroy(&bridge->hosts);
	lxfw_licenses_clear(&bridge->licenses);
	lxfw_sets_destroy(&bridge->sets);
	lxfw_table_destroy(&bridge->offers);
	lxfw_holds_drop(&bridge->holds);
	lxfw_left_clear(&bridge->left);
	lxfw_preempt_clear(&bridge->preemption);
	free(bridge->unserved.partitions);
	free(bridge->unserved.qos);
	lxfw_adaptive_rules_clear(&bridge->adaptive);
	lxfw_depth_clear(&bridge->depth);
	free(bridge->leftovers);
	free(bridge->components);
	free(bridge->reserved);
	free(bridge->shares);
	free(bridge->resized);
	lxfw_tenants_clear(&bridge->tenants);
	total = bridge->agent.total;
	memset(bridge, 0, sizeof(*bridge));
	bridge->agent.total = total;
}

bool lxfw_bridge_set_adaptive(struct lxfw_bridge *bridge, const char *text)
{
	struct lxfw_adaptive_rules rules;

	if (!lxfw_adaptive_rules_read(&rules, text))
		return false;
	/* The library learns whether a job is adaptive when it is submitted. */
	if (!lxfw_adaptive_rules_same(&rules, &bridge->adaptive))
		bridge->agent.rebuild = true;
	lxfw_adaptive_rules_clear(&bridge->adaptive);
	bridge->adaptive = rules;
	return true;
}

bool lxfw_bridge_set_unserved(struct lxfw_bridge *bridge, const char *text)
{
	struct lxfw_unserved fresh = { 0 };
	bool good;

	good = lxfw_names_copy(text, "lxfw_quantum_not_partition",
			       &fresh.partitions) &&
	       lxfw_names_copy(text, "lxfw_quantum_not_qos", &fresh.qos);
	if (good) {
		struct lxfw_unserved old = bridge->unserved;

		fresh.most_procs =
			lxfw_params_number(text, "lxfw_quantum_most_procs");
		bridge->unserved = fresh;
		bridge->agent.stale = true;
		/* Other parameters have changed, too. */
		lxfw_watch_forget(&bridge->watch);
		fresh = old;
	}
	free(fresh.partitions);
	free(fresh.qos);
	return good;
}
