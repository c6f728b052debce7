/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scheduling pass: jobs in the order of their priority start if they fit beside
 * the reservations; the first k that do not are given a reservation at their
 * earliest start (Chiang and Vernon 2001, section 2.2; k = 1 is EASY, k = all is
 * conservative backfill).
 *
 * A reservation is kept from pass to pass while its job keeps its place among the
 * first k and nothing came free early. When something did,
 *   dynamic   it and all behind it are made anew, in the order of priority: at each
 *             point in time those first k have the earliest start that those before
 *             them leave, so none waits for a job of lower priority;
 *   compress  it is moved up: taken out and put back at its earliest start with the
 *             others in place, so that it never gets later.
 * When another job comes before it, it and all behind it are made anew.
 */
#include "common/pass/backfill.h"

#include <string.h>

#include "common/books/books.h"
#include "common/books/candidate.h"
#include "common/books/decision.h"
#include "common/books/reservation.h"
#include "common/books/run.h"
#include "common/pass/suspended.h"
#include "common/place/place.h"

/* --- reserving ---------------------------------------------------------------- */

/* FNV-1a over the first COUNT of sched->found. */
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

/* A reservation that was held until END is elsewhere now. If that is all that has come
   free, the others look at it in the next pass. */
static void moved(struct lxfw_sched *sched, int64_t end)
{
	if (sched->improved_until != INT64_MIN)
		lxfw_improved(sched, end);
	else if (sched->freed_until < end)
		sched->freed_until = end;
}

/* Reserve the earliest start for JOB, which has no hold: as the last of the
   reservations, or in the place it has there. 1, 0 if it fits at no time, or -1
   with errno ENOMEM. */
static int reserve(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_reservation *reservation, old = { .start = LXFW_NEVER };
	int32_t host_set = 0, count;
	uint64_t digest;
	int64_t start;

	count = job->kept ? lxfw_suspended_earliest(sched, index, &start,
						    &host_set) :
			    lxfw_place_earliest(sched, &job->request, &start,
						&host_set);
	if (count <= 0)
		return count;
	digest = digest_of_found(sched, count);
	if (job->reservation >= 0)
		old = sched->reservations[job->reservation];
	if (lxfw_reservations_ready(sched) < 0 ||
	    lxfw_profile_ready_hold(&sched->profile, sched->found, count) < 0)
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
			moved(sched, lxfw_reservation_end(sched, index));
		}
	}
	if (job->reservation < 0)
		job->reservation = (int32_t)sched->reservation_count++;
	reservation = &sched->reservations[job->reservation];
	*reservation = (struct lxfw_reservation){
		.job = index,
		.start = start,
		.digest = digest,
	};
	reservation->claim = lxfw_profile_hold(
		&sched->profile, sched->found, count, start,
		lxfw_time_add(start, job->request.estimate));
	job->announced = true;
	return 1;
}

/* --- the pass ------------------------------------------------------------------ */

enum outcome { FAILED = -1, STARTED, RESERVED, BLOCKED };

static int32_t reservations_allowed(const struct lxfw_sched *sched)
{
	int32_t fixed = sched->policy->backfill.reservations;

	return fixed != 0 ? fixed : sched->params.reservations;
}

int lxfw_is_possible(struct lxfw_sched *sched, struct lxfw_class *class)
{
	int possible = class->possible;

	if (class->judged == sched->machine)
		return possible;
	possible = lxfw_place_possible(sched, &class->request);
	if (possible < 0)
		return -1;
	class->judged = sched->machine;
	class->possible = possible;
	return possible;
}

/* Start a job if it fits: 1, 0 if it does not, -1 with errno ENOMEM. */
static int32_t start(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];
	int32_t host_set = 0, count;

	if (job->kept) {
		count = lxfw_suspended_now(sched, index);
		if (count != 0)
			return count < 0 ? -1 :
			       lxfw_suspended_resume(sched, index) < 0 ? -1 : 1;
	}
	count = lxfw_place_now(sched, &job->request, &host_set);
	if (count <= 0)
		return count;
	if (job->kept && lxfw_suspended_leave(sched, index, count) < 0)
		return -1;
	return lxfw_job_start(sched, index, count, host_set, LXFW_NEVER) < 0 ?
		       -1 : 1;
}

static bool is_dynamic(const struct lxfw_sched *sched)
{
	return sched->params.reservation_mode == LXFW_RESERVATION_DYNAMIC;
}

/* Whether the reservation of JOB would stay even if no other job had one: what came free
   lies before the time at which running jobs have given back what it needs. On one host
   only; on several the same start may be on other hosts. */
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

/* Whether the reservation of JOB can only stay where it is. Where there is one host,
   that is known without taking it out. */
