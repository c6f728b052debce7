/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scenes of job classes: hosts of four processors, with rules that a scene may change. */
#ifndef LXFW_TESTS_CLASS_SITE_H
#define LXFW_TESTS_CLASS_SITE_H

#include "tests/unit/scene.h"

/* Time classes s (short, 100 s, reserve wait 50 s) and l (long, reserve wait 200 s);
   size classes S (2 processors) and B (big). Every host has the rules of `everywhere`
   unless a scene changes them: B > S, s > l. */
enum { s, l };
enum { S, B };

struct site {
	struct lxfw_job_classes classes;
	struct lxfw_host_rules rules[3];
	int32_t rules_of[3];
};

static const struct lxfw_host_rules everywhere = {
	.running_most = { LXFW_NO_COUNT_LIMIT, LXFW_NO_COUNT_LIMIT },
	.order = { B, S }, .order_count = 2,
	.rank = { 0, 1 },
};

static inline void site_make(struct site *site, int32_t hosts)
{
	*site = (struct site){
		.classes = {
			.time_count = 2, .size_count = 2,
			.times = {
				{ "s", 100, LXFW_NO_TIME_LIMIT, 50,
				  LXFW_NO_COUNT_LIMIT },
				{ "l", LXFW_NO_TIME_LIMIT, LXFW_NO_TIME_LIMIT,
				  200, LXFW_NO_COUNT_LIMIT },
			},
			.sizes = {
				{ "S", 2, LXFW_NO_MEMORY_LIMIT },
				{ "B", LXFW_NO_COUNT_LIMIT,
				  LXFW_NO_MEMORY_LIMIT },
			},
			.rules_count = hosts, .host_count = hosts,
		},
		.rules = { everywhere, everywhere, everywhere },
		.rules_of = { 0, 1, 2 },
	};
	site->classes.rules = site->rules;
	site->classes.rules_of = site->rules_of;
}

static inline void tell(struct scene *scene, const struct site *site)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_CLASSES };

	event.job_classes = &site->classes;
	apply(scene, &event);
}

/* Hosts of four processors each. */
static inline void open_site(struct scene *scene, const struct site *site)
{
	begin(scene, "lxfw_policy=classes");
	for (int32_t i = 0; i < site->classes.host_count; i++)
		host_with(scene, i, 4, 100);
	tell(scene, site);
}

static inline bool loses(const struct scene *scene, uint64_t id)
{
	return action_of(scene, LXFW_ACTION_UNRESERVE, id) != NULL;
}

static inline int32_t reserved_on(const struct scene *scene, uint64_t id)
{
	const struct lxfw_action *action =
		action_of(scene, LXFW_ACTION_RESERVE, id);

	assert_non_null(action);
	assert_int_equal(action->count, 1);
	return action->shares[0].host;
}

static inline void nothing_is_done(const struct scene *scene)
{
	assert_int_equal(scene->decision.count, 0);
}

static inline void only_action(const struct scene *scene)
{
	assert_int_equal(scene->decision.count, 1);
}

#endif
