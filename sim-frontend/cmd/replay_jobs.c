/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/replay_jobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

void lxfw_replay_jobs_clear(struct lxfw_replay_jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++)
		free(jobs->jobs[i].shares);
	free(jobs->jobs);
	lxfw_id_map_clear(&jobs->by_id);
	*jobs = (struct lxfw_replay_jobs) { 0 };
}

static struct lxfw_replay_job *find(const struct lxfw_replay_jobs *jobs,
				    uint64_t id)
{
	int32_t index = lxfw_id_map_get(&jobs->by_id, id);

	return index < 0 ? NULL : &jobs->jobs[index];
}

const struct lxfw_replay_job *lxfw_replay_jobs_find(const struct lxfw_replay_jobs *jobs,
						    uint64_t id)
{
	return find(jobs, id);
}

/* Returns the job, which is added if it is new, or NULL with errno ENOMEM. */
static struct lxfw_replay_job *know(struct lxfw_replay_jobs *jobs, uint64_t id)
{
	struct lxfw_replay_job *job = find(jobs, id);
	int32_t index;

	if (job)
		return job;
	index = jobs->free > 0 ? jobs->free - 1 : (int32_t)jobs->count;
	if (jobs->free == 0) {
		if (LXFW_GROW(jobs->jobs, jobs->size, jobs->count + 1))
			return NULL;
	}
	if (lxfw_id_map_add(&jobs->by_id, id, index))
		return NULL;
	job = &jobs->jobs[index];
	if (jobs->free > 0)
		jobs->free = job->next;
	else
		jobs->count++;
	*job = (struct lxfw_replay_job) { .id = id, .expected_end = LXFW_NEVER };
	return job;
}

static void forget(struct lxfw_replay_jobs *jobs, uint64_t id)
{
	struct lxfw_replay_job *job = find(jobs, id);

	if (!job)
		return;
	free(job->shares);
	job->shares = NULL;
	job->id = 0;
	job->next = jobs->free;
	jobs->free = (int32_t)(job - jobs->jobs) + 1;
	lxfw_id_map_remove(&jobs->by_id, id);
}

static int hold(struct lxfw_replay_job *job, const struct lxfw_share *shares,
		int32_t count)
{
	size_t size = (size_t)count * sizeof(*shares);
	struct lxfw_share *copy = malloc(size ? size : 1);

	if (!copy) {
		errno = ENOMEM;
		return -1;
	}
	if (size > 0)
		memcpy(copy, shares, size);
	free(job->shares);
	job->shares = copy;
	job->count = count;
	return 0;
}

static void wait_again(struct lxfw_replay_job *job)
{
	free(job->shares);
	job->shares = NULL;
	job->count = 0;
	job->state = LXFW_REPLAY_WAITING;
}

static bool has_processors(const struct lxfw_share *shares, int32_t count)
{
	for (int32_t i = 0; i < count; i++) {
		if (shares[i].amount.procs > 0)
			return true;
	}
	return false;
}

int lxfw_replay_jobs_event(struct lxfw_replay_jobs *jobs,
			   const struct lxfw_event *event)
{
	struct lxfw_replay_job *job;

	switch (event->type) {
	case LXFW_EVENT_JOB_SUBMIT:
	case LXFW_EVENT_JOB_CHANGE:
		job = know(jobs, event->request->id);
		if (!job)
			return -1;
		job->request = *event->request;
		return 0;
	case LXFW_EVENT_JOB_RUN:
		job = know(jobs, event->run.id);
		if (!job || hold(job, event->run.shares, event->run.count))
			return -1;
		job->state = has_processors(job->shares, job->count) ?
				     LXFW_REPLAY_RUNNING :
				     LXFW_REPLAY_SUSPENDED;
		job->expected_end = event->run.expected_end;
		job->suspended = event->time;
		return 0;
	case LXFW_EVENT_JOB_END:
		forget(jobs, event->end.id);
		return 0;
	case LXFW_EVENT_JOB_PRIORITY:
		job = find(jobs, event->priority.id);
		if (job) {
			job->priority = event->priority.priority;
			job->delay = event->priority.delay;
		}
		return 0;
	case LXFW_EVENT_JOB_REFUSED:
		job = find(jobs, event->refused.id);
		if (job)
			wait_again(job);
		return 0;
	default:
		return 0;
	}
}

static int64_t later(int64_t time, int64_t seconds)
{
	return time > LXFW_TIME_MAX - seconds ? LXFW_NEVER : time + seconds;
}

int lxfw_replay_jobs_action(struct lxfw_replay_jobs *jobs,
			    const struct lxfw_action *action)
{
	struct lxfw_replay_job *job = find(jobs, action->job);

	if (!job || action->type == LXFW_ACTION_RESERVE ||
	    action->type == LXFW_ACTION_UNRESERVE)
		return 0;
	job->dropped = action->type == LXFW_ACTION_REQUEUE &&
		       job->state == LXFW_REPLAY_SUSPENDED;
	if (action->type == LXFW_ACTION_REQUEUE) {
		wait_again(job);
		return 0;
	}
	if (hold(job, action->shares, action->count))
		return -1;
	switch (action->type) {
	case LXFW_ACTION_START:
		job->expected_end = later(action->start, job->request.estimate);
		if (action->until < job->expected_end)
			job->expected_end = action->until;
		break;
	case LXFW_ACTION_SUSPEND:
		job->suspended = action->start;
		job->state = LXFW_REPLAY_SUSPENDED;
		return 0;
	case LXFW_ACTION_RESUME:
		/* delayed by the time of the suspension */
		job->expected_end = later(job->expected_end,
					  action->start - job->suspended);
		break;
	default:
		break;
	}
	job->state = LXFW_REPLAY_RUNNING;
	return 0;
}

static int apply(struct lxfw_sched *sched, const struct lxfw_event *event)
{
	return lxfw_sched_apply(sched, event, NULL) < 0 && errno == ENOMEM ? -1 :
									  0;
}

/* Handles a job that waits. Resources that it holds while suspended are kept in the
   model, unless it is submitted again. */
static int tell_waiting(const struct lxfw_replay_job *job, int64_t now,
			struct lxfw_sched *sched)
{
	struct lxfw_event refused = {
		.type = LXFW_EVENT_JOB_REFUSED, .time = now,
		.refused = { job->request.id, now },
	};
	struct lxfw_event left = {
		.type = LXFW_EVENT_JOB_END, .time = now,
		.end.id = job->request.id,
	};
	struct lxfw_event comes = {
		.type = LXFW_EVENT_JOB_SUBMIT, .time = now,
		.request = &job->request,
	};
	struct lxfw_event priority = {
		.type = LXFW_EVENT_JOB_PRIORITY, .time = now,
		.priority = { job->request.id, job->priority, job->delay },
	};

	if (!job->dropped)
		return apply(sched, &refused);
	return apply(sched, &left) || apply(sched, &comes) ||
	       apply(sched, &priority) ? -1 : 0;
}

int lxfw_replay_jobs_tell(const struct lxfw_replay_jobs *jobs, uint64_t id,
			  int64_t now, struct lxfw_sched *sched)
{
	const struct lxfw_replay_job *job = find(jobs, id);
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN, .time = now, .run.id = id,
	};

	if (!job)
		return 0;
	if (job->state == LXFW_REPLAY_WAITING)
		return tell_waiting(job, now, sched);
	event.run.expected_end = job->expected_end;
	event.run.count = job->count;
	event.run.shares = job->shares;
	return apply(sched, &event);
}