static bool stays(struct lxfw_sched *sched, const struct lxfw_job *job)
{
	const struct lxfw_class *class = &sched->classes[job->class];
	const struct lxfw_reservation *own =
		&sched->reservations[job->reservation];

	if (own->start <= sched->now || own->claim < 0)
		return false;
	if (sched->improved_until == INT64_MIN)
		return true;
	/* Those behind are not to be in its way: without taking them out, only what
	   no reservation changes is known. */
	if (is_dynamic(sched) &&
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
	    /* suspended jobs keep memory that was to come free */
	    (sched->suspends &&
	     lxfw_profile_overbooked(&sched->profile, own->claim)) ||
	    lxfw_profile_moves_up(&sched->profile, own->claim, sched->now,
				  sched->suspends ? LXFW_NEVER :
						  sched->improved_until))
		return false;
	lxfw_head_of(sched, class)->failed = sched->gains;
	return true;
}

/* Take out the reservation at AT, to be put back; under dynamic reservations all behind
   it, too, so that they are not in its way. */
static void lift(struct lxfw_sched *sched, int32_t at)
{
	size_t end = is_dynamic(sched) ? sched->reservation_count :
					 (size_t)at + 1;

	for (size_t i = (size_t)at; i < end; i++) {
		struct lxfw_reservation *reservation = &sched->reservations[i];

		lxfw_profile_unhold(&sched->profile, reservation->claim);
		reservation->claim = -1;
	}
}

/* Start a job, or reserve for it if RESERVED_SO_FAR leaves one to be had. */
static enum outcome consider(struct lxfw_sched *sched, int32_t index,
			     int32_t reserved_so_far)
{
	struct lxfw_job *job = &sched->jobs[index];
	bool may_reserve = reserved_so_far < reservations_allowed(sched);
	bool due = false;	/* it was to start by now */
	int32_t count;

	count = lxfw_is_possible(sched, &sched->classes[job->class]);
	if (count <= 0)
		return count < 0 ? FAILED : BLOCKED;
	if (may_reserve && job->reservation != reserved_so_far)
		lxfw_reservations_drop_from(sched, (size_t)reserved_so_far);
	if (job->reservation >= 0) {
		struct lxfw_reservation *own =
			&sched->reservations[job->reservation];

		if (stays(sched, job))
			return RESERVED;
		due = own->start <= sched->now;
		lift(sched, job->reservation);
	}
	count = start(sched, index);
	if (count == 0 && sched->policy->backfill.make_room)
		count = sched->policy->backfill.make_room(sched, index, due);
	if (count != 0)
		return count < 0 ? FAILED : STARTED;
	lxfw_head_of(sched, &sched->classes[job->class])->failed = sched->gains;
	if (may_reserve)
		count = reserve(sched, index);
	if (count < 0)
		return FAILED;
	job->nowhere = may_reserve && count == 0;
	if (count > 0)
		return RESERVED;
	/* What it had is not held any more. */
	lxfw_reservation_drop(sched, index);
	if (may_reserve && sched->suspended > 0 && !job->kept) {
		sched->stuck = index;	/* until they have made way */
		return FAILED;
	}
	return BLOCKED;
}

/* The first job from INDEX on in its class that is still to be considered, the
   first RESERVED reservations being settled. */
static int32_t to_consider(const struct lxfw_sched *sched, int32_t index,
			   int32_t reserved)
{
	while (index >= 0 && sched->jobs[index].reservation >= 0 &&
	       sched->jobs[index].reservation < reserved)
		index = sched->jobs[index].next;
	return index;
}

/* The job that comes first of all, or -1. */
static int32_t first_of_all(const struct lxfw_sched *sched, int32_t reserved)
{
	bool all = !sched->policy->backfill.considers;
	struct lxfw_candidate best = { .job = -1 };

	for (size_t i = 0; i < sched->head_count; i++) {
		const struct lxfw_head *head = &sched->heads[i];
		const struct lxfw_class *class;
		struct lxfw_candidate candidate;
		int32_t job;

		if (reserved == 0 && best.job >= 0 &&
		    lxfw_head_after(sched, head, &best))
			continue;
		class = &sched->classes[head->class];
		job = to_consider(sched, class->head, reserved);
		if (job < 0 || (!all && lxfw_is_shared(sched, &class->request)))
			continue;
		candidate = lxfw_candidate_of(sched, job);
		if (best.job < 0 || lxfw_candidate_before(&candidate, &best))
			best = candidate;
	}
	return best.job;
}

/* Whether what is left of a pass can only make less of what is free, once all
   reservations are made: nobody gives anything up for another one. */
static bool only_takes(const struct lxfw_sched *sched)
{
	return sched->kept_classes == 0 && !sched->policy->backfill.make_room;
}

