/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SchedulerParameters of slurm.conf. */
#ifndef LXFW_SCHED_LXFW_CONFIG_H
#define LXFW_SCHED_LXFW_CONFIG_H

struct lxfw_bridge;

/*
 * Read the lxfw_* keys and hand them to the bridge, if the parameters are not
 * BEFORE (NULL at first; it is taken over). A bad key or value is named in the
 * log, and what was good before stays, over a restart of the controller too.
 * Returns the parameters as read, to be freed. Takes the configuration's lock:
 * call without locks.
 */
char *lxfw_config_read(struct lxfw_bridge *bridge, char *before);

#endif
