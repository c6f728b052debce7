/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/future.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/copy.h"
#include "common/util/grow.h"
#include "common/util/id_map.h"
#include "sim-frontend/engine/ends.h"
#include "sim-frontend/util/pool.h"

#define DAY INT64_C(86400)
#define WEEK (7 * DAY)

/* Ids of jobs that are submitted in a future. They are beyond those of traces and, since
   ids are compared by their lower half first, after other jobs of the same second. */
#define ARRIVAL_ID(number) (UINT64_C(0xfffffff000000000) + (number) + UINT64_C(0xf0000000))

/* Share of jobs of the same kind that run for the same time as others of that kind in the
   same future. */
#define ALIKE 0.5

struct future {
	const struct lxfw_futures *of;
	uint64_t number;
	struct lxfw_sched *sched;
	struct lxfw_random random;	/* for the days */
	int64_t begin, now, wake;
	struct lxfw_ends ends;
	/* Submissions: those of the day of the past that begins at BEGIN - shift. */
	int64_t day_end;	/* in the future */
	int64_t shift;		/* to be added to a time of the past */
	size_t next;		/* index of the next submission */
	bool no_arrivals;
	struct lxfw_arrival arrival;	/* the next submission */
	int64_t arrival_time;	/* LXFW_NEVER: none */
	/* Jobs submitted so far, for their run times. */
	struct arrived {
		struct lxfw_traits traits;
		int64_t ran;
	} *arrived;
	size_t arrived_count, arrived_size;
	int64_t *starts;	/* of watched jobs, with a stride of of->count */
	const struct lxfw_id_map *watched;
	size_t left;		/* watched jobs that have not started */
};

/* --- run times -------------------------------------------------------------------- */

static bool is_known(const struct lxfw_futures *of, uint64_t id)
{
	return of->ran && of->ran(of->context, id) > 0;
}

static int64_t draw(const struct future *future, uint64_t id,
		    const struct lxfw_traits *traits, int64_t elapsed)
{
	const struct lxfw_futures *of = future->of;
	struct lxfw_random random;

	if (is_known(of, id))
		return of->ran(of->context, id);
	if (of->by_limits)
		return traits->limit > elapsed ? traits->limit : elapsed + 1;
	lxfw_random_seed(&random, of->seed + id * UINT64_C(0x9e3779b97f4a7c15),
			 future->number);
	if (lxfw_random_uniform(&random) < ALIKE)
		lxfw_random_seed(&random, of->seed ^ lxfw_experience_key(traits),
				 future->number);
	return lxfw_experience_draw(of->known->experience, traits, elapsed, &random);
}

static int end_at(struct future *future, int64_t time, uint64_t id)
{
	return lxfw_ends_add(&future->ends, time, id);
}

/* Counts processors that are allocated from now until END. */
static void count_busy(struct future *future, int64_t procs, int64_t end)
{
	int64_t last = future->begin + future->of->horizon;

	if (end > last)
		end = last;
	if (future->of->busy && end > future->now)
		future->of->busy[future->number] += (double)procs *
						    (double)(end - future->now);
}

static int64_t running_procs(const struct lxfw_profile *profile, int32_t claim)
{
	const struct lxfw_release *nodes = profile->releases.nodes;
	int64_t procs = 0;

	for (int32_t i = claim; i >= 0; i = nodes[i].next)
		procs += nodes[i].host < 0 ? 0 : nodes[i].amount.procs;
	return procs;
}

/* Whether nothing is known of the end of a job that was first seen running. */
static bool of_unknown_end(const struct lxfw_job *job)
{
	return job->request.estimate <= 0 && job->due == LXFW_NEVER;
}

/* The ends of the jobs that run at the moment. */
static int draw_running(struct future *future)
{
	const struct lxfw_sched *sched = future->of->sched;
	const struct lxfw_known *known = future->of->known;

	for (size_t i = 0; i < sched->jobs_used; i++) {
		const struct lxfw_job *job = &sched->jobs[i];
		struct lxfw_request request = job->request;
		struct lxfw_traits traits;
		int64_t elapsed, ends;

		if (job->state != LXFW_JOB_RUNNING)
			continue;
		/* Of a job that was first seen running, only the expected end is known. */
		if (request.estimate <= 0)
			request.estimate = job->due > job->start &&
					   job->due != LXFW_NEVER ?
					   job->due - job->start : 1;
		known->traits(known->context, &request, &traits);
		elapsed = future->begin - job->start - job->paused;
		if (elapsed < 0)
			elapsed = 0;
		ends = future->begin - elapsed +
		       draw(future, request.id, &traits, elapsed);
		if (of_unknown_end(job) && future->of->by_limits)
			ends = future->begin + future->of->horizon + 1;
		count_busy(future, running_procs(&sched->profile, job->claim), ends);
		if (end_at(future, ends, request.id))
			return -1;
	}
	return 0;
}

