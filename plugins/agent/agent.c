/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "plugins/agent/agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const char lxfw_step_locked[] = "working under locks";

int64_t lxfw_agent_now(const struct lxfw_agent *agent)
{
	return agent->wlm->now ? agent->wlm->now(agent->context) : time(NULL);
}

void lxfw_agent_tick(struct lxfw_agent *agent)
{
	int64_t now = lxfw_agent_now(agent);

	if (now > agent->clock)
		agent->clock = now;
}

void lxfw_agent_look_again(struct lxfw_agent *agent, int64_t at)
{
	if (at < agent->look_again)
		agent->look_again = at;
}

void lxfw_agent_step(const struct lxfw_agent *agent, const char *name)
{
	if (agent->step)
		agent->step(agent->loop, name);
}

/* A function of the workload manager that takes its locks begins or has ended. */
static void begin_access(const struct lxfw_agent *agent)
{
	lxfw_agent_step(agent, NULL);
}

static void end_access(const struct lxfw_agent *agent)
{
	lxfw_agent_step(agent, "working after an access to the workload manager");
}

char *lxfw_agent_file(const struct lxfw_agent *agent, const char *name)
{
	char *folder, *path = NULL;

	begin_access(agent);
	folder = agent->wlm->folder(agent->context);
	end_access(agent);
	if (folder && asprintf(&path, "%s/%s", folder, name) < 0)
		path = NULL;
	free(folder);
	return path;
}

bool lxfw_agent_abandoned(const struct lxfw_agent *agent)
{
	return agent->abandoned && agent->abandoned(agent->loop);
}

bool lxfw_agent_shadows(const struct lxfw_agent *agent)
{
	return agent->wlm == &agent->shadow;
}

void lxfw_agent_lock(struct lxfw_agent *agent)
{
	begin_access(agent);
	if (agent->wlm->lock)
		agent->wlm->lock(agent->context);
	lxfw_agent_step(agent, lxfw_step_locked);
	agent->locked_at = lxfw_now_us();
	agent->locked_cpu_at = lxfw_processor_time_us();
}

uint64_t lxfw_agent_unlock(struct lxfw_agent *agent)
{
	struct lxfw_agent_counts *total = &agent->total;
	uint64_t held = lxfw_now_us() - agent->locked_at;

	if (agent->wlm->unlock)
		agent->wlm->unlock(agent->context);
	end_access(agent);
	if (held > total->longest_lock_us)
		total->longest_lock_us = held;
	agent->counts.locked_cpu_us += lxfw_processor_time_us() - agent->locked_cpu_at;
	if (held > agent->counts.longest_us)
		agent->counts.longest_us = held;
	total->lock_us += held;
	return held;
}

void lxfw_agent_save(const struct lxfw_agent *agent)
{
	if (!agent->wlm->save)
		return;
	begin_access(agent);
	agent->wlm->save(agent->context);
	end_access(agent);
}
