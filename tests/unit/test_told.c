/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Immediate service with jobs that are reported as running already, and with jobs that
 * others suspend.
 */
#include "tests/unit/quantum_scene.h"

static struct lxfw_share share = { .host = 0, .amount = { .procs = 2, .memory_mb = 1000 } };

/* One host. No job is suspended before it has run for ten minutes. */
static void begin_at(struct scene *scene, int64_t now, int32_t procs)
{
	begin(scene, SERVE "lxfw_quantum_min_run=600");
	host_with(scene, 0, procs, 8192);
	scene->now = now;
}

static void tell(struct scene *scene, uint64_t id, int64_t since, int64_t ran,
		 int64_t submit)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN,
		.run = { id, 10000, 1, &share, { since, ran, submit } },
	};

	apply(scene, &event);
}

/* The controller was restarted at 5000. Job 1 has run since 4300, job 2 since 4900:
   only the first may be preempted, immediately. */
static void knows_how_long_it_ran(void **state)
{
	struct scene scene;

	(void)state;
	begin_at(&scene, 5000, 4);
	tell(&scene, 1, 4300, 0, 4000);
	tell(&scene, 2, 4900, 3000, 1000);
	submit(&scene, 3, 2, 10, 100);
	submit(&scene, 4, 2, 10, 100);
	decide(&scene, 5000);
	assert_actions(&scene, "reserve 3 at 10000, suspend 1, start 3 until 5060");
	finish(&scene);
}

/* Run time before an interruption counts: job 1 has run for 3400 s of 4000, job 2 for
   1000 of 2000. */
static void knows_what_it_ran_before(void **state)
{
	struct scene scene;

	(void)state;
	begin_at(&scene, 5000, 4);
	tell(&scene, 1, 4300, 2700, 1000);
	tell(&scene, 2, 4000, 0, 3000);
	submit(&scene, 3, 2, 10, 100);
	decide(&scene, 5000);
	assert_actions(&scene, "reserve 3 at 10000, suspend 1, start 3 until 5060");
	finish(&scene);
}

/* Both ran for 1000 s; job 2 was submitted 2000 s ago, job 1 4000. By its slowdown job
   2 is preempted. Without these data neither may be preempted yet. */
static void knows_how_long_it_waited(void **state)
{
	struct scene scene;

	(void)state;
	for (int told = 0; told < 2; told++) {
		begin_at(&scene, 5000, 4);
		tell(&scene, 1, told ? 4300 : 0, told ? 300 : 0,
		     told ? 1000 : 0);
		tell(&scene, 2, told ? 4000 : 0, 0, told ? 3000 : 0);
		submit(&scene, 3, 2, 10, 100);
		decide(&scene, 5000);
		assert_actions(&scene, told ?
			"reserve 3 at 10000, suspend 2, start 3 until 5060" :
			"reserve 3 at 10000");
		finish(&scene);
	}
}

/* Data of an unknown job are ignored, and so is a time in the future. */
static void ignores_invalid_histories(void **state)
{
	struct scene scene;

	(void)state;
	begin_at(&scene, 5000, 4);
	submit(&scene, 1, 2, 1000, 5000);
	decide(&scene, 5000);
	tell(&scene, 1, 1, 0, 1);
	tell(&scene, 2, 6000, 0, 7000);
	submit(&scene, 3, 2, 10, 100);
	decide(&scene, 5000);
	assert_null(action_of(&scene, LXFW_ACTION_SUSPEND, 1));
	assert_null(action_of(&scene, LXFW_ACTION_SUSPEND, 2));
	decide(&scene, 5600);
	assert_non_null(action_of(&scene, LXFW_ACTION_START, 3));
	finish(&scene);
}

static void refuses_invalid_histories(void **state)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN,
		.run = { 1, 10000, 1, &share, { 1, -1, 0 } },
	};
	struct scene scene;

	(void)state;
	begin_at(&scene, 5000, 4);
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.run.past.ran = INT64_MAX;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.run.past = (struct lxfw_run_past){ .since = INT64_MIN };
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.run.past = (struct lxfw_run_past){ .since = 1, .submit = INT64_MAX };
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	finish(&scene);
}

/* Suspended by hand from 1000 to 5000, job 1 may be preempted at 5600. */
static void protects_jobs_resumed_by_others(void **state)
{
	struct scene scene;

	(void)state;
	begin_at(&scene, 0, 2);
	tell(&scene, 1, 0, 0, 0);
	decide(&scene, 0);
	scene.now = 1000;
	share.amount.procs = 0;
	tell(&scene, 1, 0, 0, 0);
	scene.now = 5000;
	share.amount.procs = 2;
	tell(&scene, 1, 0, 0, 0);
	submit(&scene, 3, 2, 10, 100);
	decide(&scene, 5000);
	assert_actions(&scene, "reserve 3 at 10000");
	decide(&scene, 5600);
	assert_actions(&scene, "suspend 1, start 3 until 5660");
	finish(&scene);
}

/* The library resumes job 1 at 700, the end of the quantum of job 3. It runs at 703,
   when its processors are free, and is not preempted before 1303. */
static void knows_when_it_was_resumed(void **state)
{
	struct scene scene;

	(void)state;
	begin_at(&scene, 640, 2);
	tell(&scene, 1, 40, 0, 40);
	submit(&scene, 3, 2, 10, 100);
	decide(&scene, 640);
	assert_actions(&scene, "reserve 3 at 10000, suspend 1, start 3 until 700");
	decide(&scene, 700);
	assert_actions(&scene, "requeue 3, resume 1, reserve 3 at 10060");
	scene.now = 703;
	tell(&scene, 1, 703, 600, 40);
	submit(&scene, 4, 2, 10, 100);
	decide(&scene, 1302);
	assert_null(action_of(&scene, LXFW_ACTION_SUSPEND, 1));
	assert_int_equal(scene.decision.wake, 1303);
	decide(&scene, 1303);
	assert_non_null(action_of(&scene, LXFW_ACTION_SUSPEND, 1));
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_how_long_it_ran),
		cmocka_unit_test(knows_what_it_ran_before),
		cmocka_unit_test(knows_how_long_it_waited),
		cmocka_unit_test(ignores_invalid_histories),
		cmocka_unit_test(refuses_invalid_histories),
		cmocka_unit_test(protects_jobs_resumed_by_others),
		cmocka_unit_test(knows_when_it_was_resumed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
