/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/publish/outlook.h"

#include <errno.h>
#include <stdlib.h>

#include "common/books/books.h"
#include "common/util/grow.h"
#include "sim-frontend/predict/ages.h"

#define HOUR 3600

/* The use is that of a day. Jobs that are submitted in it have half a day more to start. */
#define DAY (24 * HOUR)
#define HORIZON (36 * HOUR)
#define USE_STEP (HOUR / 2)
#define USE_COUNT (DAY / USE_STEP + 1)
#define WAIT_STEP (2 * HOUR)
#define WAIT_COUNT (DAY / WAIT_STEP)

/* Run times that are drawn for the median of one job. */
#define DRAWN 31

static int ascending(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* --- waits ------------------------------------------------------------------------ */

/* The waits of the jobs that are submitted in the futures. */
struct waits {
	int64_t begin;
	struct waits_of {
		struct one_wait {
			int64_t submit, wait;
		} *list;
		size_t count, size;
		bool failed;
	} of[LXFW_LEARN_FUTURES];
};

static void waited(void *context, uint64_t number, int64_t submit, int64_t wait)
{
	struct waits *waits = context;
	struct waits_of *of = &waits->of[number];

	if (LXFW_GROW(of->list, of->size, of->count + 1)) {
		of->failed = true;
		return;
	}
	of->list[of->count++] = (struct one_wait) { submit, wait };
}

/* Collects the waits of the jobs that are submitted in a span of time. Returns their number. */
static size_t collect(const struct waits *waits, int64_t from, int64_t until, int64_t *to)
{
	size_t count = 0;

	for (int i = 0; i < LXFW_LEARN_FUTURES; i++) {
		for (size_t j = 0; j < waits->of[i].count; j++) {
			const struct one_wait *one = &waits->of[i].list[j];

			if (one->submit < from || one->submit >= until)
				continue;
			to[count++] = one->submit + one->wait < waits->begin + HORIZON ?
				      one->wait : LXFW_NEVER;
		}
	}
	return count;
}

static int summarize_waits(struct lxfw_publication *to, const struct waits *waits)
{
	size_t all = 0;
	int64_t *list;

	for (int i = 0; i < LXFW_LEARN_FUTURES; i++) {
		all += waits->of[i].count;
		if (waits->of[i].failed)
			return -1;
	}
	if (all == 0)
		return 0;
	list = calloc(all, sizeof(*list));
	to->waits = calloc(WAIT_COUNT, sizeof(*to->waits));
	if (!list || !to->waits) {
		free(list);
		return -1;
	}
	for (to->wait_count = 0; to->wait_count < WAIT_COUNT; to->wait_count++) {
		struct lxfw_publication_wait *wait = &to->waits[to->wait_count];
		size_t count;

		wait->time = waits->begin + (int64_t)to->wait_count * WAIT_STEP;
		count = collect(waits, wait->time, wait->time + WAIT_STEP, list);
		wait->jobs = (int64_t)count;
		if (count == 0)
			continue;
		qsort(list, count, sizeof(*list), ascending);
		wait->median = list[(count - 1) / 2];
		wait->most = list[(size_t)(0.9 * (double)(count - 1))];
	}
	free(list);
	return 0;
}

/* --- use -------------------------------------------------------------------------- */

static int summarize_use(struct lxfw_publication *to, const int64_t *use, int64_t begin)
{
	to->use = calloc(USE_COUNT, sizeof(*to->use));
	if (!to->use)
		return -1;
	for (to->use_count = 0; to->use_count < USE_COUNT; to->use_count++) {
		struct lxfw_publication_use *one = &to->use[to->use_count];
		int64_t procs[LXFW_LEARN_FUTURES];

		for (int i = 0; i < LXFW_LEARN_FUTURES; i++)
			procs[i] = use[(size_t)i * USE_COUNT + to->use_count];
		qsort(procs, LXFW_LEARN_FUTURES, sizeof(*procs), ascending);
		one->time = begin + (int64_t)to->use_count * USE_STEP;
		one->procs[LXFW_USE_LOW] = procs[LXFW_LEARN_FUTURES / 10];
		one->procs[LXFW_USE_MEDIAN] = procs[LXFW_LEARN_FUTURES / 2];
		one->procs[LXFW_USE_HIGH] = procs[LXFW_LEARN_FUTURES - 1 - LXFW_LEARN_FUTURES / 10];
	}
	return 0;
}

int lxfw_outlook(struct lxfw_publication *publication, const struct lxfw_live *live,
		 struct lxfw_error *error)
{
	struct lxfw_future_arrivals arrivals[LXFW_LEARN_FUTURES] = { 0 };
	struct waits waits = { .begin = live->now };
	struct lxfw_known known;
	const struct lxfw_futures futures = {
		.sched = live->sched, .known = &known, .now = live->now, .seed = live->seed,
		.count = LXFW_LEARN_FUTURES, .threads = live->threads, .horizon = HORIZON,
		.to_the_horizon = true, .arrivals = arrivals, .waited = waited, .waits = &waits,
		.use = calloc(LXFW_LEARN_FUTURES * USE_COUNT, sizeof(int64_t)),
		.use_step = USE_STEP, .use_count = USE_COUNT,
	};
	int64_t none;
	int result;

	if (!futures.use)
		return out_of_memory(error);
	lxfw_past_known(live->past, &known);
	result = lxfw_futures_run(&futures, &none, error);
	if (result == 0 && (summarize_use(publication, futures.use, live->now) ||
			    summarize_waits(publication, &waits)))
		result = out_of_memory(error);
	for (int i = 0; i < LXFW_LEARN_FUTURES; i++)
		free(waits.of[i].list);
	free(futures.use);
	return result;
}

/* --- ends of running jobs --------------------------------------------------------- */

/* The median of the run times, from ELAPSED on. */
static int64_t median_run(const struct lxfw_known *known, const struct lxfw_live *live,
			  double shape, const struct lxfw_request *request, int64_t elapsed)
{
	struct lxfw_traits traits;
	struct lxfw_random random;
	int64_t drawn[DRAWN];

	known->traits(known->context, request, &traits);
	lxfw_random_seed(&random, live->seed, request->id);
	for (int i = 0; i < DRAWN; i++)
		drawn[i] = lxfw_experience_draw(known->experience, &traits, elapsed, shape,
						&random);
	qsort(drawn, DRAWN, sizeof(*drawn), ascending);
	return drawn[DRAWN / 2];
}

void lxfw_outlook_ends(struct lxfw_publication *publication, const struct lxfw_live *live)
{
	struct lxfw_known known;
	double shape = lxfw_ages_shape(live->sched, live->now);

	lxfw_past_known(live->past, &known);
	for (size_t i = 0; i < publication->count; i++) {
		struct lxfw_publication_job *to = &publication->jobs[i];
		int32_t index = to->state == LXFW_PUBLISHED_RUNNING ?
				lxfw_id_map_get(&live->sched->job_by_id, to->id) : -1;
		const struct lxfw_job *job = index < 0 ? NULL : &live->sched->jobs[index];
		struct lxfw_request request;
		int64_t elapsed;

		if (!job || to->limit <= 0)
			continue;
		request = job->request;
		request.estimate = to->limit;
		elapsed = live->now - job->start - job->paused;
		if (elapsed < 0)
			elapsed = 0;
		to->end = live->now - elapsed + median_run(&known, live, shape, &request, elapsed);
		/* A job that is over its limit may end at any time. */
		if (to->end > to->latest && to->latest > live->now)
			to->end = to->latest;
		if (to->end <= live->now)
			to->end = live->now + 1;
	}
}
