/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Orders that are computed at each pass, and policies that the host supplies. */
#include "common/books/books.h"
#include "common/policy/registry.h"
#include "tests/unit/scene.h"

/* The job with the highest id first, though all requests are equal; fails with three
 * jobs. */
static int rank_last(struct lxfw_sched *sched)
{
	for (size_t i = 0; i < sched->head_count; i++) {
		struct lxfw_head *head = &sched->heads[i];
		int32_t job = sched->classes[head->class].head;

		head->intercept = (double)sched->jobs[job].request.id;
	}
	if (sched->head_count < 3)
		return 0;
	sched->problem = "three jobs";
	return -1;
}

static const struct lxfw_policy_type last = {
	.name = "last",
	.order = { .name = "the last", .alone = true, .rank = rank_last },
};

static void set_policy(struct lxfw_params *params)
{
	lxfw_params_preset(params, LXFW_POLICY_SCRIPT);
	params->script = &last;
}

static void orders_equal_requests(void **state)
{
	struct lxfw_params params;
	struct scene scene = { 0 };

	(void)state;
	set_policy(&params);
	scene.sched = lxfw_sched_create(&params);
	assert_non_null(scene.sched);
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 6, 0, 100);
	submit(&scene, 2, 6, 0, 100);
	decide(&scene, 0);
	assert_true(starts(&scene, 2));
	assert_int_equal(reserved(&scene, 1), 100);
	submit(&scene, 3, 6, 0, 100);
	decide(&scene, 1);
	assert_int_equal(reserved(&scene, 3), 100);
	assert_int_equal(scene.decision.waiting, 2);
	end(&scene, 2);
	decide(&scene, 2);
	assert_true(starts(&scene, 3));
	finish(&scene);
}

/* The pass fails with the reason, and the next one succeeds. */
static void reports_a_problem(void **state)
{
	struct lxfw_decision decision;
	struct lxfw_params params;
	struct scene scene = { 0 };

	(void)state;
	set_policy(&params);
	scene.sched = lxfw_sched_create(&params);
	host_with(&scene, 0, 10, 1000);
	for (uint64_t id = 1; id <= 3; id++)
		submit(&scene, id, 6, 0, 100);
	errno = 0;
	assert_int_equal(lxfw_sched_decide(scene.sched, 0, &decision), -1);
	assert_int_equal(errno, ENOEXEC);
	assert_string_equal(decision.problem, "three jobs");
	assert_int_equal(decision.count, 0);
	end(&scene, 1);
	decide(&scene, 0);
	assert_null(scene.decision.problem);
	assert_true(starts(&scene, 3));
	finish(&scene);
}

static void is_refused(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS };
	struct lxfw_params params;
	struct scene scene;

	(void)state;
	lxfw_params_preset(&params, LXFW_POLICY_SCRIPT);
	errno = 0;
	assert_null(lxfw_sched_create(&params));	/* the file was not read */
	assert_int_equal(errno, EINVAL);
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 10, 1000);
	event.params = &params;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	/* classes of several jobs cannot be changed to classes of one job */
	submit(&scene, 1, 11, 0, 100);
	set_policy(&params);
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	end(&scene, 1);
	apply(&scene, &event);
	submit(&scene, 2, 6, 0, 100);
	submit(&scene, 3, 6, 0, 100);
	decide(&scene, 0);
	assert_true(starts(&scene, 3));
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_equal_requests),
		cmocka_unit_test(reports_a_problem),
		cmocka_unit_test(is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
