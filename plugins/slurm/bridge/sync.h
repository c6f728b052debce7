/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operations of wlm.h that report Slurm's records to the agent. */
#ifndef LXFW_BRIDGE_SYNC_H
#define LXFW_BRIDGE_SYNC_H

#include <stdbool.h>

bool lxfw_slurm_look_at_hosts(void *context);
bool lxfw_slurm_look_at_jobs(void *context);
void lxfw_slurm_looked(void *context);

#endif
