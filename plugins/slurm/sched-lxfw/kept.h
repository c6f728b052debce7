/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last good SchedulerParameters, in a file of the controller's
 * StateSaveLocation. From 23.11 on the controller starts itself anew to
 * reconfigure, and nothing in memory outlives that.
 */
#ifndef LXFW_SCHED_LXFW_KEPT_H
#define LXFW_SCHED_LXFW_KEPT_H

/* What cannot be written is told in the log, once a call. Waits for the disk: call
   without locks. */
void lxfw_kept_save(const char *text);

/* To be freed; NULL if there are none, or not whole. The log is told which. */
char *lxfw_kept_load(void);

#endif
