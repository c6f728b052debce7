/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/recorded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/id_map.h"
#include "sim-frontend/metrics/metrics.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/util/text.h"

void lxfw_recorded_clear(struct lxfw_recorded *recorded)
{
	int saved = errno;

	for (size_t i = 0; i < recorded->event_count; i++)
		free(recorded->events[i].storage);
	free(recorded->events);
	free(recorded->shares);
	free(recorded->jobs);
	free(recorded->scheduler);
	lxfw_names_clear(&recorded->users);
	lxfw_names_clear(&recorded->groups);
	lxfw_names_clear(&recorded->queues);
	lxfw_names_clear(&recorded->accounts);
	lxfw_names_clear(&recorded->qos);
	lxfw_needs_clear(&recorded->needs);
	*recorded = (struct lxfw_recorded) { 0 };
	errno = saved;
}

struct lxfw_recorded_job *lxfw_recorded_add(struct lxfw_recorded *recorded)
{
	struct lxfw_recorded_job *jobs;

	if (LXFW_GROW(recorded->jobs, recorded->size, recorded->count + 1))
		return NULL;
	jobs = &recorded->jobs[recorded->count++];
	*jobs = (struct lxfw_recorded_job) {
		.start = LXFW_UNKNOWN, .end = LXFW_UNKNOWN,
		.run = LXFW_UNKNOWN, .simulated = LXFW_UNKNOWN,
		.user = -1, .group = -1, .queue = -1, .account = -1, .qos = -1,
	};
	return jobs;
}

bool lxfw_recorded_cancelled(const struct lxfw_recorded_job *job)
{
	return job->start == LXFW_UNKNOWN && job->end != LXFW_UNKNOWN;
}

bool lxfw_recorded_left_out(const struct lxfw_recorded *recorded,
			    const struct lxfw_recorded_job *job)
{
	return recorded->cancelled == LXFW_CANCELLED_LEAVE_OUT &&
	       lxfw_recorded_cancelled(job);
}

size_t lxfw_recorded_count_cancelled(const struct lxfw_recorded *recorded)
{
	size_t count = 0;

	for (size_t i = 0; i < recorded->count; i++)
		count += lxfw_recorded_cancelled(&recorded->jobs[i]);
	return count;
}

/* Replaces the data that the event refers to by a copy that COPY owns. */
static int copy_storage(struct lxfw_recorded_event *copy)
{
	struct lxfw_event *event = &copy->event;
	const void *from = NULL;
	size_t length = 0;

	switch (event->type) {
	case LXFW_EVENT_HOST:
		from = event->host.name;
		length = from ? strlen(event->host.name) + 1 : 0;
		break;
	case LXFW_EVENT_HOST_SET:
		from = event->host_set.hosts;
		length = (size_t)event->host_set.count * sizeof(int32_t);
		break;
	case LXFW_EVENT_JOB_SUBMIT:
	case LXFW_EVENT_JOB_CHANGE:
		from = event->request;
		length = sizeof(*event->request);
		break;
	case LXFW_EVENT_JOB_RUN:
		from = event->run.shares;
		length = (size_t)event->run.count * sizeof(struct lxfw_share);
		break;
	case LXFW_EVENT_BLOCK:
		from = event->block.shares;
		length = (size_t)event->block.count * sizeof(struct lxfw_share);
		break;
	case LXFW_EVENT_PARAMS:
		from = event->params;
		length = sizeof(*event->params);
		break;
	case LXFW_EVENT_JOB_CLASSES:
		copy->storage = lxfw_job_classes_copy(event->job_classes);
		event->job_classes = copy->storage;
		return copy->storage ? 0 : -1;
	case LXFW_EVENT_JOB_END:
	case LXFW_EVENT_JOB_REFUSED:
	case LXFW_EVENT_JOB_PRIORITY:
	case LXFW_EVENT_JOB_ASIDE:
	case LXFW_EVENT_EXTRA:
		break;
	}
	if (length == 0)
		return 0;
	copy->storage = malloc(length);
	if (!copy->storage)
		return -1;
	memcpy(copy->storage, from, length);
	switch (event->type) {
	case LXFW_EVENT_HOST:
		event->host.name = copy->storage;
		break;
	case LXFW_EVENT_HOST_SET:
		event->host_set.hosts = copy->storage;
		break;
	case LXFW_EVENT_JOB_SUBMIT:
	case LXFW_EVENT_JOB_CHANGE:
		event->request = copy->storage;
		break;
	case LXFW_EVENT_JOB_RUN:
		event->run.shares = copy->storage;
		break;
	case LXFW_EVENT_BLOCK:
		event->block.shares = copy->storage;
		break;
	case LXFW_EVENT_PARAMS:
		event->params = copy->storage;
		break;
	case LXFW_EVENT_JOB_CLASSES:
	case LXFW_EVENT_JOB_END:
	case LXFW_EVENT_JOB_REFUSED:
	case LXFW_EVENT_JOB_PRIORITY:
	case LXFW_EVENT_JOB_ASIDE:
	case LXFW_EVENT_EXTRA:
		break;
	}
	return 0;
}

int lxfw_recorded_add_event(struct lxfw_recorded *recorded,
			    const struct lxfw_event *event)
{
	struct lxfw_recorded_event *events =
		lxfw_grow(recorded->events, &recorded->events_size,
			  recorded->event_count + 1, sizeof(*events));
	struct lxfw_recorded_event copy = { .event = *event };

	if (!events)
		return -1;
	recorded->events = events;
	if (copy_storage(&copy))
		return -1;
	events[recorded->event_count++] = copy;
	return 0;
}

