/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A share laid on the control groups of a job, where the site has task/cgroup with
 * ConstrainCores: nobody in them gets out of it, and a share cannot grow without
 * them. cgroup v1 has CPUSET/slurm[_NODE]/uid_USER/job_JOB/step_STEP/..., v2
 * MOUNT/system.slice/[NODE_]slurmstepd.scope/job_JOB/step_STEP/...
 *
 * The job's group gets the share; those of its steps follow as threads do
 * (affinity.h): one that was made with fewer cores keeps them while they are in it.
 */
#ifndef LXFW_SPANK_CPUSET_H
#define LXFW_SPANK_CPUSET_H

#include "plugins/slurm/spank-lxfw/affinity.h"
#include "plugins/slurm/spank-lxfw/processes.h"

struct lxfw_cpuset {
	char folder[512];	/* the job's group; "" if it has none */
	bool in_user;		/* v1: the user's group above must have room */
};

/*
 * Look for the job's group where MOUNTS, "/proc/self/mounts", says that cpusets
 * are. False, and an empty one, where there is none (yet): no error.
 */
bool lxfw_cpuset_find(struct lxfw_cpuset *cpuset, const char *mounts,
		      const struct lxfw_step *step);

/*
 * Lay the last share given on the job's group and those below. Returns the number
 * of groups changed, or -1 with errno of the first call that failed; what could be
 * changed is, and *GIVEN knows then what the others have: the next time is for them.
 */
int lxfw_cpuset_apply(const struct lxfw_cpuset *cpuset,
		      struct lxfw_given *given);

#endif
