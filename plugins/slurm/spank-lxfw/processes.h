/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes of a job's step, by what the kernel tells.
 *
 * A process belongs to this step if its real user is the job's, and
 *   - its parents lead to this slurmstepd, or
 *   - its parents lead to no slurmstepd at all (they have ended, or it came by
 *     pam_slurm_adopt), and it is in the job's control group; or, where it is in
 *     none of any job, its environment has SLURM_JOB_ID and SLURMD_NODENAME of
 *     this job and node.
 * Whoever descends from another slurmstepd is its business, also in the same job.
 * An environment can be forged, but only by the job's own user, about processes
 * of his that no job holds. A slurmstepd is a process of this name and program whose
 * real user is ours: anybody can have the name.
 *
 * A number may be another process's by the time it is used: what is known of a
 * process goes with the time of its start, and lxfw_process_open() compares that.
 */
#ifndef LXFW_SPANK_PROCESSES_H
#define LXFW_SPANK_PROCESSES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct lxfw_step {
	const char *proc;	/* "/proc" */
	const char *node;	/* name in Slurm */
	uint32_t job;
	uid_t user;
	pid_t daemon;		/* the step's slurmstepd */
};

struct lxfw_process {
	pid_t pid;
	unsigned long long start;	/* ticks of the kernel since boot */
};

struct lxfw_processes {
	struct lxfw_process *list;	/* in no order */
	size_t count;
	size_t size;
};

/* {0} is an empty list; what is in it is forgotten. 0, or -1 with errno (ENOMEM
   or of opendir(3)) and an empty list. */
int lxfw_processes_find(struct lxfw_processes *found,
			const struct lxfw_step *step);

/* The folder of the process, where it is still that one: what is read in it is of no
   other, also when the number is given out again. To be closed; -1 with errno. */
int lxfw_process_open(const struct lxfw_step *step,
		      const struct lxfw_process *process);

void lxfw_processes_free(struct lxfw_processes *found);

/*
 * Does a line of /proc/PID/cgroup name this job's control group (1), another
 * job's (-1) or none (0)? cgroup v1 has slurm[_NODE]/uid_U/job_J below each
 * controller, v2 [NODE_]slurmstepd.scope/job_J; what follows is of the step.
 * For 1, *LENGTH is the length of the line up to the end of job_J.
 */
int lxfw_cgroup_job(const char *line, const struct lxfw_step *step,
		    size_t *length);

#endif
