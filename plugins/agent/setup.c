/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/setup.h"

#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "plugins/agent/log.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/shadow.h"

void lxfw_agent_init(struct lxfw_agent *agent, const struct lxfw_wlm *wlm,
		     void *context, const struct lxfw_params *params)
{
	agent->wlm = agent->real = wlm;
	lxfw_shadow_make(&agent->shadow, wlm);
	agent->context = context;
	agent->params = *params;
	agent->params.reservations = lxfw_reach_set(&agent->reach, params->reservations);
	agent->rebuild = true;
	agent->usable = true;
	agent->wake = LXFW_NEVER;
	lxfw_journal_file_init(&agent->journal);
}

void lxfw_agent_destroy(struct lxfw_agent *agent)
{
	struct lxfw_agent_counts total = agent->total;

	lxfw_journal_file_flush(&agent->journal, agent->clock);
	lxfw_journal_file_close(&agent->journal);
	lxfw_meter_clear(&agent->meter);
	lxfw_estimates_stop(agent);
	lxfw_sched_destroy(agent->sched);
	lxfw_events_destroy(&agent->events);
	lxfw_mirror_destroy(agent);
	lxfw_table_destroy(&agent->jobs);
	lxfw_aside_clear(&agent->asides);
	lxfw_quanta_clear(&agent->quanta);
	free(agent->disturbed);
	memset(agent, 0, sizeof(*agent));
	agent->total = total;
}

/* Returns true if a job is reported differently under the two policies: as adaptive or
   rigid, or when it runs. All jobs must then be reported again. The library cannot change
   between the two kinds of order while jobs wait. */
static bool must_rebuild(const struct lxfw_params *before, const struct lxfw_params *after)
{
	const struct lxfw_policy_type *one = lxfw_params_policy(before);
	const struct lxfw_policy_type *other = lxfw_params_policy(after);
	const unsigned traits = LXFW_TRAIT_ADAPTIVE | LXFW_TRAIT_MOLDABLE |
				LXFW_TRAIT_QUEUES_SUSPENDED;

	if (!one || !other || one->order.alone != other->order.alone)
		return true;
	return one != other && ((one->traits | other->traits) & traits);
}

/* Begins or ends the shadow mode. A quantum would have to be carried out. */
static void set_shadow(struct lxfw_agent *agent)
{
	bool shadows = agent->params.shadow == LXFW_SHADOW_ON;

	agent->rebuild |= shadows != lxfw_agent_shadows(agent);
	agent->wlm = shadows ? &agent->shadow : agent->real;
	if (shadows)
		agent->params.quantum = 0;
}

void lxfw_agent_set_params(struct lxfw_agent *agent,
			   const struct lxfw_params *params)
{
	agent->rebuild |= must_rebuild(&agent->params, params);
	agent->params = *params;
	set_shadow(agent);
	agent->params.reservations = lxfw_reach_set(&agent->reach, params->reservations);
	if (agent->params.reservations < params->reservations)
		lxfw_log_verbose("reservations are made for the first %d waiting jobs",
				 agent->params.reservations);
	agent->new_params = true;
}
