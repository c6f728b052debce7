/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What comes free when on one host: an ordered tree of releases with sums, so
 * that "how much is released until t" and "when is this much released" take
 * logarithmic time however many jobs run. Trees of all hosts live in one pool
 * of nodes; a tree is the index of its root, -1 when empty.
 *
 * It is a treap whose heap order is a hash of the node's index; its shape never
 * shows in what it answers.
 */
#ifndef LXFW_PROFILE_RELEASE_H
#define LXFW_PROFILE_RELEASE_H

#include <stddef.h>
#include <stdint.h>

#include "common/model/resources.h"

struct lxfw_release {
	int64_t time;			/* second of the release */
	struct lxfw_resources amount;
	struct lxfw_resources sum;	/* of the subtree */
	int32_t left, right;
	int32_t host;
	int32_t next;		/* of the same claim, or in the free list */
};

struct lxfw_release_pool {
	struct lxfw_release *nodes;
	size_t size, used;
	int32_t free;		/* list of returned nodes, -1 when empty */
	size_t free_count;
};

/* Make room for COUNT further nodes. 0, or -1 with errno ENOMEM. */
int lxfw_release_ready(struct lxfw_release_pool *pool, size_t count);

/* A node from the pool, which must have been made ready, and back. */
int32_t lxfw_release_take(struct lxfw_release_pool *pool);
void lxfw_release_give(struct lxfw_release_pool *pool, int32_t node);

/* Enter NODE, its time and amount set, into a tree; and take it out. */
void lxfw_release_insert(struct lxfw_release_pool *pool, int32_t *root,
			 int32_t node);
void lxfw_release_remove(struct lxfw_release_pool *pool, int32_t *root,
			 int32_t node);

/* Add to *SUM what is released up to and including TIME. */
void lxfw_release_until(const struct lxfw_release_pool *pool, int32_t root,
			int64_t time, struct lxfw_resources *sum);

/* The first time at which NEED fits in FREE plus all that is released up to
   then. FREE alone does not suffice. LXFW_NEVER if it never does. */
int64_t lxfw_release_when(const struct lxfw_release_pool *pool, int32_t root,
			  const struct lxfw_resources *free,
			  const struct lxfw_resources *need);

/* The first time of a release after TIME, or LXFW_NEVER. */
int64_t lxfw_release_after(const struct lxfw_release_pool *pool, int32_t root,
			   int64_t time);

#endif
