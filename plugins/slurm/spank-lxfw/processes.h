/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the processes of a job's step from the kernel's data.
 *
 * A process belongs to this step if its real user is the job's, and
 *   - its ancestors include this slurmstepd, or
 *   - its ancestors include no slurmstepd (they have ended, or it was adopted by
 *     pam_slurm_adopt), and it is in the job's control group; or, if it is in no
 *     job's group, its environment has SLURM_JOB_ID and SLURMD_NODENAME of this
 *     job and node.
 * A descendant of another slurmstepd belongs to that one's step, even in the same job.
 * An environment can be forged, but only by the job's own user and for processes of
 * that user that belong to no job. A process counts as a slurmstepd if it has that
 * name, runs this program, and its real user is that of this process: any user can
 * choose the name.
 *
 * A process id may be reused. Therefore it is stored with the start time of the
 * process, which lxfw_process_open() compares.
 */
#ifndef LXFW_SPANK_PROCESSES_H
#define LXFW_SPANK_PROCESSES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct lxfw_step {
	const char *proc;	/* "/proc" */
	const char *node;	/* the node's name in Slurm */
	uint32_t job;
	uid_t user;
	pid_t daemon;		/* the step's slurmstepd */
};

struct lxfw_process {
	pid_t pid;
	unsigned long long start;	/* clock ticks since boot */
};

struct lxfw_processes {
	struct lxfw_process *list;	/* in no particular order */
	size_t count;
	size_t size;
};

/* Finds the processes of the step. *FOUND must be {0} or the result of an earlier call,
   which is replaced. Returns 0, or -1 with errno (ENOMEM or that of opendir(3)) and an
   empty list. */
int lxfw_processes_find(struct lxfw_processes *found,
			const struct lxfw_step *step);

/* Opens the directory of the process if it still exists. Files opened through it belong
   to this process even if its id is reused. The caller closes it. Returns -1 with errno
   set on failure. */
int lxfw_process_open(const struct lxfw_step *step,
		      const struct lxfw_process *process);

void lxfw_processes_free(struct lxfw_processes *found);

/*
 * Parses a line of /proc/PID/cgroup. Returns 1 if it names this job's control group, -1
 * if another job's, and 0 if none. In cgroup v1 the group is slurm[_NODE]/uid_U/job_J
 * below each controller, in v2 [NODE_]slurmstepd.scope/job_J; components of the step
 * follow. For 1, *LENGTH is the length of the line up to the end of job_J.
 */
int lxfw_cgroup_job(const char *line, const struct lxfw_step *step,
		    size_t *length);

#endif
