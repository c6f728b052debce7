/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pass/cycle.h"

#include "common/books/books.h"
#include "common/books/candidate.h"
#include "common/books/queue.h"
#include "common/books/reservation.h"
#include "common/model/time.h"
#include "common/pass/consider.h"

/* --- when ------------------------------------------------------------------------ */

/* The first time at TIME or later at which a pass is a backfill pass. */
static int64_t at_or_after(const struct lxfw_sched *sched, int64_t time)
{
	int64_t interval = sched->params.backfill_interval, over;

	if (interval == 0)
		return time;
	over = time % interval;
	if (over < 0)
		over += interval;
	return over == 0 ? time : lxfw_time_add(time, interval - over);
}

bool lxfw_cycle_is_due(const struct lxfw_sched *sched)
{
	return at_or_after(sched, sched->now) == sched->now;
}

int64_t lxfw_cycle_wake(const struct lxfw_sched *sched, int64_t due)
{
	if (sched->uncycled)
		return at_or_after(sched, sched->now);
	return due == LXFW_NEVER ? LXFW_NEVER : at_or_after(sched, due);
}

/* --- the jobs in order ----------------------------------------------------------- */

/* Make a heap of the first job of each class. */
static int collect(struct lxfw_sched *sched)
{
	if (lxfw_candidates_begin(sched) < 0)
		return -1;
	for (size_t i = 0; i < sched->head_count; i++) {
		struct lxfw_head *head = &sched->heads[i];

		head->blocked = false;
		sched->heap[sched->heap_count++] =
			lxfw_candidate_of(sched, sched->classes[head->class].head);
	}
	lxfw_candidates_order(sched);
	return 0;
}

/* Replace the top of the heap by NEXT, a job of the same class, or remove it if NEXT is
   -1. */
static void replace_top(struct lxfw_sched *sched, int32_t next)
{
	if (next >= 0)
		sched->heap[0] = lxfw_candidate_of(sched, next);
	else
		sched->heap[0] = sched->heap[--sched->heap_count];
	if (sched->heap_count > 0)
		lxfw_candidates_sift(sched, 0);
}

static struct lxfw_head *head_of(struct lxfw_sched *sched, int32_t job)
{
	return lxfw_head_of(sched, &sched->classes[sched->jobs[job].class]);
}

/* --- a backfill pass -------------------------------------------------------------- */

/* Consider one job. If it is blocked, so are all others of its class, which are behind it:
   they need the same beside more reservations, and are neither older nor of higher
   priority. */
static enum lxfw_outcome consider(struct lxfw_sched *sched, int32_t job, int32_t reserved)
{
	enum lxfw_outcome outcome;

	if (head_of(sched, job)->blocked) {
		lxfw_reservation_drop(sched, job);
		return LXFW_BLOCKED;
	}
	outcome = lxfw_consider(sched, job, reserved);
	if (outcome == LXFW_BLOCKED)
		head_of(sched, job)->blocked = true;
	return outcome;
}

int lxfw_cycle_walk(struct lxfw_sched *sched)
{
	int32_t most = lxfw_reservations_allowed(sched), reserved = 0;

	sched->uncycled = false;
	if (collect(sched) < 0)
		return -1;
	for (int32_t i = 0; i < most && sched->heap_count > 0; i++) {
		int32_t job = sched->heap[0].job, next = sched->jobs[job].next;
		enum lxfw_outcome outcome = consider(sched, job, reserved);

		if (outcome == LXFW_FAILED)
			return -1;
		reserved += outcome == LXFW_RESERVED;
		replace_top(sched, next);
	}
	lxfw_reservations_drop_from(sched, (size_t)reserved);
	return 0;
}

/* --- a main pass ------------------------------------------------------------------- */

#define ALL_SETS UINT64_MAX
#define SETS_MOST 63

/* The host sets of a job as bits. Sets from SETS_MOST on have the same bit. */
static uint64_t sets_of(const struct lxfw_request *request)
{
	uint64_t sets = 0;
	int32_t last = 0;

	if (request->host_set_count == 0)
		return ALL_SETS;
	for (int i = 0; i < request->host_set_count; i++) {
		last = request->host_sets[i];
		sets |= (uint64_t)1 << (last < SETS_MOST ? last : SETS_MOST);
	}
	for (int32_t i = 0; i < request->more_sets && last < SETS_MOST; i++) {
		last++;
		sets |= (uint64_t)1 << last;
	}
	return sets;
}

/* Whether a job with these sets must wait until the next backfill pass, since jobs before
   it that have the sets BLOCKED cannot start. */
static bool must_wait(uint64_t sets, uint64_t blocked)
{
	return sets == ALL_SETS ? blocked != 0 : (sets & ~blocked) == 0;
}

/* Whether any job may start. Its processors are the only condition, which needs no change
   of the profile. */
static int may_start(struct lxfw_sched *sched)
{
	uint64_t blocked = 0;

	if (collect(sched) < 0)
		return -1;
	while (sched->heap_count > 0 && blocked != ALL_SETS) {
		int32_t job = sched->heap[0].job;
		uint64_t sets = sets_of(&sched->jobs[job].request);

		if (!must_wait(sets, blocked) &&
		    head_of(sched, job)->procs <= sched->profile.free.procs)
			return 1;
		blocked |= sets;
		replace_top(sched, -1);
	}
	return 0;
}

static int walk_in_order(struct lxfw_sched *sched)
{
	uint64_t blocked = 0;
	int32_t reserved = 0;

	if (collect(sched) < 0)
		return -1;
	while (sched->heap_count > 0 && blocked != ALL_SETS) {
		int32_t job = sched->heap[0].job, next = sched->jobs[job].next;
		uint64_t sets = sets_of(&sched->jobs[job].request);
		enum lxfw_outcome outcome = LXFW_BLOCKED;

		if (!must_wait(sets, blocked))
			outcome = lxfw_consider(sched, job, reserved);
		if (outcome == LXFW_FAILED)
			return -1;
		reserved += outcome == LXFW_RESERVED;
		if (outcome != LXFW_STARTED)
			blocked |= sets;
		replace_top(sched, outcome == LXFW_STARTED ? next : -1);
	}
	return 0;
}

int lxfw_cycle_main(struct lxfw_sched *sched)
{
	int any;

	sched->uncycled = true;
	if (sched->params.main_pass == LXFW_MAIN_PASS_OFF)
		return 0;
	any = may_start(sched);
	if (any <= 0)
		return any;
	/* Jobs behind have reservations that must not delay those before them. The next
	   backfill pass makes all again. */
	lxfw_reservations_drop_from(sched, 0);
	sched->disturbed = true;
	sched->passes++;
	return walk_in_order(sched) < 0 ? -1 : lxfw_reservations_tell(sched);
}
