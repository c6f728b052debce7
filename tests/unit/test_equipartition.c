/* SPDX-License-Identifier: GPL-2.0-or-later */
/* EQspatial: placement of jobs and partition of hosts, one small scene for each rule,
   computed by hand. */
#include "tests/unit/eq_scene.h"

/* --- placement ---------------------------------------------------------- */

static void test_fewest_unallocated_of_those_with_enough(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 16, 1000);
	host_with(&scene, 1, 8, 1000);
	host_with(&scene, 2, 8, 900);
	submit(&scene, 1, 6, 100, 100);
	decide(&scene, 0);
	/* 1 and 2 have 8 processors each, and 2 has less memory. */
	assert_int_equal(host_of(&scene, 1), 2);
	assert_int_equal(started(&scene, 1), 6);
	/* Host 2 has the fewest, but not enough; host 1 precedes host 0. */
	submit(&scene, 2, 3, 100, 100);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 2), 1);
	/* All hosts have enough processors, but only 0 and 1 have the memory. */
	submit(&scene, 3, 2, 850, 100);
	decide(&scene, 2);
	assert_int_equal(host_of(&scene, 3), 1);
	submit(&scene, 4, 2, 850, 100);
	decide(&scene, 3);
	assert_int_equal(host_of(&scene, 4), 0);
	finish(&scene);
}

/* The host's processors divided by the requests of its jobs and the new job. */
static void test_largest_ratio(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 16, 1000);
	host_with(&scene, 1, 8, 1000);
	host_with(&scene, 2, 8, 1000);
	submit(&scene, 1, 16, 10, 100);
	submit(&scene, 2, 8, 10, 100);	/* to host 1: fewer than host 0 has */
	submit(&scene, 3, 5, 10, 100);	/* to host 2 */
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 0);
	assert_int_equal(host_of(&scene, 2), 1);
	assert_int_equal(host_of(&scene, 3), 2);
	/* 16/24 = 0.667, 8/16 = 0.5, 8/13 = 0.615 */
	submit(&scene, 4, 8, 10, 100);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 4), 0);
	assert_int_equal(started(&scene, 4), 8);
	assert_int_equal(resized(&scene, 1), 8);
	/* 16/32 = 0.5, 8/16 = 0.5, 8/13 = 0.615 */
	submit(&scene, 5, 8, 10, 100);
	decide(&scene, 2);
	assert_int_equal(host_of(&scene, 5), 2);
	assert_int_equal(started(&scene, 5), 4);
	assert_int_equal(resized(&scene, 3), 4);
	/* 16/32 = 8/16, 8/21: hosts 0 and 1 are equal, and 0 has a lower index, but
	   less free memory. */
	submit(&scene, 6, 8, 10, 100);
	decide(&scene, 3);
	assert_int_equal(host_of(&scene, 6), 0);
	finish(&scene);
}

/* With equal ratios: fewest unallocated processors, then least free memory, then lowest
   index. */
static void test_equal_ratios(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 3, 1000);
	host_with(&scene, 1, 6, 1000);
	host_with(&scene, 2, 6, 900);
	submit(&scene, 1, 2, 10, 1000);		/* to host 0 */
	submit(&scene, 2, 6, 10, 1000);		/* to host 2, then host 1 */
	submit(&scene, 3, 6, 10, 1000);
	decide(&scene, 0);
	/* 3/4, 6/8, 6/8. Host 0 has 1 free processor, the others none. Host 2 has less
	   free memory than host 1. */
	submit(&scene, 4, 2, 10, 1000);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 4), 2);
	submit(&scene, 5, 2, 10, 1000);
	decide(&scene, 2);
	assert_int_equal(host_of(&scene, 5), 1);
	submit(&scene, 6, 2, 10, 1000);
	decide(&scene, 3);
	assert_int_equal(host_of(&scene, 6), 0);
	finish(&scene);
}

static void test_memory_and_extras_limit_the_hosts(void **state)
{
	struct lxfw_request job = request(3, 0, 4, 0, 100);
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 4, 1000);	/* two of the first extra */
	host_with(&scene, 1, 8, 500);
	submit(&scene, 1, 8, 100, 100);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 1);
	submit(&scene, 2, 4, 900, 100);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 2), 0);
	/* Host 1 has the best ratio, but the extras are on host 0. */
	job.unit.extras[0] = 2;
	submit_request(&scene, &job);
	decide(&scene, 2);
	assert_int_equal(host_of(&scene, 3), 0);
	assert_int_equal(said(&scene, 3)->shares[0].amount.extras[0], 2);
	job.id = 4;
	submit_request(&scene, &job);
	decide(&scene, 3);
	says_nothing(&scene);
	end(&scene, 3);
	decide(&scene, 4);
	assert_int_equal(host_of(&scene, 4), 0);
	finish(&scene);
}

