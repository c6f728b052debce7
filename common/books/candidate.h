/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order in which a pass considers jobs. The functions are inline, since every pass
   calls them for every class. */
#ifndef LXFW_BOOKS_CANDIDATE_H
#define LXFW_BOOKS_CANDIDATE_H

#include "common/books/books.h"
#include "common/util/grow.h"
#include "common/util/heap.h"

/* Whether a job that waits since SINCE comes before those that have waited less. */
static inline bool lxfw_is_aged(const struct lxfw_sched *sched, int64_t since, int64_t now)
{
	int64_t age = lxfw_age_first(sched);

	return age > 0 && now - since > age;
}

/* The sort key of a waiting job at the present time. */
static inline struct lxfw_candidate
lxfw_candidate_of(const struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_job *job = &sched->jobs[index];
	const struct lxfw_class *class = &sched->classes[job->class];
	const struct lxfw_head *head = lxfw_head_of(sched, class);
	int64_t bypassed = class->bypassed + job->bypassed;
	int64_t since = lxfw_job_since(job);
	double waited = (double)(sched->now - since);
	double intercept = class->head == index ?
				   head->intercept :
				   class->intercept + lxfw_own_term(sched, job);

	return (struct lxfw_candidate){
		.priority = intercept + head->slope * waited +
			    sched->params.wbypass * (double)bypassed,
		.submit = since,
		.id = lxfw_id_key(job->request.id),
		.tier = lxfw_tier_in_order(sched, job->request.tier, class->host >= 0),
		.class = job->class,
		.job = index,
		.aged = lxfw_is_aged(sched, since, sched->now),
	};
}

/* Whether the job at HEAD comes after CANDIDATE. False if only the ids decide. */
static inline bool lxfw_head_after(const struct lxfw_sched *sched,
				   const struct lxfw_head *head,
				   const struct lxfw_candidate *candidate)
{
	double priority = head->intercept +
			  head->slope * (double)(sched->now - head->submit) +
			  sched->params.wbypass * (double)head->bypassed;
	bool aged = lxfw_is_aged(sched, head->submit, sched->now);

	if (head->tier != candidate->tier)
		return head->tier < candidate->tier;
	if (aged != candidate->aged)
		return candidate->aged;
	if (!aged && priority != candidate->priority)
		return priority < candidate->priority;
	return head->submit > candidate->submit;
}

static inline bool lxfw_candidate_is_before(const void *of,
					    const struct lxfw_candidate *a,
					    const struct lxfw_candidate *b)
{
	(void)of;
	return lxfw_candidate_before(a, b);
}

LXFW_HEAP(lxfw_candidate_heap, struct lxfw_candidate, void, lxfw_candidate_is_before)

/* The heap of a pass. Move the candidate AT down to its place; candidates below it have
   no further order. */
static inline void lxfw_candidates_sift(struct lxfw_sched *sched, size_t at)
{
	lxfw_candidate_heap_sift(sched->heap, sched->heap_count, at, NULL);
}

/* Replace the top of the heap by NEXT, a job of the same class, or remove it if NEXT is
   -1. */
static inline void lxfw_candidates_replace_top(struct lxfw_sched *sched, int32_t next)
{
	if (next >= 0)
		sched->heap[0] = lxfw_candidate_of(sched, next);
	else
		sched->heap[0] = sched->heap[--sched->heap_count];
	if (sched->heap_count > 0)
		lxfw_candidates_sift(sched, 0);
}

/* Empty the heap and allocate an entry for each class. Returns 0, or -1 with errno
   ENOMEM. */
static inline int lxfw_candidates_begin(struct lxfw_sched *sched)
{
	void *grown = lxfw_grow(sched->heap, &sched->heap_size,
				sched->head_count, sizeof(*sched->heap));

	if (!grown)
		return -1;
	sched->heap = grown;
	sched->heap_count = 0;
	return 0;
}

static inline void lxfw_candidates_order(struct lxfw_sched *sched)
{
	lxfw_candidate_heap_make(sched->heap, sched->heap_count, NULL);
}

#endif
