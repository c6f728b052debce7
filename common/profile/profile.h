/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Availability over time: the free resources of every host now, future releases, and
 * resources that are held for future intervals.
 *
 * There are two kinds of claims. *Running* claims have their resources now and until
 * their expected end. *Holds* (reservations, blocks) set resources aside from a start to
 * an end. What a host has over time is a line, which it shares with the hosts of its kind
 * (kinds.h).
 *
 * A claim is identified by a number; -1 is no claim. A claim without shares is always -1.
 */
#ifndef LXFW_PROFILE_PROFILE_H
#define LXFW_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/resources.h"
#include "common/profile/change.h"
#include "common/profile/duration.h"
#include "common/profile/kinds.h"
#include "common/profile/opening.h"
#include "common/profile/release.h"

struct lxfw_host {
	struct lxfw_resources total;
	bool up;
	uint32_t sockets;	/* its GPUs by socket; 0: not known */
	uint32_t sockets_used;	/* those of running claims */
	uint32_t sockets_free;	/* the others */
	uint8_t gpus;		/* mask of the extras that are GPUs, if `sockets` is not 0 */
};

/* A share of a hold. */
struct lxfw_hold {
	int64_t start, end;
	struct lxfw_resources amount;
	int32_t host;
	int32_t next;		/* of the same claim, or in the free list */
	bool joined;		/* the next one was another claim, see
				   lxfw_profile_join() */
};

/* A time at which a hold on any of several hosts begins or ends. */
struct lxfw_total {
	int64_t time;
	int32_t uses;	/* number of holds that begin or end here */
	int64_t held;	/* processors of all holds, from this time to the next one */
};

struct lxfw_profile {
	struct lxfw_host *hosts;
	size_t hosts_size;
	int32_t host_count;
	int32_t least_procs;	/* no host with processors has had fewer; 0: none has any */
	/* Hosts that are up, in placement order: fewest free processors, then least free
	   memory, then lowest index. See lxfw_profile_order(). */
	int32_t *order;
	size_t order_size;
	int32_t order_count;
	bool order_stale;
	bool has_sockets;	/* of a host it was known on which sockets its GPUs are */
	bool claims_more;	/* a claim had memory or extras, or a host a negative amount of
				   them: what is left may differ from what hosts have */
	struct lxfw_kinds kinds;
	struct lxfw_resources free;	/* sum over the hosts that are up; negative
					   amounts count as 0 */
	struct lxfw_boundary_space space;
	struct lxfw_release_pool line_releases;
	size_t running_shares;	/* of running claims on hosts */
	/* The shares of running claims. */
	struct lxfw_release_pool releases;
	/* Releases of all hosts together: a tree with a node for each running claim.
	   Maintained only if there are several hosts. */
	int32_t all_releases;
	int32_t uncounted;	/* number of running claims without a node in this tree */
	struct lxfw_hold *holds;
	size_t holds_size, holds_used;
	int32_t holds_free;
	size_t holds_free_count;
	struct lxfw_openings openings;
	struct lxfw_changes changes;
	/* Holds of all hosts together, in order of time. Maintained only if there are
	   several hosts, and no longer, until there are no holds, after a host with a hold
	   was down. */
	struct lxfw_total *totals;
	size_t totals_size;
	int32_t total_count;
	bool totals_invalid;
};

/* What HOST has over time. */
static inline const struct lxfw_line *lxfw_profile_line(const struct lxfw_profile *profile,
							int32_t host)
{
	return &profile->kinds.list[profile->kinds.of[host]].line;
}

/* What is free on HOST now; holds are not subtracted. */
static inline const struct lxfw_resources *
lxfw_profile_free(const struct lxfw_profile *profile, int32_t host)
{
	return &lxfw_profile_line(profile, host)->free;
}

/* Initialize a profile without hosts, and release all memory of a profile. */
void lxfw_profile_init(struct lxfw_profile *profile);
void lxfw_profile_clear(struct lxfw_profile *profile);

/* Set the state and the totals of host INDEX, which is at most host_count. Returns 0, or
   -1 with errno ENOMEM. */
int lxfw_profile_set_host(struct lxfw_profile *profile, int32_t index, bool up,
			  const struct lxfw_resources *total);

/* Set the GPUs of host INDEX by socket (model/sockets.h), and the mask of the extras that are
   GPUs. Claims that run have their GPUs on unknown sockets if they were not known before. */
void lxfw_profile_set_sockets(struct lxfw_profile *profile, int32_t index, uint32_t sockets,
			      uint8_t gpus);

/* The sockets on which a share has its GPUs: those that it states, or by lxfw_sockets_choose(),
   if they are not known, those that it gets now. */
