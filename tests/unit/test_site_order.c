/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Priorities that the workload manager gives jobs, and delays. */
#include <stdlib.h>

#include "tests/unit/scene.h"

static void prioritize(struct scene *scene, uint64_t id, int64_t priority, int64_t delay)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_PRIORITY,
		.priority = { id, priority, delay },
	};

	apply(scene, &event);
}

/* One host of 10 processors, all taken by X until 100; A, B and C, of requests that
   differ in their processors by WIDER, wait since 1, 2 and 3. */
static void make_scene(struct scene *scene, const char *params, int32_t wider)
{
	begin(scene, params);
	host_with(scene, 0, 10, 10000);
	submit(scene, 'X', 10, 1, 100);
	decide(scene, 0);
	assert_true(starts(scene, 'X'));
	for (int i = 0; i < 3; i++) {
		scene->now = i + 1;
		submit(scene, (uint64_t)'A' + (uint64_t)i, 6 + i * wider, 1, 100);
	}
}

static uint64_t first(struct scene *scene)
{
	uint64_t found = 0;

	scene->now = 50;
	end(scene, 'X');
	decide(scene, 50);
	for (uint64_t id = 'A'; id <= 'C'; id++) {
		if (starts(scene, id)) {
			assert_int_equal(found, 0);
			found = id;
		}
	}
	finish(scene);
	return found;
}

/* Of equal requests and of different ones, which are in one class and in three. */
static void orders_by_the_site(void **state)
{
	struct scene scene;

	(void)state;
	for (int32_t wider = 0; wider < 2; wider++) {
		make_scene(&scene, "lxfw_policy=site", wider);
		assert_int_equal(first(&scene), 'A');
		make_scene(&scene, "lxfw_policy=site", wider);
		prioritize(&scene, 'C', 1, 0);
		assert_int_equal(first(&scene), 'C');
		make_scene(&scene, "lxfw_policy=site", wider);
		prioritize(&scene, 'A', -1, 0);
		assert_int_equal(first(&scene), 'B');
	}
}

/* The reservation of the first job passes to the one that is first now. */
static void takes_new_priorities(void **state)
{
	struct scene scene;

	(void)state;
	for (int32_t wider = 0; wider < 2; wider++) {
		make_scene(&scene, "lxfw_policy=site", wider);
		prioritize(&scene, 'A', 3, 0);
		prioritize(&scene, 'B', 2, 0);
		decide(&scene, 10);
		assert_int_equal(reserved(&scene, 'A'), 100);
		scene.now = 11;
		prioritize(&scene, 'B', 4, 0);
		decide(&scene, 11);
		assert_int_equal(reserved(&scene, 'B'), 100);
		assert_int_equal(first(&scene), 'B');
	}
}

/* The policy does not ask: the priority changes nothing until another one is in force. */
static void other_policies_do_not_ask(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS };
	struct lxfw_params params;
	struct scene scene;

	(void)state;
	for (int32_t wider = 0; wider < 2; wider++) {
		make_scene(&scene, "lxfw_policy=easy", wider);
		prioritize(&scene, 'C', 1000, 0);
		assert_int_equal(first(&scene), 'A');

		make_scene(&scene, "lxfw_policy=easy", wider);
		prioritize(&scene, 'C', 1000, 0);
		decide(&scene, 10);
		lxfw_params_preset(&params, lxfw_policy_by_name("site", 4));
		event.params = &params;
		apply(&scene, &event);
		assert_int_equal(first(&scene), 'C');
	}
}

/* Under LXF&W 1,000 points weigh lxfw_wsite: with Wx 1 and requests of 100 s, A has
   waited 2 s more than C, which is 0.02. */
static void weighs_beside_the_expansion_factor(void **state)
{
	static const char params[] = "lxfw_policy=lxfw,lxfw_ww=0,lxfw_wsite=0.5";
	struct scene scene;

	(void)state;
	make_scene(&scene, params, 0);
	prioritize(&scene, 'C', 39, 0);
	assert_int_equal(first(&scene), 'A');
	make_scene(&scene, params, 0);
	prioritize(&scene, 'C', 41, 0);
	assert_int_equal(first(&scene), 'C');
	make_scene(&scene, "lxfw_policy=lxfw,lxfw_ww=0", 0);
	prioritize(&scene, 'C', 1000000, 0);
	assert_int_equal(first(&scene), 'A');
}