int lxfw_recorded_add_cluster(struct lxfw_recorded *recorded,
			      const struct lxfw_cluster *cluster, int64_t time)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST, .time = time };

	recorded->procs = cluster->procs;
	for (int32_t i = 0; i < cluster->count; i++) {
		lxfw_cluster_host_event(cluster, i, &event);
		if (lxfw_recorded_add_event(recorded, &event))
			return -1;
	}
	if (cluster->open > 0)
		recorded->caps |= 1u << (cluster->open - 1);
	event.type = LXFW_EVENT_HOST_SET;
	for (int32_t i = 0; i < cluster->set_count; i++) {
		event.host_set.id = i;
		event.host_set.count = cluster->sets[i].count;
		event.host_set.hosts = cluster->sets[i].hosts;
		if (cluster->sets[i].cap > 0)
			recorded->caps |= 1u << (cluster->sets[i].cap - 1);
		if (lxfw_recorded_add_event(recorded, &event))
			return -1;
	}
	for (size_t i = 0; i < cluster->block_count; i++) {
		lxfw_cluster_block_event(cluster, i, &event);
		if (lxfw_recorded_add_event(recorded, &event))
			return -1;
	}
	return 0;
}

int lxfw_recorded_merge_events(struct lxfw_recorded *recorded, size_t first)
{
	size_t count = recorded->event_count, a = 0, b = first;
	struct lxfw_recorded_event *events = recorded->events;
	struct lxfw_recorded_event *merged = malloc((count + 1) * sizeof(*merged));

	if (!merged) {
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		bool from_a = b == count ||
			      (a < first && events[a].event.time <=
					    events[b].event.time);

		merged[i] = events[from_a ? a++ : b++];
	}
	free(events);
	recorded->events = merged;
	recorded->events_size = count + 1;
	return 0;
}

static int by_seen(const void *left, const void *right)
{
	const struct lxfw_recorded_job *a = left, *b = right;

	if (a->seen != b->seen)
		return a->seen < b->seen ? -1 : 1;
	if (a->request.id != b->request.id)
		return a->request.id < b->request.id ? -1 : 1;
	return 0;
}

bool lxfw_recorded_any_start(const struct lxfw_recorded *recorded)
{
	for (size_t i = 0; i < recorded->count; i++) {
		if (recorded->jobs[i].start != LXFW_UNKNOWN)
			return true;
	}
	return false;
}

void lxfw_recorded_sort(struct lxfw_recorded *recorded)
{
	if (recorded->count > 1)
		qsort(recorded->jobs, recorded->count, sizeof(*recorded->jobs),
		      by_seen);
}

static int by_time(const void *left, const void *right)
{
	const struct lxfw_recorded_event *a = left, *b = right;

	return (a->event.time > b->event.time) - (a->event.time < b->event.time);
}

int lxfw_recorded_add_departures(struct lxfw_recorded *recorded)
{
	size_t first = recorded->event_count;

	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];
		struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_END, .time = job->end,
			.end.id = job->request.id,
		};

		if (lxfw_recorded_cancelled(job) &&
		    lxfw_recorded_add_event(recorded, &event))
			return -1;
	}
	if (recorded->event_count - first > 1)
		qsort(recorded->events + first, recorded->event_count - first,
		      sizeof(*recorded->events), by_time);
	return 0;
}

static int take_run_time(struct lxfw_recorded *recorded,
			 const struct lxfw_id_map *by_number, const char *line,
			 size_t length)
{
	struct lxfw_text_pair pair;
	int64_t number, run;
	int32_t index;

	if (!lxfw_text_pair(line, length, " \t,;|", &pair))
		return 0;
	if (lxfw_text_integer(pair.word, pair.word_length, 1, INT64_MAX,
			      &number) ||
	    lxfw_text_integer(pair.rest, pair.rest_length, 0, INT32_MAX, &run))
		return -1;
	index = lxfw_id_map_get(by_number, (uint64_t)number);
	if (index >= 0)
		recorded->jobs[index].run = run;
	return 1;
}

/* A job number that occurs more than once refers to the first job that ran. */
static int know_number(const struct lxfw_recorded *recorded,
		       struct lxfw_id_map *by_number, int32_t index)
{
	uint64_t number = (uint64_t)recorded->jobs[index].number;
	int32_t known = lxfw_id_map_get(by_number, number);

	if (number == 0 ||
	    (known >= 0 && recorded->jobs[known].start != LXFW_UNKNOWN))
		return 0;
	lxfw_id_map_remove(by_number, number);
	return lxfw_id_map_add(by_number, number, index);
}

int lxfw_recorded_run_times(struct lxfw_recorded *recorded, const char *path,
			    struct lxfw_error *error)
{
	struct lxfw_input *input = lxfw_input_open(path, error);
	struct lxfw_id_map by_number = { 0 };
	char *line;
	size_t length;
	bool any = false;
	int got = 0;

	if (!input)
		return -1;
	for (size_t i = 0; i < recorded->count && got == 0; i++)
		got = know_number(recorded, &by_number, (int32_t)i);
	if (got)
		lxfw_error_system(error, path);
	while (got >= 0 && (got = lxfw_input_line(input, &line, &length,
						  error)) > 0) {
		int taken = take_run_time(recorded, &by_number, line, length);

		if (taken < 0)
			got = lxfw_error_at(error, path,
				lxfw_input_line_number(input), "expected a "
				"job's number and its run time in seconds");
		any = any || taken > 0;
	}
	if (got == 0 && !any)
		got = lxfw_error_at(error, path, 0, "no run times, expected lines of a "
				    "job's number and its run time in seconds");
	lxfw_id_map_clear(&by_number);
	lxfw_input_close(input);
	return got;
}
