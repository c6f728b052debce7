/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scheduler with a few hosts and jobs, driven step by step. */
#ifndef LXFW_TESTS_SCENE_H
#define LXFW_TESTS_SCENE_H

#include <errno.h>
#include <string.h>

#include "common/sched.h"
#include "tests/unit/unit.h"

struct scene {
	struct lxfw_sched *sched;
	struct lxfw_decision decision;
	int64_t now;
};

static inline void apply(struct scene *scene, struct lxfw_event *event)
{
	struct lxfw_error error;

	event->time = scene->now;
	if (lxfw_sched_apply(scene->sched, event, &error) < 0)
		fail_msg("%s", error.text);
}

static inline int refuse_to_apply(struct scene *scene, struct lxfw_event *event)
{
	struct lxfw_error error;

	event->time = scene->now;
	assert_int_equal(lxfw_sched_apply(scene->sched, event, &error), -1);
	assert_true(strlen(error.text) > 0);
	return errno;
}

static inline void begin(struct scene *scene, const char *params)
{
	struct lxfw_params parsed;
	struct lxfw_error error;

	lxfw_params_preset(&parsed, LXFW_POLICY_LXFW);
	if (lxfw_params_parse(&parsed, params, NULL, NULL, &error) < 0)
		fail_msg("%s", error.text);
	*scene = (struct scene){ .sched = lxfw_sched_create(&parsed) };
	assert_non_null(scene->sched);
}

static inline void finish(struct scene *scene)
{
	lxfw_sched_destroy(scene->sched);
}

static inline void host_with(struct scene *scene, int32_t index, int32_t procs,
		      int64_t memory_mb)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };

	event.host.index = index;
	event.host.up = true;
	event.host.total.procs = procs;
	event.host.total.memory_mb = memory_mb;
	event.host.total.extras[0] = index == 0 ? 2 : 0;
	apply(scene, &event);
}

static inline struct lxfw_request request(uint64_t id, int64_t submit, int32_t procs,
				   int64_t memory_mb, int64_t estimate)
{
	return (struct lxfw_request){
		.id = id,
		.submit = submit,
		.estimate = estimate,
		.shape = LXFW_SHAPE_HOSTS,
		.count = 1,
		.unit = { .procs = procs, .memory_mb = memory_mb },
	};
}

static inline void submit_request(struct scene *scene, const struct lxfw_request *job)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_SUBMIT,
		.request = job,
	};

	apply(scene, &event);
}

static inline void submit(struct scene *scene, uint64_t id, int32_t procs,
		   int64_t memory_mb, int64_t estimate)
{
	struct lxfw_request job =
		request(id, scene->now, procs, memory_mb, estimate);

	submit_request(scene, &job);
}

static inline void end(struct scene *scene, uint64_t id)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_END };

	event.end.id = id;
	apply(scene, &event);
}

static inline void decide(struct scene *scene, int64_t now)
{
	scene->now = now;
	assert_int_equal(lxfw_sched_decide(scene->sched, now, &scene->decision),
			 0);
}

static inline const struct lxfw_action *action_of(const struct scene *scene,
					   enum lxfw_action_type type,
					   uint64_t id)
{
	for (size_t i = 0; i < scene->decision.count; i++) {
		if (scene->decision.actions[i].type == type &&
		    scene->decision.actions[i].job == id)
			return &scene->decision.actions[i];
	}
	return NULL;
}

static inline bool starts(const struct scene *scene, uint64_t id)
{
	return action_of(scene, LXFW_ACTION_START, id) != NULL;
}

static inline int32_t host_of(const struct scene *scene, uint64_t id)
{
	const struct lxfw_action *action =
		action_of(scene, LXFW_ACTION_START, id);

	assert_non_null(action);
	return action->shares[0].host;
}

/* Return the start of the job's reservation in this decision, or -1 if it has none. */
static inline int64_t reserved(const struct scene *scene, uint64_t id)
{
	const struct lxfw_action *action =
		action_of(scene, LXFW_ACTION_RESERVE, id);

	return action ? action->start : -1;
}

#endif