uint32_t lxfw_profile_sockets(const struct lxfw_profile *profile,
			      const struct lxfw_share *share);

/* Allocate what a running claim of COUNT shares, or holds on COUNT shares, need, so that
   making them cannot fail. Return 0, or -1 with errno ENOMEM. */
int lxfw_profile_ready_run(struct lxfw_profile *profile, int32_t count);
int lxfw_profile_ready_hold(struct lxfw_profile *profile, int32_t count);

/* Make a running claim on SHARES (one or more, each host once) until END; returns the
   claim. Change its end. Remove it. */
int32_t lxfw_profile_run(struct lxfw_profile *profile,
			 const struct lxfw_share *shares, int32_t count,
			 int64_t end);
void lxfw_profile_run_until(struct lxfw_profile *profile, int32_t claim,
			    int64_t end);
void lxfw_profile_stop(struct lxfw_profile *profile, int32_t claim);

/* The running claim is that of a suspended job that waits in the queue. It stays on its
   hosts until an unknown time, and may have no processors there. */
void lxfw_profile_keep(struct lxfw_profile *profile, int32_t claim);

/* Copy the shares of a running claim to SHARES, in any order, unless it is NULL. Returns
   their number. CLAIM may be -1. */
int32_t lxfw_profile_shares(const struct lxfw_profile *profile, int32_t claim,
			    struct lxfw_share *shares);

/* Whether a running claim has a single share, which is returned in *SHARE; and change the
   processors and the end of such a claim. */
bool lxfw_profile_single(const struct lxfw_profile *profile, int32_t claim,
			 struct lxfw_share *share);
void lxfw_profile_resize(struct lxfw_profile *profile, int32_t claim,
			 int32_t procs, int64_t end);

/* Make a hold on SHARES from START, in the future or not, to END; returns the claim.
   Remove it. */
int32_t lxfw_profile_hold(struct lxfw_profile *profile,
			  const struct lxfw_share *shares, int32_t count,
			  int64_t start, int64_t end);
void lxfw_profile_unhold(struct lxfw_profile *profile, int32_t claim);

/* The share of a hold of one share. */
struct lxfw_share lxfw_profile_hold_share(const struct lxfw_profile *profile,
					  int32_t claim);

/* Change the interval of a hold of one share, after lxfw_profile_ready_hold(). */
void lxfw_profile_move_hold(struct lxfw_profile *profile, int32_t claim,
			    int64_t start, int64_t end);

/* Join two holds, which may have different times, to one; returns it. A claim may be
   -1. */
int32_t lxfw_profile_join(struct lxfw_profile *profile, int32_t claim,
			  int32_t other);

/* Holds are excluded for a moment, in which lxfw_profile_bound() has no use: its sums need not
   follow. PAUSE returns what RESUME needs, before which all are included again. */
static inline bool lxfw_profile_pause_totals(struct lxfw_profile *profile)
{
	bool before = profile->totals_invalid;

	profile->totals_invalid = true;
	return before;
}

static inline void lxfw_profile_resume_totals(struct lxfw_profile *profile, bool before)
{
	profile->totals_invalid = before;
}

/* Exclude a hold from queries (SIGN -1), and include it again (SIGN 1). CLAIM may be
   -1. */
void lxfw_profile_count_hold(struct lxfw_profile *profile, int32_t claim,
			     int sign);

/* Whether the resources left beside a hold are negative on a host of a running claim. */
bool lxfw_profile_disturbed(const struct lxfw_profile *profile, int32_t claim);

/* The minimum of each resource of HOST over [START, END) beside the holds; START is now
   or later. Claims that are due by START count as released. For a start now, compare with
   the host's `free` as well. */
void lxfw_profile_available(const struct lxfw_profile *profile, int32_t host,
			    int64_t start, int64_t end,
			    struct lxfw_resources *available);

/* The same for the processors alone. */
int32_t lxfw_profile_procs(const struct lxfw_profile *profile, int32_t host,
			   int64_t start, int64_t end);

/* The time from START on at which SHARE, which is available at START, is no longer
   available beside the holds, or END if it is available until then. */
int64_t lxfw_profile_until(const struct lxfw_profile *profile,
			   const struct lxfw_share *share, int64_t start,
			   int64_t end);

/* The first time, FROM (now or later) or later, from which NEED is available on HOST for
   DURATION seconds, if claims are released when they are due; LXFW_NEVER if there is
   none. */
int64_t lxfw_profile_earliest(const struct lxfw_profile *profile, int32_t host,
			      const struct lxfw_resources *need,
			      int64_t duration, int64_t from);

/* The same if it is before BEFORE; otherwise any time that is not. */
int64_t lxfw_profile_earliest_before(const struct lxfw_profile *profile, int32_t host,
				     const struct lxfw_resources *need, int64_t duration,
				     int64_t from, int64_t before);

