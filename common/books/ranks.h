/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The classes of waiting jobs in the order in which a pass considers them, for orders
 * that time does not change. The next class that may fit is found without examining all
 * others, so the cost of a pass grows with the number of jobs that may start, not with
 * the number of waiting jobs.
 *
 * The structure is a treap. Its nodes are the classes, by index. Each node has the fewest
 * processors of its subtree, by span of the estimates. The shape depends on the indices
 * only and does not influence results.
 */
#ifndef LXFW_BOOKS_RANKS_H
#define LXFW_BOOKS_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/profile/profile.h"

/* The sort key of a waiting job in a pass. */
struct lxfw_candidate {
	double priority;
	int64_t submit;
	uint64_t id;
	int32_t tier;
	int32_t class, job;
	bool aged;	/* it has waited longer than lxfw_age_first */
};

/* Whether A comes before B. The order is total: ties are broken by submit time, then
   id. Jobs that have waited long are ordered by these alone. */
static inline bool lxfw_candidate_before(const struct lxfw_candidate *a,
					 const struct lxfw_candidate *b)
{
	if (a->tier != b->tier)
		return a->tier > b->tier;
	if (a->aged != b->aged)
		return a->aged;
	if (a->priority != b->priority && !a->aged)
		return a->priority > b->priority;
	if (a->submit != b->submit)
		return a->submit < b->submit;
	return a->id < b->id;
}

struct lxfw_rank {
	struct lxfw_candidate key;	/* of the job at the head of the class */
	int64_t estimate;	/* of the class, seconds */
	int32_t procs;		/* of the whole request */
	int32_t span;		/* of the estimate */
	int32_t least[LXFW_ROOM_SPANS];	/* processors of the subtree, by span */
	int32_t left, right;
	bool in;		/* the class is in the tree */
};

/* {0} is empty and not in use. */
struct lxfw_ranks {
	struct lxfw_rank *nodes;	/* by index of the class */
	size_t size;
	int32_t root;
	bool used;	/* true: all classes are in the tree; false: the tree is not
			   maintained */
};

/* Allocate nodes for classes with an index below COUNT. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_ranks_ready(struct lxfw_ranks *ranks, size_t count);

/* Begin to use the empty tree, with nodes allocated, and stop using it. */
void lxfw_ranks_begin(struct lxfw_ranks *ranks);
void lxfw_ranks_end(struct lxfw_ranks *ranks);

/* Enter the class of KEY, with PROCS processors in all and an estimate in seconds, or
   move it if it is in the tree. And remove a class if it is in the tree. */
void lxfw_ranks_set(struct lxfw_ranks *ranks, const struct lxfw_candidate *key,
		    int32_t procs, int64_t estimate);
void lxfw_ranks_remove(struct lxfw_ranks *ranks, int32_t class);

/* The first class after AFTER (NULL: of all) for which ROOM has enough processors (NULL: any
   class), or -1. */
int32_t lxfw_ranks_next(const struct lxfw_ranks *ranks,
			const struct lxfw_candidate *after,
			const struct lxfw_room *room);

#endif