/* A delay counts under every policy: as if A had come 2 s later than C, or as much. */
static void delays(void **state)
{
	static const char *const params[] = {
		"lxfw_policy=fcfs", "lxfw_policy=easy", "lxfw_policy=lxfw",
		"lxfw_policy=conservative", "lxfw_policy=sjf", "lxfw_policy=site",
		"lxfw_policy=list",
	};
	struct scene scene;

	(void)state;
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
		for (int32_t wider = 0; wider < 2; wider++) {
			make_scene(&scene, params[i], wider);
			prioritize(&scene, 'B', 0, -2);
			assert_int_equal(first(&scene), 'B');
			make_scene(&scene, params[i], wider);
			prioritize(&scene, 'A', 0, 3);
			prioritize(&scene, 'B', 0, 2);
			assert_int_equal(first(&scene), 'C');
		}
	}
}

static void refuses_what_is_no_priority(void **state)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_PRIORITY, .priority = { 'Z', 1, 0 },
	};
	struct scene scene;

	(void)state;
	make_scene(&scene, "lxfw_policy=site", 0);
	assert_int_equal(refuse_to_apply(&scene, &event), ENOENT);
	event.priority.id = 'A';
	event.priority.priority = LXFW_PRIORITY_MAX + 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.priority.priority = -LXFW_PRIORITY_MAX - 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.priority.priority = LXFW_PRIORITY_MAX;
	event.priority.delay = LXFW_DELAY_MAX + 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.priority.delay = -LXFW_DELAY_MAX - 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	finish(&scene);
}

/* --- random priorities --------------------------------------------------------------- */

#define JOBS 40

struct naive_job {
	uint64_t id;
	int64_t submit, priority, since;
};

static int naive_before(const void *one, const void *other)
{
	const struct naive_job *a = one, *b = other;

	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	if (a->since != b->since)
		return a->since < b->since ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Jobs of one class wait for one processor, which becomes free again and again; their
   priorities change meanwhile. The next one is always the first by a sort. */
static void keeps_order(void **state)
{
	uint64_t random = unit_seed("priorities");

	(void)state;
	for (int world = 0; world < 50; world++) {
		struct naive_job jobs[JOBS];
		struct scene scene;
		uint64_t runs = JOBS + 1;

		begin(&scene, "lxfw_policy=site");
		host_with(&scene, 0, 1, 10000);
		submit(&scene, runs, 1, 1, 100000);
		decide(&scene, 0);
		for (uint64_t i = 0; i < JOBS; i++) {
			jobs[i] = (struct naive_job){ i + 1, scene.now, 0, scene.now };
			submit(&scene, i + 1, 1, 1, 100 + (int64_t)(i % 3));
			scene.now += unit_between(&random, 0, 1);
		}
		for (size_t left = JOBS; left > 0; left--) {
			for (int i = 0; i < 5; i++) {
				size_t at = (size_t)unit_between(&random, 0,
						(int64_t)left - 1);
				int64_t delay = unit_between(&random, -2, 2);

				jobs[at].priority = unit_between(&random, -3, 3);
				jobs[at].since = jobs[at].submit + delay;
				prioritize(&scene, jobs[at].id, jobs[at].priority,
					   delay);
			}
			qsort(jobs, left, sizeof(*jobs), naive_before);
			scene.now++;
			end(&scene, runs);
			decide(&scene, scene.now);
			runs = jobs[0].id;
			assert_true(starts(&scene, runs));
			memmove(jobs, jobs + 1, (left - 1) * sizeof(*jobs));
		}
		finish(&scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_by_the_site),
		cmocka_unit_test(takes_new_priorities),
		cmocka_unit_test(other_policies_do_not_ask),
		cmocka_unit_test(weighs_beside_the_expansion_factor),
		cmocka_unit_test(delays),
		cmocka_unit_test(refuses_what_is_no_priority),
		cmocka_unit_test(keeps_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
