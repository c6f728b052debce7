/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A queue of events. Events are collected while the controller's locks are held and
 * applied to the library after the locks are released, so that the library's work does
 * not block the controller.
 *
 * The functions copy their arguments. When memory runs out, `failed` is set. The queue
 * is then incomplete and the model must be rebuilt.
 */
#ifndef LXFW_AGENT_EVENTS_H
#define LXFW_AGENT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/event.h"
#include "plugins/agent/aside.h"

struct lxfw_chunk;

struct lxfw_event_queue {
	struct lxfw_event *events;
	size_t count, size;
	struct lxfw_chunk *chunks;
	bool failed;
};

/* lxfw_events_clear() empties the queue and keeps memory for reuse.
   lxfw_events_destroy() frees it. */
void lxfw_events_clear(struct lxfw_event_queue *queue);
void lxfw_events_destroy(struct lxfw_event_queue *queue);

/* Append an event of the kind that the name states. SHARES and HOSTS have COUNT
   elements, times are in seconds since 1970. */
void lxfw_events_params(struct lxfw_event_queue *queue,
			const struct lxfw_params *params);
void lxfw_events_host(struct lxfw_event_queue *queue, int32_t index, bool up,
		      const struct lxfw_resources *total, uint8_t gpus,
		      uint32_t sockets, int64_t weight,
		      int64_t boot,
		      const char *name);
void lxfw_events_host_set(struct lxfw_event_queue *queue, int32_t id,
			  const int32_t *hosts, int32_t count);
/* TYPE is LXFW_EVENT_JOB_SUBMIT or LXFW_EVENT_JOB_CHANGE. */
void lxfw_events_request(struct lxfw_event_queue *queue,
			 enum lxfw_event_type type,
			 const struct lxfw_request *request);
void lxfw_events_run(struct lxfw_event_queue *queue, uint64_t id,
		     int64_t expected_end, const struct lxfw_share *shares,
		     int32_t count, const struct lxfw_run_past *past);
void lxfw_events_priority(struct lxfw_event_queue *queue, uint64_t id,
			  int64_t priority, int64_t delay);
void lxfw_events_end(struct lxfw_event_queue *queue, uint64_t id);
void lxfw_events_refused(struct lxfw_event_queue *queue, uint64_t id,
			 int64_t until, enum lxfw_reason reason);
void lxfw_events_aside(struct lxfw_event_queue *queue, const struct lxfw_aside *aside);
void lxfw_events_extra(struct lxfw_event_queue *queue, int32_t index, const char *name);
void lxfw_events_block(struct lxfw_event_queue *queue, uint64_t id,
		       int64_t start, int64_t end,
		       const struct lxfw_share *shares, int32_t count);

#endif
