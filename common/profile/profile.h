/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Availability over time: what every host has free now, what comes free when,
 * and what is set aside from when to when.
 *
 * Two kinds of claims take resources: *running* ones hold theirs now and until
 * their expected end; *holds* (reservations, blocks) set theirs aside from a
 * start in the future to an end. Running claims only give back, so what a job may
 * use over a stretch of time is least at its beginning or at a boundary of a hold
 * within it. Every host keeps the boundaries of its holds in order of time with
 * what is left there; a question costs a look into the tree of releases and a walk
 * over the boundaries concerned, which most hosts have none of.
 *
 * A claim is named by a number, -1 for none. Claims without shares exist only
 * as -1.
 */
#ifndef LXFW_PROFILE_PROFILE_H
#define LXFW_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/resources.h"
#include "common/profile/duration.h"
#include "common/profile/release.h"

/* A time at which a hold on the host begins or ends. */
struct lxfw_boundary {
	int64_t time;
	struct lxfw_resources held;	/* by holds, from then to the next */
	struct lxfw_resources left;	/* at that time, beside the holds */
	int32_t uses;			/* begins and ends here */
};

struct lxfw_host {
	struct lxfw_resources total;
	struct lxfw_resources free;	/* now; holds do not count */
	bool up;
	int32_t running;	/* running claims on it */
	int32_t releases;	/* tree */
	int32_t boundary_count;
	struct lxfw_boundary *boundaries;	/* by time */
	size_t boundaries_size;
};

/* One share of a hold. */
struct lxfw_hold {
	int64_t start, end;
	struct lxfw_resources amount;
	int32_t host;
	int32_t next;		/* of the same claim, or in the free list */
};

struct lxfw_profile {
	struct lxfw_host *hosts;
	size_t hosts_size;
	int32_t host_count;
	/* Hosts that are up, in placement order: fewest free processors, then
	   least free memory, then index. */
	int32_t *order;
	size_t order_size;
	int32_t order_count;
	struct lxfw_resources free;	/* of the hosts that are up, where it is
					   more than nothing */
	struct lxfw_release_pool releases;
	/* What all hosts together release: a tree with a node for each running
	   claim, where there are several hosts. */
	int32_t all_releases;
	int32_t uncounted;	/* running claims that have no node in it */
	struct lxfw_hold *holds;
	size_t holds_size, holds_used;
	int32_t holds_free;
	size_t holds_free_count;
};

/* Start with no hosts; and free all. */
void lxfw_profile_init(struct lxfw_profile *profile);
void lxfw_profile_clear(struct lxfw_profile *profile);

/* Host INDEX, at most host_count, is so from now on. 0, or -1 with ENOMEM. */
int lxfw_profile_set_host(struct lxfw_profile *profile, int32_t index, bool up,
			  const struct lxfw_resources *total);

/* Make room for a running claim of COUNT shares, or for a hold on SHARES, so that
   making it cannot fail. 0, or -1 with errno ENOMEM. */
int lxfw_profile_ready_run(struct lxfw_profile *profile, int32_t count);
int lxfw_profile_ready_hold(struct lxfw_profile *profile,
			    const struct lxfw_share *shares, int32_t count);

/* A running claim on SHARES (one or more, a host only once) until END. */
int32_t lxfw_profile_run(struct lxfw_profile *profile,
			 const struct lxfw_share *shares, int32_t count,
			 int64_t end);
void lxfw_profile_run_until(struct lxfw_profile *profile, int32_t claim,
			    int64_t end);
void lxfw_profile_stop(struct lxfw_profile *profile, int32_t claim);

/* Whether a running claim is one of a single share, which is then *SHARE; and give
   such a claim other processors and another end. */
bool lxfw_profile_single(const struct lxfw_profile *profile, int32_t claim,
			 struct lxfw_share *share);
void lxfw_profile_resize(struct lxfw_profile *profile, int32_t claim,
			 int32_t procs, int64_t end);

/* A hold on SHARES from START, after now or not, to END. */
int32_t lxfw_profile_hold(struct lxfw_profile *profile,
			  const struct lxfw_share *shares, int32_t count,
			  int64_t start, int64_t end);
void lxfw_profile_unhold(struct lxfw_profile *profile, int32_t claim);

/* Have a hold count for nothing, with SIGN -1, for as long as it takes to ask about
   it; and again, with 1. CLAIM may be -1. */
void lxfw_profile_count_hold(struct lxfw_profile *profile, int32_t claim,
			     int sign);

/* Whether on a host of a running claim less than nothing is left beside a hold. */
bool lxfw_profile_disturbed(const struct lxfw_profile *profile, int32_t claim);

/* The least of each resource that HOST has over [START, END), START now or later,
   beside the holds. What is due by START counts as given back: for a start right
   now look at the host's `free` as well. */
void lxfw_profile_available(const struct lxfw_profile *profile, int32_t host,
			    int64_t start, int64_t end,
			    struct lxfw_resources *available);

/* The first time at FROM (now or later) or after it from which HOST has NEED for
   DURATION seconds, all that is due given back; LXFW_NEVER if there is none. */
int64_t lxfw_profile_earliest(const struct lxfw_profile *profile, int32_t host,
			      const struct lxfw_resources *need,
			      int64_t duration, int64_t from);

/* How many processors can be had from now on at most, for how long: the fewer the
   longer. */
#define LXFW_ROOM_STEPS 8
struct lxfw_room {
	int count;
	struct {
		int64_t until;
		int32_t procs;
	} steps[LXFW_ROOM_STEPS];
};

/* Where there are several hosts only what is free now counts. */
void lxfw_profile_room(const struct lxfw_profile *profile, int64_t now,
		       struct lxfw_room *room);

/* Whether so many may be there until END. */
static inline bool lxfw_room_has(const struct lxfw_room *room, int32_t procs,
				 int64_t end)
{
	int i = room->count - 1;

	while (i >= 0 && room->steps[i].procs < procs)
		i--;
	return i >= 0 && end <= room->steps[i].until;
}

/* Whether less than nothing is left at some time of a hold. */
bool lxfw_profile_overbooked(const struct lxfw_profile *profile, int32_t claim);

/* Whether CLAIM, a hold of one share, would fit on its host at FROM or later, before
   BEFORE and before it begins, if it was not there itself. It is not overbooked. */
bool lxfw_profile_moves_up(const struct lxfw_profile *profile, int32_t claim,
			   int64_t from, int64_t before);

/* When running jobs have given back what CLAIM, a hold of one share, needs on its host if
   no other hold is there; INT64_MIN where that is free now, LXFW_NEVER if never. */
int64_t lxfw_profile_released_at(const struct lxfw_profile *profile, int32_t claim);

/* A time before which NEED cannot be had from all hosts together, holds or not;
   or LXFW_NEVER. Where there is one host only, INT64_MIN: ask for the earliest. */
int64_t lxfw_profile_not_before(const struct lxfw_profile *profile,
				const struct lxfw_resources *need);

/* The first time after TIME at which HOST may have more than before: something is
   released or a hold has a boundary. LXFW_NEVER if there is none. */
int64_t lxfw_profile_next_gain(const struct lxfw_profile *profile, int32_t host,
			       int64_t time);

/* Position in `order` of the first host with PROCS or more free. */
int32_t lxfw_profile_order_from(const struct lxfw_profile *profile,
				int32_t procs);

#endif