static void test_host_sets_in_turn(void **state)
{
	static const int32_t hosts[2] = { 0, 1 };
	struct lxfw_request job = request(2, 0, 8, 0, 100);
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 8, 1000);
	host_with(&scene, 1, 8, 1000);
	for (int32_t i = 0; i < 2; i++) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET };

		event.host_set.id = i;
		event.host_set.count = 1;
		event.host_set.hosts = &hosts[i];
		apply(&scene, &event);
	}
	submit(&scene, 1, 8, 0, 100);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 0);
	/* Unallocated processors in the second set are preferred to a share in the
	   first. */
	job.host_set_count = 2;
	job.host_sets[0] = 0;
	job.host_sets[1] = 1;
	submit_request(&scene, &job);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 2), 1);
	assert_int_equal(said(&scene, 2)->host_set, 1);
	/* Only the host of its own set, though the other one is as good. */
	job.id = 3;
	job.host_set_count = 1;
	job.host_sets[0] = 1;
	submit_request(&scene, &job);
	decide(&scene, 2);
	assert_int_equal(host_of(&scene, 3), 1);
	finish(&scene);
}

static void test_order_of_waiting_jobs(void **state)
{
	struct lxfw_request late = request(3, 0, 1, 600, 100);
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 900, 100);
	submit(&scene, 2, 1, 600, 100);
	decide(&scene, 0);
	assert_int_equal(started(&scene, 1), 8);
	assert_int_equal(started(&scene, 2), 0);
	late.tier = 1;
	submit_request(&scene, &late);
	/* A job that does not fit does not block those behind it. */
	submit(&scene, 4, 1, 100, 100);
	decide(&scene, 1);
	assert_int_equal(started(&scene, 4), 1);
	end(&scene, 1);
	decide(&scene, 2);
	assert_int_equal(started(&scene, 3), 1);	/* because of its tier */
	assert_int_equal(started(&scene, 2), 0);
	end(&scene, 3);
	decide(&scene, 3);
	assert_int_equal(started(&scene, 2), 1);
	finish(&scene);
}

static void test_exclusive_and_several_hosts(void **state)
{
	struct lxfw_request whole = request(2, 0, 2, 100, 100);
	struct lxfw_request wide = request(3, 0, 1, 0, 100);
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 4, 1000);
	host_with(&scene, 1, 4, 1000);
	submit(&scene, 1, 1, 10, 100);
	whole.exclusive = true;
	submit_request(&scene, &whole);
	wide.count = 2;
	submit_request(&scene, &wide);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 2), 1);
	assert_int_equal(started(&scene, 2), 4);
	assert_null(said(&scene, 3));
	/* No job shares with an exclusive job, even if the other host is crowded. */
	for (uint64_t id = 4; id <= 9; id++)
		submit(&scene, id, 4, 10, 100);
	decide(&scene, 1);
	for (uint64_t id = 4; id <= 6; id++) {
		assert_int_equal(host_of(&scene, id), 0);
		assert_int_equal(started(&scene, id), 1);
	}
	assert_null(said(&scene, 7));
	/* Host 1 is empty. The jobs assigned to host 0 stay there. */
	end(&scene, 2);
	whole.id = 10;
	submit_request(&scene, &whole);
	decide(&scene, 2);
	assert_int_equal(host_of(&scene, 10), 1);
	finish(&scene);
}

/* A job of pieces anywhere is a job of one host if there is only one host. */
static void test_pieces_on_the_only_host(void **state)
{
	struct lxfw_request job = request(1, 0, 1, 10, 100);
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 4, 1000);
	job.shape = LXFW_SHAPE_ANYWHERE;
	job.count = 4;
	submit_request(&scene, &job);
	job.id = 2;
	submit_request(&scene, &job);
	decide(&scene, 0);
	assert_int_equal(started(&scene, 1), 2);
	assert_int_equal(started(&scene, 2), 2);
	assert_int_equal(said(&scene, 2)->shares[0].amount.memory_mb, 40);
	finish(&scene);
}

/* --- partition ---------------------------------------------------------- */

/*
 * Without a minimum interval, at every change:
 *
 *     0  1 1 1 1 1 1 1 1    1 asks for 8
 *    10  1 1 1 1 2 2 2 2    2 asks for 8
 *    20  1 1 1 2 2 2 3 3    3 asks for 2
 *    30  1 1 1 1 1 1 3 3    2 ends
 *    40  1 1 1 1 1 1 1 1    3 ends
 */
