/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scheduling pass. Jobs are considered in the order of priority. A job that fits beside
 * the reservations starts. The first k jobs that do not fit get a reservation at their
 * earliest start (Chiang and Vernon 2001, section 2.2; k = 1 is EASY, k = all is
 * conservative backfill).
 *
 * A reservation is kept from pass to pass while its job remains among the first k and no
 * resources became free early. If resources became free early,
 *   dynamic   it and all reservations behind it are made again in the order of
 *             priority. At each time the first k jobs thus have the earliest start
 *             that the jobs before them allow, and none waits for a job of lower
 *             priority;
 *   compress  it is removed and made again at its earliest start beside the
 *             others, so that it never becomes later. It keeps its hosts if its
 *             start cannot become earlier.
 * If another job moves before it, it and all reservations behind it are made again.
 */
#include "common/pass/backfill.h"

#include <string.h>

#include "common/books/books.h"
#include "common/books/candidate.h"
#include "common/books/oldest.h"
#include "common/books/queue.h"
#include "common/books/reservation.h"
#include "common/pass/consider.h"
#include "common/pass/cycle.h"
#include "common/pass/opening.h"
#include "common/pass/unchanged.h"
#include "common/place/place.h"
#include "common/place/rule.h"

/* The first job from INDEX on in its class that is still to be considered. The first
   RESERVED reservations are final. */
static int32_t to_consider(const struct lxfw_sched *sched, int32_t index,
			   int32_t reserved)
{
	while (index >= 0 && sched->jobs[index].reservation >= 0 &&
	       sched->jobs[index].reservation < reserved)
		index = sched->jobs[index].next;
	return index;
}

