/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm looks for in a scheduler plugin, and nothing else. */
#include "plugins/slurm/compat/compat.h"
#include "plugins/slurm/sched-lxfw/agent.h"

const char plugin_name[] = "LXF&W priority backfill scheduler";
const char plugin_type[] = "sched/lxfw";
const uint32_t plugin_version = LXFW_SLURM_VERSION;

extern int init(void);
extern void fini(void);
extern int sched_p_reconfig(void);

extern int init(void)
{
	if (slurmctld_config.scheduling_disabled)
		return SLURM_SUCCESS;
	return lxfw_agent_start() == 0 ? SLURM_SUCCESS : SLURM_ERROR;
}

extern void fini(void)
{
	lxfw_agent_stop();
}

extern int sched_p_reconfig(void)
{
	lxfw_agent_reconfigure();
	return SLURM_SUCCESS;
}
