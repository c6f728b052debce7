/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last valid parameters, saved in the file `lxfw_parameters` of wlm->folder(). Some
 * workload managers re-execute themselves to read their configuration again, which
 * discards all memory.
 */
#ifndef LXFW_AGENT_KEPT_H
#define LXFW_AGENT_KEPT_H

#include "plugins/agent/agent.h"

/* Saves TEXT. An error is logged. Waits for the disk; call without locks. */
void lxfw_kept_save(const struct lxfw_agent *agent, const char *text);

/* Returns the saved text, which the caller frees, or NULL if the file is missing or
   damaged. The result is logged. */
char *lxfw_kept_load(const struct lxfw_agent *agent);

#endif
