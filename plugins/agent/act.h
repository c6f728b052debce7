/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Carries out the actions of a decision. */
#ifndef LXFW_AGENT_ACT_H
#define LXFW_AGENT_ACT_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/agent/agent.h"

/* Performs actions until all are done or DEADLINE_US (lxfw_now_us()) has passed.
   Returns true if all are done. The caller holds the locks. */
bool lxfw_agent_act(struct lxfw_agent *agent, uint64_t deadline_us);

#endif
