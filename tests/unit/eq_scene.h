/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers for scenes of EQspatial. Times are in seconds. In the charts a column is a
   processor of the host or a tenth of its memory; time increases downwards. */
#ifndef LXFW_TESTS_EQ_SCENE_H
#define LXFW_TESTS_EQ_SCENE_H

#include "tests/unit/scene.h"

#define EQ_0 "lxfw_policy=eqspatial,lxfw_eq_min_interval=0"

/* Return the action for a job in the decision, of which there is at most one. */
static inline const struct lxfw_action *said(const struct scene *scene, uint64_t id)
{
	const struct lxfw_action *found = NULL;

	for (size_t i = 0; i < scene->decision.count; i++) {
		if (scene->decision.actions[i].job != id)
			continue;
		assert_null(found);
		found = &scene->decision.actions[i];
	}
	return found;
}

/* Return the processors that an action of TYPE gives the job in this decision; 0 if
   there is none. */
static inline int32_t by(const struct scene *scene, enum lxfw_action_type type, uint64_t id)
{
	const struct lxfw_action *action = said(scene, id);

	if (!action)
		return 0;
	assert_int_equal(action->type, type);
	assert_int_equal(action->count, 1);
	return action->shares[0].amount.procs;
}

static inline int32_t started(const struct scene *scene, uint64_t id)
{
	return by(scene, LXFW_ACTION_START, id);
}

static inline int32_t resized(const struct scene *scene, uint64_t id)
{
	return by(scene, LXFW_ACTION_RESIZE, id);
}

static inline void says_nothing(const struct scene *scene)
{
	assert_int_equal(scene->decision.count, 0);
}

static inline void host_is(struct scene *scene, int32_t index, bool up, int32_t procs,
		    int64_t memory_mb)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };

	event.host.index = index;
	event.host.up = up;
	event.host.total.procs = procs;
	event.host.total.memory_mb = memory_mb;
	apply(scene, &event);
}

static inline void refuse(struct scene *scene, uint64_t id, int64_t until)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };

	event.refused.id = id;
	event.refused.until = until;
	apply(scene, &event);
}

static inline void told_to_run(struct scene *scene, uint64_t id, int32_t host,
			int32_t procs, int64_t memory_mb)
{
	const struct lxfw_share share = {
		.host = host,
		.amount = { .procs = procs, .memory_mb = memory_mb },
	};
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };

	event.run.id = id;
	event.run.expected_end = 100000;
	event.run.count = 1;
	event.run.shares = &share;
	apply(scene, &event);
}

static inline void block(struct scene *scene, int32_t procs, int64_t start, int64_t end_time)
{
	const struct lxfw_share share = { .amount.procs = procs };
	struct lxfw_event event = { .type = LXFW_EVENT_BLOCK };

	event.block.id = 100;
	event.block.start = start;
	event.block.end = end_time;
	event.block.count = 1;
	event.block.shares = &share;
	apply(scene, &event);
}

static inline void take_params(struct scene *scene, const char *text)
{
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS };
	struct lxfw_params params;
	struct lxfw_error error;

	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	assert_int_equal(lxfw_params_parse(&params, text, NULL, NULL, &error), 0);
	event.params = &params;
	apply(scene, &event);
}

#endif