/* 1 if JOB, the first to be considered of CLASS, may start in the rest of this pass, 0
   if it cannot, or -1 with errno ENOMEM. To find out that it cannot is cheaper than to
   have it wait for its turn. */
static int may_start(struct lxfw_sched *sched, const struct lxfw_class *class,
		     int32_t job)
{
	int32_t host_set, count;

	if (sched->jobs[job].reservation >= 0)
		return 1;
	count = lxfw_place_now(sched, &class->request, &host_set);
	if (count != 0)
		return count < 0 ? -1 : 1;
	lxfw_head_of(sched, class)->failed = sched->gains;
	sched->jobs[job].nowhere = false;
	return 0;
}

/* Make a heap of the first candidates of the classes: with LAST, of those whose head does
   not come after it; or, AGAIN in the same pass, of all that were not blocked before. */
static int collect(struct lxfw_sched *sched, int32_t reserved,
		   const struct lxfw_candidate *last, bool again)
{
	bool all = !sched->policy->backfill.considers;

	if (lxfw_candidates_begin(sched) < 0)
		return -1;
	for (size_t i = 0; i < sched->head_count; i++) {
		struct lxfw_head *head = &sched->heads[i];
		const struct lxfw_class *class;
		int32_t job;

		head->blocked &= again;
		if (head->blocked || (last && lxfw_head_after(sched, head, last)))
			continue;
		class = &sched->classes[head->class];
		if (!all && lxfw_is_shared(sched, &class->request))
			continue;
		job = to_consider(sched, class->head, reserved);
		if (job >= 0)
			sched->heap[sched->heap_count++] =
				lxfw_candidate_of(sched, job);
	}
	lxfw_candidates_order(sched);
	return 0;
}

/* The same of those that may be able to start, once all reservations are made. */
static int collect_startable(struct lxfw_sched *sched, int32_t reserved)
{
	bool all = !sched->policy->backfill.considers;
	bool asks = only_takes(sched);
	/* Otherwise some give up what they had. */
	bool settled = sched->reservation_count == (size_t)reserved;
	struct lxfw_room room;

	if (lxfw_candidates_begin(sched) < 0)
		return -1;
	lxfw_profile_room(&sched->profile, sched->now, &room);
	for (size_t i = 0; i < sched->head_count; i++) {
		const struct lxfw_head *head = &sched->heads[i];
		const struct lxfw_class *class;
		int32_t job;
		int may = 1;

		if (head->failed == sched->gains ||
		    head->procs > sched->profile.free.procs)
			continue;
		if (asks && settled && !lxfw_room_has(&room, head->procs,
				lxfw_time_add(sched->now, head->estimate)))
			continue;
		class = &sched->classes[head->class];
		if (!all && lxfw_is_shared(sched, &class->request))
			continue;
		job = to_consider(sched, class->head, reserved);
		if (job >= 0 && asks)
			may = may_start(sched, class, job);
		if (may < 0)
			return -1;
		if (job >= 0 && may > 0)
			sched->heap[sched->heap_count++] =
				lxfw_candidate_of(sched, job);
	}
	lxfw_candidates_order(sched);
	return 0;
}

/* The top of the heap is done with; the NEXT of its class follows, if any. */
static void replace_top(struct lxfw_sched *sched, int32_t next)
{
	if (next >= 0)
		sched->heap[0] = lxfw_candidate_of(sched, next);
	else
		sched->heap[0] = sched->heap[--sched->heap_count];
	if (sched->heap_count > 0)
		lxfw_candidates_sift(sched, 0);
}

/* Where all reservations are made already, those jobs that have them are the first
   ones again unless one of them starts or another comes before: of the rest, only what
   comes before the last of them matters. */
static bool last_reserved(const struct lxfw_sched *sched,
			  struct lxfw_candidate *last)
{
	if (sched->reservation_count < (size_t)reservations_allowed(sched))
		return false;
	*last = lxfw_candidate_of(sched, sched->reservations[0].job);
	for (size_t i = 1; i < sched->reservation_count; i++) {
		struct lxfw_candidate other =
			lxfw_candidate_of(sched, sched->reservations[i].job);

		if (lxfw_candidate_before(last, &other))
			*last = other;
	}
	return true;
}

/* What is left of a pass when all reservations are made: what fits beside starts. */
static int walk_startable(struct lxfw_sched *sched, int32_t reserved)
{
	if (collect_startable(sched, reserved) < 0)
		return -1;
	while (sched->heap_count > 0) {
		int32_t job = sched->heap[0].job;
		int32_t next = sched->jobs[job].next;
		enum outcome outcome = consider(sched, job, reserved);

		if (outcome == FAILED)
			return -1;
		if (outcome == RESERVED && sched->policy->backfill.in_order)
			return 0;
		if (outcome == RESERVED)
			reserved++;
		if (outcome == BLOCKED)
			next = -1;
		replace_top(sched, to_consider(sched, next, reserved));
	}
	return 0;
}

