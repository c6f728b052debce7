/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pass/consider.h"

#include "common/books/books.h"
#include "common/books/candidate.h"
#include "common/books/decision.h"
#include "common/books/reservation.h"
#include "common/books/run.h"
#include "common/pass/group.h"
#include "common/pass/opening.h"
#include "common/pass/possible.h"
#include "common/pass/probe.h"
#include "common/pass/suspended.h"
#include "common/pass/unchanged.h"
#include "common/place/place.h"
#include "common/place/pools.h"

/* --- who may have a reservation ----------------------------------------------- */

void lxfw_reservable_later(struct lxfw_sched *sched, int64_t time)
{
	if (time > sched->now && time < sched->reservable_at)
		sched->reservable_at = time;
}

bool lxfw_may_reserve_by_age(struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_params *params = &sched->params;
	const struct lxfw_job *job = &sched->jobs[index];
	int64_t old_enough;

	if (params->reservation_priority > 0 &&
	    job->priority < params->reservation_priority)
		return false;
	if (params->reservation_age == 0)
		return true;
	old_enough = lxfw_time_add(job->request.submit, params->reservation_age);
	lxfw_reservable_later(sched, old_enough);
	return old_enough <= sched->now;
}

/* Whether a reservation that begins at START is too far in the future. */
static bool is_too_late(struct lxfw_sched *sched, int64_t start)
{
	int64_t window = sched->params.reservation_window;

	if (window == 0 || start - sched->now <= window)
		return false;
	lxfw_reservable_later(sched, start - window);
	return true;
}

/* --- reserving ---------------------------------------------------------------- */

/* Remove the holds of the reservations from AT to before END. */
static void lift_range(struct lxfw_sched *sched, size_t at, size_t end)
{
	for (size_t i = at; i < end; i++) {
		struct lxfw_reservation *reservation = &sched->reservations[i];

		lxfw_reservation_lift(sched, reservation);
	}
}

/* FNV-1a over the first COUNT shares of sched->found. */
static uint64_t digest_of_found(const struct lxfw_sched *sched, int32_t count)
{
	uint64_t digest = 14695981039346656037u;

	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_share *share = &sched->found[i];

		digest = (digest ^ (uint64_t)share->host) * 1099511628211u;
		digest = (digest ^ (uint64_t)share->amount.procs) *
			 1099511628211u;
		digest = (digest ^ (uint64_t)share->amount.memory_mb) *
			 1099511628211u;
	}
	return digest;
}

/* As reserve(), for the group of a job. *LATE is set, too, if the group is not searched for
   hosts in this decision. */
static int reserve_group(struct lxfw_sched *sched, int32_t index, int32_t at, bool *late)
{
	int64_t start;
	int found;

	*late = !lxfw_group_may_search(sched, index);
	if (*late)
		return 0;
	found = lxfw_group_earliest(sched, index, &start);
	if (found <= 0)
		return found;
	*late = is_too_late(sched, start);
	if (*late)
		return 0;
	if (sched->jobs[index].reservation != at)
		lxfw_reservations_drop_from(sched, (size_t)at);
	return lxfw_group_reserve(sched, index);
}

/* Whether no more reservations behind the first AT are allowed for jobs that only pools delay. */
static bool is_full_for_pools(const struct lxfw_sched *sched, const struct lxfw_job *job,
			      int32_t at)
{
	int32_t most;

	if (job->request.pool_count == 0 ||
	    sched->reserved_for_pools < LXFW_RESERVATIONS_FOR_POOLS)
		return false;
	most = lxfw_reservations_allowed(sched);
	if (most < LXFW_RESERVATIONS_FOR_POOLS)
		most = LXFW_RESERVATIONS_FOR_POOLS;
	return lxfw_reservations_for_pools(sched, at) >= most;
}

/* Whether only its pools delay a job, without a hold, that can start at START. */
static bool is_for_pools(const struct lxfw_sched *sched, const struct lxfw_job *job,
			 int64_t start)
{
	struct lxfw_request request;

	if (job->request.pool_count == 0 || job->kept || start <= sched->now ||
	    sched->policy->backfill.cycles)
		return false;
	request = job->request;
	request.estimate = lxfw_request_least(&request);
	return start <= lxfw_pools_earliest(sched, &request, sched->now);
}

