/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbols that Slurm requires of a scheduler plugin, and the callbacks of its thread.
 * LXFW_SCHED_TYPE is the value of SchedulerType with which Slurm loads this file:
 * "sched/lxfw", or "sched/backfill" for the copy under the name of Slurm's own scheduler.
 */
#include <stdlib.h>

#include "common/params/policy.h"
#include "plugins/agent/loop.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/sanity.h"
#include "plugins/slurm/compat/compat.h"
#include "plugins/slurm/compat/listen.h"
#include "plugins/slurm/sched-lxfw/config.h"
#include "plugins/slurm/sched-lxfw/fall_back.h"
#include "plugins/slurm/sched-lxfw/rpcs.h"

const char plugin_name[] = "LXF&W priority backfill scheduler";
const char plugin_type[] = LXFW_SCHED_TYPE;
const uint32_t plugin_version = LXFW_SLURM_VERSION;

/* The thread's data. */
struct scheduler {
	struct lxfw_bridge bridge;
	char *parameters;	/* as last read */
};

static struct scheduler *scheduler_of(struct lxfw_agent *agent)
{
	return agent->context;	/* the bridge, which is the first member */
}

static void reconfigure(struct lxfw_agent *agent)
{
	struct scheduler *scheduler = scheduler_of(agent);

	scheduler->parameters =
		lxfw_config_read(&scheduler->bridge, scheduler->parameters);
	lxfw_fall_back_shadow(lxfw_agent_shadows(agent), plugin_name);
}

static bool is_sane(bool (*stopping)(void *), void *loop)
{
	bool good;

	lock_slurmctld(lxfw_compat_locks);
	/* The thread may have waited long for the locks. */
	good = !stopping(loop) &&
	       lxfw_sanity_check("sched/lxfw", slurm_conf.schedtype,
				 plugin_type);
	unlock_slurmctld(lxfw_compat_locks);
	return good;
}

static struct lxfw_agent *open_scheduler(bool (*stopping)(void *), void *loop)
{
	struct scheduler *scheduler;
	struct lxfw_params params;

	if (!is_sane(stopping, loop))
		return NULL;
	scheduler = calloc(1, sizeof(*scheduler));
	if (!scheduler) {
		error("sched/lxfw: out of memory; nothing is scheduled");
		return NULL;
	}
	lxfw_params_default(&params);
	lxfw_bridge_init(&scheduler->bridge, &params);
	reconfigure(&scheduler->bridge.agent);
	if (!lxfw_listen_start(lxfw_loop_wake))
		error("sched/lxfw: cannot start a thread: jobs may start up to a second later");
	return &scheduler->bridge.agent;
}

static void close_scheduler(struct lxfw_agent *agent)
{
	struct scheduler *scheduler = scheduler_of(agent);

	lxfw_listen_stop();
	lxfw_bridge_destroy(&scheduler->bridge);
	free(scheduler->parameters);
	free(scheduler);
}

/* The controller is not ready before init() has returned. */
static bool may_schedule(void)
{
	return lxfw_compat_is_ready() && !slurmctld_config.scheduling_disabled &&
	       !slurmctld_config.shutdown_time && !lxfw_rpcs_many();
}

/* The plugin is stopped before the records of jobs are freed. */
static bool may_look(void)
{
	return !slurmctld_config.scheduling_disabled;
}

static void fall_back(enum lxfw_fall_back step, const struct lxfw_let_go *state)
{
	lxfw_fall_back(step, state, plugin_name);
}

static const struct lxfw_service service = {
	.name = "Slurm",
	.open = open_scheduler,
	.close = close_scheduler,
	.may_run = may_schedule,
	.may_look = may_look,
	.reconfigure = reconfigure,
	.stall_seconds = lxfw_fall_back_limit,
	.fall_back = fall_back,
};

extern int init(void);
extern void fini(void);
extern int sched_p_reconfig(void);

extern int init(void)
{
	if (slurmctld_config.scheduling_disabled)
		return SLURM_SUCCESS;
	lxfw_bridge_use_log();
	lxfw_fall_back_open();
	return lxfw_loop_start(&service) == 0 ? SLURM_SUCCESS : SLURM_ERROR;
}

extern void fini(void)
{
	lxfw_loop_stop();
	lxfw_fall_back_close();
	lxfw_fall_back_set(0, 0, NULL, 0);
}

extern int sched_p_reconfig(void)
{
	lxfw_loop_reconfigure();
	return SLURM_SUCCESS;
}
