/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pass:
 *
 *   prepare	no locks	journal in order? books to be made anew? parameters
 *   look	locks		differences become events
 *   repeat
 *     decide	no locks	events in, actions out
 *     act	locks		as much at a stretch as the budget allows
 *     save	no locks	what has become of quanta
 *   while something was refused
 *   offer	locks		what the library does not schedule
 *   remind	locks		nodes, that jobs go on
 *   finish	no locks	the last events, journal
 *
 * The library works, and files are written, without locks: nobody waits for that.
 */
#ifndef LXFW_AGENT_PASS_H
#define LXFW_AGENT_PASS_H

#include <stdbool.h>

#include "plugins/agent/agent.h"

/* False if what was seen makes no sense: there must be no other pass. */
bool lxfw_agent_pass(struct lxfw_agent *agent);

#endif
