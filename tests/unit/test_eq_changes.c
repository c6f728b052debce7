/* SPDX-License-Identifier: GPL-2.0-or-later */
/* EQspatial: jobs that wait for memory, quanta, and external changes of hosts and jobs,
   one small scene each, computed by hand. */
#include "tests/unit/eq_scene.h"

/* --- waiting for memory ------------------------------------------------- */

/*
 * Two hosts with 8 processors and 1000 MB. 5 and 6 are on host 1 with 950 MB.
 *
 *   host 0, memory      0  1 1 1 1 1 1 . . . .
 *                     100  1 1 1 1 1 1 . . . .    2 requests 600 MB
 *                     150  1 1 1 1 1 1 3 . . .
 *                     200  2 2 2 2 2 2 3 . . .    1 ends
 *   processors          0  1 1 1 1 1 1 1 1
 *                     150  1 1 1 1 3 3 3 3
 *                     200  2 2 2 2 2 2 3 3        2 has its requested 6
 *                     350  2 2 2 2 3 3 3 3        and has caught up
 *
 * If 2 had started at 100, it would have had 4 of 8 processors with 1 alone (50 s), then
 * 2 of 8 as the last of three (50 s): at 200 it lacks 300 processor-seconds. From then on
 * it has 6, and its equal share is 4: 2 more, for 150 s.
 *
 * In the meantime these 2 are deducted when 4, which requests 8, is placed:
 * host 0 (8 - 2) / (6 + 8 + 8) = 0.27, host 1 8 / (8 + 8 + 8) = 0.33.
 */
static void memory_scene(struct scene *scene)
{
	begin(scene, EQ_0);
	host_with(scene, 0, 8, 1000);
	host_with(scene, 1, 8, 1000);
	submit(scene, 1, 8, 600, 1000);
	submit(scene, 5, 8, 500, 1000);
	submit(scene, 6, 8, 450, 1000);
	decide(scene, 0);
	assert_int_equal(host_of(scene, 1), 0);
	assert_int_equal(host_of(scene, 5), 1);
	assert_int_equal(host_of(scene, 6), 1);
	scene->now = 100;
	submit(scene, 2, 6, 600, 1000);
	decide(scene, 100);
	says_nothing(scene);
	scene->now = 150;
	submit(scene, 3, 8, 100, 1000);
	decide(scene, 150);
	assert_int_equal(host_of(scene, 3), 0);
	assert_int_equal(resized(scene, 1), 4);
	scene->now = 200;
	end(scene, 1);
	decide(scene, 200);
	assert_int_equal(host_of(scene, 2), 0);
	assert_int_equal(started(scene, 2), 6);
	assert_int_equal(resized(scene, 3), 2);
	assert_int_equal(scene->decision.wake, 350);
}

static void test_catches_up(void **state)
{
	struct scene scene;

	(void)state;
	memory_scene(&scene);
	scene.now = 210;
	submit(&scene, 4, 8, 40, 1000);
	decide(&scene, 210);
	assert_int_equal(host_of(&scene, 4), 1);
	decide(&scene, 349);
	says_nothing(&scene);
	decide(&scene, 350);
	assert_int_equal(resized(&scene, 2), 4);
	assert_int_equal(resized(&scene, 3), 4);
	assert_int_equal(scene.decision.wake, LXFW_NEVER);
	/* Without the deduction host 0 would be better: 8/22. */
	scene.now = 360;
	end(&scene, 4);
	submit(&scene, 7, 8, 40, 1000);
	decide(&scene, 360);
	assert_int_equal(host_of(&scene, 7), 0);
	finish(&scene);
}

/* While job 2 catches up, its virtual progress continues. Another job is submitted at
   250, when 2 lacks 200 processor-seconds. Its equal share is then 3 (of 8, 3, 2 and 7
   would have 3, 3 and 2 in the order of placement). It has 6, 3 more than that: until
   250 + 200/3, rounded up. */