/* Reserve the earliest start for a job that has no hold. The reservation has the index AT.
   If its hold was removed for that, LIFTED is the number of the change; otherwise -1.
   Returns 1, 0 if the job fits at no time or, with *LATE set, too late or behind too many
   others that wait for pools, or -1 with errno ENOMEM. */
static int reserve(struct lxfw_sched *sched, int32_t index, int32_t at, int64_t lifted,
		   bool *late)
{
	struct lxfw_changes *changes = &sched->profile.changes;
	struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_reservation *reservation, old = { .start = LXFW_NEVER };
	bool full = is_full_for_pools(sched, job, at), for_pools;
	int32_t host_set = 0, count;
	uint64_t digest;
	int64_t start;

	if (job->group >= 0)
		return reserve_group(sched, index, at, late);
	*late = full && !lxfw_pools_now(sched, &job->request);
	if (*late)
		return 0;
	count = job->kept ? lxfw_suspended_earliest(sched, index, &start,
						    &host_set) :
			    lxfw_place_earliest(sched, &job->request, &start,
						&host_set);
	if (count <= 0)
		return count;
	if (job->reservation >= 0)
		old = sched->reservations[job->reservation];
	/* It remains so, since another job may have a reservation for that reason. */
	for_pools = old.for_pools || is_for_pools(sched, job, start);
	*late = (full && for_pools) || is_too_late(sched, start);
	if (*late)
		return 0;
	if (job->reservation != at)
		lxfw_reservations_drop_from(sched, (size_t)at);
	if (job->reservation < 0)
		old.start = LXFW_NEVER;
	digest = digest_of_found(sched, count);
	if (lxfw_reservations_ready(sched) < 0 ||
	    lxfw_profile_ready_hold(&sched->profile, count) < 0)
		return -1;
	if (old.start != start || old.digest != digest) {
		const struct lxfw_action action = {
			.type = LXFW_ACTION_RESERVE, .job = job->request.id,
			.start = start, .until = LXFW_NEVER,
			.host_set = host_set, .count = count,
			.shares = sched->found,
		};

		if (lxfw_action_append(sched, &action) < 0)
			return -1;
		if (job->reservation >= 0) {
			sched->gains++;
			lxfw_reservation_moved(
				sched, lxfw_reservation_end(sched, index));
		}
	}
	if (job->reservation >= 0)
		lxfw_reservation_count(sched, job->reservation, false);
	else
		job->reservation = (int32_t)sched->reservation_count++;
	reservation = &sched->reservations[job->reservation];
	*reservation = (struct lxfw_reservation){
		.job = index,
		.start = start,
		.end = lxfw_time_add(start, lxfw_request_least(&job->request) +
					    lxfw_boot_of(sched, sched->found, count)),
		.digest = digest,
		.examined = sched->passes,
		.class = job->class,
		.aside = -1,
	};
	lxfw_reservation_count(sched, job->reservation, for_pools);
	lxfw_unchanged_note(sched, job, reservation, count);
	reservation->claim = lxfw_profile_hold(
		&sched->profile, sched->found, count, start, reservation->end);
	/* It was removed and made again as it was: nothing has changed. */
	if (old.start == start && old.digest == digest && lifted >= 0)
		lxfw_changes_undo(changes, lifted);
	reservation->choice.seen = lxfw_changes_next(changes);
	job->announced = true;
	return 1;
}

/* --- one job ------------------------------------------------------------------ */

/* Start a job if it fits. Returns 1, 0 if it does not fit, or -1 with errno ENOMEM. */
static int32_t start(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];
	int32_t host_set = 0, count;

	if (job->group >= 0)
		return lxfw_group_start(sched, index);
	if (job->kept) {
		count = lxfw_suspended_now(sched, index);
		if (count != 0)
			return count < 0 ? -1 :
			       lxfw_suspended_resume(sched, index) < 0 ? -1 : 1;
		if (lxfw_suspended_stays(sched, index))
			return 0;
	}
	if (sched->policy->backfill.grow) {
		count = sched->policy->backfill.grow(sched, index);
		if (count != 0)
			return count;
	}
	count = lxfw_place_now(sched, &job->request, &host_set);
	if (count <= 0)
		return count;
	if (job->kept && lxfw_suspended_leave(sched, index, count) < 0)
		return -1;
	return lxfw_job_start(sched, index, count, host_set, LXFW_NEVER) < 0 ?
		       -1 : 1;
}

