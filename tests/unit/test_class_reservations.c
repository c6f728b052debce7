/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Special reservations for overdue jobs (Chiang and Vernon 2001, section 2.1), in
 * scenes computed by hand. A row of a chart is a processor, time increases to the
 * right, a dot is an idle processor, and a colon is one that a special reservation
 * keeps idle.
 */
#include "tests/unit/class_site.h"

/* --- special reservations ----------------------------------------------- */

/*
 * Job 4 (B s, 4 processors) waits from 0 on and is overdue after 50 s, when a job
 * ends on the host.
 *
 *         0    49   60   65   70   80
 *   p0    1    1    1    1    4    6
 *   p1    1    1    1    1    4    7
 *   p2    2    5    :    :    4    .
 *   p3    3    3    3    :    4    .
 *
 * The end of 2 at 49 is too early: 5 (B, by its memory) gets the processor, skipping 4.
 * From the end of 5 at 60 on, processors are kept. 6 (B too) does not get one, nor does
 * 7 when 3 has ended at 65. They are kept for 4, which is expected at 100, the expected
 * end of 1, and starts at 70, when 1 has ended. Then 6 and 7 wait for 4.
 */
static void keeps_processors_for_the_overdue(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	site.classes.sizes[S].memory_mb = 5;
	open_site(&scene, &site);
	submit(&scene, 1, 2, 10, 100);
	submit(&scene, 2, 1, 10, 90);
	submit(&scene, 3, 1, 10, 90);
	decide(&scene, 0);
	assert_int_equal(scene.decision.count, 3);
	submit(&scene, 4, 4, 10, 80);
	decide(&scene, 0);
	nothing_is_done(&scene);
	scene.now = 49;
	end(&scene, 2);
	submit(&scene, 5, 1, 10, 90);
	decide(&scene, 49);
	only_action(&scene);
	assert_true(starts(&scene, 5));
	/* waiting alone does not reserve */
	decide(&scene, 55);
	nothing_is_done(&scene);
	scene.now = 60;
	end(&scene, 5);
	submit(&scene, 6, 1, 10, 10);
	decide(&scene, 60);
	only_action(&scene);
	assert_int_equal(reserved_on(&scene, 4), 0);
	assert_int_equal(reserved(&scene, 4), 100);
	assert_int_equal(scene.decision.wake, 100);
	scene.now = 65;
	end(&scene, 3);
	submit(&scene, 7, 1, 10, 10);
	decide(&scene, 65);
	nothing_is_done(&scene);
	scene.now = 70;
	end(&scene, 1);
	decide(&scene, 70);
	only_action(&scene);
	assert_true(starts(&scene, 4));
	scene.now = 80;
	end(&scene, 4);
	decide(&scene, 80);
	assert_int_equal(scene.decision.count, 2);
	assert_true(starts(&scene, 6) && starts(&scene, 7));
	finish(&scene);
}

/* A job with an unknown end has two of the four processors. Nothing is kept for the
   overdue job, which requests all of them, and other jobs use the rest. */
static void keeps_nothing_for_never(void **state)
{
	struct lxfw_share share = { .host = 0, .amount = { .procs = 2 } };
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN,
		.run = { .id = 9, .expected_end = LXFW_NEVER, .count = 1,
			 .shares = &share },
	};
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	site.classes.sizes[S].memory_mb = 5;	/* all of B */
	open_site(&scene, &site);
	apply(&scene, &event);
	submit(&scene, 1, 2, 10, 90);
	decide(&scene, 0);
	submit(&scene, 4, 4, 10, 80);
	decide(&scene, 0);
	scene.now = 60;
	end(&scene, 1);
	submit(&scene, 5, 1, 10, 10);
	decide(&scene, 60);
	only_action(&scene);
	assert_true(starts(&scene, 5));
	finish(&scene);
}

/* Table 1 says "at least": a job that has waited for exactly 50 s is overdue, one
   second earlier it is not. */
static void waits_for_the_threshold(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	for (int64_t at = 49; at <= 50; at++) {
		site_make(&site, 1);
		open_site(&scene, &site);
		submit(&scene, 1, 3, 1, 1000);
		submit(&scene, 2, 1, 1, 1000);
		decide(&scene, 0);
		submit(&scene, 3, 4, 1, 100);
		scene.now = at;
		end(&scene, 2);
		decide(&scene, at);
		assert_int_equal(scene.decision.count, at == 50);
		assert_int_equal(reserved(&scene, 3), at == 50 ? 1000 : -1);
		finish(&scene);
	}
}