static void test_catching_up_continues(void **state)
{
	static const int32_t alone[1] = { 0 };
	struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET };
	struct lxfw_request job = request(7, 250, 2, 0, 1000);
	struct scene scene;

	(void)state;
	memory_scene(&scene);
	scene.now = 250;
	event.host_set.count = 1;
	event.host_set.hosts = alone;
	apply(&scene, &event);
	job.host_set_count = 1;
	submit_request(&scene, &job);
	decide(&scene, 250);
	assert_int_equal(resized(&scene, 3), 1);
	assert_int_equal(started(&scene, 7), 1);
	assert_null(said(&scene, 2));
	assert_int_equal(scene.decision.wake, 250 + 67);
	decide(&scene, 317);
	assert_int_equal(resized(&scene, 2), 3);
	assert_int_equal(resized(&scene, 3), 3);
	assert_int_equal(resized(&scene, 7), 2);
	finish(&scene);
}

/* With a minimum interval, a job that has caught up keeps its processors until the
   interval has passed. */
static void test_catching_up_and_minimum_interval(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=eqspatial,lxfw_eq_min_interval=1000");
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 600, 1000);
	submit(&scene, 3, 8, 100, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 6, 600, 1000);
	decide(&scene, 0);
	/* 100 s of 2 of 8 processors */
	scene.now = 100;
	end(&scene, 1);
	decide(&scene, 100);
	assert_int_equal(started(&scene, 2), 6);
	assert_int_equal(resized(&scene, 3), 2);
	assert_int_equal(scene.decision.wake, 200);
	decide(&scene, 200);
	says_nothing(&scene);
	assert_int_equal(scene.decision.wake, 1100);
	decide(&scene, 1100);
	assert_int_equal(resized(&scene, 2), 4);
	assert_int_equal(resized(&scene, 3), 4);
	finish(&scene);
}

/*
 * Two jobs with the same request are tracked separately, each from its own arrival: 2
 * at 100, 3 at 150, when it is known that 2 does not fit.
 *
 *   100  4 of 8 for 2       150  and for 3
 *   200  2 has its 6        3 has 4 of 8
 *   290  4 comes, has 2     3 would have 2 of 8
 *   300  3 has its 6        it lacks 50 * 4 + 90 * 4 + 10 * 2 = 580, by 2 a second
 */
static void test_each_is_counted(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 600, 1000);
	decide(&scene, 0);
	scene.now = 100;
	submit(&scene, 2, 6, 600, 1000);
	decide(&scene, 100);
	scene.now = 150;
	submit(&scene, 3, 6, 600, 1000);
	decide(&scene, 150);
	scene.now = 200;
	end(&scene, 1);
	decide(&scene, 200);
	assert_int_equal(started(&scene, 2), 6);
	scene.now = 290;
	submit(&scene, 4, 8, 100, 1000);
	decide(&scene, 290);
	assert_int_equal(started(&scene, 4), 2);
	scene.now = 300;
	end(&scene, 2);
	decide(&scene, 300);
	assert_int_equal(started(&scene, 3), 6);
	assert_null(said(&scene, 4));
	assert_int_equal(scene.decision.wake, 590);
	finish(&scene);
}

/* Under another policy, deficits are not tracked. */
static void test_counting_ends_with_the_policy(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 600, 1000);
	submit(&scene, 2, 8, 100, 1000);
	submit(&scene, 3, 8, 600, 1000);
	decide(&scene, 0);
	scene.now = 100;
	take_params(&scene, "lxfw_policy=easy");
	decide(&scene, 100);
	scene.now = 200;
	take_params(&scene, EQ_0);
	decide(&scene, 200);
	scene.now = 250;
	end(&scene, 1);
	decide(&scene, 250);
	/* 2 of 8 for 50 s; then 3 more than its equal share of 4 */
	assert_int_equal(started(&scene, 3), 7);
	assert_int_equal(scene.decision.wake, 250 + 34);
	finish(&scene);
}

/* The host on which job 3 is tracked goes down, and no other host could hold it. It is
   tracked on none until the host returns. */