/* --- submissions ------------------------------------------------------------------ */

/* Returns the index of the first submission after TIME. */
static size_t after(const struct lxfw_known *known, int64_t time)
{
	size_t low = 0, high = known->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (known->submits[middle] > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Choose the day of the past for the next day of the future. */
static void choose_day(struct future *future)
{
	const struct lxfw_known *known = future->of->known;
	int64_t past = known->count > 0 ? future->begin - known->submits[0] : 0;
	int64_t period = past >= WEEK ? WEEK : DAY, begin = future->day_end, least, choices;

	/* A day must have ended at the moment, and begin after the first submission. */
	least = (begin + DAY - future->begin + period - 1) / period;
	choices = (past + begin - future->begin) / period - least + 1;
	if (choices < 1) {
		future->no_arrivals = true;
		return;
	}
	if (period == WEEK && choices > LXFW_FUTURE_WEEKS)
		choices = LXFW_FUTURE_WEEKS;
	future->shift = period * (least + (int64_t)lxfw_random_below(&future->random,
							(uint64_t)choices));
	future->day_end = begin + DAY;
	future->next = after(known, begin - future->shift);
}

/* Find the next submission. */
static void find_arrival(struct future *future)
{
	const struct lxfw_known *known = future->of->known;
	int64_t end = future->begin + future->of->horizon;

	future->arrival_time = LXFW_NEVER;
	while (!future->no_arrivals) {
		if (future->next < known->count &&
		    known->submits[future->next] + future->shift <= future->day_end) {
			future->arrival_time = known->submits[future->next] + future->shift;
			known->arrival(known->context, future->next++, &future->arrival);
			return;
		}
		if (future->day_end >= end)
			return;
		choose_day(future);
	}
}

static int submit(struct future *future, struct lxfw_request *request)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_SUBMIT, .time = future->now, .request = request,
	};

	request->submit = future->now;
	return lxfw_sched_apply(future->sched, &event, NULL);
}

static int submit_arrivals(struct future *future)
{
	while (future->arrival_time <= future->now) {
		struct lxfw_arrival *arrival = &future->arrival;

		if (LXFW_GROW(future->arrived, future->arrived_size,
			      future->arrived_count + 1))
			return -1;
		arrival->request.id = ARRIVAL_ID(future->arrived_count);
		/* Components of one job would need each other. */
		arrival->request.group = 0;
		arrival->request.group_count = 0;
		future->arrived[future->arrived_count++] = (struct arrived) {
			arrival->traits, arrival->ran,
		};
		if (submit(future, &arrival->request) < 0 && errno == ENOMEM)
			return -1;
		find_arrival(future);
	}
	return 0;
}

/* --- one future ------------------------------------------------------------------- */

static int end_jobs(struct future *future)
{
	while (future->ends.count > 0 && future->ends.heap[0].time <= future->now) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_END, .time = future->now,
			.end.id = lxfw_ends_pop(&future->ends),
		};

		if (lxfw_sched_apply(future->sched, &event, NULL) < 0 && errno == ENOMEM)
			return -1;
	}
	return 0;
}

static int started(struct future *future, const struct lxfw_action *action)
{
	const struct lxfw_known *known = future->of->known;
	int32_t watched = lxfw_id_map_get(future->watched, action->job);
	int64_t run = -1;

	if (watched >= 0) {
		future->starts[(size_t)watched * (size_t)future->of->count] = future->now;
		if (--future->left == 0 && !future->of->busy)
			return 0;
	}
	if (action->job >= ARRIVAL_ID(0)) {
		const struct arrived *arrived =
			&future->arrived[action->job - ARRIVAL_ID(0)];

		run = arrived->ran;
		if (run < 0)
			run = draw(future, action->job, &arrived->traits, 0);
	} else {
		int32_t index = lxfw_id_map_get(&future->sched->job_by_id, action->job);
		struct lxfw_traits traits;

		known->traits(known->context, &future->sched->jobs[index].request, &traits);
		run = draw(future, action->job, &traits, 0);
	}
	/* A job may be started for less time than it requested. */
	if (future->of->by_limits && action->limit > 0 && run > action->limit &&
	    !is_known(future->of, action->job))
		run = action->limit;
	for (int32_t i = 0; i < action->count && future->of->busy; i++)
		count_busy(future, action->shares[i].amount.procs, future->now + run);
	return end_at(future, future->now + run, action->job);
}

