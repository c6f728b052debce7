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

/* Fairshare=parent: an account or user without shares of its own. */
#define LXFW_SHARES_PARENT UINT32_MAX

struct lxfw_assoc {
	char *account, *user;		/* USER is "" for an account */
	char *partition;		/* of a user in one partition only; else "" */
	int32_t parent;			/* an account before this one; -1 for the root */
	uint32_t shares;		/* or LXFW_SHARES_PARENT */
	uint32_t priority;		/* 0 = none */
	int64_t usage;			/* at the beginning, TRES-seconds; of an account
					   with all below it */
	/* From lxfw_assocs_finish(): */
	int32_t share_parent;		/* the nearest account above with shares of its
					   own or the root; -1 for the root */
	int32_t first_child, next_child;	/* of accounts, those whose share_parent
						   it is, in the order added; -1 = none */
	uint32_t level_shares;		/* of all children of share_parent */
	double shares_norm;		/* share of the machine; with Fair Tree that of
					   level_shares */
	double priority_norm;		/* of the highest priority there is, 0 to 1 */
};

struct lxfw_assocs {
	struct lxfw_assoc *items;	/* parents before children; [0] is the root */
	size_t count, size;
	size_t users;
	struct lxfw_names keys;
	int32_t *of_key;		/* by position in `keys`; -1 = none */
	size_t of_key_size;
};

/* Only the root. 0, or -1 with errno ENOMEM. */
int lxfw_assocs_begin(struct lxfw_assocs *assocs);

/* {0} is empty. Keeps errno. */
void lxfw_assocs_clear(struct lxfw_assocs *assocs);

/*
 * The association of an account (USER "") or of a user; PARTITION is "" but for a user in
 * one partition only. -1 if there is none, or with errno ENOMEM. Not to be called by
 * several threads at once.
 */
int32_t lxfw_assocs_find(struct lxfw_assocs *assocs, struct lxfw_slice account,
			 struct lxfw_slice user, struct lxfw_slice partition);

/* The association that Slurm takes for a job: the user's in the partition, else that in
   all of them. As above. */
int32_t lxfw_assocs_of_job(struct lxfw_assocs *assocs, struct lxfw_slice account,
			   struct lxfw_slice user, struct lxfw_slice partition);

/* Find or add one, with one share below PARENT, an account. -1 with errno ENOMEM. */
int32_t lxfw_assocs_add(struct lxfw_assocs *assocs, int32_t parent,
			struct lxfw_slice account, struct lxfw_slice user,
			struct lxfw_slice partition);

/* Compute what is derived, for Fair Tree or classic fair share. After the last one was
   added, and again when the algorithm changes. */
void lxfw_assocs_finish(struct lxfw_assocs *assocs, bool fair_tree);

/*
 * Read PATH, what one of these printed; what the tree knows already is replaced, the rest
 * is added. Reading both gives priorities (sacctmgr) and usage (sshare):
 *
 *   sacctmgr -P show assoc format=cluster,account,user,partition,parentname,share,priority
 *   sshare -P -a -l -m
 *
 * Of several clusters, CLUSTER's; NULL: there may be only one. To be finished afterwards.
 * 0, or -1 with errno and ERROR set.
 */
int lxfw_assocs_read(struct lxfw_assocs *assocs, const char *path, const char *cluster,
		     struct lxfw_error *error);

#endif