static void test_counted_elsewhere(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 8, 1000);
	host_with(&scene, 1, 8, 500);
	submit(&scene, 1, 8, 900, 1000);
	submit(&scene, 2, 4, 460, 1000);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 0);
	assert_int_equal(host_of(&scene, 2), 1);
	submit(&scene, 3, 8, 900, 1000);	/* 4 of 8, with 1 */
	decide(&scene, 0);
	says_nothing(&scene);
	scene.now = 100;			/* 400 so far */
	host_is(&scene, 0, false, 8, 1000);
	decide(&scene, 100);
	scene.now = 200;			/* none while the host is down */
	host_is(&scene, 0, true, 8, 1000);
	decide(&scene, 200);
	says_nothing(&scene);
	scene.now = 300;			/* and 400 again */
	end(&scene, 1);
	submit(&scene, 4, 8, 50, 1000);
	decide(&scene, 300);
	assert_int_equal(started(&scene, 3), 7);
	assert_int_equal(started(&scene, 4), 1);
	/* It has 7, its equal share is 4: 800 / 3. */
	assert_int_equal(scene.decision.wake, 300 + 267);
	finish(&scene);
}

/*
 * A job whose memory does not fit gets a quantum, with 100 MB of its 600. The host is
 * not repartitioned during the quantum: 3 is assigned and waits.
 *
 *     0  1 1 1 1 1 1 1 1
 *   100  2 2 2 2 2 2 . .    1 is suspended
 *   160  1 1 1 1 3 3 3 3    2 is requeued
 *   200  2 2 2 2 2 2 3 3    1 ends
 *   320  2 2 2 2 3 3 3 3
 *
 * The deficit of 2 is tracked from its arrival on: 4 of 8 for 20 s, 2 of 8 for 80 s.
 */
static void test_quantum(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0 ",lxfw_quantum=60,lxfw_quantum_mem=100,"
		      "lxfw_quantum_min_run=0");
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 600, 1000);
	decide(&scene, 0);
	scene.now = 100;
	submit(&scene, 2, 6, 600, 1000);
	decide(&scene, 100);
	assert_int_equal(said(&scene, 1)->type, LXFW_ACTION_SUSPEND);
	assert_int_equal(started(&scene, 2), 6);
	assert_int_equal(said(&scene, 2)->until, 160);
	assert_int_equal(said(&scene, 2)->shares[0].amount.memory_mb, 100);
	scene.now = 120;
	submit(&scene, 3, 8, 100, 1000);
	decide(&scene, 120);
	says_nothing(&scene);	/* it gets no quantum: it waits for processors, not for
	                     	 * memory */
	decide(&scene, 160);
	assert_int_equal(scene.decision.count, 4);
	assert_non_null(action_of(&scene, LXFW_ACTION_REQUEUE, 2));
	assert_non_null(action_of(&scene, LXFW_ACTION_RESUME, 1));
	assert_int_equal(action_of(&scene, LXFW_ACTION_RESIZE, 1)
				 ->shares[0].amount.procs, 4);
	assert_int_equal(started(&scene, 3), 4);
	scene.now = 200;
	end(&scene, 1);
	decide(&scene, 200);
	assert_int_equal(started(&scene, 2), 6);
	assert_int_equal(resized(&scene, 3), 2);
	assert_int_equal(scene.decision.wake, 320);
	decide(&scene, 320);
	assert_int_equal(resized(&scene, 2), 4);
	assert_int_equal(resized(&scene, 3), 4);
	finish(&scene);
}

/* --- what happens to hosts and jobs ------------------------------------- */

