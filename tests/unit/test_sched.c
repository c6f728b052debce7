/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of scheduling, one small scene each. Times are seconds. */
#include "tests/unit/scene.h"

/* --- backfill ----------------------------------------------------------- */

/* 10 processors: 6 busy until 100. Job 2 requests 8 and has a reservation at 100, which
   leaves 2 unused. */
static void reserved_scene(struct scene *scene, const char *params)
{
	begin(scene, params);
	host_with(scene, 0, 10, 1000);
	submit(scene, 1, 6, 0, 100);
	decide(scene, 0);
	scene->now = 10;
	submit(scene, 2, 8, 0, 500);
	decide(scene, 10);
}

static void test_backfill(void **state)
{
	struct scene scene;

	(void)state;
	reserved_scene(&scene, "lxfw_policy=easy");
	assert_int_equal(reserved(&scene, 2), 100);
	submit(&scene, 3, 4, 0, 91);	/* one second too long */
	submit(&scene, 4, 2, 0, 1000);	/* fits into the unused processors */
	decide(&scene, 10);
	assert_false(starts(&scene, 3));
	assert_true(starts(&scene, 4));
	submit(&scene, 5, 2, 0, 90);	/* ends in time */
	submit(&scene, 6, 1, 0, 1000);	/* no processor is left unused */
	decide(&scene, 10);
	assert_true(starts(&scene, 5));
	assert_false(starts(&scene, 6));
	end(&scene, 1);
	decide(&scene, 50);
	/* 5 still has 2 of the processors that job 2 needs. */
	assert_int_equal(reserved(&scene, 2), -1);
	end(&scene, 5);
	decide(&scene, 60);
	assert_true(starts(&scene, 2));
	finish(&scene);
}

static void test_fcfs_does_not_backfill(void **state)
{
	struct scene scene;

	(void)state;
	reserved_scene(&scene, "lxfw_policy=fcfs");
	submit(&scene, 3, 1, 0, 1);
	decide(&scene, 10);
	assert_false(starts(&scene, 3));
	end(&scene, 1);
	decide(&scene, 20);
	assert_true(starts(&scene, 2));
	assert_true(starts(&scene, 3));
	finish(&scene);
}

static void test_conservative_reserves_for_all(void **state)
{
	struct scene scene;

	(void)state;
	reserved_scene(&scene, "lxfw_policy=conservative");
	submit(&scene, 3, 4, 0, 200);
	decide(&scene, 10);
	assert_int_equal(reserved(&scene, 3), 600);
	submit(&scene, 4, 4, 0, 91);
	decide(&scene, 10);
	assert_int_equal(reserved(&scene, 4), 600);
	submit(&scene, 5, 4, 0, 90);
	decide(&scene, 10);
	assert_true(starts(&scene, 5));
	finish(&scene);
}

static void test_memory_blocks_and_is_reserved(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 1, 800, 100);
	submit(&scene, 2, 1, 500, 100);
	decide(&scene, 0);
	assert_true(starts(&scene, 1));
	assert_int_equal(reserved(&scene, 2), 100);
	/* Enough processors are free, but at 100 memory would be missing. */
	submit(&scene, 3, 1, 200, 150);
	submit(&scene, 4, 1, 200, 90);
	decide(&scene, 1);
	assert_true(starts(&scene, 3));	/* 1000 - 500 - 200 is left */
	assert_false(starts(&scene, 4));
	submit(&scene, 5, 1, 0, 1000);
	decide(&scene, 2);
	assert_true(starts(&scene, 5));
	finish(&scene);
}

static void test_several_reservations(void **state)
{
	struct scene scene;

	(void)state;
	reserved_scene(&scene, "lxfw_policy=easy,lxfw_reservations=2");
	submit(&scene, 3, 10, 0, 50);
	submit(&scene, 4, 2, 0, 1000);	/* would delay the second one */
	submit(&scene, 5, 2, 0, 590);
	decide(&scene, 10);
	assert_int_equal(reserved(&scene, 3), 600);
	assert_false(starts(&scene, 4));
	assert_true(starts(&scene, 5));
	finish(&scene);
}

