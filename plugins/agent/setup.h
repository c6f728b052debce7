/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_AGENT_SETUP_H
#define LXFW_AGENT_SETUP_H

#include "plugins/agent/agent.h"

/* AGENT is zeroed. WLM and CONTEXT stay the caller's. */
void lxfw_agent_init(struct lxfw_agent *agent, const struct lxfw_wlm *wlm,
		     void *context, const struct lxfw_params *params);
/* agent->total stays. */
void lxfw_agent_destroy(struct lxfw_agent *agent);

void lxfw_agent_set_params(struct lxfw_agent *agent,
			   const struct lxfw_params *params);

#endif
