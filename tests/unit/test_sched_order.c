/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Priorities (table 3) and the order of jobs, one small scene each. Times are seconds. */
#include "tests/unit/scene.h"

/* The whole machine is busy until 1000. Jobs 2 and 3 request all of it. Return which of
   them starts when it is free at NOW. */
static uint64_t first_of(const char *params, const struct lxfw_request *a,
			 const struct lxfw_request *b, int64_t now)
{
	struct scene scene;
	uint64_t first;

	begin(&scene, params);
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 10, 0, 1000000);
	decide(&scene, 0);
	submit_request(&scene, a);
	submit_request(&scene, b);
	scene.now = now;
	end(&scene, 1);
	decide(&scene, now);
	first = starts(&scene, a->id) ? a->id : b->id;
	assert_int_not_equal(starts(&scene, a->id), starts(&scene, b->id));
	finish(&scene);
	return first;
}

static void test_priorities(void **state)
{
	/* Jx after 2 h: 2 waited 2 h and requested 1 h: 3; 3 waited 1 h and requested
	 * 10 min: 7 */
	struct lxfw_request waits = request(2, 0, 10, 100, 3600);
	struct lxfw_request is_short = request(3, 3600, 10, 100, 600);

	(void)state;
	assert_int_equal(first_of("lxfw_policy=easy", &waits, &is_short, 7200), 2);
	assert_int_equal(first_of("lxfw_policy=lxfw", &waits, &is_short, 7200), 3);
	assert_int_equal(first_of("lxfw_policy=sjf", &waits, &is_short, 7200), 3);
	/* Only the wait counts, or only the processors, or only the memory. */
	assert_int_equal(first_of("lxfw_policy=priority,lxfw_wx=0,lxfw_wp=0",
				  &waits, &is_short, 7200), 2);
	is_short.unit.memory_mb = 200;
	assert_int_equal(first_of("lxfw_policy=priority,lxfw_wx=0,lxfw_ww=0,"
				  "lxfw_wp=0,lxfw_wm=1",
				  &waits, &is_short, 7200), 3);
	waits.unit.procs = 9;
	is_short.unit.memory_mb = 100;
	assert_int_equal(first_of("lxfw_policy=priority,lxfw_wx=0,lxfw_ww=0",
				  &waits, &is_short, 7200), 3);
	waits.tier = 1;
	assert_int_equal(first_of("lxfw_policy=lxfw", &waits, &is_short, 7200), 2);
}

static void test_priority_lines_cross(void **state)
{
	/* LXF&W: a short job that is submitted later overtakes after some time. */
	struct lxfw_request is_long = request(2, 0, 10, 0, 36000);
	struct lxfw_request is_short = request(3, 5000, 10, 0, 3600);

	(void)state;
	assert_int_equal(first_of("lxfw_policy=lxfw", &is_long, &is_short, 5100), 2);
	assert_int_equal(first_of("lxfw_policy=lxfw", &is_long, &is_short, 9000), 3);
}

/* A job that has waited longer than lxfw_age_first comes before shorter ones, from the
   second after on, and the oldest of several before the others. */
static void test_age_first(void **state)
{
	struct lxfw_request is_old = request(2, 0, 10, 0, 36000);
	struct lxfw_request is_short = request(3, 100, 10, 0, 3600);
	const char *const policies[] = {
		"lxfw_policy=sjf,lxfw_age_first=7200",
		"lxfw_policy=lxfw,lxfw_age_first=7200",
	};

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(first_of(policies[i], &is_old, &is_short, 7200), 3);
		assert_int_equal(first_of(policies[i], &is_old, &is_short, 7201), 2);
		assert_int_equal(first_of(policies[i], &is_old, &is_short, 20000), 2);
		is_short.tier = 1;
		assert_int_equal(first_of(policies[i], &is_old, &is_short, 20000), 3);
		is_short.tier = 0;
	}
	assert_int_equal(first_of("lxfw_policy=sjf", &is_old, &is_short, 20000), 3);
}

/* The reservation of a short job passes to the job that has become old, although nothing
   else happens. */
static void test_age_takes_the_reservation(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=sjf,lxfw_age_first=500");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 4, 0, 1000);
	submit(&scene, 2, 5, 0, 2000);
	decide(&scene, 0);
	assert_true(starts(&scene, 1) && starts(&scene, 2));
	submit(&scene, 3, 10, 0, 5000);		/* when 2 has ended, at 2000 */
	decide(&scene, 1);
	assert_int_equal(reserved(&scene, 3), 2000);
	submit(&scene, 4, 5, 0, 100);		/* when 1 has ended, at 1000 */
	decide(&scene, 2);
	assert_int_equal(reserved(&scene, 4), 1000);
	decide(&scene, 500);
	assert_int_equal(scene.decision.count, 0);
	decide(&scene, 501);
	assert_int_equal(reserved(&scene, 3), 2000);
	finish(&scene);
}

/* Of equal requests the one with the lower priority comes first once it is old, whatever
   the weight of the priorities. */