/* Whether the reservation of JOB would be the same without all other reservations: the
   resources became free before the time at which running jobs release what it needs. This
   is only known with a single host; with several hosts the same start may be on other
   hosts. */
static bool stays_without_holds(const struct lxfw_sched *sched,
				const struct lxfw_job *job,
				const struct lxfw_reservation *own)
{
	int64_t released;

	if (sched->profile.host_count > 1 || sched->suspends || job->kept ||
	    sched->policy->backfill.make_room)
		return false;
	released = lxfw_profile_released_at(&sched->profile, own->claim);
	return released >= own->start || released >= sched->improved_until;
}

/* Whether the reservation of JOB cannot change. With a single host this is known without
   removing the hold. Otherwise *EARLIER is the earliest start, or LXFW_NEVER if it is not
   known. */
static bool stays(struct lxfw_sched *sched, const struct lxfw_job *job, int64_t *earlier)
{
	const struct lxfw_class *class = &sched->classes[job->class];
	struct lxfw_reservation *own =
		&sched->reservations[job->reservation];

	*earlier = LXFW_NEVER;
	/* A moldable job may start on less than was reserved, and the priority of a job that
	   preempts others changes with time. */
	if (own->start <= sched->now || own->claim < 0 || lxfw_molds(sched) ||
	    sched->policy->backfill.preempts)
		return false;
	/* Suspended jobs keep memory that was expected to become free. If no job runs, hosts
	   are idle until they are requeued, which must not wait until the reservation
	   begins. */
	if (sched->running == 0 && sched->suspended > 0 &&
	    lxfw_profile_overbooked(&sched->profile, own->claim))
		return false;
	if (sched->improved_until == INT64_MIN)
		return true;
	/* Reservations behind it must not delay it. Without removing their holds, only
	   changes that no reservation influences are known. */
	if (lxfw_is_dynamic(sched) &&
	    (size_t)job->reservation + 1 < sched->reservation_count) {
		if (!stays_without_holds(sched, job, own))
			return false;
		lxfw_head_of(sched, class)->failed = sched->gains;
		return true;
	}
	if (own->start <= lxfw_profile_not_before(&sched->profile, &class->sum))
		return true;
	if (sched->profile.host_count > 1 || job->kept ||
	    sched->policy->backfill.make_room ||
	    /* suspended jobs keep memory that was expected to become free */
	    (sched->suspends &&
	     lxfw_profile_overbooked(&sched->profile, own->claim)))
		return false;
	*earlier = lxfw_earlier_start(sched, own);
	if (*earlier != LXFW_NEVER)
		return false;
	lxfw_head_of(sched, class)->failed = sched->gains;
	return true;
}

/* Whether the reservation AT of JOB, which has the earliest start START, need not be removed
   and made again: its job cannot start now, and only the time changes. */
static bool only_moves(struct lxfw_sched *sched, const struct lxfw_job *job, int32_t at,
		       int64_t start)
{
	return sched->profile.openings.recorded && job->reservation == at &&
	       start > sched->now && start != LXFW_NEVER && job->group < 0 &&
	       job->request.host_set_count <= 1 && job->request.more_sets == 0 &&
	       sched->weights.most_boot == 0 &&
	       !is_too_late(sched, start);
}

/* Change the start of the reservation of a job. Returns 0, or -1 with errno ENOMEM. */
static int move(struct lxfw_sched *sched, struct lxfw_job *job, int64_t start)
{
	struct lxfw_reservation *own = &sched->reservations[job->reservation];
	const struct lxfw_share share = lxfw_profile_hold_share(&sched->profile,
								own->claim);
	const struct lxfw_action action = {
		.type = LXFW_ACTION_RESERVE, .job = job->request.id,
		.start = start, .until = LXFW_NEVER,
		.count = 1, .shares = &share,
	};

	if (lxfw_profile_ready_hold(&sched->profile, 1) < 0 ||
	    lxfw_action_append(sched, &action) < 0)
		return -1;
	lxfw_head_of(sched, &sched->classes[job->class])->failed = sched->gains++;
	lxfw_reservation_moved(sched, own->end);
	own->start = start;
	own->end = lxfw_time_add(start, lxfw_request_least(&job->request));
	lxfw_profile_move_hold(&sched->profile, own->claim, start, own->end);
	job->nowhere = false;
	return 0;
}