static void block_class(struct lxfw_sched *sched, int32_t job)
{
	lxfw_head_of(sched, &sched->classes[sched->jobs[job].class])->blocked =
		true;
}

/* All that is not reserved for yet, in order: they start, or are reserved for until
   there are no more reservations to be had. */
static int walk_heap(struct lxfw_sched *sched, int32_t reserved)
{
	struct lxfw_candidate last;
	bool bounded;

	if (reserved >= reservations_allowed(sched))
		return walk_startable(sched, reserved);
	bounded = last_reserved(sched, &last);
	if (collect(sched, reserved, bounded ? &last : NULL, false) < 0)
		return -1;
	for (;;) {
		enum outcome outcome;
		int32_t job, next;

		if (bounded && (sched->heap_count == 0 ||
				lxfw_candidate_before(&last, &sched->heap[0]))) {
			/* Some of them have started: all are needed. */
			bounded = false;
			if (collect(sched, reserved, NULL, true) < 0)
				return -1;
		}
		if (sched->heap_count == 0)
			return 0;
		job = sched->heap[0].job;
		next = sched->jobs[job].next;
		outcome = consider(sched, job, reserved);
		if (outcome == FAILED)
			return -1;
		if (outcome == RESERVED && sched->policy->backfill.in_order)
			return 0;
		if (outcome == RESERVED &&
		    ++reserved >= reservations_allowed(sched))
			return walk_startable(sched, reserved);
		if (outcome == BLOCKED) {
			block_class(sched, job);
			next = -1;
		}
		replace_top(sched, to_consider(sched, next, reserved));
	}
}

/* Jobs that start in a pass before all are put in order. */
#define FEW_STARTS 8

/* Where one reservation is left, often few jobs start, the next one gets it and nothing
   else can start: they are looked for without putting all the others in order. */
static int walk(struct lxfw_sched *sched, int32_t reserved)
{
	enum outcome outcome = STARTED;

	if (reserved + 1 != reservations_allowed(sched))
		return walk_heap(sched, reserved);
	for (int i = 0; i < FEW_STARTS && outcome == STARTED; i++) {
		int32_t job = first_of_all(sched, reserved);

		if (job < 0)
			return 0;
		outcome = consider(sched, job, reserved);
	}
	if (outcome == FAILED)
		return -1;
	if (outcome == RESERVED && sched->policy->backfill.in_order)
		return 0;
	return walk_heap(sched, reserved + (outcome == RESERVED));
}

/* A start time once given is kept: the reserved jobs come first, in their order
   (section 2.3 on SJF-backfill). Returns their number, or -1. */
static int32_t walk_reserved(struct lxfw_sched *sched)
{
	size_t at = 0;

	while (at < sched->reservation_count) {
		int32_t job = sched->reservations[at].job;
		enum outcome outcome = consider(sched, job, (int32_t)at);

		if (outcome == FAILED)
			return -1;
		if (outcome == RESERVED)
			at++;
		if (outcome == BLOCKED)		/* its hosts have gone */
			lxfw_reservation_drop(sched, job);
	}
	return (int32_t)at;
}

int lxfw_pass(struct lxfw_sched *sched)
{
	uint64_t gains_before;
	int32_t reserved = 0;

	if (sched->policy->order.rank && sched->policy->order.rank(sched) < 0)
		return -1;
	if (sched->disturbed)
		lxfw_reservations_drop_from(sched, 0);
	gains_before = sched->gains;
	if (sched->sooner)
		lxfw_improved(sched, LXFW_NEVER);
	sched->freed_until = INT64_MIN;
	sched->sooner = false;
	if (sched->policy->backfill.keeps)
		reserved = walk_reserved(sched);
	if (reserved < 0 || walk(sched, reserved) < 0 ||
	    (!sched->policy->backfill.announces_later && lxfw_reservations_tell(sched) < 0)) {
		if (sched->stuck >= 0)
			return 0;
		/* Make sure that the next pass mends what this one left. */
		sched->disturbed = true;
		return -1;
	}
	/* What was given up in this pass may let those before it move up. A single
	   one is the first of all, and dynamic ones do not wait for those behind. */
	sched->improved_until = INT64_MIN;
	if (sched->gains != gains_before && sched->reservation_count > 0 &&
	    reservations_allowed(sched) > 1 && !is_dynamic(sched))
		sched->improved_until = sched->freed_until;
	sched->disturbed = false;
	return 0;
}
