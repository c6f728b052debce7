/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder of an adaptive job on a node, BASE/NODE.JOB, in which its steps keep these
 * files:
 *
 *	cpus	"PROCESSORS CPUS": the number of processors and the machine's CPUs
 *	count	"PROCESSORS" only
 *	share	"PROCESSORS CORES", by Slurm's numbers: the controller's last
 *		answer, for the job's steps
 *	users	locked (shared) by every step; the step that gets an exclusive
 *		lock is the last one and removes the folder
 *	leader	locked by the step that does what is done once per job: it
 *		publishes the share and changes the job's control groups
 *
 * The file BASE/NODE.asker is locked by the one step on the node that sends requests to
 * the controller. It records the `share` of all jobs of the node.
 *
 * All files belong to the user that runs slurmd and are readable for others. Files are
 * replaced atomically. Locks end with their process, so that a killed step does not
 * block others: another step becomes leader or sends the requests, and removes the
 * folders of dead jobs.
 *
 * Folders that other users can write to are refused (EPERM).
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

/* Returns true if another step of this job on NODE uses its folder in BASE. */
bool lxfw_share_dir_used(const char *base, const char *node, uint32_t job);

/* Opens the job's folder and creates it if necessary. BASE is created if necessary, but
   not its parent. Returns 0, or -1 with errno; *DIR can be closed in either case. */
int lxfw_share_dir_open(struct lxfw_share_dir *dir, const char *base,
			const char *node, uint32_t job);

/* Returns true if this step is the leader. It becomes the leader if there is none. */
bool lxfw_share_dir_leads(struct lxfw_share_dir *dir);

/* Returns true if this step sends the node's requests. It takes over if no step
   does. */
bool lxfw_share_dir_asks(struct lxfw_share_dir *dir);

/* Lists the jobs that have a folder on this node, including this one, without answers.
   The caller frees *JOBS. Returns 0, or -1 with errno and nothing to free. */
int lxfw_share_dir_jobs(const struct lxfw_share_dir *dir,
			struct lxfw_job_share **jobs, size_t *count);

/* Records the share of JOB, one of the listed jobs, for its steps. Does nothing if its
   folder is gone or has no share yet. Returns 0, or -1 with errno. */
int lxfw_share_dir_tell(const struct lxfw_share_dir *dir, uint32_t job,
			const struct lxfw_node_share *share);

/* Reads the recorded share. Returns NONE if there is none yet. */
enum lxfw_share_answer lxfw_share_dir_read(const struct lxfw_share_dir *dir,
					   struct lxfw_node_share *share);

/* Records the first share and publishes it to the job. Returns 0, or -1 with errno. */
int lxfw_share_dir_begin(const struct lxfw_share_dir *dir,
			 const struct lxfw_node_share *share,
			 const struct lxfw_cpus *cpus);

/* Publishes a share to this step's job. CPUS are numbers of the machine. Returns 0, or
   -1 with errno; each file then has its old or its new contents. */
int lxfw_share_dir_publish(const struct lxfw_share_dir *dir,
			   unsigned processors, const struct lxfw_cpus *cpus);

/* Closes the folder. The last step removes it. May be called twice. */
void lxfw_share_dir_close(struct lxfw_share_dir *dir);

/* Removes the folders of steps that were killed. */
void lxfw_share_dir_sweep(const struct lxfw_share_dir *dir);

#endif