static void test_sjf_keeps_a_start_time(void **state)
{
	struct scene scene;

	(void)state;
	reserved_scene(&scene, "lxfw_policy=sjf");
	assert_int_equal(reserved(&scene, 2), 100);
	submit(&scene, 3, 8, 0, 95);	/* shorter, but 2 has its reservation */
	decide(&scene, 20);
	end(&scene, 1);
	decide(&scene, 30);
	assert_true(starts(&scene, 2));
	assert_false(starts(&scene, 3));
	finish(&scene);
}

/* Under LXF&W the reservation belongs to the job with the highest current priority. */
static void test_reservation_follows_priority(void **state)
{
	struct scene scene;

	(void)state;
	reserved_scene(&scene, "lxfw_policy=lxfw");
	assert_int_equal(reserved(&scene, 2), 100);
	submit(&scene, 3, 8, 0, 95);
	decide(&scene, 60);
	assert_int_equal(reserved(&scene, 3), 100);
	assert_non_null(action_of(&scene, LXFW_ACTION_UNRESERVE, 2));
	finish(&scene);
}

/* --- what happens to a schedule ----------------------------------------- */

/* The loss of a reservation is reported, for the first job in the model as for others. */
static void test_loses_the_reservation(void **state)
{
	struct lxfw_share share = { .host = 0, .amount = { .procs = 6 } };
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN,
		.run = { .id = 9, .expected_end = 100, .count = 1,
			 .shares = &share },
	};
	struct lxfw_request first = request(2, 0, 10, 0, 10);
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 8, 0, 100);
	apply(&scene, &event);
	decide(&scene, 0);
	assert_int_equal(reserved(&scene, 1), 100);
	first.tier = 1;
	submit_request(&scene, &first);
	decide(&scene, 1);
	assert_int_equal(reserved(&scene, 2), 100);
	assert_non_null(action_of(&scene, LXFW_ACTION_UNRESERVE, 1));
	decide(&scene, 2);
	assert_int_equal(scene.decision.count, 0);
	finish(&scene);
}

static void test_overrun_moves_the_reservation(void **state)
{
	struct scene scene;

	(void)state;
	reserved_scene(&scene, "lxfw_policy=easy");
	decide(&scene, 100);	/* due, not late */
	assert_int_equal(reserved(&scene, 2), -1);
	decide(&scene, 101);
	assert_int_equal(reserved(&scene, 2), 161);
	decide(&scene, 161);
	assert_int_equal(reserved(&scene, 2), -1);
	/* It is 62 seconds late: it is expected to run for as long again. */
	decide(&scene, 162);
	assert_int_equal(reserved(&scene, 2), 224);
	end(&scene, 1);
	decide(&scene, 170);
	assert_true(starts(&scene, 2));
	finish(&scene);
}

/* Moving a reservation frees processors for another job, although nothing else has
   changed since that job was found not to fit. */
static void test_overrun_lets_another_in(void **state)
{
	struct scene scene;

	(void)state;
	reserved_scene(&scene, "lxfw_policy=easy");
	scene.now = 60;
	submit(&scene, 3, 4, 0, 60);
	decide(&scene, 60);
	assert_false(starts(&scene, 3));	/* until 120 */
	decide(&scene, 101);
	assert_int_equal(reserved(&scene, 2), 161);
	assert_true(starts(&scene, 3));		/* until 161 */
	finish(&scene);
}

static void test_refused_job_is_passed_over(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 8, 0, 100);
	submit(&scene, 2, 8, 0, 100);
	decide(&scene, 0);
	assert_true(starts(&scene, 1));
	event.refused.id = 1;
	event.refused.until = 30;
	apply(&scene, &event);
	decide(&scene, 0);
	assert_true(starts(&scene, 2));
	assert_int_equal(reserved(&scene, 1), -1);
	assert_int_equal(scene.decision.wake, 30);
	end(&scene, 2);
	decide(&scene, 29);
	assert_int_equal(scene.decision.count, 0);
	decide(&scene, 30);
	assert_true(starts(&scene, 1));
	finish(&scene);
}

