/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Future releases: an ordered tree with sums. The amount released until a time,
 * and the time at which an amount is released, are found in logarithmic time. Several
 * trees share one pool of nodes. A tree is the index of its root, -1 if it is
 * empty.
 *
 * The structure is a treap whose heap order is a hash of the index of the node, or of its
 * time if there is one node for each time. The shape does not influence results.
 */
#ifndef LXFW_PROFILE_RELEASE_H
#define LXFW_PROFILE_RELEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/resources.h"

struct lxfw_release {
	int64_t time;			/* time of the release, seconds */
	struct lxfw_resources amount;
	struct lxfw_resources sum;	/* over the subtree */
	int32_t left, right;
	int32_t host;
	int32_t next;		/* of the same claim, or in the free list */
	int32_t uses;		/* number of claims, see lxfw_release_add() */
	uint32_t sockets;	/* the GPUs by socket that are released on the host */
	bool kept;		/* of a suspended job, see lxfw_profile_keep() */
};

struct lxfw_release_pool {
	struct lxfw_release *nodes;
	size_t size, used;
	int32_t free;		/* list of unused nodes, -1 if empty */
	size_t free_count;
};

/* Allocate COUNT more nodes. Returns 0, or -1 with errno ENOMEM. */
int lxfw_release_ready(struct lxfw_release_pool *pool, size_t count);

/* Take a node from the pool, after lxfw_release_ready(), and return one. */
int32_t lxfw_release_take(struct lxfw_release_pool *pool);
void lxfw_release_give(struct lxfw_release_pool *pool, int32_t node);

/* Insert NODE, whose time and amount are set, into a tree, and remove it. */
void lxfw_release_insert(struct lxfw_release_pool *pool, int32_t *root,
			 int32_t node);
void lxfw_release_remove(struct lxfw_release_pool *pool, int32_t *root,
			 int32_t node);

/* The same for a tree with one node for each time: AMOUNT is released at TIME by one more
   claim, or by one claim less. The first takes a node from the pool if there is none for the
   time, the second gives it back if it was the last claim of the time. */
void lxfw_release_add(struct lxfw_release_pool *pool, int32_t *root, int64_t time,
		      const struct lxfw_resources *amount);
void lxfw_release_subtract(struct lxfw_release_pool *pool, int32_t *root, int64_t time,
			   const struct lxfw_resources *amount);

/* Copy a tree to nodes taken from the pool; returns the root of the copy. Give all nodes of a
   tree to the pool. */
int32_t lxfw_release_copy(struct lxfw_release_pool *pool, int32_t root);
void lxfw_release_give_all(struct lxfw_release_pool *pool, int32_t root);

/* Add the releases up to and including TIME to *SUM. */
void lxfw_release_until(const struct lxfw_release_pool *pool, int32_t root,
			int64_t time, struct lxfw_resources *sum);

/* Processors that are released until TIME. */
static inline int32_t lxfw_release_procs(const struct lxfw_release_pool *pool, int32_t root,
					 int64_t time)
{
	const struct lxfw_release *nodes = pool->nodes;
	int32_t procs = 0;

	while (root >= 0) {
		const struct lxfw_release *at = &nodes[root];

		if (at->time > time) {
			root = at->left;
			continue;
		}
		procs += at->amount.procs;
		if (at->left >= 0)
			procs += nodes[at->left].sum.procs;
		root = at->right;
	}
	return procs;
}

/* The first time at which NEED fits in FREE plus all releases up to that time, or
   LXFW_NEVER. NEED must not fit in FREE alone. */
int64_t lxfw_release_when(const struct lxfw_release_pool *pool, int32_t root,
			  const struct lxfw_resources *free,
			  const struct lxfw_resources *need);

/* The first time until which PROCS processors, at least 1, are released, or LXFW_NEVER. */
int64_t lxfw_release_when_procs(const struct lxfw_release_pool *pool, int32_t root,
				int64_t procs);

/* The time of the first release after TIME, or LXFW_NEVER. */
int64_t lxfw_release_after(const struct lxfw_release_pool *pool, int32_t root,
			   int64_t time);

#endif
