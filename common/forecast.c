/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries that do not change the scheduler. */
#include "common/books/books.h"
#include "common/books/check.h"
#include "common/place/place.h"
#include "common/sched.h"

/* Copy the request to *NAMED, with an id if it has none. Returns 0, or -1 with errno if
   it is invalid. */
static int take_request(struct lxfw_sched *sched, const struct lxfw_request *request,
			struct lxfw_request *named)
{
	*named = *request;
	if (!named->id)
		named->id = 1;
	return lxfw_request_check(sched, named, NULL);
}

void lxfw_sched_advance(struct lxfw_sched *sched, int64_t now)
{
	if (now > sched->now)
		sched->now = now > LXFW_TIME_MAX ? LXFW_TIME_MAX : now;
}

int32_t lxfw_sched_place(struct lxfw_sched *sched,
			 const struct lxfw_request *request,
			 const struct lxfw_share **shares)
{
	struct lxfw_request named;
	int32_t found, host_set;

	if (take_request(sched, request, &named) < 0)
		return -1;
	found = lxfw_place_now(sched, &named, &host_set);
	*shares = sched->found;
	return found;
}

int32_t lxfw_sched_forecast(struct lxfw_sched *sched,
			    const struct lxfw_request *request, int64_t *start,
			    const struct lxfw_share **shares)
{
	struct lxfw_request named;
	int32_t found, host_set;

	if (take_request(sched, request, &named) < 0)
		return -1;
	found = lxfw_place_earliest(sched, &named, start, &host_set);
	*shares = sched->found;
	return found;
}

static int64_t add(int64_t sum, int64_t amount)
{
	return sum > INT64_MAX - amount ? INT64_MAX : sum + amount;
}

/* Processor-seconds of a request, at most INT64_MAX. */
static int64_t work_of(const struct lxfw_request *request)
{
	int64_t procs = lxfw_request_sum(request).procs;

	return procs > 0 && request->estimate > INT64_MAX / procs ?
		INT64_MAX : procs * request->estimate;
}

void lxfw_sched_state(const struct lxfw_sched *sched, struct lxfw_sched_state *state)
{
	*state = (struct lxfw_sched_state) {
		.waiting = sched->waiting, .running = sched->running,
	};
	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		const struct lxfw_host *host = &sched->profile.hosts[i];
		int32_t free = lxfw_profile_free(&sched->profile, i)->procs;

		if (!host->up)
			continue;
		state->procs += host->total.procs;
		state->free += free > 0 ? free : 0;
	}
	for (size_t i = 0; i < sched->jobs_used; i++) {
		const struct lxfw_job *job = &sched->jobs[i];

		if (job->state != LXFW_JOB_FREE && job->state != LXFW_JOB_RUNNING)
			state->waiting_work = add(state->waiting_work,
						  work_of(&job->request));
	}
}