/* Whether NEED is available on HOST for DURATION seconds from a time on that is FROM, now or
   later, or after it, and before BEFORE. The resources after UNTIL are not examined. */
bool lxfw_profile_fits_before(const struct lxfw_profile *profile, int32_t host,
			      const struct lxfw_resources *need, int64_t duration,
			      int64_t from, int64_t before, int64_t until);

/* Upper bounds of the processors that are available from now on, by duration: the longer,
   the fewer. A span is a range of durations. */
#define LXFW_ROOM_STEPS 8
#define LXFW_ROOM_SPANS 16
struct lxfw_room {
	int64_t now;
	int32_t spans[LXFW_ROOM_SPANS];
	int32_t widest[LXFW_ROOM_SPANS];	/* on one host */
	int count;	/* of exact steps, with a single host */
	struct {
		int64_t until;
		int32_t procs;
	} steps[LXFW_ROOM_STEPS];
};

/* The span of durations of 2^(SPAN + 6) seconds or more, and less than twice as long. The first
   one has all shorter ones, too, and the last one all longer ones. */
static inline int lxfw_room_span(int64_t duration)
{
	int span = 0;

	for (duration >>= 7; duration > 0 && span < LXFW_ROOM_SPANS - 1; duration >>= 1)
		span++;
	return span;
}

/* Compute the bounds. */
void lxfw_profile_room(const struct lxfw_profile *profile, int64_t now,
		       struct lxfw_room *room);

/* Whether PROCS processors, PIECE of them on one host, may be available for DURATION seconds, which
   are in SPAN. */
static inline bool lxfw_room_has_in(const struct lxfw_room *room, int32_t procs, int32_t piece,
				    int64_t duration, int span)
{
	int i = room->count - 1;

	if (procs > room->spans[span] || piece > room->widest[span])
		return false;
	while (i > 0 && room->steps[i].procs < procs)
		i--;
	return i < 0 || (room->steps[i].procs >= procs &&
			 lxfw_time_add(room->now, duration) <= room->steps[i].until);
}

static inline bool lxfw_room_has(const struct lxfw_room *room, int32_t procs,
				 int64_t duration)
{
	return lxfw_room_has_in(room, procs, 0, duration, lxfw_room_span(duration));
}

/* Whether the resources left are negative at some time of a hold. */
bool lxfw_profile_overbooked(const struct lxfw_profile *profile, int32_t claim);

/* The first time, FROM or later, at which a hold of one share, without itself, would fit on
   its host, if it is before BEFORE and before the start of the hold; otherwise LXFW_NEVER.
   The hold must not be overbooked. */
int64_t lxfw_profile_moves_up(const struct lxfw_profile *profile, int32_t claim,
			      int64_t from, int64_t before);

/* An upper bound of the processors that are available on HOST, beside the holds, at any
   time in [FROM, UNTIL). */
int32_t lxfw_profile_most_procs(const struct lxfw_profile *profile, int32_t host,
				int64_t from, int64_t until);

/* The time at which running claims have released what a hold of one share needs on its
   host, without other holds; INT64_MIN if it is free now, LXFW_NEVER if it never is. */
int64_t lxfw_profile_released_at(const struct lxfw_profile *profile, int32_t claim);

/* A lower bound of the time at which NEED is available on all hosts together, with or
   without holds; LXFW_NEVER if it never is. INT64_MIN if there is no bound, which is
   always so with a single host. */
int64_t lxfw_profile_not_before(const struct lxfw_profile *profile,
				const struct lxfw_resources *need);

/* A lower bound, FROM or later, of the time from which PROCS processors are available for
   DURATION on all hosts together beside the holds; LXFW_NEVER if they never are. FROM if
   there is no bound, which is always so with a single host. */
int64_t lxfw_profile_bound(const struct lxfw_profile *profile, int64_t procs,
			   int64_t duration, int64_t from);

/* The same without what is held from BEFORE on, or any time that is not before it. */
int64_t lxfw_profile_bound_before(const struct lxfw_profile *profile, int64_t procs,
				  int64_t duration, int64_t from, int64_t before);

/* The first time after TIME at which the resources of HOST may grow, because a claim is
   released or a hold has a boundary; LXFW_NEVER if there is none. */
int64_t lxfw_profile_next_gain(const struct lxfw_profile *profile, int32_t host,
			       int64_t time);

/* Bring `order` up to date. */
void lxfw_profile_order(struct lxfw_profile *profile);

/* Index in `order`, which is up to date, of the first host with PROCS or more free
   processors. */
int32_t lxfw_profile_order_from(const struct lxfw_profile *profile,
				int32_t procs);

#endif
