/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/progress.h"

#include <errno.h>
#include <stdlib.h>

#include "common/model/event.h"
#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

/* Work that is never complete. */
#define ENDLESS INT64_MAX

void lxfw_progress_clear(struct lxfw_progress *progress)
{
	int saved = errno;

	lxfw_id_map_clear(&progress->by_id);
	free(progress->jobs);
	*progress = (struct lxfw_progress) { 0 };
	errno = saved;
}

static struct lxfw_progress_job *find(const struct lxfw_progress *progress,
				      uint64_t id)
{
	int32_t index = lxfw_id_map_get(&progress->by_id, id);

	return index < 0 ? NULL : &progress->jobs[index];
}

const struct lxfw_progress_job *
lxfw_progress_find(const struct lxfw_progress *progress, uint64_t id)
{
	return find(progress, id);
}

static struct lxfw_progress_job *enter(struct lxfw_progress *progress,
				       uint64_t id)
{
	int32_t index;

	if (progress->free > 0) {
		index = progress->free - 1;
	} else {
		if (LXFW_GROW(progress->jobs, progress->size, progress->count + 1))
			return NULL;
		index = (int32_t)progress->count;
	}
	if (lxfw_id_map_add(&progress->by_id, id, index))
		return NULL;
	if (progress->free > 0)
		progress->free = progress->jobs[index].next;
	else
		progress->count++;
	progress->jobs[index] = (struct lxfw_progress_job) {
		.id = id, .spare = LXFW_NEVER, .end = LXFW_NEVER,
	};
	return &progress->jobs[index];
}

int lxfw_progress_request(struct lxfw_progress *progress,
			  const struct lxfw_request *request)
{
	struct lxfw_progress_job *job = find(progress, request->id);

	if (!job)
		job = enter(progress, request->id);
	if (!job)
		return -1;
	job->procs = (int64_t)request->unit.procs * request->count;
	job->grows = progress->grows && !request->exclusive;
	job->memory_mb = request->unit.memory_mb * request->count;
	return 0;
}

void lxfw_progress_bound(struct lxfw_progress *progress, uint64_t id,
			 int64_t most)
{
	struct lxfw_progress_job *job = find(progress, id);

	if (job)
		job->spare = most;
}

int64_t lxfw_progress_left_over(const struct lxfw_progress *progress,
				uint64_t id)
{
	const struct lxfw_progress_job *job = find(progress, id);
	int64_t seconds;

	if (!job || !job->cut_off || job->left == ENDLESS)
		return 0;
	seconds = job->end - job->since;
	return (job->left - seconds * job->rate) /
	       lxfw_speedup_full(progress->speedup, job->procs);
}

bool lxfw_progress_left(struct lxfw_progress *progress, uint64_t id)
{
	struct lxfw_progress_job *job = find(progress, id);
	bool started = job && job->state != LXFW_PROGRESS_WAITING;

	if (job) {
		lxfw_id_map_remove(&progress->by_id, id);
		job->id = 0;
		job->next = progress->free;
		progress->free = (int32_t)(job - progress->jobs) + 1;
	}
	return started;
}

bool lxfw_progress_holds(const struct lxfw_progress *progress,
			 const struct lxfw_end *end)
{
	const struct lxfw_progress_job *job = find(progress, end->job);

	return job && job->end == end->time;
}

/* Returns the total work of a job: a value with which no sum overflows, or ENDLESS. */
static int64_t work(const struct lxfw_progress *progress,
		    const struct lxfw_progress_job *job, int64_t run)
{
	int64_t full = lxfw_speedup_full(progress->speedup, job->procs);

	return run < INT64_MAX / 4 / full ? run * full : ENDLESS;
}

/* Subtracts the work done since the speed was last set. */
static void settle(struct lxfw_progress_job *job, int64_t now)
{
	int64_t seconds = now - job->since;

	if (job->rate > 0 && job->left != ENDLESS)
		job->left = seconds > job->left / job->rate ? 0 :
			    job->left - seconds * job->rate;
	if (job->state == LXFW_PROGRESS_RUNNING && job->spare != LXFW_NEVER)
		job->spare -= seconds;
	job->end = LXFW_NEVER;
	job->cut_off = false;
	job->since = now;
	job->rate = 0;
}

/* Continues the job with these shares. */
static int proceed(struct lxfw_progress *progress, struct lxfw_ends *ends,
		   struct lxfw_progress_job *job,
		   const struct lxfw_action *action)
{
	int64_t procs = 0, memory_mb = 0, seconds;

	for (int32_t i = 0; i < action->count; i++) {
		procs += action->shares[i].amount.procs;
		memory_mb += action->shares[i].amount.memory_mb;
	}
	job->state = LXFW_PROGRESS_RUNNING;
	/* a job that exceeds its memory makes no progress */
	if (memory_mb < job->memory_mb && job->used_kb > memory_mb * 1024)
		return 0;
	job->rate = job->grows && procs > job->procs ?
		lxfw_speedup_beyond(progress->speedup, procs, job->procs) :
		lxfw_speedup_rate(progress->speedup, procs, job->procs);
	seconds = LXFW_NEVER;
	if (job->rate > 0 && job->left != ENDLESS)
		seconds = job->left / job->rate + (job->left % job->rate > 0);
	job->cut_off = job->spare < seconds;
	if (job->cut_off)
		seconds = job->spare;
	if (seconds > LXFW_TIME_MAX / 2)
		return 0;
	job->end = job->since + seconds;
	return lxfw_ends_add(ends, job->end, job->id);
}

/* Returns the state that the action requires, or NULL if the job is in it. */
static const char *expected(const struct lxfw_progress_job *job,
			    enum lxfw_action_type type)
{
	enum lxfw_progress_state state;

	if (!job)
		return "there";
	state = job->state;
	switch (type) {
	case LXFW_ACTION_START:
		return state == LXFW_PROGRESS_WAITING ? NULL : "waiting";
	case LXFW_ACTION_RESUME:
		return state == LXFW_PROGRESS_SUSPENDED ? NULL : "suspended";
	case LXFW_ACTION_REQUEUE:
		return state != LXFW_PROGRESS_WAITING ? NULL : "started";
	default:
		return state == LXFW_PROGRESS_RUNNING ? NULL : "running";
	}
}

int lxfw_progress_act(struct lxfw_progress *progress, struct lxfw_ends *ends,
		      const struct lxfw_action *action, int64_t now,
		      int64_t run, int64_t used_kb, struct lxfw_error *error)
{
	struct lxfw_progress_job *job = find(progress, action->job);
	const char *needed = expected(job, action->type);

	if (needed) {
		lxfw_error_format(error, "invalid action %d of job %llu at "
				  "%lld: the job is not %s",
				  (int)action->type,
				  (unsigned long long)action->job,
				  (long long)now, needed);
		errno = EPROTO;
		return -1;
	}
	settle(job, now);
	switch (action->type) {
	case LXFW_ACTION_SUSPEND:
		job->state = LXFW_PROGRESS_SUSPENDED;
		return 0;
	case LXFW_ACTION_REQUEUE:
		job->state = LXFW_PROGRESS_WAITING;
		return 0;
	case LXFW_ACTION_START:
		job->used_kb = used_kb;
		job->left = work(progress, job, run);
		break;
	default:
		break;
	}
	return proceed(progress, ends, job, action);
}
