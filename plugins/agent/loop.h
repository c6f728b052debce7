/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that makes passes: when something has changed, when a time has come, or after
   half a minute. There is one in a process. */
#ifndef LXFW_AGENT_LOOP_H
#define LXFW_AGENT_LOOP_H

#include <stdbool.h>

#include "plugins/agent/agent.h"

/* Whose thread it is. The functions are called by the thread. */
struct lxfw_service {
	/* What the workload manager is called in the log. */
	const char *name;
	/* An agent that is initialized, or NULL if there must be none. It may look at
	   STOPPING(LOOP) after it has waited. */
	struct lxfw_agent *(*open)(bool (*stopping)(void *), void *loop);
	/* Destroy and free it. */
	void (*close)(struct lxfw_agent *agent);
	/* May a pass be made now? Asked before open(), too. */
	bool (*may_run)(void);
	/* The configuration was read again. */
	void (*reconfigure)(struct lxfw_agent *agent);
};

/* 0, or -1 if it runs already or cannot be started. SERVICE stays the caller's. */
int lxfw_loop_start(const struct lxfw_service *service);

/* Waits until it has ended, or some seconds at most: then it ends by itself and touches
   nothing of the workload manager's any more. Nothing happens if it was not started. */
void lxfw_loop_stop(void);

/* The configuration was read again. May be called with or without locks. */
void lxfw_loop_reconfigure(void);

#endif