/* Remove the hold of the reservation AT, which is to be made again. With dynamic
   reservations the holds of all reservations behind it are removed too, unless they have been set
   aside. */
static void lift(struct lxfw_sched *sched, int32_t at)
{
	if (sched->reservations[at].aside >= 0)
		lxfw_reservation_lift(sched, &sched->reservations[at]);
	else
		lift_range(sched, (size_t)at, lxfw_is_dynamic(sched) ?
			   sched->reservation_count : (size_t)at + 1);
}

static void count_holds_from(struct lxfw_sched *sched, int32_t at, int sign)
{
	for (size_t i = (size_t)at; i < sched->reservation_count; i++)
		lxfw_profile_count_hold(&sched->profile, sched->reservations[i].claim, sign);
}

/* Whether a start now, on the hosts of its reservation, leaves those behind it as they are:
   nothing was released early, so that each would be made again where it is. */
static bool may_start_as_reserved(const struct lxfw_sched *sched, const struct lxfw_job *job,
				  const struct lxfw_reservation *own)
{
	const struct lxfw_backfill *backfill = &sched->policy->backfill;

	if (own->start > sched->now || own->claim < 0 || !lxfw_is_dynamic(sched) ||
	    sched->improved_until != INT64_MIN || sched->profile.host_count <= 1 ||
	    job->group >= 0 || job->kept || job->request.min_estimate > 0 ||
	    sched->suspended > 0 || lxfw_molds(sched) || backfill->grow || backfill->preempts ||
	    sched->weights.most_boot > 0)
		return false;
	for (size_t i = (size_t)job->reservation; i < sched->reservation_count; i++) {
		if (sched->reservations[i].claim < 0)
			return false;
	}
	return true;
}

/* Start a job whose reservation begins now, if it starts on the hosts of that beside those
   before it. The others keep their holds. Returns 1, 0 without a change, or -1 with errno
   ENOMEM. */
static int start_as_reserved(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_reservation *own = &sched->reservations[job->reservation];
	int32_t host_set = 0, count;
	int64_t next;
	bool before;

	if (!may_start_as_reserved(sched, job, own))
		return 0;
	next = lxfw_changes_next(&sched->profile.changes);
	before = lxfw_profile_pause_totals(&sched->profile);
	count_holds_from(sched, job->reservation, -1);
	count = lxfw_place_now(sched, &job->request, &host_set);
	count_holds_from(sched, job->reservation, 1);
	lxfw_profile_resume_totals(&sched->profile, before);
	lxfw_changes_undo(&sched->profile.changes, next);
	if (count <= 0 || digest_of_found(sched, count) != own->digest)
		return count < 0 ? -1 : 0;
	lxfw_reservation_lift(sched, own);
	return lxfw_job_start(sched, index, count, host_set, LXFW_NEVER) < 0 ? -1 : 1;
}

/* Before a job without the reservation AT is considered: those from AT on must not delay
   it, and are to be made again. They are dropped if it will have the reservation AT. */
static void step_aside(struct lxfw_sched *sched, int32_t at, bool may_reserve)
{
	if (may_reserve && sched->params.reservation_window == 0)
		lxfw_reservations_drop_from(sched, (size_t)at);
	else
		lift_range(sched, (size_t)at, sched->reservation_count);
}

/* As reserve(). If the policy preempts, suspended jobs count as keeping nothing: they are
   resumed where they are in the way. */
static int reserve_beside_suspended(struct lxfw_sched *sched, int32_t index, int32_t at,
				    int64_t lifted, bool *late)
{
	int count;

	if (!sched->policy->backfill.preempts)
		return reserve(sched, index, at, lifted, late);
	if (lxfw_suspended_aside(sched, index) < 0)
		return -1;
	count = reserve(sched, index, at, lifted, late);
	lxfw_suspended_back(sched);
	return count;
}

