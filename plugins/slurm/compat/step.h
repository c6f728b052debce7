/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests to Slurm from inside slurmstepd. Separate from compat.h, which is for
 * slurmctld and refers to symbols that slurmstepd lacks.
 */
#ifndef LXFW_SLURM_COMPAT_STEP_H
#define LXFW_SLURM_COMPAT_STEP_H

#include <stdint.h>

#include "plugins/slurm/spank-lxfw/share.h"

/*
 * Requests the shares of COUNT jobs on NODE, which is the node's name in Slurm, in one
 * message. The answer for a job is NONE unless it runs on this node only. Returns 0, or
 * -1 with errno EHOSTUNREACH (the controller did not respond) or EPROTO (the response
 * was unexpected). Blocks while Slurm tries to reach the controllers (MessageTimeout
 * for each). May be called by any thread.
 */
int lxfw_step_load_shares(const char *node, struct lxfw_job_share *jobs,
			  size_t count);

/*
 * Sets CPUS to the machine's CPUs of CORES, by the map that slurmd made at its start.
 * Returns 0, or -1 with errno ENOSYS (not in a slurmstepd that exports the map), EINVAL
 * (slurmd does not have these cores) or ERANGE.
 */
int lxfw_step_machine_cpus(const struct lxfw_cpus *cores,
			   struct lxfw_cpus *cpus);

#endif
