/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A share laid on threads: sched_setaffinity(2) for each of them.
 *
 * A thread that has what it was given, or more than the share, follows it. One
 * that was bound to fewer CPUs by its own program (OpenMP places, MPI, taskset)
 * keeps them as long as they are in the share: that is its program's business.
 */
#ifndef LXFW_SPANK_AFFINITY_H
#define LXFW_SPANK_AFFINITY_H

#include "plugins/slurm/spank-lxfw/cpu_list.h"
#include "plugins/slurm/spank-lxfw/processes.h"

/* How many earlier shares are remembered: threads that missed one while they
   were born still follow. */
#define LXFW_GIVEN_MAX 8

/* What the job's threads have been given, the last first. */
struct lxfw_given {
	struct lxfw_cpus shares[LXFW_GIVEN_MAX];
	unsigned count;
	/* What the kernel makes of the last one: CPUs may be off line, or not in
	   the control group. */
	struct lxfw_cpus made;
};

/* A new share (at least one CPU), if it is one. */
void lxfw_given_add(struct lxfw_given *given, const struct lxfw_cpus *share);

/* Something had HAD before the last share, and may have missed that. */
void lxfw_given_missed(struct lxfw_given *given, const struct lxfw_cpus *had);

/* Is a thread (or a group) that HAS these to be given the last share? */
bool lxfw_given_follows(const struct lxfw_given *given,
			const struct lxfw_cpus *has);

/*
 * Lay the last share on all threads of the step, again until none is left that
 * was born meanwhile. Returns the number of threads changed, or -1 with errno of
 * lxfw_processes_find(). Processes that end, or that the kernel refuses, are left
 * alone, and so is whatever is not the step's user's. May take long: users can have
 * many processes.
 */
int lxfw_affinity_apply(struct lxfw_given *given,
			const struct lxfw_step *step);

#endif
