/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was decided is asked for. */
#ifndef LXFW_AGENT_ACT_H
#define LXFW_AGENT_ACT_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/agent/agent.h"

/* With locks. Act until DEADLINE_US of lxfw_now_us(); true if all is done. */
bool lxfw_agent_act(struct lxfw_agent *agent, uint64_t deadline_us);

#endif
