/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plugin's thread. */
#ifndef LXFW_SCHED_LXFW_AGENT_H
#define LXFW_SCHED_LXFW_AGENT_H

/* 0, or -1 if it runs already or cannot be started. */
int lxfw_agent_start(void);

/* Waits until it has ended, or some seconds at most: then it ends by itself and
   touches nothing of Slurm's any more. Nothing happens if it was not started. */
void lxfw_agent_stop(void);

/* The configuration was read again. May be called with or without locks. */
void lxfw_agent_reconfigure(void);

#endif
