/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Applies a share to the control groups of a job where the site uses task/cgroup with
 * ConstrainCores. There processes are confined to their group, so that a share cannot
 * grow unless the groups change. The paths are
 * CPUSET/slurm[_NODE]/uid_USER/job_JOB/step_STEP/... in cgroup v1 and
 * MOUNT/system.slice/[NODE_]slurmstepd.scope/job_JOB/step_STEP/... in v2.
 *
 * The job's group gets the share. The groups of its steps follow as threads do
 * (affinity.h): a step that was created with fewer cores keeps them while they are in
 * the share.
 */
#ifndef LXFW_SPANK_CPUSET_H
#define LXFW_SPANK_CPUSET_H

#include "plugins/slurm/spank-lxfw/affinity.h"
#include "plugins/slurm/spank-lxfw/processes.h"

struct lxfw_cpuset {
	char folder[512];	/* the job's group; "" if it has none */
	bool in_user;		/* v1: the parent group, which is the user's, must
				   contain the share */
};

/*
 * Finds the job's group below the mount points that MOUNTS, normally
 * "/proc/self/mounts", lists for cpusets. Returns false and an empty *CPUSET if the
 * group does not exist (yet). That is not an error.
 */
bool lxfw_cpuset_find(struct lxfw_cpuset *cpuset, const char *mounts,
		      const struct lxfw_step *step);

/*
 * Applies the last share to the job's group and those below it. Returns the number of
 * groups changed, or -1 with errno of the first call that failed. In case of failure,
 * the other groups are still changed, and the job group's earlier CPUs are recorded in
 * *GIVEN so that the next call retries groups that failed.
 */
int lxfw_cpuset_apply(const struct lxfw_cpuset *cpuset,
		      struct lxfw_given *given);

#endif
