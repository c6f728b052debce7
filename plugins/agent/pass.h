/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pass consists of these steps:
 *
 *   prepare	no locks	check the journal, rebuild the model, set parameters
 *   look	locks		turn differences into events
 *   repeat
 *     decide	no locks	apply events, compute actions
 *     act	locks		carry out actions within the time budget
 *     save	no locks	write the state of quanta
 *   while something was refused
 *   offer	locks		offer jobs that the library does not schedule
 *   remind	locks		repeat resume messages to nodes
 *   finish	no locks	apply the last events, write the journal
 *
 * The library works and files are written without locks, so that neither delays the
 * controller.
 */
#ifndef LXFW_AGENT_PASS_H
#define LXFW_AGENT_PASS_H

#include <stdbool.h>

#include "plugins/agent/agent.h"

/* Makes a pass. Returns false if the workload manager's data is inconsistent; no other
   pass may follow. */
bool lxfw_agent_pass(struct lxfw_agent *agent);

/* Looks once more, and records in the journal what has changed since the last pass: the
   ends of jobs above all, which no later look would find. Decides nothing. For the end of
   the plugin; agent->stopping returns true when there is no more time. */
void lxfw_agent_last_look(struct lxfw_agent *agent);

#endif