/* The expected start changes with the jobs that it depends on, and is reported again. */
static void tells_when_it_moves(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
	struct lxfw_share share = { .host = 0, .amount = { .procs = 3, .memory_mb = 1 } };
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	open_site(&scene, &site);
	submit(&scene, 1, 3, 1, 1000);
	submit(&scene, 2, 1, 1, 1000);
	decide(&scene, 0);
	submit(&scene, 3, 4, 1, 100);
	scene.now = 60;
	end(&scene, 2);
	decide(&scene, 60);
	assert_int_equal(reserved(&scene, 3), 1000);
	decide(&scene, 61);
	nothing_is_done(&scene);
	scene.now = 70;
	event.run.id = 1;
	event.run.expected_end = 200;
	event.run.count = 1;
	event.run.shares = &share;
	apply(&scene, &event);
	decide(&scene, 70);
	only_action(&scene);
	assert_int_equal(reserved(&scene, 3), 200);
	/* the expected end is unknown: the reservation is removed */
	event.run.expected_end = LXFW_NEVER;
	apply(&scene, &event);
	decide(&scene, 71);
	decide(&scene, 72);
	assert_true(loses(&scene, 3));
	finish(&scene);
}

/* An overdue job that fits starts before jobs that arrived earlier or have a preferred
   time class. */
static void starts_the_overdue_first(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	open_site(&scene, &site);
	submit(&scene, 1, 4, 1, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 3, 1, 500);		/* B l, overdue at 200 */
	scene.now = 195;
	submit(&scene, 3, 3, 1, 50);		/* B s, overdue at 245 */
	scene.now = 200;
	end(&scene, 1);
	decide(&scene, 200);
	only_action(&scene);
	assert_true(starts(&scene, 2));
	finish(&scene);
}

/* Among several overdue jobs the order of the host decides: B before S, s before l,
 * then the order of arrival. */
static void reserves_in_the_order_of_the_host(void **state)
{
	static const struct {
		int32_t procs;
		int64_t estimate;
	} jobs[] = { { 2, 50 }, { 4, 500 }, { 4, 50 }, { 3, 50 } };
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	open_site(&scene, &site);
	submit(&scene, 1, 3, 1, 1000);
	submit(&scene, 2, 1, 1, 1000);
	decide(&scene, 0);
	for (uint64_t i = 0; i < 4; i++)	/* jobs 10 to 13 */
		submit(&scene, 10 + i, jobs[i].procs, 1, jobs[i].estimate);
	scene.now = 300;
	end(&scene, 2);
	decide(&scene, 300);
	only_action(&scene);
	assert_int_equal(reserved(&scene, 12), 1000);
	finish(&scene);
}

/*
 * At most one reservation per job and one per host. Hosts 0 and 1 are used by 1 and 2,
 * except for one processor each, used by 3 and 4. Jobs 5 and 6 (B, 4) are overdue.
 *   3 ends on host 0: kept for 5.
 *   4 ends on host 1: 5 has a reservation, so it is kept for 6.
 *   7 (S) would fit with 1 and 2, but does not start.
 */
static void reserves_once_for_each_job(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 2);
	open_site(&scene, &site);
	submit(&scene, 1, 3, 1, 1000);
	submit(&scene, 3, 1, 1, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 3, 1, 900);
	submit(&scene, 4, 1, 1, 900);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 4), 1);
	submit(&scene, 5, 4, 1, 100);
	submit(&scene, 6, 4, 1, 100);
	scene.now = 100;
	end(&scene, 3);
	decide(&scene, 100);
	only_action(&scene);
	assert_int_equal(reserved_on(&scene, 5), 0);
	scene.now = 110;
	end(&scene, 4);
	submit(&scene, 7, 1, 1, 10);
	decide(&scene, 110);
	only_action(&scene);
	assert_int_equal(reserved_on(&scene, 6), 1);
	assert_int_equal(reserved(&scene, 6), 900);
	finish(&scene);
}

/*
 * Host 0 is kept for 5 (B, 4). On host 1, where only 2 runs, 2 ends first: 5 starts
 * there, and the processors kept on host 0 go to 7 (S) in the same pass.
 *
 *        100  110             120
 *   h0   1 1 1 1 1 1 1 1 1    1 1 1
 *        1 1 1 1 1 1 1 1 1    1 1 1
 *        1 1 1 1 1 1 1 1 1    1 1 1
 *        3 : : : : : : : :    7 7 7
 *   h1   2 2 2 2 2 2 2 2 2    5 5 5   (four times)
 */