static void test_age_before_site(void **state)
{
	struct lxfw_event priority = {
		.type = LXFW_EVENT_JOB_PRIORITY, .priority = { 3, 1000000, 0 },
	};
	struct scene scene;

	(void)state;
	for (int now = 7200; now <= 7201; now++) {
		begin(&scene, "lxfw_policy=lxfw,lxfw_wsite=1000,lxfw_age_first=7200");
		host_with(&scene, 0, 10, 1000);
		submit(&scene, 1, 10, 0, 1000000);
		decide(&scene, 0);
		submit(&scene, 2, 10, 0, 3600);
		scene.now = 100;
		submit(&scene, 3, 10, 0, 3600);
		apply(&scene, &priority);
		decide(&scene, 101);
		scene.now = now;
		end(&scene, 1);
		decide(&scene, now);
		assert_true(starts(&scene, now == 7200 ? 3 : 2));
		finish(&scene);
	}
}

static void test_bypassed(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=priority,lxfw_ww=0,lxfw_wx=0,lxfw_wp=0.2,"
		      "lxfw_wbypass=1");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 9, 0, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 5, 0, 100);	/* priority 1 */
	decide(&scene, 1);
	submit(&scene, 3, 1, 0, 100);	/* priority 0.2; bypasses 2 */
	decide(&scene, 2);
	assert_true(starts(&scene, 3));
	submit(&scene, 4, 7, 0, 100);	/* priority 1.4; the priority of 2 is now 2 */
	end(&scene, 1);
	decide(&scene, 3);
	assert_true(starts(&scene, 2));
	assert_false(starts(&scene, 4));
	finish(&scene);
}

/* A job that starts has bypassed every job before it, of any class. */
static void test_all_are_bypassed(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=priority,lxfw_ww=0,lxfw_wx=0,lxfw_wp=0.2,"
		      "lxfw_wbypass=1");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 9, 0, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 5, 0, 100);	/* priority 1 */
	submit(&scene, 3, 6, 0, 100);	/* 1.2 */
	decide(&scene, 1);
	submit(&scene, 4, 1, 0, 100);	/* 0.2; bypasses both */
	decide(&scene, 2);
	assert_true(starts(&scene, 4));
	submit(&scene, 5, 7, 0, 100);	/* 1.4; now they have 2 and 2.2 */
	end(&scene, 1);
	decide(&scene, 3);
	assert_true(starts(&scene, 3));
	assert_false(starts(&scene, 2));
	assert_false(starts(&scene, 5));
	finish(&scene);
}

static void change(struct scene *scene, uint64_t id, int64_t submit, int32_t procs)
{
	struct lxfw_request job = request(id, submit, procs, 0, 100);
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_CHANGE,
		.request = &job,
	};

	apply(scene, &event);
}

/* A job whose request changes keeps its count, and does not get the count of the jobs
   of its new class. */
static void test_bypassed_counts_move(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=priority,lxfw_ww=0,lxfw_wx=0,lxfw_wp=0.2,"
		      "lxfw_wbypass=1");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 9, 0, 100);
	decide(&scene, 0);
	submit(&scene, 2, 4, 0, 100);	/* priority 0.8 */
	submit(&scene, 3, 6, 0, 100);	/* 1.2 */
	decide(&scene, 1);
	submit(&scene, 4, 1, 0, 100);	/* bypasses both */
	decide(&scene, 2);
	assert_true(starts(&scene, 4));
	submit(&scene, 5, 7, 0, 100);
	submit(&scene, 6, 8, 0, 100);	/* 1.6 */
	change(&scene, 2, 1, 5);	/* 2 */
	change(&scene, 5, 2, 6);	/* 1.2, as 3 had before it was bypassed */
	end(&scene, 1);
	decide(&scene, 3);
	assert_true(starts(&scene, 3));
	end(&scene, 3);
	decide(&scene, 4);
	assert_true(starts(&scene, 2));
	assert_false(starts(&scene, 5));
	end(&scene, 2);
	decide(&scene, 5);
	assert_true(starts(&scene, 6));
	assert_false(starts(&scene, 5));
	finish(&scene);
}

/* Tasks of arrays 1 and 3 and a plain job 2, submitted at the same time. */
static void test_tasks_of_arrays(void **state)
{
	const uint64_t order[] = {
		UINT64_C(1) << 32 | 1, UINT64_C(5) << 32 | 1, 2, 4294967295,
		UINT64_C(1) << 32 | 4294967295,
	};
	enum { COUNT = sizeof(order) / sizeof(order[0]) };
	const char *policies[] = { "lxfw_policy=fcfs", "lxfw_policy=easy",
				   "lxfw_policy=lxfw", "lxfw_policy=smart_ffia" };

	(void)state;
	for (size_t p = 0; p < sizeof(policies) / sizeof(policies[0]); p++) {
		/* in one class; the first policies, also each in its own */
		for (int alike = p >= 2; alike < 2; alike++) {
			struct scene scene;

			begin(&scene, policies[p]);
			host_with(&scene, 0, 1, 1000);
			for (int i = COUNT - 1; i >= 0; i--)
				submit(&scene, order[i], 1, 0, alike ? 100 : 95 + i);
			for (int i = 0; i < COUNT; i++) {
				decide(&scene, 1 + i);
				assert_true(starts(&scene, order[i]));
				end(&scene, order[i]);
			}
			finish(&scene);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_priorities),
		cmocka_unit_test(test_priority_lines_cross),
		cmocka_unit_test(test_age_first),
		cmocka_unit_test(test_age_takes_the_reservation),
		cmocka_unit_test(test_age_before_site),
		cmocka_unit_test(test_bypassed),
		cmocka_unit_test(test_all_are_bypassed),
		cmocka_unit_test(test_bypassed_counts_move),
		cmocka_unit_test(test_tasks_of_arrays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
