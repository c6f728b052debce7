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
 * Ask the controller what JOB has on NODE (its name in Slurm). NONE unless the
 * job runs, on this node alone. Blocks for as long as Slurm tries to reach a
 * controller (MessageTimeout, for each of them); may be called by a thread.
 */
enum lxfw_share_answer lxfw_step_load_share(uint32_t job, const char *node,
					    struct lxfw_node_share *share);

/*
 * CPUS of the machine for CORES, by the map that slurmd made at its start. 0, or
 * -1 with errno ENOSYS (not in a slurmstepd that exports it), EINVAL (slurmd
 * does not have such cores) or ERANGE.
 */
int lxfw_step_machine_cpus(const struct lxfw_cpus *cores,
			   struct lxfw_cpus *cpus);

#endif
