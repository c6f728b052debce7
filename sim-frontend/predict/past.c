/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/past.h"

#include <stdlib.h>

#include "common/util/grow.h"

/* At the begin of a segment, a job that was submitted more than this many seconds ago is
   no new submission. */
#define LATE 60

void lxfw_past_clear(struct lxfw_past *past)
{
	lxfw_experience_clear(&past->experience);
	lxfw_id_map_clear(&past->by_id);
	free(past->jobs);
	free(past->ended);
	free(past->submits);
	free(past->submitted);
	*past = (struct lxfw_past) { 0 };
}

void lxfw_past_traits(const struct lxfw_request *request, struct lxfw_traits *traits)
{
	int64_t procs = lxfw_request_sum(request).procs;

	*traits = (struct lxfw_traits) {
		.user = -1, .account = -1,
		.partition = request->host_set_count > 0 ? request->host_sets[0] : -1,
		.limit = request->estimate > 0 ? request->estimate : 1,
		.procs = procs > 0 && procs < INT32_MAX ? (int32_t)procs : 1,
	};
}

static struct lxfw_past_job *find(const struct lxfw_past *past, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&past->by_id, id);

	return index < 0 ? NULL : &past->jobs[index];
}

static int add_submission(struct lxfw_past *past, int64_t time)
{
	if (LXFW_GROW(past->submits, past->submits_size, past->submit_count + 1) ||
	    LXFW_GROW(past->submitted, past->submitted_size, past->submit_count + 1))
		return -1;
	past->submits[past->submit_count] = time;
	past->submitted[past->submit_count++] = (uint32_t)(past->count - 1);
	return 0;
}

static int submitted(struct lxfw_past *past, const struct lxfw_event *event)
{
	struct lxfw_past_job *job = find(past, event->request->id);

	if (job) {	/* again after a restart, or its request changed */
		job->request = *event->request;
		return 0;
	}
	if (LXFW_GROW(past->jobs, past->size, past->count + 1) ||
	    lxfw_id_map_add(&past->by_id, event->request->id, (int32_t)past->count))
		return -1;
	past->jobs[past->count++] = (struct lxfw_past_job) {
		.request = *event->request, .start = -1, .ran = -1,
	};
	if (event->time == past->begin && event->request->submit < event->time - LATE)
		return 0;
	return add_submission(past, event->time);
}

/* A start without a decision, or a confirmation of one. */
static void reported(struct lxfw_past *past, const struct lxfw_event *event)
{
	struct lxfw_past_job *job = find(past, event->run.id);

	if (job && job->start < 0)
		job->start = event->run.past.since > 0 ? event->run.past.since : event->time;
}

/* The priority at the submission follows it, and may change later. */
static void ranked(struct lxfw_past *past, const struct lxfw_event *event)
{
	struct lxfw_past_job *job = find(past, event->priority.id);

	if (!job || job->ranked)
		return;
	job->ranked = true;
	job->priority = event->priority.priority;
	job->delay = event->priority.delay;
}

static int ended(struct lxfw_past *past, const struct lxfw_event *event)
{
	struct lxfw_past_job *job = find(past, event->end.id);
	struct lxfw_traits traits;

	if (!job)
		return 0;
	lxfw_id_map_remove(&past->by_id, event->end.id);
	if (job->start < 0 || event->time <= job->start)
		return 0;
	if (LXFW_GROW(past->ended, past->ended_size, past->ended_count + 1))
		return -1;
	job->ran = event->time - job->start;
	past->ended[past->ended_count++] = (uint32_t)(job - past->jobs);
	lxfw_past_traits(&job->request, &traits);
	return lxfw_experience_learn(&past->experience, &traits, job->ran);
}

void lxfw_past_segment(struct lxfw_past *past)
{
	past->begins = true;
}

