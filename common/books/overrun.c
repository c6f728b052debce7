/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that run longer than expected. A running job that is not over when it was
 * due is expected to go on for as long again as it is late, one minute at least:
 * most are late by seconds, killed at their limit, and a job that was reserved
 * for their processors should not see them filled with others meanwhile. A job is
 * looked at a logarithmic number of times however long it overruns.
 */
#include "common/books/overrun.h"

#include "common/books/books.h"
#include "common/util/grow.h"
#include "common/util/heap.h"

/* Expectations that are no longer true do not matter while they are so few. */
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

/* The job whose end is expected then, or -1: it has left, or its end has moved. */
static int32_t job_of(const struct lxfw_sched *sched,
		      const struct lxfw_expiry *expiry)
{
	const struct lxfw_job *job = &sched->jobs[expiry->job];

	return job->request.id == expiry->id && job->state == LXFW_JOB_RUNNING &&
	       job->expected_end == expiry->time ? expiry->job : -1;
}

/* Where ends move often, those of before would become many: they go when there are
   twice as many as were left the last time. */
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
		/* The entry just removed left room for this one. */
		lxfw_expiry_add(sched, index);
	}
}
