/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that run longer than expected. A job that has not ended at its expected end is
 * expected to run for as long again as it is late, at least a minute. Most such jobs are
 * late by seconds, because they are being terminated at their limit; their processors
 * should not be given to others than the job that has them reserved. The expected end of
 * a job is extended a logarithmic number of times, however long the job runs.
 */
#include "common/books/overrun.h"

#include "common/books/books.h"
#include "common/util/grow.h"
#include "common/util/heap.h"

/* Number of outdated entries that are always tolerated. */
#define STALE_LEAST 64

static inline bool expires_before(const void *of, const struct lxfw_expiry *a,
				  const struct lxfw_expiry *b)
{
	(void)of;
	return a->time < b->time || (a->time == b->time && a->id < b->id);
}

LXFW_HEAP(expiries, struct lxfw_expiry, void, expires_before)

int lxfw_expiry_ready(struct lxfw_sched *sched, size_t count)
{
	if (LXFW_GROW(sched->expiries, sched->expiries_size,
		      sched->expiry_count + count))
		return -1;
	return 0;
}

void lxfw_expiry_add(struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_expiry new = { job->expected_end, job->request.id, index };

	if (job->expected_end != LXFW_NEVER)
		expiries_push(sched->expiries, sched->expiry_count++, new, NULL);
}

static void remove_first(struct lxfw_sched *sched)
{
	sched->expiries[0] = sched->expiries[--sched->expiry_count];
	if (sched->expiry_count > 0)
		expiries_sift(sched->expiries, sched->expiry_count, 0, NULL);
}

/* The job that is expected to end then, or -1 if it has left or its expected end has
   changed. */
static int32_t job_of(const struct lxfw_sched *sched,
		      const struct lxfw_expiry *expiry)
{
	const struct lxfw_job *job = &sched->jobs[expiry->job];

	return job->request.id == expiry->id && job->state == LXFW_JOB_RUNNING &&
	       job->expected_end == expiry->time ? expiry->job : -1;
}

/* Remove outdated entries when the heap is more than twice as large as after the last
   removal. Otherwise it would grow without limit if ends change often. */
static void tidy(struct lxfw_sched *sched)
{
	size_t kept = 0;

	if (sched->expiry_count <= 2 * sched->expiries_kept + STALE_LEAST)
		return;
	for (size_t i = 0; i < sched->expiry_count; i++) {
		if (job_of(sched, &sched->expiries[i]) >= 0)
			sched->expiries[kept++] = sched->expiries[i];
	}
	sched->expiry_count = sched->expiries_kept = kept;
	expiries_make(sched->expiries, kept, NULL);
}

int32_t lxfw_expiry_first(struct lxfw_sched *sched)
{
	while (sched->expiry_count > 0) {
		int32_t job = job_of(sched, &sched->expiries[0]);

		if (job >= 0)
			return job;
		remove_first(sched);
	}
	return -1;
}

void lxfw_expiry_extend(struct lxfw_sched *sched)
{
	tidy(sched);
	while (sched->expiry_count > 0 && sched->expiries[0].time < sched->now) {
		struct lxfw_expiry first = sched->expiries[0];
		int32_t index = job_of(sched, &first);
		struct lxfw_job *job;
		int64_t more;

		remove_first(sched);
		if (index < 0)
			continue;
		job = &sched->jobs[index];
		more = sched->now - job->due;
		job->expected_end =
			lxfw_time_add(sched->now, more < 60 ? 60 : more);
		lxfw_profile_run_until(&sched->profile, job->claim,
				       job->expected_end);
		if (lxfw_profile_disturbed(&sched->profile, job->claim))
			sched->disturbed = true;
		/* There is room, since an entry was removed above. */
		lxfw_expiry_add(sched, index);
	}
}