/* A changed request is tried again before the back-off has expired. */
static void test_change_lifts_a_refusal(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };
	struct lxfw_request job = request(1, 0, 4, 0, 100);
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 8, 0, 100);
	decide(&scene, 0);
	event.refused.id = 1;
	event.refused.until = 300;
	apply(&scene, &event);
	decide(&scene, 10);
	assert_false(starts(&scene, 1));
	event.type = LXFW_EVENT_JOB_CHANGE;
	event.request = &job;
	apply(&scene, &event);
	decide(&scene, 11);
	assert_true(starts(&scene, 1));
	assert_int_equal(action_of(&scene, LXFW_ACTION_START, 1)
				 ->shares[0].amount.procs, 4);
	finish(&scene);
}

/* After its back-off the job has the position of its submit time, not the last one. */
static void test_refused_job_keeps_its_place(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 1, 1000);
	submit(&scene, 9, 1, 0, 1000);
	decide(&scene, 0);
	submit(&scene, 1, 1, 0, 100);
	scene.now = 10;
	submit(&scene, 2, 1, 0, 100);
	event.refused.id = 1;
	event.refused.until = 100;
	apply(&scene, &event);
	decide(&scene, 100);
	scene.now = 150;
	end(&scene, 9);
	decide(&scene, 150);
	assert_true(starts(&scene, 1));
	assert_false(starts(&scene, 2));
	finish(&scene);
}

/*
 *     0       80 100 130 150          0       80 100 130
 *     1 1 1 1 1 1 . . 3               1 1 1 1 1 1 . 3
 *     1 1 1 1 1 1 . . 3     end of 2  1 1 1 1 1 1 . 3
 *     2 2 2 2 2 4 4 4 3     at 80     2 2 2 2 4 4 4 3
 *     . . . . . 4 4 4 3               . . . . 4 4 4 3
 *
 * Job 3 cannot start earlier while job 4 has a reservation from 100 to 150. When job 4
 * starts at 80, job 3 can begin at 130.
 */
static void test_start_lets_another_move_up(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=conservative");
	host_with(&scene, 0, 4, 1000);
	submit(&scene, 1, 2, 0, 100);
	submit(&scene, 2, 1, 0, 150);
	submit(&scene, 3, 4, 0, 100);
	submit(&scene, 4, 2, 0, 50);
	decide(&scene, 0);
	assert_int_equal(reserved(&scene, 3), 150);
	assert_int_equal(reserved(&scene, 4), 100);
	scene.now = 80;
	end(&scene, 2);
	decide(&scene, 80);
	assert_true(starts(&scene, 4));
	decide(&scene, 81);
	assert_int_equal(reserved(&scene, 3), 130);
	finish(&scene);
}

static void test_impossible_job_is_passed_over(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=fcfs");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 11, 0, 100);
	submit(&scene, 2, 10, 0, 100);
	decide(&scene, 0);
	assert_false(starts(&scene, 1));
	assert_true(starts(&scene, 2));
	host_with(&scene, 0, 20, 1000);	/* the machine grows */
	end(&scene, 2);
	decide(&scene, 1);
	assert_true(starts(&scene, 1));
	finish(&scene);
}

static void test_host_down_and_up(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 10, 1000);
	event.host.total = (struct lxfw_resources){ .procs = 10 };
	apply(&scene, &event);
	submit(&scene, 1, 1, 0, 100);
	decide(&scene, 0);
	assert_int_equal(scene.decision.count, 0);
	event.host.up = true;
	apply(&scene, &event);
	decide(&scene, 1);
	assert_true(starts(&scene, 1));
	finish(&scene);
}

/* A host that lost processors in use does not keep jobs from another host. */
static void test_overcommitted_host(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 10, 1000);
	host_with(&scene, 1, 4, 1000);
	submit(&scene, 1, 10, 0, 100);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 0);
	host_with(&scene, 0, 2, 1000);
	submit(&scene, 2, 4, 0, 100);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 2), 1);
	submit(&scene, 3, 3, 0, 100);
	decide(&scene, 2);
	assert_int_equal(reserved(&scene, 3), 101);
	finish(&scene);
}