int lxfw_past_event(struct lxfw_past *past, const struct lxfw_event *event)
{
	struct lxfw_past_job *job;

	if (past->begins)
		past->begin = event->time;
	past->begins = false;
	switch (event->type) {
	case LXFW_EVENT_JOB_SUBMIT:
	case LXFW_EVENT_JOB_CHANGE:
		return submitted(past, event);
	case LXFW_EVENT_JOB_RUN:
		reported(past, event);
		return 0;
	case LXFW_EVENT_JOB_PRIORITY:
		ranked(past, event);
		return 0;
	case LXFW_EVENT_JOB_REFUSED:
		job = find(past, event->refused.id);
		if (job)
			job->start = -1;
		return 0;
	case LXFW_EVENT_JOB_END:
		return ended(past, event);
	default:
		return 0;
	}
}

void lxfw_past_action(struct lxfw_past *past, const struct lxfw_action *action, int64_t now)
{
	struct lxfw_past_job *job = find(past, action->job);

	if (!job || action->type == LXFW_ACTION_RESERVE ||
	    action->type == LXFW_ACTION_UNRESERVE)
		return;
	/* The run time of a job that was interrupted is not known. */
	job->start = action->type == LXFW_ACTION_START ? now : -1;
}

static void arrival(const void *context, size_t index, struct lxfw_arrival *to)
{
	const struct lxfw_past *past = context;
	const struct lxfw_past_job *job = &past->jobs[past->submitted[index]];

	to->request = job->request;
	lxfw_past_traits(&job->request, &to->traits);
	to->ran = job->ran;
	to->like = 0;
	to->priority = job->priority;
	to->delay = job->delay;
}

static void traits(const void *context, const struct lxfw_request *request,
		   struct lxfw_traits *to)
{
	const struct lxfw_past *past = context;

	lxfw_past_traits(request, to);
	if (past->owners)
		lxfw_owners_complete(past->owners, request->id, to);
}

void lxfw_past_known(const struct lxfw_past *past, struct lxfw_known *known)
{
	*known = (struct lxfw_known) {
		.experience = &past->experience, .context = past,
		.submits = past->submits, .count = past->submit_count,
		.arrival = arrival, .traits = traits,
	};
}

static int ascending(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

int64_t lxfw_past_priority(const struct lxfw_past *past)
{
	int64_t last[LXFW_PAST_RANKED];
	size_t count = 0;

	for (size_t i = past->count; i > 0 && count < LXFW_PAST_RANKED; i--) {
		if (past->jobs[i - 1].ranked)
			last[count++] = past->jobs[i - 1].priority;
	}
	qsort(last, count, sizeof(*last), ascending);
	return count > 0 ? last[(count - 1) / 2] : 0;
}

int32_t lxfw_past_tier(const struct lxfw_past *past)
{
	int64_t last[LXFW_PAST_RANKED];
	size_t count = 0;

	for (size_t i = past->count; i > 0 && count < LXFW_PAST_RANKED; i--)
		last[count++] = past->jobs[i - 1].request.tier;
	qsort(last, count, sizeof(*last), ascending);
	return count > 0 ? (int32_t)last[(count - 1) / 2] : 0;
}

int lxfw_past_rans(const struct lxfw_past *past, struct lxfw_rans *rans)
{
	for (size_t i = 0; i < past->ended_count; i++) {
		const struct lxfw_past_job *job = &past->jobs[past->ended[i]];
		struct lxfw_traits traits;
		struct lxfw_ran ran;

		lxfw_past_traits(&job->request, &traits);
		ran = (struct lxfw_ran) {
			.recorded = true, .number = (int64_t)job->request.id,
			.submit = job->request.submit, .end = job->start + job->ran,
			.ran = job->ran, .limit = traits.limit, .procs = traits.procs,
			.user = -1, .group = -1, .name = -1, .partition = -1,
			.machine = -1,
			.host_set = (int32_t)traits.partition,
		};
		if (lxfw_rans_add(rans, &ran))
			return -1;
	}
	return 0;
}
