/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder of an adaptive job on a node, BASE/NODE.JOB, where its steps keep
 * what the job may read:
 *
 *	cpus	"PROCESSORS CPUS": how many, and which of the machine's CPUs
 *	count	"PROCESSORS" alone
 *	share	"PROCESSORS CORES", by Slurm's numbers: what the controller has
 *		said last, for the steps
 *	users	locked (shared) by every step; whoever gets the lock alone is the
 *		last and removes the folder
 *	leader	locked by the one step of the job that does what is done once:
 *		tells the job, changes its control groups
 *
 * Beside them BASE/NODE.asker is locked by the one step on the node that asks the
 * controller, for all jobs of the node, and writes their `share`.
 *
 * All belong to who runs slurmd, others may read. A file is replaced as a whole.
 * Locks go with their process, so a step that was killed leaves nothing that
 * hinders: the next one leads and asks, and removes what is left of dead jobs.
 *
 * Paths through a folder that others could write to are refused (EPERM).
 */
#ifndef LXFW_SPANK_SHARE_DIR_H
#define LXFW_SPANK_SHARE_DIR_H

#include <stdint.h>

#include "plugins/slurm/spank-lxfw/share.h"

struct lxfw_share_dir {
	char name[320];		/* NODE.JOB */
	char path[640];		/* of the folder */
	int base;
	int folder;
	int users;
	int leader;
	int asker;
};

/* Is another step of this job on NODE at work in BASE? */
bool lxfw_share_dir_used(const char *base, const char *node, uint32_t job);

/* Make the folder, or join it. BASE is made if need be, its parent is not. 0,
   or -1 with errno; *DIR can be closed then, too. */
int lxfw_share_dir_open(struct lxfw_share_dir *dir, const char *base,
			const char *node, uint32_t job);

/* Are we the first of the job's steps, from now on if nobody else is? */
bool lxfw_share_dir_leads(struct lxfw_share_dir *dir);

/* Are we the one on the node that asks, from now on if nobody else is? */
bool lxfw_share_dir_asks(struct lxfw_share_dir *dir);

/* The jobs that have a folder on this node, ours among them, without answers. *JOBS
   is the caller's to free. 0, or -1 with errno and nothing to free. */
int lxfw_share_dir_jobs(const struct lxfw_share_dir *dir,
			struct lxfw_job_share **jobs, size_t *count);

/* Write down what JOB, any of those, has: for its steps. Its folder may be gone by
   now, or have nothing in it yet: that is no error. 0, or -1 with errno. */
int lxfw_share_dir_tell(const struct lxfw_share_dir *dir, uint32_t job,
			const struct lxfw_node_share *share);

/* What was written down last. NONE before that. */
enum lxfw_share_answer lxfw_share_dir_read(const struct lxfw_share_dir *dir,
					   struct lxfw_node_share *share);

/* Write down the first share, and tell the job. */
int lxfw_share_dir_begin(const struct lxfw_share_dir *dir,
			 const struct lxfw_node_share *share,
			 const struct lxfw_cpus *cpus);

/* Tell our job. CPUS are those of the machine. 0, or -1 with errno and each file as
   it was or new. */
int lxfw_share_dir_publish(const struct lxfw_share_dir *dir,
			   unsigned processors, const struct lxfw_cpus *cpus);

/* Leave; the last one removes the folder. Twice does no harm. */
void lxfw_share_dir_close(struct lxfw_share_dir *dir);

/* Remove the folders of steps that were killed. */
void lxfw_share_dir_sweep(const struct lxfw_share_dir *dir);

#endif