/* The job that is considered first, or -1. */
static int32_t first_of_all(const struct lxfw_sched *sched, int32_t reserved)
{
	bool all = !sched->policy->backfill.considers;
	struct lxfw_candidate best = { .job = -1 };

	if (reserved == 0 && sched->ranks.used) {
		int32_t first = lxfw_ranks_next(&sched->ranks, NULL, NULL);

		return first < 0 ? -1 : sched->classes[first].head;
	}
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

/* Whether the rest of a pass can only reduce the free resources once all reservations are
   made: no job gives up resources for another one. */
static bool only_takes(const struct lxfw_sched *sched)
{
	return sched->kept_classes == 0 && !sched->policy->backfill.make_room;
}

/* Whether JOB, the first one to consider in CLASS, may start in the rest of this pass.
   Returns 1, 0, or -1 with errno ENOMEM. Testing this here is cheaper than considering
   the job in its turn. */
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

/* The candidates of a pass: the heap, and of ranked classes those that are to enter it. */
struct queue {
	int32_t rest;	/* the next class, or -1 */
	struct lxfw_ranks_walk walk;	/* behind it */
	int32_t reserved;
	bool bounded;	/* only classes whose head does not come after `last` */
	struct lxfw_candidate last;
};

static void unblock(struct lxfw_sched *sched)
{
	for (size_t i = 0; sched->any_blocked && i < sched->head_count; i++)
		sched->heads[i].blocked = false;
	sched->any_blocked = false;
}

/* Make a heap of the first candidate of each class. */
static void collect_all(struct lxfw_sched *sched, const struct queue *queue)
{
	bool all = !sched->policy->backfill.considers;

	for (size_t i = 0; i < sched->head_count; i++) {
		struct lxfw_head *head = &sched->heads[i];
		const struct lxfw_class *class;
		int32_t job;

		if (head->blocked ||
		    (queue->bounded && lxfw_head_after(sched, head, &queue->last)))
			continue;
		class = &sched->classes[head->class];
		if (!all && lxfw_is_shared(sched, &class->request))
			continue;
		job = to_consider(sched, class->head, queue->reserved);
		if (job >= 0)
			sched->heap[sched->heap_count++] =
				lxfw_candidate_of(sched, job);
	}
	lxfw_candidates_order(sched);
}

/* Let ranked classes enter the heap, each once, until it has the first candidate of all. No
   candidate of a class comes before its head, which may be another one after a start. */
static void fill(struct lxfw_sched *sched, struct queue *queue)
{
	while (queue->rest >= 0) {
		const struct lxfw_candidate *key = &queue->walk.last;
		struct lxfw_class *class = &sched->classes[queue->rest];
		const struct lxfw_head *head;
		int32_t job;

		if (!lxfw_ranks_walk_is_at(&queue->walk, queue->rest)) {
			queue->rest = lxfw_ranks_walk_next(&queue->walk);
			continue;
		}
		if (sched->heap_count > 0 && lxfw_candidate_before(&sched->heap[0], key))
			return;
		head = lxfw_head_of(sched, class);
		if (queue->bounded && lxfw_head_after(sched, head, &queue->last)) {
			queue->rest = -1;
			return;
		}
		job = head->blocked || class->collected == sched->collections ? -1 :
		      to_consider(sched, class->head, queue->reserved);
		class->collected = sched->collections;
		queue->rest = lxfw_ranks_walk_next(&queue->walk);
		if (job >= 0)
			lxfw_candidate_heap_push(sched->heap, sched->heap_count++,
						 lxfw_candidate_of(sched, job), NULL);
	}
}

/* Collect the first candidate of each class. If LAST is not NULL, only the classes
   whose head does not come after it are included. If AGAIN, blocked classes are left out;
   otherwise no class is marked blocked. */
static int collect(struct lxfw_sched *sched, struct queue *queue, int32_t reserved,
		   const struct lxfw_candidate *last, bool again)
{
	if (lxfw_candidates_begin(sched) < 0)
		return -1;
	/* A job that was just preempted is not considered. */
	if (!again && !sched->policy->backfill.preempts)
		unblock(sched);
	sched->collections++;
	queue->rest = -1;
	queue->reserved = reserved;
	queue->bounded = last != NULL;
	if (last)
		queue->last = *last;
	if (sched->ranks.used) {
		lxfw_ranks_walk_begin(&queue->walk, &sched->ranks, NULL);
		queue->rest = lxfw_ranks_walk_next(&queue->walk);
	} else {
		collect_all(sched, queue);
	}
	return 0;
}

/* Make a heap of the classes that may be able to start a job, after all reservations are
   made. */
static int collect_startable(struct lxfw_sched *sched, int32_t reserved)
{
	bool all = !sched->policy->backfill.considers;
	bool asks = only_takes(sched);
	bool preempts = sched->policy->backfill.preempts;
	/* Otherwise jobs lose reservations, which frees resources. */
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

		if (preempts && head->blocked)	/* considered, or just preempted */
			continue;
		if (!preempts && !lxfw_molds(sched) &&
		    (head->failed == sched->gains ||
		     head->procs > sched->profile.free.procs))
			continue;
		if (asks && settled && !lxfw_room_has(&room, head->procs, head->estimate))
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
	if (sched->policy->backfill.sift &&
	    sched->policy->backfill.sift(sched, reserved) < 0)
		return -1;
	lxfw_candidates_order(sched);
	return 0;
}

/* If all reservations exist, the jobs that have them remain the first ones unless one of
   them starts or another job moves before them. Then only the jobs before the last of
   them matter, which is returned in *LAST. */
static bool last_reserved(const struct lxfw_sched *sched,
			  struct lxfw_candidate *last)
{
	if (lxfw_is_allowed_behind(sched, (int32_t)sched->reservation_count))
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

/* Make a heap of the jobs that follow, in their classes, a job with a reservation at the
   head. */
static int collect_behind(struct lxfw_sched *sched)
{
	if (lxfw_candidates_begin(sched) < 0)
		return -1;
	for (size_t i = 0; i < sched->reservation_count; i++) {
		const struct lxfw_job *job =
			&sched->jobs[sched->reservations[i].job];
		const struct lxfw_class *class = &sched->classes[job->class];
		int32_t next;

		if (class->head != sched->reservations[i].job ||
		    lxfw_head_of(sched, class)->failed == sched->gains)
			continue;
		next = to_consider(sched, job->next, INT32_MAX);
		if (next >= 0)
			sched->heap[sched->heap_count++] =
				lxfw_candidate_of(sched, next);
	}
	lxfw_candidates_order(sched);
	return 0;
}

/* Whether more pieces of what CLASS requests do not fit where fewer do not. */
static bool is_monotone(const struct lxfw_sched *sched, const struct lxfw_class *class)
{
	return (sched->params.placement == LXFW_PLACEMENT_PAPER ||
		sched->params.placement == LXFW_PLACEMENT_GPUS) &&
	       (class->request.shape == LXFW_SHAPE_HOSTS ||
		!lxfw_wants_gpus(sched, &class->request));
}

/* The next job of a walk that is at the head of its class, may start and has no reservation, or
   -1. */
static int32_t next_startable(const struct lxfw_sched *sched, struct lxfw_ranks_walk *walk)
{
	for (;;) {
		int32_t index = lxfw_ranks_walk_next(walk);
		const struct lxfw_class *class;

		if (index < 0)
			return -1;
		class = &sched->classes[index];
		if (lxfw_head_of(sched, class)->failed != sched->gains) {
			if (sched->jobs[class->head].reservation < 0)
				return class->head;
		} else if (is_monotone(sched, class)) {
			lxfw_ranks_walk_fails(walk, index);
		}
	}
}

/* The same as walk_startable() for ranked classes. Classes for which there is no room, or that
   request as much as another one that has failed, are skipped without examining them. The heap
   has the jobs that are not at the head of their class. */
static int walk_ranked(struct lxfw_sched *sched, int32_t reserved)
{
	struct lxfw_ranks_walk walk;
	struct lxfw_room room;
	int32_t first;

	if (collect_behind(sched) < 0)
		return -1;
	lxfw_profile_room(&sched->profile, sched->now, &room);
	lxfw_ranks_walk_begin(&walk, &sched->ranks, &room);
	first = next_startable(sched, &walk);
	while (first >= 0 || sched->heap_count > 0) {
		bool behind = first < 0 || (sched->heap_count > 0 &&
			lxfw_candidate_before(&sched->heap[0], &walk.last));
		int32_t job = behind ? sched->heap[0].job : first;
		int32_t next = sched->jobs[job].next, class = sched->jobs[job].class;
		enum lxfw_outcome outcome = lxfw_consider(sched, job, reserved);

		if (outcome == LXFW_FAILED)
			return -1;
		if (outcome == LXFW_STARTED) {
			lxfw_profile_room(&sched->profile, sched->now, &room);
			lxfw_ranks_walk_in(&walk, &room);
		} else if (!behind && lxfw_head_of(sched, &sched->classes[class])->failed ==
				      sched->gains && is_monotone(sched, &sched->classes[class])) {
			lxfw_ranks_walk_fails(&walk, class);
		}
		if (behind)
			lxfw_candidates_replace_top(sched, outcome == LXFW_STARTED ?
				    to_consider(sched, next, reserved) : -1);
		else
			first = next_startable(sched, &walk);
	}
	return 0;
}

/* A job has started. Remove the jobs from the heap for which nothing is left, if the rest of the
   pass only takes resources. Considering them one by one would find the same. */
static void sort_out(struct lxfw_sched *sched)
{
	struct lxfw_room room;
	size_t count = 0;

	lxfw_profile_room(&sched->profile, sched->now, &room);
	for (size_t i = 0; i < sched->heap_count; i++) {
		const struct lxfw_candidate *candidate = &sched->heap[i];
		struct lxfw_head *head =
			lxfw_head_of(sched, &sched->classes[candidate->class]);

		if (lxfw_room_has(&room, head->procs, head->estimate)) {
			sched->heap[count++] = *candidate;
			continue;
		}
		head->failed = sched->gains;
		sched->jobs[candidate->job].nowhere = false;
	}
	sched->heap_count = count;
	lxfw_candidates_order(sched);
}

/* The rest of a pass after all reservations are made: jobs that fit beside them start. */
static int walk_startable(struct lxfw_sched *sched, int32_t reserved)
{
	bool takes = only_takes(sched) && sched->reservation_count == (size_t)reserved;

	if (sched->ranks.used && takes)
		return walk_ranked(sched, reserved);
	if (collect_startable(sched, reserved) < 0)
		return -1;
	while (sched->heap_count > 0) {
		int32_t job = sched->heap[0].job;
		int32_t next = sched->jobs[job].next;
		enum lxfw_outcome outcome = LXFW_BLOCKED;

		if (!sched->policy->backfill.sift ||
		    !sched->policy->backfill.is_sifted(sched, job))
			outcome = lxfw_consider(sched, job, reserved);
		if (outcome == LXFW_FAILED)
			return -1;
		if (outcome == LXFW_RESERVED && sched->policy->backfill.in_order)
			return 0;
		if (outcome == LXFW_RESERVED)
			reserved++;
		if (outcome == LXFW_BLOCKED && !lxfw_molds(sched))
			next = -1;
		lxfw_candidates_replace_top(sched, to_consider(sched, next, reserved));
		if (outcome == LXFW_STARTED && takes)
			sort_out(sched);
	}
	return 0;
}

/* The next job of the class of JOB, which could not start, that may have a reservation
   although JOB may not, or -1. */
static int32_t next_reservable(struct lxfw_sched *sched, int32_t job, int32_t reserved)
{
	int32_t next = job;

	/* The jobs of a class have the same request. */
	if (lxfw_asks_for_none(sched, job) || lxfw_may_reserve(sched, job))
		return -1;
	do {
		next = to_consider(sched, sched->jobs[next].next, reserved);
	} while (next >= 0 && !lxfw_may_reserve(sched, next));
	return next;
}

static void block_class(struct lxfw_sched *sched, int32_t job)
{
	lxfw_head_of(sched, &sched->classes[sched->jobs[job].class])->blocked =
		true;
	sched->any_blocked = true;
}

/* Whether no job has a reservation, and none is old enough for one: jobs only start. */
static bool all_are_too_young(struct lxfw_sched *sched)
{
	const struct lxfw_params *params = &sched->params;
	int64_t submit, old_enough;

	if (params->reservation_age == 0 || params->reservation_priority > 0 ||
	    sched->reservation_count > 0 || !sched->ranks.used || !only_takes(sched) ||
	    sched->policy->backfill.preempts || lxfw_molds(sched) ||
	    lxfw_oldest(sched, &submit) < 0)
		return false;
	old_enough = lxfw_time_add(submit, params->reservation_age);
	if (old_enough <= sched->now)
		return false;
	lxfw_reservable_later(sched, old_enough);
	return true;
}

/* Consider all jobs without a final reservation in order. They start or get a reservation
   until no more reservations are allowed. If AGAIN, blocked classes are left out. */
static int walk_heap(struct lxfw_sched *sched, int32_t reserved, bool again)
{
	struct lxfw_candidate last;
	struct queue queue;
	bool bounded;

	if (!lxfw_is_allowed_behind(sched, reserved) || all_are_too_young(sched))
		return walk_startable(sched, reserved);
	bounded = last_reserved(sched, &last);
	if (collect(sched, &queue, reserved, bounded ? &last : NULL, again) < 0)
		return -1;
	for (;;) {
		enum lxfw_outcome outcome;
		int32_t job, next;

		fill(sched, &queue);
		if (bounded && (sched->heap_count == 0 ||
				lxfw_candidate_before(&last, &sched->heap[0]))) {
			/* Some of them have started, so all classes are needed. */
			bounded = false;
			if (collect(sched, &queue, reserved, NULL, true) < 0)
				return -1;
			fill(sched, &queue);
		}
		if (sched->heap_count == 0)
			return 0;
		job = sched->heap[0].job;
		next = sched->jobs[job].next;
		outcome = lxfw_consider(sched, job, reserved);
		if (outcome == LXFW_FAILED)
			return -1;
		if (outcome == LXFW_RESERVED && sched->policy->backfill.in_order)
			return 0;
		if (outcome == LXFW_RESERVED &&
		    !lxfw_is_allowed_behind(sched, ++reserved))
			return walk_startable(sched, reserved);
		if (outcome == LXFW_BLOCKED) {
			next = next_reservable(sched, job, reserved);
			if (next < 0)
				block_class(sched, job);
		}
		lxfw_candidates_replace_top(sched, to_consider(sched, next, reserved));
	}
}

/* Whether a pass may leave reservations in an order that the next pass can use. */
static bool can_settle(const struct lxfw_sched *sched)
{
	const struct lxfw_backfill *backfill = &sched->policy->backfill;

	/* A job may lose its reservation if its priority changes. */
	return sched->params.reservation_priority == 0 &&
	       !lxfw_is_dynamic(sched) && lxfw_order_is_fixed(sched) &&
	       only_takes(sched) && !backfill->in_order && !backfill->keeps &&
	       !backfill->considers;
}

/* Collect the waiting jobs that were queued since the last pass, in order. Returns their
   number, or -1 if there were more than LXFW_ARRIVED_MAX. */
static int arrivals(const struct lxfw_sched *sched,
		    struct lxfw_candidate found[LXFW_ARRIVED_MAX])
{
	int count = 0;

	if (sched->arrived_count > LXFW_ARRIVED_MAX)
		return -1;
	for (int i = 0; i < sched->arrived_count; i++) {
		const struct lxfw_job *job = &sched->jobs[sched->arrived[i]];
		struct lxfw_candidate new;
		int at = count;

		if (job->state != LXFW_JOB_WAITING)
			continue;
		new = lxfw_candidate_of(sched, sched->arrived[i]);
		while (at > 0 && lxfw_candidate_before(&new, &found[at - 1]))
			at--;
		/* The same slot may be in the list twice. */
		if (at > 0 && found[at - 1].job == new.job)
			continue;
		memmove(&found[at + 1], &found[at],
			(size_t)(count - at) * sizeof(*found));
		found[at] = new;
		count++;
	}
	return count;
}

/* Whether all waiting jobs but the COUNT jobs of NEW have reservations, in the order in
   which they would be considered and before those jobs, and enough reservations are
   allowed for all. */
static bool is_settled(const struct lxfw_sched *sched,
		       const struct lxfw_candidate *new, int count)
{
	size_t reserved = sched->reservation_count;
	struct lxfw_candidate last;

	if (!sched->settled || count < 0 ||
	    reserved + (size_t)count != sched->waiting ||
	    sched->waiting > (size_t)lxfw_reservations_allowed(sched))
		return false;
	if (reserved == 0 || count == 0)
		return true;
	last = lxfw_candidate_of(sched, sched->reservations[reserved - 1].job);
	return lxfw_candidate_before(&last, &new[0]);
}

/* The rest of a pass after the first RESERVED reservations and JOB, which is blocked. To
   consider it once more would remove the reservations behind it. */
static int walk_behind(struct lxfw_sched *sched, int32_t job, int32_t reserved)
{
	unblock(sched);
	if (next_reservable(sched, job, reserved) < 0)
		block_class(sched, job);
	return walk_heap(sched, reserved, true);
}

/* Considers the reservations in the order of their list, which is the order of a pass, so
   that no heap is needed. If no resources became free early, reservations are kept, except
   those that begin now, and only new jobs need a reservation. The decisions are those of
   walk_heap(). */
static int walk_settled(struct lxfw_sched *sched)
{
	struct lxfw_candidate new[LXFW_ARRIVED_MAX];
	int count = arrivals(sched, new);
	enum lxfw_outcome outcome;
	int32_t at = 0, job;

	if (!is_settled(sched, new, count))
		return walk_heap(sched, 0, false);
	while ((size_t)at < sched->reservation_count) {
		if (sched->reservations[at].start > sched->now &&
		    sched->improved_until == INT64_MIN) {
			at++;
			continue;
		}
		job = sched->reservations[at].job;
		outcome = lxfw_reconsider(sched, at);
		if (outcome == LXFW_FAILED)
			return -1;
		if (outcome == LXFW_BLOCKED)
			return walk_behind(sched, job, at);
		at += outcome == LXFW_RESERVED;
	}
	for (int i = 0; i < count; i++) {
		outcome = lxfw_consider(sched, new[i].job, at);
		if (outcome == LXFW_FAILED)
			return -1;
		if (outcome == LXFW_BLOCKED)
			return walk_behind(sched, new[i].job, at);
		at += outcome == LXFW_RESERVED;
	}
	return 0;
}

/* Number of jobs that start in a pass before all classes are sorted. */
#define FEW_STARTS 8

/* With a single reservation left, often few jobs start, the next one gets the
   reservation, and no other job can start. These jobs are found without sorting the
   classes. */
static int walk(struct lxfw_sched *sched, int32_t reserved)
{
	bool quick = reserved == 0 && sched->ranks.used;
	enum lxfw_outcome outcome = LXFW_STARTED;

	if (sched->policy->backfill.cycles)
		return lxfw_cycle_walk(sched);
	if (reserved == 0 && can_settle(sched))
		return walk_settled(sched);
	if (reserved + 1 != lxfw_reservations_allowed(sched) ||
	    sched->policy->backfill.preempts)
		return walk_heap(sched, reserved, false);
	for (int i = 0; outcome == LXFW_STARTED && (quick || i < FEW_STARTS); i++) {
		int32_t job = first_of_all(sched, reserved);

		if (job < 0)
			return 0;
		outcome = lxfw_consider(sched, job, reserved);
	}
	if (outcome == LXFW_FAILED)
		return -1;
	if (outcome == LXFW_RESERVED && sched->policy->backfill.in_order)
		return 0;
	return walk_heap(sched, reserved + (outcome == LXFW_RESERVED), false);
}

/* Use the tree of ranked classes if time does not change their order. Returns 0, or -1
   with errno ENOMEM. */
static int rank_classes(struct lxfw_sched *sched)
{
	bool used = lxfw_order_is_fixed(sched) &&
		    !sched->policy->backfill.considers &&
		    !sched->policy->backfill.cycles &&
		    (sched->ranks.used || sched->head_count > 0);

	if (used == sched->ranks.used)
		return 0;
	if (used)
		return lxfw_queue_rank(sched);
	lxfw_ranks_end(&sched->ranks);
	return 0;
}

/* Consider the jobs with reservations first and in their order, if a start time, once
   given, is kept (section 2.3 on SJF-backfill). Returns their number, or -1. */
static int32_t walk_reserved(struct lxfw_sched *sched)
{
	size_t at = 0;

	while (at < sched->reservation_count) {
		int32_t job = sched->reservations[at].job;
		enum lxfw_outcome outcome = lxfw_consider(sched, job, (int32_t)at);

		if (outcome == LXFW_FAILED)
			return -1;
		if (outcome == LXFW_RESERVED)
			at++;
		if (outcome == LXFW_BLOCKED)		/* its hosts no longer exist or
							   are down */
			lxfw_reservation_drop(sched, job);
	}
	return (int32_t)at;
}

int lxfw_pass(struct lxfw_sched *sched)
{
	uint64_t gains_before;
	int32_t reserved = 0;

	if (sched->policy->backfill.preempts)
		unblock(sched);
	if (sched->policy->order.rank && sched->policy->order.rank(sched) < 0)
		return -1;
	if (rank_classes(sched) < 0 || lxfw_unchanged_begin(sched) < 0)
		return -1;
	if (sched->policy->backfill.cycles && !lxfw_cycle_is_due(sched))
		return lxfw_cycle_main(sched);
	if (sched->disturbed)
		lxfw_reservations_drop_from(sched, 0);
	sched->passes++;
	gains_before = sched->gains;
	if (sched->sooner)
		lxfw_improved(sched, LXFW_NEVER);
	sched->freed_until = INT64_MIN;
	sched->sooner = false;
	sched->reservable_at = LXFW_NEVER;
	lxfw_openings_begin(sched);
	lxfw_unchanged_set_aside(sched);
	if (sched->policy->backfill.keeps)
		reserved = walk_reserved(sched);
	if (reserved >= 0)
		reserved = walk(sched, reserved);
	lxfw_unchanged_end(sched);
	if (reserved < 0 ||
	    (!sched->policy->backfill.announces_later && lxfw_reservations_tell(sched) < 0)) {
		if (sched->stuck >= 0)
			return 0;
		/* The next pass makes all reservations again. */
		sched->disturbed = true;
		return -1;
	}
	/* Resources that became free in this pass may allow reservations before them to
	   move. A single reservation is the first of all, unless pools delay others, and
	   dynamic reservations do not depend on those behind them. */
	sched->improved_until = INT64_MIN;
	if (sched->gains != gains_before && sched->reservation_count > 0 &&
	    (lxfw_reservations_allowed(sched) > 1 || sched->reserved_for_pools > 0) &&
	    !lxfw_is_dynamic(sched))
		sched->improved_until = sched->freed_until;
	sched->disturbed = false;
	sched->settled = can_settle(sched) &&
			 sched->reservation_count == sched->waiting;
	sched->arrived_count = 0;
	return 0;
}
