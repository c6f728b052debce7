/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Future releases of a host: an ordered tree with sums. The amount released until a time,
 * and the time at which an amount is released, are found in logarithmic time. The trees
 * of all hosts share one pool of nodes. A tree is the index of its root, -1 if it is
 * empty.
 *
 * The structure is a treap whose heap order is a hash of the index of the node. The shape
 * does not influence results.
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

/* Add the releases up to and including TIME to *SUM. */
void lxfw_release_until(const struct lxfw_release_pool *pool, int32_t root,
			int64_t time, struct lxfw_resources *sum);

/* The first time at which NEED fits in FREE plus all releases up to that time, or
   LXFW_NEVER. NEED must not fit in FREE alone. */
int64_t lxfw_release_when(const struct lxfw_release_pool *pool, int32_t root,
			  const struct lxfw_resources *free,
			  const struct lxfw_resources *need);

/* The time of the first release after TIME, or LXFW_NEVER. */
int64_t lxfw_release_after(const struct lxfw_release_pool *pool, int32_t root,
			   int64_t time);

#endif
