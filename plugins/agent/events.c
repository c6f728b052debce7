/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/events.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

#define CHUNK_SIZE ((size_t)256 * 1024)

/* Copies are stored in chunks. A chunk never moves; all chunks are freed together. */
struct lxfw_chunk {
	struct lxfw_chunk *next;
	size_t used, size;
	_Alignas(max_align_t) unsigned char bytes[];
};

static void free_chunks(struct lxfw_chunk *chunk)
{
	while (chunk) {
		struct lxfw_chunk *next = chunk->next;

		free(chunk);
		chunk = next;
	}
}

void lxfw_events_clear(struct lxfw_event_queue *queue)
{
	/* Keep the oldest chunk for the next pass. It has the standard size unless it
	   was allocated for one large copy. */
	while (queue->chunks && queue->chunks->next) {
		struct lxfw_chunk *chunk = queue->chunks;

		queue->chunks = chunk->next;
		free(chunk);
	}
	if (queue->chunks)
		queue->chunks->used = 0;
	queue->count = 0;
	queue->failed = false;
}

void lxfw_events_destroy(struct lxfw_event_queue *queue)
{
	free_chunks(queue->chunks);
	free(queue->events);
	memset(queue, 0, sizeof(*queue));
}

static void *copy_of(struct lxfw_event_queue *queue, const void *data,
		     size_t size)
{
	const size_t align = _Alignof(max_align_t);
	size_t need = (size + align - 1) / align * align;
	struct lxfw_chunk *chunk = queue->chunks;
	void *copy;

	if (size == 0)
		return NULL;
	if (!chunk || chunk->size - chunk->used < need) {
		size_t bytes = need > CHUNK_SIZE ? need : CHUNK_SIZE;

		chunk = malloc(sizeof(*chunk) + bytes);
		if (!chunk) {
			queue->failed = true;
			return NULL;
		}
		chunk->used = 0;
		chunk->size = bytes;
		chunk->next = queue->chunks;
		queue->chunks = chunk;
	}
	copy = chunk->bytes + chunk->used;
	chunk->used += need;
	memcpy(copy, data, size);
	return copy;
}

/* Returns the new last event, or NULL. The event's time is set when it is applied. */
static struct lxfw_event *push(struct lxfw_event_queue *queue,
			       enum lxfw_event_type type)
{
	struct lxfw_event *event;

	if (queue->failed)
		return NULL;
	if (LXFW_GROW(queue->events, queue->size, queue->count + 1)) {
		queue->failed = true;
		return NULL;
	}
	event = &queue->events[queue->count++];
	memset(event, 0, sizeof(*event));
	event->type = type;
	return event;
}

void lxfw_events_params(struct lxfw_event_queue *queue,
			const struct lxfw_params *params)
{
	struct lxfw_event *event = push(queue, LXFW_EVENT_PARAMS);

	if (event)
		event->params = copy_of(queue, params, sizeof(*params));
}

void lxfw_events_host(struct lxfw_event_queue *queue, int32_t index, bool up,
		      const struct lxfw_resources *total, uint8_t gpus, uint32_t sockets,
		      int64_t weight, int64_t boot, const char *name)
{
	struct lxfw_event *event = push(queue, LXFW_EVENT_HOST);

	if (!event)
		return;
	event->host.index = index;
	event->host.up = up;
	event->host.total = *total;
	event->host.weight = weight;
	event->host.boot = boot;
	event->host.gpus = gpus;
	event->host.sockets = sockets;
	event->host.name = copy_of(queue, name, strlen(name) + 1);
}

void lxfw_events_host_set(struct lxfw_event_queue *queue, int32_t id,
			  const int32_t *hosts, int32_t count)
{
	struct lxfw_event *event = push(queue, LXFW_EVENT_HOST_SET);

	if (!event)
		return;
	event->host_set.id = id;
	event->host_set.count = count;
	event->host_set.hosts =
		copy_of(queue, hosts, (size_t)count * sizeof(*hosts));
}

void lxfw_events_request(struct lxfw_event_queue *queue,
			 enum lxfw_event_type type,
			 const struct lxfw_request *request)
{
	struct lxfw_event *event = push(queue, type);

	if (event)
		event->request = copy_of(queue, request, sizeof(*request));
}

void lxfw_events_run(struct lxfw_event_queue *queue, uint64_t id,
		     int64_t expected_end, const struct lxfw_share *shares,
		     int32_t count, const struct lxfw_run_past *past)
{
	struct lxfw_event *event = push(queue, LXFW_EVENT_JOB_RUN);

	if (!event)
		return;
	event->run.id = id;
	event->run.expected_end = expected_end;
	event->run.past = *past;
	event->run.count = count;
	event->run.shares =
		copy_of(queue, shares, (size_t)count * sizeof(*shares));
}

void lxfw_events_priority(struct lxfw_event_queue *queue, uint64_t id,
			  int64_t priority, int64_t delay)
{
	struct lxfw_event *event = push(queue, LXFW_EVENT_JOB_PRIORITY);

	if (!event)
		return;
	event->priority.id = id;
	event->priority.priority = priority;
	event->priority.delay = delay;
}

void lxfw_events_end(struct lxfw_event_queue *queue, uint64_t id)
{
	struct lxfw_event *event = push(queue, LXFW_EVENT_JOB_END);

	if (event)
		event->end.id = id;
}

void lxfw_events_refused(struct lxfw_event_queue *queue, uint64_t id,
			 int64_t until, enum lxfw_reason reason)
{
	struct lxfw_event *event = push(queue, LXFW_EVENT_JOB_REFUSED);

	if (!event)
		return;
	event->refused.id = id;
	event->refused.until = until;
	event->refused.reason = reason;
}

void lxfw_events_aside(struct lxfw_event_queue *queue, const struct lxfw_aside *aside)
{
	struct lxfw_event *event = push(queue, LXFW_EVENT_JOB_ASIDE);

	if (!event)
		return;
	event->aside.id = aside->id;
	event->aside.reason = aside->reason;
	event->aside.limited = aside->limited;
	event->aside.submit = aside->submit;
	event->aside.until = aside->until;
}

void lxfw_events_extra(struct lxfw_event_queue *queue, int32_t index, const char *name)
{
	struct lxfw_event *event = push(queue, LXFW_EVENT_EXTRA);

	if (!event)
		return;
	event->extra.index = index;
	event->extra.name = copy_of(queue, name, strlen(name) + 1);
}

void lxfw_events_block(struct lxfw_event_queue *queue, uint64_t id,
		       int64_t start, int64_t end,
		       const struct lxfw_share *shares, int32_t count)
{
	struct lxfw_event *event = push(queue, LXFW_EVENT_BLOCK);

	if (!event)
		return;
	event->block.id = id;
	event->block.start = start;
	event->block.end = end;
	event->block.count = count;
	event->block.shares =
		copy_of(queue, shares, (size_t)count * sizeof(*shares));
}