static void test_host_down(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 2, 1000);
	host_with(&scene, 1, 1, 1000);
	submit(&scene, 1, 1, 10, 1000);		/* to host 1 */
	submit(&scene, 2, 2, 10, 1000);		/* to host 0 */
	submit(&scene, 3, 2, 10, 1000);
	submit(&scene, 4, 2, 10, 1000);		/* waits there */
	decide(&scene, 0);
	assert_int_equal(started(&scene, 2), 1);
	assert_int_equal(started(&scene, 3), 1);
	host_is(&scene, 0, false, 2, 1000);
	end(&scene, 2);
	decide(&scene, 1);
	says_nothing(&scene);	/* 3 is unchanged, 4 fits on no other host */
	submit(&scene, 5, 1, 10, 1000);
	decide(&scene, 2);
	says_nothing(&scene);	/* is assigned to host 1 */
	host_is(&scene, 0, true, 2, 1000);
	decide(&scene, 3);
	assert_int_equal(started(&scene, 4), 1);
	host_is(&scene, 1, false, 1, 1000);
	decide(&scene, 4);
	says_nothing(&scene);
	end(&scene, 4);
	decide(&scene, 5);
	assert_int_equal(host_of(&scene, 5), 0);
	assert_null(said(&scene, 3));
	finish(&scene);
}

/* Within the interval shares change only if more is allocated than the host has. */
static void test_totals_change(void **state)
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
	host_is(&scene, 0, true, 10, 1000);
	decide(&scene, 20);
	says_nothing(&scene);
	assert_int_equal(scene.decision.wake, 310);
	host_is(&scene, 0, true, 5, 1000);
	decide(&scene, 30);
	assert_int_equal(resized(&scene, 1), 3);
	assert_int_equal(resized(&scene, 2), 2);
	host_is(&scene, 0, true, 1, 1000);
	decide(&scene, 40);
	assert_int_equal(resized(&scene, 1), 1);
	assert_int_equal(resized(&scene, 2), 1);
	assert_int_equal(scene.decision.wake, LXFW_NEVER);
	finish(&scene);
}

/*
 * A block of 6 processors from 100 to 200. Job 2 runs for 300 and needs a processor
 * outside of the block. For 3 there is none.
 *
 *     0  1 1 1 1 1 1 1 1
 *    10  1 1 1 1 2 2 2 2
 *   100  # # # # # # 1 2
 *   200  1 1 1 1 2 2 2 2
 */
static void test_beside_a_block(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=eqspatial");
	host_with(&scene, 0, 8, 1000);
	block(&scene, 6, 100, 200);
	submit(&scene, 1, 8, 10, 1000);
	decide(&scene, 0);
	assert_int_equal(started(&scene, 1), 8);
	submit(&scene, 2, 8, 10, 300);
	submit(&scene, 3, 8, 10, 300);
	decide(&scene, 10);
	assert_int_equal(started(&scene, 2), 4);
	assert_null(said(&scene, 3));
	submit(&scene, 4, 2, 10, 50);	/* ends before the block */
	decide(&scene, 20);
	scene.now = 30;
	end(&scene, 3);
	end(&scene, 4);
	decide(&scene, 30);
	decide(&scene, 100);
	assert_int_equal(resized(&scene, 1), 1);
	assert_int_equal(resized(&scene, 2), 1);
	decide(&scene, 200);
	says_nothing(&scene);
	assert_int_equal(scene.decision.wake, 400);
	decide(&scene, 400);
	assert_int_equal(resized(&scene, 1), 4);
	assert_int_equal(resized(&scene, 2), 4);
	finish(&scene);
}

/* A block of the whole host: a job that ends exactly at its begin runs before it. */
static void test_just_before_a_block(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=eqspatial");
	host_with(&scene, 0, 8, 1000);
	block(&scene, 8, 100, 200);
	submit(&scene, 1, 8, 10, 101);
	decide(&scene, 0);
	assert_null(said(&scene, 1));
	submit(&scene, 2, 8, 10, 100);
	decide(&scene, 0);
	assert_int_equal(started(&scene, 2), 8);
	finish(&scene);
}

/* Jobs started by others keep their processors. */
static void test_others_keep_theirs(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 8, 1000);
	told_to_run(&scene, 9, 0, 3, 10);
	submit(&scene, 1, 8, 10, 1000);
	submit(&scene, 2, 8, 10, 1000);
	decide(&scene, 0);
	assert_int_equal(started(&scene, 1), 3);
	assert_int_equal(started(&scene, 2), 2);
	scene.now = 10;
	end(&scene, 9);
	decide(&scene, 10);
	assert_int_equal(resized(&scene, 1), 4);
	assert_int_equal(resized(&scene, 2), 4);
	finish(&scene);
}

