/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the node side asks Slurm for inside slurmstepd. Apart from compat.h, which
 * is for slurmctld and names what slurmstepd does not have.
 */
#ifndef LXFW_SLURM_COMPAT_STEP_H
#define LXFW_SLURM_COMPAT_STEP_H

#include <stdint.h>

#include "plugins/slurm/spank-lxfw/share.h"

/*
 * Ask the controller, in one question, what each of COUNT jobs has on NODE (its
 * name in Slurm). The answer about a job is NONE unless it runs, on this node
 * alone. 0, or -1 with errno EHOSTUNREACH (the controller has not answered) or EPROTO
 * (it has, something else). Blocks for as long as Slurm tries to reach one
 * (MessageTimeout, for each of them); may be called by a thread.
 */
int lxfw_step_load_shares(const char *node, struct lxfw_job_share *jobs,
			  size_t count);

/*
 * CPUS of the machine for CORES, by the map that slurmd made at its start. 0, or
 * -1 with errno ENOSYS (not in a slurmstepd that exports it), EINVAL (slurmd
 * does not have such cores) or ERANGE.
 */
int lxfw_step_machine_cpus(const struct lxfw_cpus *cores,
			   struct lxfw_cpus *cpus);

#endif