static int decide(struct future *future)
{
	struct lxfw_decision decision;

	if (lxfw_sched_decide(future->sched, future->now, &decision) < 0)
		return -1;
	for (size_t i = 0; i < decision.count; i++) {
		if (decision.actions[i].type == LXFW_ACTION_START &&
		    started(future, &decision.actions[i]))
			return -1;
	}
	future->wake = decision.wake > future->now ? decision.wake : future->now + 1;
	return 0;
}

/* Advance to the next time. Returns false if nothing happens before the horizon. */
static bool advance(struct future *future)
{
	int64_t next = future->wake;

	if (future->ends.count > 0 && future->ends.heap[0].time < next)
		next = future->ends.heap[0].time;
	if (future->arrival_time < next)
		next = future->arrival_time;
	if (next <= future->now)
		next = future->now + 1;
	future->now = next;
	return next <= future->begin + future->of->horizon;
}

static int begin(struct future *future)
{
	const struct lxfw_futures *of = future->of;

	future->sched = of->make ? of->make(of->context) : lxfw_sched_copy(of->sched);
	if (!future->sched)
		return -1;
	future->begin = future->now = of->now;
	future->day_end = future->begin;
	future->next = of->known->count;
	future->no_arrivals = of->by_limits || of->no_arrivals;
	future->left = of->watched_count;
	lxfw_random_seed(&future->random, of->seed, future->number);
	if (of->candidate) {
		struct lxfw_request request = *of->candidate;

		if (submit(future, &request) < 0)
			return -1;
	}
	find_arrival(future);
	return draw_running(future);
}

static int run(struct future *future)
{
	if (begin(future))
		return -1;
	future->wake = future->of->wake;
	if (future->wake > future->now && !advance(future))
		return 0;
	do {
		if (future->now > future->begin && end_jobs(future))
			return -1;
		if (submit_arrivals(future) || decide(future))
			return -1;
	} while (future->left > 0 && advance(future));
	return 0;
}

/* --- all of them ------------------------------------------------------------------- */

struct all {
	const struct lxfw_futures *futures;
	struct lxfw_id_map watched;
	int64_t *starts;
};

static int run_one(void *context, size_t number, struct lxfw_error *error)
{
	const struct all *all = context;
	struct future future = {
		.of = all->futures, .number = number, .starts = all->starts + number,
		.watched = &all->watched,
	};
	int result = run(&future), saved = errno;

	lxfw_sched_destroy(future.sched);
	free(future.ends.heap);
	free(future.arrived);
	errno = saved;
	if (result)
		lxfw_error_set(error, "out of memory");
	return result;
}

int lxfw_futures_run(const struct lxfw_futures *futures, int64_t *starts,
		     struct lxfw_error *error)
{
	struct all all = { .futures = futures, .starts = starts };
	const struct lxfw_pool pool = {
		.context = &all, .count = (size_t)futures->count,
		.threads = futures->threads, .work = run_one,
	};
	int result = 0;

	for (size_t i = 0; i < futures->watched_count * (size_t)futures->count; i++)
		starts[i] = LXFW_NEVER;
	for (size_t i = 0; i < futures->watched_count && result == 0; i++)
		result = lxfw_id_map_add(&all.watched, futures->watched[i], (int32_t)i);
	if (result)
		lxfw_error_set(error, "out of memory");
	for (int i = 0; i < futures->count && futures->threads == 1 && result == 0; i++)
		result = run_one(&all, (size_t)i, error);
	if (result == 0 && futures->threads > 1)
		result = lxfw_pool_carry_out(&pool, error);
	lxfw_id_map_clear(&all.watched);
	return result;
}

bool lxfw_future_waits(const struct lxfw_sched *sched, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, id);

	return index >= 0 && sched->jobs[index].state != LXFW_JOB_RUNNING;
}