static void starts_elsewhere_if_it_can(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 2);
	open_site(&scene, &site);
	submit(&scene, 1, 3, 1, 1000);
	submit(&scene, 3, 1, 1, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 4, 1, 900);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 2), 1);
	submit(&scene, 5, 4, 1, 100);
	scene.now = 100;
	end(&scene, 3);
	decide(&scene, 100);
	assert_int_equal(reserved_on(&scene, 5), 0);
	scene.now = 110;
	submit(&scene, 7, 1, 1, 10);
	decide(&scene, 110);
	nothing_is_done(&scene);
	scene.now = 120;
	end(&scene, 2);
	decide(&scene, 120);
	assert_int_equal(scene.decision.count, 2);
	assert_int_equal(host_of(&scene, 5), 1);
	assert_int_equal(host_of(&scene, 7), 0);
	finish(&scene);
}

/*
 * Limits include reservations: two jobs of class l may run. 1 and 2 run when 3 (s) ends,
 * so 4 gets no reservation (B l; only host 0 has enough memory). When 2 has ended, 4 gets
 * one, which counts as the second job: of 5 (S l) and 6 (S s), which fit on host 1, only
 * 6 starts. When 1 has ended and 4 starts, 5 may start too.
 *
 *         0    300  320
 *   h0    1    1    4
 *         1    1    4
 *         2    :    4
 *         3    :    4
 *   h1    .    6    5
 */
static void counts_reservations_in_limits(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 2);
	site.classes.times[l].running_most = 2;
	open_site(&scene, &site);
	host_with(&scene, 1, 4, 50);
	submit(&scene, 1, 2, 1, 1000);
	submit(&scene, 2, 1, 1, 1000);
	submit(&scene, 3, 1, 1, 100);
	decide(&scene, 0);
	assert_int_equal(scene.decision.count, 3);
	submit(&scene, 4, 4, 60, 500);
	scene.now = 300;
	end(&scene, 3);
	decide(&scene, 300);
	nothing_is_done(&scene);
	end(&scene, 2);
	decide(&scene, 300);
	only_action(&scene);
	assert_int_equal(reserved_on(&scene, 4), 0);
	submit(&scene, 5, 1, 1, 500);
	submit(&scene, 6, 1, 1, 20);
	decide(&scene, 300);
	only_action(&scene);
	assert_int_equal(host_of(&scene, 6), 1);
	scene.now = 320;
	end(&scene, 6);
	decide(&scene, 320);
	nothing_is_done(&scene);
	end(&scene, 1);
	decide(&scene, 320);
	assert_int_equal(scene.decision.count, 2);
	assert_int_equal(host_of(&scene, 4), 0);
	assert_int_equal(host_of(&scene, 5), 1);
	finish(&scene);
}

/* A reservation does not count against its own job: 3 is the one job of class l that
   may run. */
static void uses_its_own_place_in_limits(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	site.classes.times[l].running_most = 1;
	open_site(&scene, &site);
	submit(&scene, 1, 3, 1, 100);
	submit(&scene, 2, 1, 1, 100);
	decide(&scene, 0);
	submit(&scene, 3, 4, 1, 500);
	scene.now = 200;
	end(&scene, 2);
	decide(&scene, 200);
	assert_int_equal(reserved_on(&scene, 3), 0);
	scene.now = 210;
	end(&scene, 1);
	decide(&scene, 210);
	only_action(&scene);
	assert_true(starts(&scene, 3));
	finish(&scene);
}

/* Host 0 has as many B as its limit permits: after the end of an S, an S is served. */
static void reserves_within_the_limits_of_the_host(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	site.rules[0].running_most[B] = 1;
	open_site(&scene, &site);
	submit(&scene, 1, 3, 1, 1000);
	submit(&scene, 2, 1, 1, 1000);
	decide(&scene, 0);
	submit(&scene, 3, 3, 1, 50);
	submit(&scene, 4, 2, 1, 50);
	scene.now = 60;
	end(&scene, 2);
	decide(&scene, 60);
	only_action(&scene);
	assert_int_equal(reserved(&scene, 4), 1000);
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_processors_for_the_overdue),
		cmocka_unit_test(keeps_nothing_for_never),
		cmocka_unit_test(waits_for_the_threshold),
		cmocka_unit_test(tells_when_it_moves),
		cmocka_unit_test(starts_the_overdue_first),
		cmocka_unit_test(reserves_in_the_order_of_the_host),
		cmocka_unit_test(reserves_once_for_each_job),
		cmocka_unit_test(starts_elsewhere_if_it_can),
		cmocka_unit_test(counts_reservations_in_limits),
		cmocka_unit_test(uses_its_own_place_in_limits),
		cmocka_unit_test(reserves_within_the_limits_of_the_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
