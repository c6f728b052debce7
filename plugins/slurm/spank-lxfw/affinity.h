/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Applies a share to threads by sched_setaffinity(2).
 *
 * A thread follows the share if its CPUs are those of an earlier share or are not all
 * in the share. A thread that its own program bound to fewer CPUs (OpenMP places, MPI,
 * taskset) keeps them while they are in the share.
 */
#ifndef LXFW_SPANK_AFFINITY_H
#define LXFW_SPANK_AFFINITY_H

#include "plugins/slurm/spank-lxfw/cpu_list.h"
#include "plugins/slurm/spank-lxfw/processes.h"

/* Number of shares that are kept. Threads that missed a share because they were being
   created then still follow. */
#define LXFW_GIVEN_MAX 8

/* The shares given to the job's threads, the last one first. */
struct lxfw_given {
	struct lxfw_cpus shares[LXFW_GIVEN_MAX];
	unsigned count;
	/* The CPUs that the kernel set for the last share. They may be fewer: CPUs may
	   be offline or not in the control group. */
	struct lxfw_cpus made;
};

/* Adds a share of at least one CPU if it differs from the last one. */
void lxfw_given_add(struct lxfw_given *given, const struct lxfw_cpus *share);

/* Records that something had the CPUs HAD before the last share and may have missed
   that share. */
void lxfw_given_missed(struct lxfw_given *given, const struct lxfw_cpus *had);

/* Returns true if a thread or group with the CPUs HAS must be given the last share. */
bool lxfw_given_follows(const struct lxfw_given *given,
			const struct lxfw_cpus *has);

/*
 * Applies the last share to all threads of the step. Repeats this for threads that were
 * created in the meantime, for a limited number of passes. Returns the number of
 * threads changed, or -1 with errno of lxfw_processes_find(). Processes that end, that
 * the kernel refuses, or that do not belong to the step's user are left alone. May take
 * long if a user has many processes.
 */
int lxfw_affinity_apply(struct lxfw_given *given,
			const struct lxfw_step *step);

#endif
