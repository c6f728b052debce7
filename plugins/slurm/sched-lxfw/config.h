/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SchedulerParameters of slurm.conf. */
#ifndef LXFW_SCHED_LXFW_CONFIG_H
#define LXFW_SCHED_LXFW_CONFIG_H

struct lxfw_bridge;

/*
 * Read the lxfw_* keys and hand them to the bridge. A bad key or value is
 * named in the log, and what was good before stays. Takes the configuration's
 * lock: call without locks.
 */
void lxfw_config_read(struct lxfw_bridge *bridge);

#endif
