/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One search for hosts: what place.c, which knows when a job can start, and the
 * placement rules, which choose among hosts, hand each other.
 */
#ifndef LXFW_PLACE_PLACING_H
#define LXFW_PLACE_PLACING_H

#include <stdbool.h>
#include <stdint.h>

#include "common/books/books.h"

struct lxfw_ranked_host {	/* a host as a placement weighs it */
	int64_t time;		/* when the request fits there */
	int64_t memory_mb;	/* what is available at that time */
	int32_t procs;
	int32_t host;
};

struct lxfw_host_change {	/* at `time`, the ranked host takes another number of pieces */
	int64_t time;
	int32_t rank;
};

struct lxfw_placing {
	struct lxfw_sched *sched;	/* sched->found gets the shares; sched->ranked
					   and sched->room are scratch, of one entry
					   for each host */
	const struct lxfw_request *request;
	const struct lxfw_host_set *set;	/* of these hosts only; NULL: of all */
	int64_t start;
	bool at_once;	/* START is now: the job needs what is free, not what is due */
	/* The hosts in placement order: ascending by unallocated processors, then free
	   memory, then index. Those before `from` are known not to fit. */
	const int32_t *order;
	int32_t from, count;
	int32_t found;		/* shares so far */
};

/* SET may be NULL: every host. */
static inline bool lxfw_host_set_has(const struct lxfw_host_set *set,
				     int32_t host)
{
	if (!set)
		return true;
	return (size_t)host / 64 < set->words &&
	       (set->members[host / 64] >> (host % 64) & 1);
}

/* What HOST has for the job from the start to its end. */
struct lxfw_resources lxfw_placing_available(const struct lxfw_placing *placing,
					     int32_t host);

/* How many pieces HOST can take at the start, MOST at most; for shape HOSTS, 1. */
int32_t lxfw_placing_capacity(const struct lxfw_placing *placing, int32_t host,
			      int32_t most);

/* Choose HOST for PIECES of the request. */
void lxfw_placing_add(struct lxfw_placing *placing, int32_t host, int32_t pieces);

/* Whether HOST is chosen. */
bool lxfw_placing_has(const struct lxfw_placing *placing, int32_t host);

/*
 * Choose among the first COUNT of sched->ranked, whose `procs` are the pieces that each
 * host takes (1 or more), those that take the most pieces first: the choice with the
 * fewest hosts. Returns the number of hosts used, which then come first with the
 * pieces of each; 0 if all of them together are not enough.
 */
int32_t lxfw_placing_widest(struct lxfw_placing *placing, int32_t count);

/* Choose hosts by the placement rule in force. Shares in sched->found, ascending by
   host; their number, 0 if the request does not fit. */
int32_t lxfw_placing_choose(struct lxfw_placing *placing);

#endif