static void test_refused(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 600, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 8, 300, 1000);
	decide(&scene, 10);
	assert_int_equal(started(&scene, 2), 4);
	refuse(&scene, 2, 30);
	decide(&scene, 10);
	assert_int_equal(resized(&scene, 1), 8);
	assert_int_equal(scene.decision.wake, 30);
	decide(&scene, 30);
	assert_int_equal(resized(&scene, 1), 4);
	assert_int_equal(started(&scene, 2), 4);
	finish(&scene);
}

/* An event about a running job is accepted as it is: with other processors the job
   takes part in the next repartition, without any it is left out, and on two hosts it
   is not managed. */
static void test_changed_by_an_event(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=eqspatial");
	host_with(&scene, 0, 8, 1000);
	host_with(&scene, 1, 1, 1000);
	submit(&scene, 1, 8, 10, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 8, 10, 1000);
	decide(&scene, 10);
	assert_int_equal(resized(&scene, 1), 4);
	scene.now = 20;
	told_to_run(&scene, 1, 0, 2, 10);	/* 2 and 4 of 8 */
	decide(&scene, 20);
	says_nothing(&scene);
	assert_int_equal(scene.decision.wake, 310);
	decide(&scene, 310);
	assert_int_equal(resized(&scene, 1), 4);
	assert_null(said(&scene, 2));
	scene.now = 400;
	told_to_run(&scene, 1, 0, 0, 10);	/* suspended */
	decide(&scene, 400);
	says_nothing(&scene);
	decide(&scene, 610);
	assert_int_equal(resized(&scene, 2), 8);
	assert_null(said(&scene, 1));
	scene.now = 1000;
	told_to_run(&scene, 2, 0, 4, 10);
	told_to_run(&scene, 1, 0, 4, 10);	/* resumed */
	decide(&scene, 1000);
	says_nothing(&scene);
	scene.now = 1001;
	end(&scene, 2);
	decide(&scene, 1001);
	assert_int_equal(resized(&scene, 1), 8);
	scene.now = 2000;
	told_to_run(&scene, 1, 1, 1, 10);	/* on the other host */
	submit(&scene, 3, 8, 10, 1000);
	decide(&scene, 2000);
	assert_int_equal(started(&scene, 3), 8);
	assert_null(said(&scene, 1));
	finish(&scene);
}

/* A running job whose shares are changed by an event keeps its position among the jobs
   of its host: it is still the first that gets its full request. */
static void test_changed_by_an_event_keeps_its_position(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0 ",lxfw_eq_full_after=10");
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 10, 1000);
	submit(&scene, 2, 8, 10, 1000);
	decide(&scene, 0);
	decide(&scene, 10);
	assert_int_equal(resized(&scene, 1), 7);
	scene.now = 20;
	told_to_run(&scene, 1, 0, 3, 10);
	decide(&scene, 20);
	assert_int_equal(resized(&scene, 1), 7);
	assert_null(said(&scene, 2));
	finish(&scene);
}

/*
 * The policy is changed and changed back. Running jobs keep their processors, and
 * assigned jobs wait as others. Afterwards, EQspatial manages the jobs that it started
 * again, but not those that the other policy started.
 *
 *     0  1 1 1 2 2 2 | 3 requests 1: assigned, then not
 *    10  1 1 1 2 2 2   easy
 *    20  1 1 1 3 . .   2 ends; 3 starts, 4 (requests 2) too
 *        1 1 1 3 4 4
 *    30  1 1 1 3 4 4   eqspatial
 *    40  1 1 1 1 4 4   3 ends, which was started by easy
 */