static void test_at_every_change(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 10, 100);
	decide(&scene, 0);
	assert_int_equal(started(&scene, 1), 8);
	submit(&scene, 2, 8, 10, 100);
	decide(&scene, 10);
	assert_int_equal(resized(&scene, 1), 4);
	assert_int_equal(started(&scene, 2), 4);
	/* Shrinking actions precede growing ones. */
	assert_int_equal(scene.decision.actions[0].job, 1);
	assert_int_equal(said(&scene, 1)->shares[0].amount.memory_mb, 10);
	submit(&scene, 3, 2, 10, 100);
	decide(&scene, 20);
	assert_int_equal(resized(&scene, 1), 3);
	assert_int_equal(resized(&scene, 2), 3);
	assert_int_equal(started(&scene, 3), 2);
	scene.now = 30;
	end(&scene, 2);
	decide(&scene, 30);
	assert_int_equal(resized(&scene, 1), 6);
	assert_null(said(&scene, 3));
	assert_int_equal(scene.decision.wake, LXFW_NEVER);
	scene.now = 40;
	end(&scene, 3);
	decide(&scene, 40);
	assert_int_equal(resized(&scene, 1), 8);
	finish(&scene);
}

/*
 * A minimum interval of 300:
 *
 *     0  1 1 1 1 1 1 1 1    nothing was repartitioned yet
 *    10  1 1 1 1 2 2 2 2
 *    20  1 1 1 1 2 2 2 2    3 asks for 2 and has none
 *    60  1 1 1 1 3 3 . .    2 ends: 3 starts on what it leaves
 *    70  1 1 1 1 3 3 4 4    4 asks for 4, takes what there is
 *   310  1 1 1 3 3 4 4 4    3 + 2 + 3
 *   320  1 1 1 3 3 4 4 4    5 asks for 1
 *   400  1 1 1 . . 4 4 4    3 ends: 5 starts
 *   610  1 1 1 1 5 4 4 4
 */
static void test_minimum_interval(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=eqspatial");
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 10, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 8, 10, 1000);
	decide(&scene, 10);
	assert_int_equal(resized(&scene, 1), 4);
	assert_int_equal(started(&scene, 2), 4);
	submit(&scene, 3, 2, 10, 1000);
	decide(&scene, 20);
	says_nothing(&scene);
	assert_int_equal(scene.decision.wake, 310);
	assert_int_equal(scene.decision.waiting, 1);
	scene.now = 60;
	end(&scene, 2);
	decide(&scene, 60);
	assert_int_equal(started(&scene, 3), 2);
	assert_null(said(&scene, 1));
	assert_int_equal(scene.decision.wake, 310);
	submit(&scene, 4, 4, 10, 1000);
	decide(&scene, 70);
	assert_int_equal(started(&scene, 4), 2);
	decide(&scene, 309);
	says_nothing(&scene);
	decide(&scene, 310);
	assert_int_equal(resized(&scene, 1), 3);
	assert_null(said(&scene, 3));
	assert_int_equal(resized(&scene, 4), 3);
	assert_int_equal(scene.decision.wake, LXFW_NEVER);
	submit(&scene, 5, 1, 10, 1000);
	decide(&scene, 320);
	says_nothing(&scene);
	assert_int_equal(scene.decision.wake, 610);
	scene.now = 400;
	end(&scene, 3);
	decide(&scene, 400);
	assert_int_equal(started(&scene, 5), 1);
	decide(&scene, 610);
	assert_int_equal(resized(&scene, 1), 4);
	assert_null(said(&scene, 4));
	finish(&scene);
}

/* A partition that changes no job's number does not begin a new interval. An end and a
   submission at the same time cause one repartition. */
static void test_what_counts_as_repartition(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=eqspatial");
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 4, 10, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 4, 10, 1000);
	decide(&scene, 10);
	assert_int_equal(started(&scene, 2), 4);
	submit(&scene, 3, 4, 10, 1000);
	decide(&scene, 20);
	assert_int_equal(resized(&scene, 1), 3);
	assert_int_equal(resized(&scene, 2), 3);
	assert_int_equal(started(&scene, 3), 2);
	/* 2 ends and 4 is submitted: it gets the 3 free processors. That is as equal as
	   3, 3 and 2 for 1, 3 and 4. */
	scene.now = 100;
	end(&scene, 2);
	submit(&scene, 4, 4, 10, 1000);
	decide(&scene, 100);
	assert_int_equal(started(&scene, 4), 3);
	assert_null(said(&scene, 3));
	assert_int_equal(scene.decision.wake, LXFW_NEVER);
	/* One more job: 2 each. Job 5 does not start with the free processors. */
	scene.now = 400;
	end(&scene, 4);
	submit(&scene, 5, 4, 10, 1000);
	submit(&scene, 6, 4, 10, 1000);
	decide(&scene, 400);
	assert_int_equal(resized(&scene, 1), 2);
	assert_null(said(&scene, 3));
	assert_int_equal(started(&scene, 5), 2);
	assert_int_equal(started(&scene, 6), 2);
	finish(&scene);
}

