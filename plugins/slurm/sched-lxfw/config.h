/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads SchedulerParameters of slurm.conf. */
#ifndef LXFW_SCHED_LXFW_CONFIG_H
#define LXFW_SCHED_LXFW_CONFIG_H

struct lxfw_bridge;

/*
 * Reads the lxfw_* keys and passes them to the bridge if the parameters differ from
 * BEFORE, which is NULL at first and is freed or returned. An invalid key or value is
 * logged, and the last valid parameters stay in use, also after a restart of the
 * controller. Returns the parameters as read, which the caller frees. Takes the lock of
 * the configuration; call without locks.
 */
char *lxfw_config_read(struct lxfw_bridge *bridge, char *before);

#endif
