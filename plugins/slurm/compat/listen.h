/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notification when slurmctld has handled a request. Slurm calls no function of a
 * scheduler plugin when a job is submitted or has ended, in no release. At the end of
 * each remote procedure call, slurmctld signals a condition that its own threads wait
 * for; a thread of the plugin waits for it, too. Submissions, ends of jobs and reports
 * of nodes that have cleaned up arrive as such calls.
 */
#ifndef LXFW_COMPAT_LISTEN_H
#define LXFW_COMPAT_LISTEN_H

#include <stdbool.h>

/* Starts the thread, which calls HANDLED after each request. HANDLED must be short and
   may not take slurmctld's locks. Returns false if the thread cannot be started or runs
   already. */
bool lxfw_listen_start(void (*handled)(void));

/* Stops the thread and waits for its end. HANDLED is not called any more. Does nothing
   if the thread does not run. */
void lxfw_listen_stop(void);

#endif
