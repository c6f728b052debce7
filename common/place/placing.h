/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One search for hosts: the data that place.c, which determines when a job can start,
 * shares with the placement rules, which choose among the hosts.
 */
#ifndef LXFW_PLACE_PLACING_H
#define LXFW_PLACE_PLACING_H

#include <stdbool.h>
#include <stdint.h>

#include "common/books/books.h"
#include "common/place/rule.h"

struct lxfw_ranked_host {	/* a host as a placement rule ranks it, or one that stands
				   for all of its kind */
	int64_t time;		/* time at which the request fits on the host */
	int64_t memory_mb;	/* available at that time */
	int32_t procs;
	int32_t host;
	int32_t kind;
	int32_t count;		/* of hosts */
	int32_t room;		/* pieces on each at the start, when hosts are chosen */
	int32_t level;		/* of the placement rule: lower ones come first */
};

struct lxfw_host_change {	/* time at which the number of pieces on a ranked host
				   changes */
	int64_t time;
	int32_t rank;
};

struct lxfw_placing {
	struct lxfw_sched *sched;	/* sched->found receives the shares; sched->ranked
					   and sched->room are scratch space with an entry
					   for each host */
	const struct lxfw_request *request;
	const struct lxfw_host_set *set;	/* hosts that may be used; NULL: all */
	struct lxfw_host_set untaken;	/* the set, for a job of a group */
	int64_t from_time;	/* lxfw_place_earliest(): the start is not before it */
	int64_t start;
	bool only_procs;	/* nothing but processors decides where the job fits, see
				   lxfw_placing_wants_procs() */
	bool awake_only;	/* hosts with a boot time may not be used */
	bool at_once;	/* START is now: free resources count, not those of jobs that are
			   due to end */
	bool by_kind;	/* `from` and `count` are of kinds of hosts, not of `order` */
	bool ranked;	/* the hosts or kinds have been ranked: the kinds are those of
			   sched->ranked, otherwise those of the profile */
	/* The hosts in placement order: ascending by the level of the placement rule,
	   unallocated processors, then free memory, then index. The request fits on none of
	   those before `from`. */
	const int32_t *order;
	int32_t from, count;
	int32_t found;		/* number of shares chosen */
};

/* Whether HOST is in SET. If SET is NULL, every host is. */
static inline bool lxfw_host_set_has(const struct lxfw_host_set *set,
				     int32_t host)
{
	if (!set)
		return true;
	return (size_t)host / 64 < set->words &&
	       (set->members[host / 64] >> (host % 64) & 1);
}

/* Whether hosts may have different levels under the placement rule. */
static inline bool lxfw_placing_has_levels(const struct lxfw_sched *sched)
{
	return sched->placement->level && sched->gpus;
}

/* Whether REQUEST and all claims are of processors alone: memory and extras, then, neither
   are wanted nor get fewer. */
bool lxfw_placing_wants_procs(const struct lxfw_sched *sched,
			      const struct lxfw_request *request);

/* Resources of HOST that are available to the job from its start to its end. */
struct lxfw_resources lxfw_placing_available(const struct lxfw_placing *placing,
					     int32_t host);

/* Whether the request needs an empty host, and a suspended job waits on this one until an
   unknown time. */
static inline bool lxfw_placing_is_kept(const struct lxfw_placing *placing, int32_t index)
{
	return placing->request->exclusive &&
	       lxfw_profile_line(&placing->sched->profile, index)->kept > 0;
}

/* Number of pieces that HOST has room for at the start, at most MOST. For
   LXFW_SHAPE_HOSTS it is 0 or 1. */
int32_t lxfw_placing_capacity(const struct lxfw_placing *placing, int32_t host,
			      int32_t most);

/* Choose HOST for PIECES pieces of the request. */
void lxfw_placing_add(struct lxfw_placing *placing, int32_t host, int32_t pieces);

/*
 * Choose the fewest hosts among the first COUNT of sched->ranked, those with the most
 * pieces first. `procs` of an entry is the number of pieces that the host has room for, 1
 * or more. Returns the number of hosts used; these come first, and their `procs` is set
 * to the pieces that they get. Returns 0 if all hosts together have too little room.
 */
int32_t lxfw_placing_widest(struct lxfw_placing *placing, int32_t count);

/* Whether a search may examine kinds of hosts, and whether the placement rule may then
   choose among kinds. */
bool lxfw_placing_has_kinds(const struct lxfw_sched *sched);
bool lxfw_placing_chooses_kinds(const struct lxfw_placing *placing);

/* Choose hosts by the scheduler's placement rule, among those of the lowest weights on which
   the request fits (books/weights.h, which lxfw_place_ready() brings up to date). Puts the
   shares into sched->found, ascending by host, and returns their number; 0 if the request
   does not fit. */
int32_t lxfw_placing_choose(struct lxfw_placing *placing);

#endif