static void test_policy_changes(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=eqspatial,lxfw_eq_min_interval=1000");
	host_with(&scene, 0, 6, 1000);
	submit(&scene, 1, 6, 10, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 6, 10, 1000);
	decide(&scene, 0);
	assert_int_equal(started(&scene, 2), 3);
	submit(&scene, 3, 1, 900, 1000);
	decide(&scene, 1);
	says_nothing(&scene);
	scene.now = 10;
	take_params(&scene, "lxfw_policy=easy");
	submit(&scene, 4, 2, 50, 1000);
	decide(&scene, 10);
	assert_null(said(&scene, 4));
	assert_true(reserved(&scene, 3) > 10);
	scene.now = 20;
	end(&scene, 2);
	decide(&scene, 20);
	assert_int_equal(started(&scene, 3), 1);
	assert_int_equal(started(&scene, 4), 2);
	assert_int_equal(scene.decision.wake, LXFW_NEVER);
	scene.now = 30;
	take_params(&scene, EQ_0);
	decide(&scene, 30);
	says_nothing(&scene);
	scene.now = 40;
	end(&scene, 3);
	decide(&scene, 40);
	assert_int_equal(resized(&scene, 1), 4);
	assert_null(said(&scene, 4));
	finish(&scene);
}

/* A job assigned to a host waits for any host when the policy changes. This includes
   the first job in the model, and times before 0. */
static void test_assigned_when_the_policy_goes(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	scene.now = -1000;
	host_with(&scene, 0, 1, 1000);
	submit(&scene, 3, 1, 10, 1000);
	submit(&scene, 1, 1, 10, 1000);
	end(&scene, 3);		/* its entry in the model is free */
	submit(&scene, 2, 1, 10, 1000);
	scene.now = -990;
	end(&scene, 2);
	decide(&scene, -990);
	assert_int_equal(started(&scene, 1), 1);
	submit(&scene, 4, 1, 500, 1000);
	decide(&scene, -980);
	submit(&scene, 5, 1, 600, 1000);	/* 4 has the memory */
	decide(&scene, -970);
	assert_null(said(&scene, 4));
	assert_null(said(&scene, 5));
	scene.now = -960;
	take_params(&scene, "lxfw_policy=easy");
	end(&scene, 1);
	decide(&scene, -960);
	assert_int_equal(started(&scene, 4), 1);
	assert_int_equal(reserved(&scene, 5), 40);
	finish(&scene);
}

/* A job that waited and has no minimum of processors is not shared when others start
   it. */
static void test_others_start_one_that_waited(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 4, 1000);
	submit(&scene, 1, 4, 10, 1000);
	told_to_run(&scene, 1, 0, 4, 10);
	submit(&scene, 2, 4, 10, 1000);
	decide(&scene, 10);
	decide(&scene, 1000);
	assert_null(said(&scene, 1));
	assert_null(said(&scene, 2));
	scene.now = 1100;
	end(&scene, 1);
	decide(&scene, 1100);
	assert_int_equal(started(&scene, 2), 4);
	finish(&scene);
}

/* Reservations of another policy are removed. */
static void test_reservations_are_removed(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 900, 1000);
	submit(&scene, 2, 8, 900, 1000);
	decide(&scene, 0);
	assert_int_equal(reserved(&scene, 2), 1000);
	take_params(&scene, EQ_0);
	decide(&scene, 1);
	assert_non_null(action_of(&scene, LXFW_ACTION_UNRESERVE, 2));
	assert_int_equal(scene.decision.count, 1);
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_catches_up),
		cmocka_unit_test(test_catching_up_continues),
		cmocka_unit_test(test_catching_up_and_minimum_interval),
		cmocka_unit_test(test_each_is_counted),
		cmocka_unit_test(test_counting_ends_with_the_policy),
		cmocka_unit_test(test_counted_elsewhere),
		cmocka_unit_test(test_quantum),
		cmocka_unit_test(test_host_down),
		cmocka_unit_test(test_totals_change),
		cmocka_unit_test(test_beside_a_block),
		cmocka_unit_test(test_just_before_a_block),
		cmocka_unit_test(test_others_keep_theirs),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_changed_by_an_event),
		cmocka_unit_test(test_changed_by_an_event_keeps_its_position),
		cmocka_unit_test(test_policy_changes),
		cmocka_unit_test(test_assigned_when_the_policy_goes),
		cmocka_unit_test(test_others_start_one_that_waited),
		cmocka_unit_test(test_reservations_are_removed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
