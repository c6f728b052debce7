/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last good parameters, in the file `lxfw_parameters` of wlm->folder(). Some workload
 * managers start themselves anew to read their configuration again, and nothing in memory
 * outlives that.
 */
#ifndef LXFW_AGENT_KEPT_H
#define LXFW_AGENT_KEPT_H

#include "plugins/agent/agent.h"

/* What cannot be written is told in the log, once a call. Waits for the disk: call
   without locks. */
void lxfw_kept_save(const struct lxfw_agent *agent, const char *text);

/* To be freed; NULL if there are none, or not whole. The log is told which. */
char *lxfw_kept_load(const struct lxfw_agent *agent);

#endif
