/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shadow mode: the agent looks and decides, and records both in the journal, while the
 * workload manager's own scheduler starts jobs. It is a workload manager that refuses each
 * start, so that nothing else depends on the mode.
 */
#ifndef LXFW_AGENT_SHADOW_H
#define LXFW_AGENT_SHADOW_H

#include <stdbool.h>

#include "common/params/params.h"
#include "plugins/agent/wlm.h"

/*
 * Makes *SHADOW report what WLM reports, and refuse what WLM would carry out: starts,
 * suspensions and resizes. Reservations and expected starts are not shown. Jobs that the
 * agent suspended before are resumed, and those in their quantum are settled, as by WLM.
 */
void lxfw_shadow_make(struct lxfw_wlm *shadow, const struct lxfw_wlm *wlm);

/* Whether the decisions of the policy are of use if they are not carried out. Those of a
   policy that interrupts or resizes running jobs are not. */
bool lxfw_shadow_permits(const struct lxfw_params *params);

#endif