enum lxfw_outcome lxfw_consider(struct lxfw_sched *sched, int32_t index,
			       int32_t reserved_so_far)
{
	struct lxfw_job *job = &sched->jobs[index];
	const struct lxfw_backfill *backfill = &sched->policy->backfill;
	bool may_reserve = lxfw_is_allowed_behind(sched, reserved_so_far);
	bool due = false;	/* its reservation has begun */
	int64_t earlier, lifted = -1;
	bool late = false;
	int32_t count;

	count = lxfw_is_possible(sched, &sched->classes[job->class]);
	if (count <= 0)
		return count < 0 ? LXFW_FAILED : LXFW_BLOCKED;
	if (job->request.probe)
		return lxfw_probe_consider(sched, index, may_reserve);
	if (may_reserve && !lxfw_may_reserve(sched, index)) {
		may_reserve = false;
		lxfw_reservation_drop(sched, index);
		step_aside(sched, reserved_so_far, false);
	}
	if (may_reserve && job->reservation != reserved_so_far)
		step_aside(sched, reserved_so_far, !backfill->may_reserve &&
			   !is_full_for_pools(sched, job, reserved_so_far));
	if (job->reservation >= 0) {
		struct lxfw_reservation *own =
			&sched->reservations[job->reservation];

		if (stays(sched, job, &earlier))
			return LXFW_RESERVED;
		if (may_reserve && only_moves(sched, job, reserved_so_far, earlier))
			return move(sched, job, earlier) < 0 ? LXFW_FAILED :
							       LXFW_RESERVED;
		if (may_reserve && job->reservation == reserved_so_far &&
		    lxfw_is_unchanged(sched, job, own)) {
			lxfw_reservation_put_back(sched, own);
			lxfw_head_of(sched, &sched->classes[job->class])->failed =
				sched->gains;
			own->examined = sched->passes;
			job->nowhere = false;
			return LXFW_RESERVED;
		}
		due = own->start <= sched->now;
		count = start_as_reserved(sched, index);
		if (count != 0)
			return count < 0 ? LXFW_FAILED : LXFW_STARTED;
		lifted = lxfw_changes_next(&sched->profile.changes);
		lift(sched, job->reservation);
	}
	count = start(sched, index);
	if (count == 0 && job->group < 0 && backfill->make_room)
		count = backfill->make_room(sched, index, due);
	if (count != 0)
		return count < 0 ? LXFW_FAILED : LXFW_STARTED;
	if (job->group < 0 || !lxfw_group_left_out(sched, index))
		lxfw_head_of(sched, &sched->classes[job->class])->failed =
			sched->gains;
	if (may_reserve && backfill->may_reserve) {
		count = backfill->may_reserve(sched, index);
		may_reserve = count > 0;
	}
	if (may_reserve)
		count = reserve_beside_suspended(sched, index, reserved_so_far, lifted,
						 &late);
	if (count < 0)
		return LXFW_FAILED;
	job->nowhere = may_reserve && count == 0 && !late;
	if (count > 0)
		return LXFW_RESERVED;
	/* Its former hold has been removed. */
	lxfw_reservation_drop(sched, index);
	if (may_reserve && !late && sched->suspended > 0 && !job->kept &&
	    !backfill->preempts) {
		sched->stuck = index;	/* until suspended jobs are requeued */
		return LXFW_FAILED;
	}
	return LXFW_BLOCKED;
}

enum lxfw_outcome lxfw_reconsider(struct lxfw_sched *sched, int32_t at)
{
	struct lxfw_reservation *own = &sched->reservations[at];
	struct lxfw_job *job;
	int64_t earlier;

	if (own->start > sched->now && own->examined >= sched->opened_before &&
	    own->claim >= 0 && sched->profile.openings.recorded) {
		earlier = lxfw_earlier_start(sched, own);
		if (earlier == LXFW_NEVER)
			return LXFW_RESERVED;
		job = &sched->jobs[own->job];
		if (only_moves(sched, job, at, earlier))
			return move(sched, job, earlier) < 0 ? LXFW_FAILED :
							       LXFW_RESERVED;
	}
	return lxfw_consider(sched, own->job, at);
}
