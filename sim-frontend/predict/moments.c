/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/moments.h"

#include <errno.h>
#include <stdlib.h>

#include "common/explain.h"
#include "common/util/grow.h"

void lxfw_moments_clear(struct lxfw_moments *moments)
{
	lxfw_promises_clear(&moments->promises);
	lxfw_id_map_clear(&moments->last);
	free(moments->before);
	free(moments->times);
	*moments = (struct lxfw_moments) { 0 };
}

/* --- later starts of the jobs ------------------------------------------------------- */

static void settle(struct lxfw_moments *moments, uint64_t job, int64_t start, int64_t gone)
{
	int32_t at = lxfw_id_map_get(&moments->last, job);

	for (; at > 0; at = (int32_t)moments->before[at - 1]) {
		struct lxfw_promise *promise = &moments->promises.list[at - 1];

		promise->start = start;
		promise->gone = gone;
	}
}

static void ended(struct lxfw_moments *moments, uint64_t job, int64_t time)
{
	int32_t at = lxfw_id_map_get(&moments->last, job);

	if (at <= 0)
		return;
	if (moments->promises.list[at - 1].start == LXFW_NEVER)
		settle(moments, job, LXFW_NEVER, time);
	lxfw_id_map_remove(&moments->last, job);
}

void lxfw_moments_event(struct lxfw_moments *moments, const struct lxfw_event *event)
{
	switch (event->type) {
	case LXFW_EVENT_JOB_RUN:
		settle(moments, event->run.id, event->run.past.since > 0 ?
		       event->run.past.since : event->time, LXFW_NEVER);
		break;
	case LXFW_EVENT_JOB_REFUSED:
		settle(moments, event->refused.id, LXFW_NEVER, LXFW_NEVER);
		break;
	case LXFW_EVENT_JOB_END:
		ended(moments, event->end.id, event->time);
		break;
	default:
		break;
	}
}

void lxfw_moments_action(struct lxfw_moments *moments, const struct lxfw_action *action,
			 int64_t now)
{
	if (action->type == LXFW_ACTION_START)
		settle(moments, action->job, now, LXFW_NEVER);
}

/* --- predictions -------------------------------------------------------------------- */

static int keep(struct lxfw_moments *moments, const struct lxfw_promise *promise)
{
	size_t count = moments->promises.count;
	int32_t before = lxfw_id_map_get(&moments->last, promise->job);

	if (LXFW_GROW(moments->before, moments->before_size, count + 1) ||
	    lxfw_promises_add(&moments->promises, promise))
		return -1;
	moments->before[count] = before > 0 ? (uint32_t)before : 0;
	if (before > 0)
		lxfw_id_map_set(&moments->last, promise->job, (int32_t)count + 1);
	else if (lxfw_id_map_add(&moments->last, promise->job, (int32_t)count + 1))
		return -1;
	return 0;
}

/* Keeps the predictions of COUNT of the WAITING jobs. */
static int keep_all(struct lxfw_moments *moments, const struct lxfw_live *live,
		    const struct lxfw_expected *jobs, size_t count, size_t waiting)
{
	for (size_t i = 0; i < count; i++) {
		struct lxfw_promise promise = {
			.time = live->now, .job = jobs[i].request.id,
			.said = jobs[i].said, .view = jobs[i].view,
			.start = LXFW_NEVER, .gone = LXFW_NEVER,
			.weight = (double)waiting / (double)count,
		};

		if (keep(moments, &promise))
			return -1;
	}
	return 0;
}

/* Predict the jobs of the queue at the moment of LIVE. */
static int predict(struct lxfw_moments *moments, const struct lxfw_live *live,
		   struct lxfw_error *error)
{
	struct lxfw_queued *queue = NULL;
	int32_t waiting = lxfw_sched_queue(live->sched, live->now, &queue);
	size_t all = waiting > 0 ? (size_t)waiting : 0;
	size_t count = all < moments->most ? all : moments->most, found = 0;
	struct lxfw_expected *jobs = calloc(count + 1, sizeof(*jobs));
	int result = waiting < 0 || !jobs ? -1 : 0;

	for (size_t i = 0; i < count && result == 0; i++)
		found += lxfw_live_request(live->sched, queue[i * all / count].job,
					   &jobs[found].request);
	if (found > 0)
		result = lxfw_live_waiting(live, jobs, found, error);
	if (result == 0)
		result = keep_all(moments, live, jobs, found, all);
	if (result && errno == ENOMEM)
		lxfw_error_set(error, "out of memory");
	free(queue);
	free(jobs);
	return result;
}

int lxfw_moments_until(struct lxfw_moments *moments, int64_t time,
		       const struct lxfw_sched *sched, const struct lxfw_past *past,
		       struct lxfw_error *error)
{
	static const struct lxfw_past nothing;

	while (moments->next < moments->count && moments->times[moments->next] < time) {
		int64_t now = moments->times[moments->next];
		/* Each moment has its own futures: an error of chance is not that of all. */
		const struct lxfw_live live = {
			.sched = sched, .past = moments->look ? &nothing : past, .now = now,
			.seed = moments->seed + (uint64_t)now,
			.futures = moments->futures,
			.threads = moments->threads, .horizon = moments->horizon,
			.array_tasks = moments->array_tasks, .before = LXFW_NEVER,
		};

		if (past->submit_count > 0 && predict(moments, &live, error))
			return -1;
		moments->next++;
		if (moments->progress)
			moments->progress(moments->next, moments->count);
	}
	return 0;
}