static void test_block(void **state)
{
	struct lxfw_share all = { .host = 0, .amount = { .procs = 10 } };
	struct lxfw_event event = { .type = LXFW_EVENT_BLOCK };
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 10, 1000);
	event.block.id = 7;
	event.block.start = 100;
	event.block.end = 200;
	event.block.count = 1;
	event.block.shares = &all;
	apply(&scene, &event);
	submit(&scene, 1, 10, 0, 101);
	submit(&scene, 2, 10, 0, 100);
	decide(&scene, 0);
	assert_int_equal(reserved(&scene, 1), 200);
	assert_true(starts(&scene, 2));
	end(&scene, 2);
	decide(&scene, 50);
	assert_int_equal(scene.decision.wake, 100);
	decide(&scene, 100);
	assert_int_equal(scene.decision.wake, 200);
	decide(&scene, 200);
	assert_true(starts(&scene, 1));
	finish(&scene);
}

/* The job is suspended: its processors are free, its memory is still allocated. */
static void test_suspended_job(void **state)
{
	struct lxfw_share share = { .host = 0, .amount = { .memory_mb = 600 } };
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 10, 600, 100);
	decide(&scene, 0);
	event.run.id = 1;
	event.run.expected_end = LXFW_NEVER;
	event.run.count = 1;
	event.run.shares = &share;
	apply(&scene, &event);
	submit(&scene, 2, 10, 500, 50);
	submit(&scene, 3, 10, 400, 50);
	decide(&scene, 1);
	assert_false(starts(&scene, 2));
	assert_int_equal(reserved(&scene, 2), -1);	/* at an unknown time */
	assert_true(starts(&scene, 3));
	finish(&scene);
}

static void test_interval_wakes(void **state)
{
	struct scene scene;

	(void)state;
	reserved_scene(&scene, "lxfw_policy=lxfw,lxfw_interval=30");
	assert_int_equal(scene.decision.wake, 40);
	finish(&scene);
}

static void test_bad_events_change_nothing(void **state)
{
	struct lxfw_share wrong = { .host = 5, .amount = { .procs = 1 } };
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_END };
	struct lxfw_request job = request(1, 0, 1, 0, 10);
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 10, 1000);
	scene.now = 50;
	submit(&scene, 9, 10, 0, 100);
	decide(&scene, 50);
	event.end.id = 77;
	assert_int_equal(refuse_to_apply(&scene, &event), ENOENT);
	event.type = LXFW_EVENT_JOB_SUBMIT;
	event.request = &job;
	job.id = 9;
	assert_int_equal(refuse_to_apply(&scene, &event), EEXIST);
	job.id = 1;
	job.unit.procs = 0;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	job.unit.procs = 1;
	job.estimate = 0;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	job.estimate = 1;
	job.host_set_count = 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	job.host_set_count = 0;
	job.unit.procs = 1000000;
	job.count = 1000000;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.type = LXFW_EVENT_JOB_RUN;
	event.run.id = 9;
	event.run.expected_end = 60;
	event.run.count = 1;
	event.run.shares = &wrong;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	scene.now = 10;
	event.type = LXFW_EVENT_JOB_END;
	event.end.id = 9;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	scene.now = 51;
	submit(&scene, 2, 10, 0, 10);
	decide(&scene, 51);
	assert_int_equal(reserved(&scene, 2), 150);
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_backfill),
		cmocka_unit_test(test_fcfs_does_not_backfill),
		cmocka_unit_test(test_conservative_reserves_for_all),
		cmocka_unit_test(test_memory_blocks_and_is_reserved),
		cmocka_unit_test(test_several_reservations),
		cmocka_unit_test(test_sjf_keeps_a_start_time),
		cmocka_unit_test(test_reservation_follows_priority),
		cmocka_unit_test(test_loses_the_reservation),
		cmocka_unit_test(test_overrun_moves_the_reservation),
		cmocka_unit_test(test_overrun_lets_another_in),
		cmocka_unit_test(test_refused_job_is_passed_over),
		cmocka_unit_test(test_change_lifts_a_refusal),
		cmocka_unit_test(test_refused_job_keeps_its_place),
		cmocka_unit_test(test_start_lets_another_move_up),
		cmocka_unit_test(test_impossible_job_is_passed_over),
		cmocka_unit_test(test_host_down_and_up),
		cmocka_unit_test(test_overcommitted_host),
		cmocka_unit_test(test_block),
		cmocka_unit_test(test_suspended_job),
		cmocka_unit_test(test_interval_wakes),
		cmocka_unit_test(test_bad_events_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
