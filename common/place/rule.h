/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between place.c, which knows when, and rule.c, which chooses. */
#ifndef LXFW_PLACE_RULE_H
#define LXFW_PLACE_RULE_H

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

/* SET may be NULL: every host. */
static inline bool lxfw_host_set_has(const struct lxfw_host_set *set,
				     int32_t host)
{
	if (!set)
		return true;
	return (size_t)host / 64 < set->words &&
	       (set->members[host / 64] >> (host % 64) & 1);
}

/* How many pieces HOST can take at START, MOST at most; for shape HOSTS, 1. A job
   that is to start AT_ONCE needs what is free, not what is due. */
int32_t lxfw_place_capacity(const struct lxfw_sched *sched,
			    const struct lxfw_request *request, int32_t host,
			    int64_t start, bool at_once, int32_t most);

/* Enter PIECES on HOST in sched->found, of which *FOUND are in use. */
void lxfw_place_add(struct lxfw_sched *sched, int32_t *found,
		    const struct lxfw_request *request, int32_t host,
		    int32_t pieces);

/*
 * Choose among the first COUNT of sched->ranked, whose `procs` are the pieces that each
 * host takes (1 or more), those that take the most pieces first: the choice with the
 * fewest hosts. Returns the number of hosts used, which then come first with the
 * pieces of each; 0 if all of them together are not enough.
 */
int32_t lxfw_place_widest(struct lxfw_sched *sched,
			  const struct lxfw_request *request, int32_t count);

/*
 * Hosts for REQUEST at START, of those of SET in ORDER[from .. count - 1], which are
 * in placement order. Shares in sched->found, ascending by host; their number, 0 if it
 * does not fit.
 */
int32_t lxfw_place_by_rule(struct lxfw_sched *sched,
			   const struct lxfw_request *request,
			   const struct lxfw_host_set *set, const int32_t *order,
			   int32_t from, int32_t count, int64_t start,
			   bool at_once);

#endif
