/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_AGENT_SETUP_H
#define LXFW_AGENT_SETUP_H

#include "plugins/agent/agent.h"

/* Initializes AGENT, which must be zeroed. WLM and CONTEXT must stay valid. */
void lxfw_agent_init(struct lxfw_agent *agent, const struct lxfw_wlm *wlm,
		     void *context, const struct lxfw_params *params);
/* Frees the agent's resources. agent->total is preserved. */
void lxfw_agent_destroy(struct lxfw_agent *agent);

/* Sets the parameters for the next pass. The number of reservations is limited. */
void lxfw_agent_set_params(struct lxfw_agent *agent,
			   const struct lxfw_params *params);

#endif
