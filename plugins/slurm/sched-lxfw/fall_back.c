/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/sched-lxfw/fall_back.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "plugins/agent/quanta.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

#include "src/common/plugin.h"

/* Only the watch accesses it. */
static struct {
	plugin_handle_t stock;
	struct lxfw_bridge *bridge;	/* without a model; the thread's is in use */
	bool stirred;
} state = { .stock = PLUGIN_INVALID_HANDLE };

static atomic_uint limit;

void lxfw_fall_back_set_limit(unsigned int seconds)
{
	limit = seconds;
}

unsigned int lxfw_fall_back_limit(void)
{
	return limit;
}

/* init() of Slurm's plugin starts its thread. */
static void load_stock(const char *type)
{
	if (strcmp(type, "sched/backfill") != 0)
		state.stock = plugin_load_and_link("sched/backfill", 0, NULL, NULL);
	if (state.stock == PLUGIN_INVALID_HANDLE)
		error("sched/lxfw: Slurm's sched/backfill cannot be loaded: no job starts until slurmctld is restarted");
}

/* sched/backfill passes over jobs only if something has changed since its thread began. */
static void stir_stock(void)
{
	if (state.stirred)
		return;
	state.stirred = true;
	lock_slurmctld(lxfw_compat_locks);
	last_job_update = time(NULL);
	unlock_slurmctld(lxfw_compat_locks);
}

static void open_bridge(void)
{
	struct lxfw_params params;

	lxfw_params_default(&params);
	state.bridge = calloc(1, sizeof(*state.bridge));
	if (!state.bridge) {
		error("sched/lxfw: out of memory: suspended jobs are not resumed");
		return;
	}
	lxfw_bridge_init(state.bridge, &params);
}

/* Resumes jobs whose processors are free. */
static void resume_suspended(struct lxfw_agent *agent)
{
	lxfw_quanta_load(agent);
	if (agent->quanta.preempted_count == 0 && agent->quanta.served_count == 0)
		return;
	lxfw_agent_lock(agent);
	lxfw_quanta_look(agent);
	if (agent->quanta.tell)
		(void)lxfw_quanta_tell(agent, UINT64_MAX);
	(void)lxfw_agent_unlock(agent);
	lxfw_quanta_save(agent);
}

static void end(void)
{
	if (state.stock != PLUGIN_INVALID_HANDLE)
		plugin_unload(state.stock);
	state.stock = PLUGIN_INVALID_HANDLE;
	if (state.bridge)
		lxfw_bridge_destroy(state.bridge);
	free(state.bridge);
	state.bridge = NULL;
	state.stirred = false;
}

void lxfw_fall_back(enum lxfw_fall_back step, const char *type)
{
	switch (step) {
	case LXFW_FALL_BACK_BEGIN:
		load_stock(type);
		open_bridge();
		break;
	case LXFW_FALL_BACK_TICK:
		stir_stock();
		if (state.bridge)
			resume_suspended(&state.bridge->agent);
		break;
	case LXFW_FALL_BACK_END:
		end();
		break;
	}
}
