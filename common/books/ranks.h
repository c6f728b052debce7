/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The classes of waiting jobs in the order in which a pass considers them, for orders
 * that time does not change. The next class that may fit is found without examining all
 * others, so the cost of a pass grows with the number of jobs that may start, not with
 * the number of waiting jobs.
 *
 * A family has the classes that request the same but in how many pieces, and for how long: if one
 * cannot start now, then those that request as many or more, for as long or longer, cannot. Each
 * family has a tree, and one more has all classes of which this is not known.
 *
 * A tree is a treap. Its nodes are the classes, by index. Each node has the fewest
 * processors of its subtree, in all and on one host, by span of the estimates. The shape
 * depends on the indices only and does not influence results.
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
	int32_t piece;		/* the fewest that it needs on some host, or 0 */
	int32_t span;		/* of the estimate */
	int32_t family;		/* index in `families` */
	int32_t least[LXFW_ROOM_SPANS];	/* processors of the subtree, by span */
	int32_t least_piece[LXFW_ROOM_SPANS];	/* those on one host */
	int32_t left, right;
	bool in;		/* the class is in the tree */
};

#define LXFW_FAMILIES 64

struct lxfw_family {
	uint64_t key;
	int32_t root;
	int32_t count;	/* of classes */
};

/* {0} is empty and not in use. */
struct lxfw_ranks {
	struct lxfw_rank *nodes;	/* by index of the class */
	size_t size;
	struct lxfw_family families[LXFW_FAMILIES];	/* the first one has the other classes */
	int32_t family_count;
	uint64_t changes;	/* number of classes that were entered or removed */
	bool used;	/* true: all classes are in the tree; false: the tree is not
			   maintained */
};

/* Allocate nodes for classes with an index below COUNT. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_ranks_ready(struct lxfw_ranks *ranks, size_t count);

/* Begin to use the empty tree, with nodes allocated, and stop using it. */
void lxfw_ranks_begin(struct lxfw_ranks *ranks);
void lxfw_ranks_end(struct lxfw_ranks *ranks);

/* Enter the class of KEY, with PROCS processors in all, at least PIECE of them on one host, and an
   estimate in seconds, or move it if it is in the tree. FAMILY is a hash of the family, or 0.
   And remove a class if it is in the tree. */
void lxfw_ranks_set(struct lxfw_ranks *ranks, const struct lxfw_candidate *key,
		    int32_t procs, int32_t piece, int64_t estimate, uint64_t family);
void lxfw_ranks_remove(struct lxfw_ranks *ranks, int32_t class);

/* The first class after AFTER (NULL: of all) for which ROOM has enough processors (NULL: any
   class), or -1. */
int32_t lxfw_ranks_next(const struct lxfw_ranks *ranks,
			const struct lxfw_candidate *after,
			const struct lxfw_room *room);

/* A walk through the classes in order. */
struct lxfw_ranks_walk {
	const struct lxfw_ranks *ranks;
	int32_t families;	/* at the beginning: others do not take part */
	bool all;		/* otherwise those for which there is room */
	struct lxfw_room room;
	struct lxfw_candidate last;	/* the class that was found last; its job is -1: none */
	uint64_t changes;	/* of the classes, when it was */
	int32_t only;		/* its family, if only that is stale; otherwise -1 */
	int32_t second;		/* the family that has the first class of the others, or -1 */
	struct lxfw_candidate keys[LXFW_FAMILIES];	/* of the next class of each family */
	struct lxfw_family_walk {
		int32_t next;		/* class, or -1 */
		bool stale;		/* `next` is not known */
		bool fails;		/* a class cannot start: what follows is set */
		int32_t spans[LXFW_ROOM_SPANS];	/* no class with more processors can start */
		/* By span, what the last class that cannot start requests. */
		int32_t procs[LXFW_ROOM_SPANS];
		int64_t estimates[LXFW_ROOM_SPANS];
	} of[LXFW_FAMILIES];
};

/* Begin a walk through the classes for which ROOM has enough processors, which later may only
   become less (NULL: through all). */
void lxfw_ranks_walk_begin(struct lxfw_ranks_walk *walk, const struct lxfw_ranks *ranks,
			   const struct lxfw_room *room);
void lxfw_ranks_walk_in(struct lxfw_ranks_walk *walk, const struct lxfw_room *room);

/* The next class, or -1. */
int32_t lxfw_ranks_walk_next(struct lxfw_ranks_walk *walk);

/* Whether CLASS, which was found last, has the same job at its head still. */
static inline bool lxfw_ranks_walk_is_at(const struct lxfw_ranks_walk *walk, int32_t class)
{
	const struct lxfw_rank *node = &walk->ranks->nodes[class];

	return node->in && node->key.id == walk->last.id;
}

/* CLASS, which is in the tree, cannot start now, nor can it until the end of the walk. */
void lxfw_ranks_walk_fails(struct lxfw_ranks_walk *walk, int32_t class);

#endif
