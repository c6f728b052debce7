/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_BRIDGE_SYNC_RUNNING_H
#define LXFW_BRIDGE_SYNC_RUNNING_H

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/* Reports a job that runs or is suspended. */
void lxfw_sync_running(struct lxfw_bridge *bridge, job_record_t *job);

#endif
