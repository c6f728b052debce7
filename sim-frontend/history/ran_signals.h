/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that end the process wait while a data base is written, so that the write can be
   undone before. */
#ifndef LXFW_HISTORY_RAN_SIGNALS_H
#define LXFW_HISTORY_RAN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* {0}: none are held. */
struct lxfw_ran_signals {
	bool held;
	sigset_t set, before;
};

/* Holds SIGINT, SIGTERM and SIGHUP, but those that are ignored. */
void lxfw_ran_signals_hold(struct lxfw_ran_signals *signals);

/* Whether one has arrived since. */
bool lxfw_ran_signals_arrived(const struct lxfw_ran_signals *signals);

/* Those that have arrived take effect: the call may not return. Keeps errno. */
void lxfw_ran_signals_release(struct lxfw_ran_signals *signals);

#endif
