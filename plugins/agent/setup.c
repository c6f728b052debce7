/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/setup.h"

#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "plugins/agent/log.h"
#include "plugins/agent/mirror.h"

/* The time of a decision grows with the square of the number of reservations. The limit
   keeps it acceptable to users. */
#define RESERVATIONS_MAX 200

void lxfw_agent_init(struct lxfw_agent *agent, const struct lxfw_wlm *wlm,
		     void *context, const struct lxfw_params *params)
{
	agent->wlm = wlm;
	agent->context = context;
	agent->params = *params;
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
	lxfw_estimates_stop(agent);
	lxfw_sched_destroy(agent->sched);
	lxfw_events_destroy(&agent->events);
	lxfw_mirror_destroy(agent);
	lxfw_table_destroy(&agent->jobs);
	lxfw_quanta_clear(&agent->quanta);
	free(agent->disturbed);
	memset(agent, 0, sizeof(*agent));
	agent->total = total;
}

void lxfw_agent_set_params(struct lxfw_agent *agent,
			   const struct lxfw_params *params)
{
	/* A job is reported as adaptive or rigid when it is submitted, so all jobs must
	   be reported again. */
	if (agent->params.policy != params->policy &&
	    (lxfw_policy_has(agent->params.policy, LXFW_TRAIT_ADAPTIVE) ||
	     lxfw_policy_has(params->policy, LXFW_TRAIT_ADAPTIVE)))
		agent->rebuild = true;
	agent->params = *params;
	if (params->reservations > RESERVATIONS_MAX) {
		agent->params.reservations = RESERVATIONS_MAX;
		lxfw_log_verbose("reservations are made for the first %d waiting jobs",
				 RESERVATIONS_MAX);
	}
	agent->new_params = true;
}
