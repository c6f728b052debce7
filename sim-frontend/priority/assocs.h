/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The associations of a Slurm cluster: a tree of accounts with users as leaves, each with
 * its shares. The root is the account "root". Sources: sacctmgr(1), sshare(1), Slurm's
 * pages "Classic Fairshare Algorithm" and "Fair Tree Fairshare Algorithm".
 */
#ifndef LXFW_PRIORITY_ASSOCS_H
#define LXFW_PRIORITY_ASSOCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"
#include "sim-frontend/trace/names.h"

/* Fairshare=parent: the account or user has no shares of its own. */
#define LXFW_SHARES_PARENT UINT32_MAX

struct lxfw_assoc {
	char *account, *user;		/* USER is "" for an account */
	char *partition;		/* partition of a user's association; "" for
					   all partitions */
	int32_t parent;			/* index of an account, less than this one; -1
					   for the root */
	uint32_t shares;		/* or LXFW_SHARES_PARENT */
	uint32_t priority;		/* 0: none */
	int64_t usage;			/* initial usage in TRES-seconds; for an
					   account, including all below it */
	/* The following are set by lxfw_assocs_finish(). */
	int32_t share_parent;		/* the nearest account above with shares of its
					   own, or the root; -1 for the root */
	int32_t first_child, next_child;	/* of accounts: those with this
						   share_parent, in order of addition;
						   -1: none */
	uint32_t level_shares;		/* sum of shares over all children of
					   share_parent */
	double shares_norm;		/* share of the machine; with Fair Tree,
					   fraction of level_shares */
	double priority_norm;		/* relative to the highest priority, 0 to 1 */
};

struct lxfw_assocs {
	struct lxfw_assoc *items;	/* parents precede children; [0] is the root */
	size_t count, size;
	size_t users;
	struct lxfw_names keys;
	int32_t *of_key;		/* by index in `keys`; -1: none */
	size_t of_key_size;
};

/* Initializes with the root only. Returns 0, or -1 with errno ENOMEM. */
int lxfw_assocs_begin(struct lxfw_assocs *assocs);

/* Preserves errno. {0} is empty. */
void lxfw_assocs_clear(struct lxfw_assocs *assocs);

/*
 * Returns the association of an account (USER "") or a user. PARTITION is "" except for a
 * user in one partition. Returns -1 if there is none, or with errno ENOMEM. Not
 * thread-safe.
 */
int32_t lxfw_assocs_find(struct lxfw_assocs *assocs, struct lxfw_slice account,
			 struct lxfw_slice user, struct lxfw_slice partition);

/* Returns the association that Slurm uses for a job: that of the user in the
   partition, otherwise that in all partitions. Returns -1 as lxfw_assocs_find(). */
int32_t lxfw_assocs_of_job(struct lxfw_assocs *assocs, struct lxfw_slice account,
			   struct lxfw_slice user, struct lxfw_slice partition);

/* Finds or adds an association, with one share, below the account PARENT. Returns -1
   with errno ENOMEM. */
int32_t lxfw_assocs_add(struct lxfw_assocs *assocs, int32_t parent,
			struct lxfw_slice account, struct lxfw_slice user,
			struct lxfw_slice partition);

/* Computes derived members, for Fair Tree or classic fair share. Call after the last
   addition, and again if the algorithm changes. */
void lxfw_assocs_finish(struct lxfw_assocs *assocs, bool fair_tree);

/*
 * Reads PATH, the output of one of the commands below. Known values in the tree are
 * replaced, new ones are added. Reading both outputs provides priorities (sacctmgr) and
 * usage (sshare):
 *
 *   sacctmgr -P show assoc format=cluster,account,user,partition,parentname,share,priority
 *   sshare -P -a -l -m
 *
 * Only the associations of CLUSTER are read; with NULL, there must be only one cluster.
 * Call lxfw_assocs_finish() afterwards. Returns 0, or -1 with errno and ERROR set.
 */
int lxfw_assocs_read(struct lxfw_assocs *assocs, const char *path, const char *cluster,
		     struct lxfw_error *error);

#endif
