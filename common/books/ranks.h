/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The classes of waiting jobs in the order in which a pass considers them, for orders that
 * time does not change. The next class of those that may fit is found without a look at
 * all the others, so that a pass costs what may start, not what waits.
 *
 * It is a treap whose nodes are the classes, by their index. Each node has the fewest
 * processors and the shortest estimate of its subtree. Its shape depends on the indices
 * only and never shows in what it answers.
 */
#ifndef LXFW_BOOKS_RANKS_H
#define LXFW_BOOKS_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/profile/profile.h"

/* What orders a waiting job in a pass. */
struct lxfw_candidate {
	double priority;
	int64_t submit;
	uint64_t id;
	int32_t tier;
	int32_t class, job;
};

/* Whether A comes before B. Total: ties by submit time, then id. */
static inline bool lxfw_candidate_before(const struct lxfw_candidate *a,
					 const struct lxfw_candidate *b)
{
	if (a->tier != b->tier)
		return a->tier > b->tier;
	if (a->priority != b->priority)
		return a->priority > b->priority;
	if (a->submit != b->submit)
		return a->submit < b->submit;
	return a->id < b->id;
}

struct lxfw_rank {
	struct lxfw_candidate key;	/* of the job at the head of the class */
	int64_t estimate, least_estimate;	/* s; of the class, in the subtree */
	int32_t procs, least_procs;		/* in all; the same */
	int32_t left, right;
	bool in;		/* the class is in the tree */
};

/* All zero is the empty one, not in use. */
struct lxfw_ranks {
	struct lxfw_rank *nodes;	/* by the index of the class */
	size_t size;
	int32_t root;
	bool used;	/* it has all classes; if not, nothing is in it */
};

/* Make room for classes of index below COUNT. 0, or -1 with errno ENOMEM. */
int lxfw_ranks_ready(struct lxfw_ranks *ranks, size_t count);

/* Begin to use it, empty; room is made. And end that. */
void lxfw_ranks_begin(struct lxfw_ranks *ranks);
void lxfw_ranks_end(struct lxfw_ranks *ranks);

/* Enter the class of KEY, which asks for PROCS in all and ESTIMATE seconds. If it is there
   it is moved to its new place. And take a class out, if it is there. */
void lxfw_ranks_set(struct lxfw_ranks *ranks, const struct lxfw_candidate *key,
		    int32_t procs, int64_t estimate);
void lxfw_ranks_remove(struct lxfw_ranks *ranks, int32_t class);

/* The first class after AFTER (NULL: of all) that ROOM has enough processors for from NOW
   on (NULL: any); -1 if there is none. */
int32_t lxfw_ranks_next(const struct lxfw_ranks *ranks,
			const struct lxfw_candidate *after,
			const struct lxfw_room *room, int64_t now);

#endif
