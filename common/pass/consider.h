/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Consider one job in a pass: it starts, gets a reservation, or waits. */
#ifndef LXFW_PASS_CONSIDER_H
#define LXFW_PASS_CONSIDER_H

#include "common/books/books.h"
#include "common/books/reservation.h"

enum lxfw_outcome {
	LXFW_FAILED = -1,	/* errno is ENOMEM, or sched->stuck is set */
	LXFW_STARTED,
	LXFW_RESERVED,		/* it has a reservation, an old or a new one */
	LXFW_BLOCKED,		/* neither */
};

/* Start a waiting job if it fits beside the reservations. Otherwise reserve for it, if
   one more than RESERVED_SO_FAR reservations are allowed, which is the number of jobs with
   reservations before it. */
enum lxfw_outcome lxfw_consider(struct lxfw_sched *sched, int32_t job,
				int32_t reserved_so_far);

/* The same for the job of the reservation AT, the AT + 1st in the order of the pass, if all
   waiting jobs have reservations. */
enum lxfw_outcome lxfw_reconsider(struct lxfw_sched *sched, int32_t at);

/* Notes that a reservation which is not permitted now may be permitted from TIME on. */
void lxfw_reservable_later(struct lxfw_sched *sched, int64_t time);

/* Whether the parameters allow a waiting job a reservation, by its age and priority. If they will
   later, the time is noted in sched->reservable_at. */
bool lxfw_may_reserve_by_age(struct lxfw_sched *sched, int32_t job);

static inline bool lxfw_parameters_may_reserve(struct lxfw_sched *sched, int32_t job)
{
	return (sched->params.reservation_priority == 0 &&
		sched->params.reservation_age == 0) ||
	       lxfw_may_reserve_by_age(sched, job);
}

/* Whether the request of a waiting job is for no reservation. A suspended job needs one all the
   same: others could keep it suspended for ever. */
static inline bool lxfw_asks_for_none(const struct lxfw_sched *sched, int32_t job)
{
	return sched->jobs[job].request.no_reservation && !sched->jobs[job].kept;
}

/* Whether the parameters and the request allow it one. */
static inline bool lxfw_may_reserve(struct lxfw_sched *sched, int32_t job)
{
	return !lxfw_asks_for_none(sched, job) && lxfw_parameters_may_reserve(sched, job);
}

/* Number of jobs that may have a reservation: if jobs are preempted by tier, one more for
   each suspended job. */
static inline int32_t lxfw_reservations_allowed(const struct lxfw_sched *sched)
{
	const struct lxfw_backfill *backfill = &sched->policy->backfill;
	int32_t most = backfill->reservations != 0 ? backfill->reservations :
						     sched->params.reservations;

	if (!backfill->by_tier)
		return most;
	/* Suspended jobs are counted at the beginning of a decision. */
	return sched->suspended < (size_t)(INT32_MAX - most) ?
		       most + (int32_t)sched->suspended : INT32_MAX;
}

/*
 * A reservation that only pools delayed when it was made first is not one of this number: its
 * job had hosts at the first time at which its pools have enough. Otherwise a job that waits for hosts would have none, and
 * might wait for ever, as long as enough jobs before it wait for pools. There are at most
 * LXFW_RESERVATIONS_FOR_POOLS of them, or as many as of the others if those may be more: each
 * of them costs a search for hosts in each pass. Jobs beyond that have none while their pools
 * are in use. Passes of pass/cycle.h count all jobs.
 */
#define LXFW_RESERVATIONS_FOR_POOLS 100

/* Whether a job may have a reservation behind the first AT reservations, by their number. */
static inline bool lxfw_is_allowed_behind(const struct lxfw_sched *sched, int32_t at)
{
	if (sched->reserved_for_pools > 0)
		at -= lxfw_reservations_for_pools(sched, at);
	return at < lxfw_reservations_allowed(sched);
}

/* Whether the reservation mode is "dynamic". */
static inline bool lxfw_is_dynamic(const struct lxfw_sched *sched)
{
	return sched->policy->backfill.dynamic ||
	       sched->params.reservation_mode == LXFW_RESERVATION_DYNAMIC;
}

#endif