/*
 * More jobs than processors: the first have one each.
 *
 *     0  1 1     wait: -
 *     1  1 2           3 4
 *     2  1 2           3     4 is cancelled
 *     3  1 3           -     2 ends
 */
static void test_more_jobs_than_processors(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 2, 1000);
	submit(&scene, 1, 2, 300, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 2, 300, 1000);
	submit(&scene, 3, 1, 300, 1000);
	submit(&scene, 4, 1, 50, 1000);
	decide(&scene, 1);
	assert_int_equal(resized(&scene, 1), 1);
	assert_int_equal(started(&scene, 2), 1);
	assert_null(said(&scene, 3));
	assert_null(said(&scene, 4));
	assert_int_equal(scene.decision.wake, LXFW_NEVER);
	/* Its memory is allocated nevertheless: 950 of 1000. */
	submit(&scene, 5, 1, 100, 1000);
	decide(&scene, 1);
	end(&scene, 4);
	decide(&scene, 2);
	says_nothing(&scene);
	assert_int_equal(scene.decision.waiting, 2);
	end(&scene, 2);
	decide(&scene, 3);
	assert_int_equal(started(&scene, 3), 1);
	assert_null(said(&scene, 5));
	end(&scene, 3);
	decide(&scene, 4);
	assert_int_equal(started(&scene, 5), 1);
	finish(&scene);
}

/* An assigned job that is changed is placed again. Memory that it no longer needs is
   available to others: to 3 before 4, which arrives later. When it is cancelled, all of
   its memory is available: to 5 before 6. */
static void test_assigned_job_changes(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_CHANGE };
	struct lxfw_request job;
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 1, 1000);
	submit(&scene, 1, 1, 500, 100);
	submit(&scene, 2, 1, 500, 100);
	submit(&scene, 3, 1, 100, 100);
	decide(&scene, 0);
	assert_int_equal(started(&scene, 1), 1);
	job = request(2, 0, 1, 400, 100);
	event.request = &job;
	apply(&scene, &event);
	decide(&scene, 1);
	says_nothing(&scene);
	submit(&scene, 4, 1, 0, 100);
	submit(&scene, 5, 1, 200, 100);
	decide(&scene, 2);
	end(&scene, 1);
	decide(&scene, 3);
	assert_int_equal(started(&scene, 2), 1);
	assert_int_equal(said(&scene, 2)->shares[0].amount.memory_mb, 400);
	end(&scene, 2);
	decide(&scene, 4);
	assert_int_equal(started(&scene, 3), 1);
	/* 100 and 200 MB are allocated; 4 and 5 are assigned. */
	submit(&scene, 6, 1, 600, 100);
	submit(&scene, 7, 1, 300, 100);
	decide(&scene, 5);
	end(&scene, 6);
	decide(&scene, 6);	/* 7 is assigned */
	submit(&scene, 8, 1, 0, 100);
	decide(&scene, 7);
	for (uint64_t id = 3; id <= 5; id++) {
		end(&scene, id);
		decide(&scene, 8);
	}
	assert_int_equal(started(&scene, 7), 1);
	finish(&scene);
}

/*
 * Jobs that have run for 100 s get their full request:
 *
 *     0  1 1 1 1 1 1 . .
 *    10  1 1 1 1 2 2 2 2
 *    20  1 1 1 2 2 2 3 3
 *   100  1 1 1 1 1 1 2 3    1 asked for 6
 *   110  1 1 1 1 1 1 2 3    2 for 8, the first placed comes first
 *   130  2 2 2 2 2 2 2 3    1 ends
 */
