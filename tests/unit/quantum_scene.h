/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers for scenes of immediate service: decisions as text, and a full host. */
#ifndef LXFW_TESTS_QUANTUM_SCENE_H
#define LXFW_TESTS_QUANTUM_SCENE_H

#include <stdio.h>

#include "tests/unit/scene.h"

#define SERVE "lxfw_policy=easy,lxfw_quantum=60,lxfw_quantum_mem=1024,"

/* Return the actions of the last decision as text: "suspend 1, start 3". */
static inline const char *actions(const struct scene *scene)
{
	static const char *const names[] = { "", "start", "reserve", "unreserve",
					     "suspend", "resume", "requeue",
					     "resize" };
	static char text[400];
	int length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < scene->decision.count; i++) {
		const struct lxfw_action *action = &scene->decision.actions[i];

		length += snprintf(text + length, sizeof(text) - (size_t)length,
				   "%s%s %d", i ? ", " : "", names[action->type],
				   (int)action->job);
		if (action->type == LXFW_ACTION_START &&
		    action->until != LXFW_NEVER)
			length += snprintf(text + length,
					   sizeof(text) - (size_t)length,
					   " until %d", (int)action->until);
		if (action->type == LXFW_ACTION_RESERVE)
			length += snprintf(text + length,
					   sizeof(text) - (size_t)length,
					   " at %d", (int)action->start);
	}
	return text;
}

#define assert_actions(scene, expected) \
	assert_string_equal(actions(scene), expected)

static inline void begin_full(struct scene *scene, const char *params)
{
	begin(scene, params);
	host_with(scene, 0, 4, 8192);
	submit(scene, 1, 3, 1000, 10000);
	submit(scene, 2, 1, 1000, 10000);
	decide(scene, 0);
	assert_actions(scene, "start 1, start 2");
}

#endif
