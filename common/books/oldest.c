/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A heap of the jobs that were queued, made when it is first asked for. Jobs that have left stay in
 * it until they are at its top, or until it is made again because there are too many of them.
 */
#include "common/books/oldest.h"

#include "common/util/grow.h"
#include "common/util/heap.h"

/* Number of outdated entries that are always tolerated. */
#define STALE_LEAST 64

static inline bool is_older(const void *of, const struct lxfw_oldest_entry *a,
			    const struct lxfw_oldest_entry *b)
{
	(void)of;
	return a->submit < b->submit || (a->submit == b->submit && a->job < b->job);
}

LXFW_HEAP(queued, struct lxfw_oldest_entry, void, is_older)

/* Another job may have the slot, and the same time: it waits as well. */
static bool waits(const struct lxfw_sched *sched, const struct lxfw_oldest_entry *queued)
{
	const struct lxfw_job *job = &sched->jobs[queued->job];

	return job->state == LXFW_JOB_WAITING && job->request.submit == queued->submit;
}

void lxfw_oldest_add(struct lxfw_sched *sched, int32_t job)
{
	struct lxfw_oldest *oldest = &sched->oldest;
	struct lxfw_oldest_entry new = { .submit = sched->jobs[job].request.submit, .job = job };

	if (!oldest->known)
		return;
	if (oldest->count > 2 * sched->waiting + STALE_LEAST ||
	    LXFW_GROW(oldest->queued, oldest->size, oldest->count + 1)) {
		oldest->known = false;
		return;
	}
	queued_push(oldest->queued, oldest->count++, new, NULL);
}

static int collect(struct lxfw_sched *sched)
{
	struct lxfw_oldest *oldest = &sched->oldest;

	oldest->count = 0;
	for (size_t i = 0; i < sched->head_count; i++) {
		int32_t job = sched->classes[sched->heads[i].class].head;

		for (; job >= 0; job = sched->jobs[job].next) {
			if (LXFW_GROW(oldest->queued, oldest->size, oldest->count + 1))
				return -1;
			oldest->queued[oldest->count++] = (struct lxfw_oldest_entry){
				.submit = sched->jobs[job].request.submit, .job = job,
			};
		}
	}
	queued_make(oldest->queued, oldest->count, NULL);
	oldest->known = true;
	return 0;
}

int lxfw_oldest(struct lxfw_sched *sched, int64_t *submit)
{
	struct lxfw_oldest *oldest = &sched->oldest;

	if (!oldest->known && collect(sched) < 0)
		return -1;
	while (oldest->count > 0 && !waits(sched, &oldest->queued[0])) {
		oldest->queued[0] = oldest->queued[--oldest->count];
		if (oldest->count > 0)
			queued_sift(oldest->queued, oldest->count, 0, NULL);
	}
	*submit = oldest->count > 0 ? oldest->queued[0].submit : LXFW_NEVER;
	return 0;
}