static void test_full_after(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0 ",lxfw_eq_full_after=100");
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 6, 10, 1000);
	decide(&scene, 0);
	assert_int_equal(scene.decision.wake, 100);
	submit(&scene, 2, 8, 10, 1000);
	decide(&scene, 10);
	assert_int_equal(resized(&scene, 1), 4);
	submit(&scene, 3, 8, 10, 1000);
	decide(&scene, 20);
	assert_int_equal(resized(&scene, 2), 3);
	assert_int_equal(scene.decision.wake, 100);
	decide(&scene, 99);
	says_nothing(&scene);
	decide(&scene, 100);
	assert_int_equal(resized(&scene, 1), 6);
	assert_int_equal(resized(&scene, 2), 1);
	assert_int_equal(resized(&scene, 3), 1);
	assert_int_equal(scene.decision.wake, 110);
	decide(&scene, 110);
	says_nothing(&scene);
	assert_int_equal(scene.decision.wake, 120);
	decide(&scene, 120);
	assert_int_equal(scene.decision.wake, LXFW_NEVER);
	scene.now = 130;
	end(&scene, 1);
	decide(&scene, 130);
	assert_int_equal(resized(&scene, 2), 7);
	assert_null(said(&scene, 3));
	finish(&scene);
}

/* New parameters take effect immediately. */
static void test_parameters_change(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=eqspatial");
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 10, 1000);
	submit(&scene, 2, 8, 10, 1000);
	decide(&scene, 0);
	scene.now = 100;
	take_params(&scene, "lxfw_policy=eqspatial,lxfw_eq_full_after=100");
	decide(&scene, 100);
	assert_int_equal(resized(&scene, 1), 7);
	assert_int_equal(resized(&scene, 2), 1);
	scene.now = 200;
	take_params(&scene, "lxfw_policy=eqspatial");
	decide(&scene, 200);
	says_nothing(&scene);
	assert_int_equal(scene.decision.wake, 400);
	take_params(&scene, EQ_0);
	decide(&scene, 210);
	assert_int_equal(resized(&scene, 1), 4);
	finish(&scene);
}

/* The expected end depends on the processors. Jobs 1 and 2 request 8 processors and 100
   s; with 4 they need 200 s. At 50 one of them ends. The other one has done 25 of its
   100 s and ends at 125. */
static void test_expected_end(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 10, 100);
	submit(&scene, 2, 8, 10, 100);
	decide(&scene, 0);
	assert_int_equal(started(&scene, 1), 4);
	assert_int_equal(started(&scene, 2), 4);
	scene.now = 40;
	take_params(&scene, "lxfw_policy=easy");
	submit(&scene, 3, 8, 10, 100);
	decide(&scene, 40);
	assert_int_equal(reserved(&scene, 3), 200);
	take_params(&scene, EQ_0);
	scene.now = 50;
	end(&scene, 2);
	end(&scene, 3);
	decide(&scene, 50);
	assert_int_equal(resized(&scene, 1), 8);
	take_params(&scene, "lxfw_policy=easy");
	submit(&scene, 4, 8, 10, 100);
	decide(&scene, 60);
	assert_int_equal(reserved(&scene, 4), 125);
	finish(&scene);
}

/* Job 1 has done 50 of its 100 s when its share becomes 4 of 8 processors: it is
   expected to end at 150. When it is late, it is late from then on: at 300 it is
   expected to run for the same time again. */
static void test_expected_end_of_one_resized(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 10, 100);
	decide(&scene, 0);
	scene.now = 50;
	submit(&scene, 2, 8, 10, 100);
	decide(&scene, 50);
	assert_int_equal(resized(&scene, 1), 4);
	scene.now = 120;
	take_params(&scene, "lxfw_policy=easy");
	submit(&scene, 3, 4, 10, 100);
	decide(&scene, 120);
	assert_int_equal(reserved(&scene, 3), 150);
	scene.now = 300;
	end(&scene, 2);
	end(&scene, 3);
	submit(&scene, 4, 8, 10, 100);
	decide(&scene, 300);
	assert_int_equal(reserved(&scene, 4), 450);
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fewest_unallocated_of_those_with_enough),
		cmocka_unit_test(test_largest_ratio),
		cmocka_unit_test(test_equal_ratios),
		cmocka_unit_test(test_memory_and_extras_limit_the_hosts),
		cmocka_unit_test(test_host_sets_in_turn),
		cmocka_unit_test(test_order_of_waiting_jobs),
		cmocka_unit_test(test_exclusive_and_several_hosts),
		cmocka_unit_test(test_pieces_on_the_only_host),
		cmocka_unit_test(test_at_every_change),
		cmocka_unit_test(test_minimum_interval),
		cmocka_unit_test(test_what_counts_as_repartition),
		cmocka_unit_test(test_more_jobs_than_processors),
		cmocka_unit_test(test_assigned_job_changes),
		cmocka_unit_test(test_full_after),
		cmocka_unit_test(test_parameters_change),
		cmocka_unit_test(test_expected_end),
		cmocka_unit_test(test_expected_end_of_one_resized),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
