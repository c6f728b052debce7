/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that are suspended at the end of their quantum (lxfw_quantum_end=suspend), scene
 * by scene, computed by hand. Charts as in test_quantum.c.
 */
#include "tests/unit/quantum_scene.h"

/*
 *     0        700     760          2500
 *     A A A A A C C C C A A A A A A C C C
 *     A A A A A C C C C A A A A A A C C C
 *     A A A A A ~ ~ ~ ~ A A A A A A . . .
 *     B B B B B B B B B B B B B B B B B B
 *
 * C keeps its 1000 MB and the 60 s that it ran. Job 4 requests memory that C keeps.
 */
static void suspends_at_the_end(void **state)
{
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE "lxfw_quantum_end=suspend");
	scene.now = 700;
	submit(&scene, 3, 2, 1000, 5000);
	decide(&scene, 700);
	assert_actions(&scene, "reserve 3 at 10000, suspend 1, start 3 until 760");
	decide(&scene, 760);
	assert_actions(&scene, "suspend 3, resume 1, reserve 3 at 10060");
	assert_int_equal(scene.decision.waiting, 1);
	action = action_of(&scene, LXFW_ACTION_SUSPEND, 3);
	assert_int_equal(action->shares[0].amount.procs, 0);
	assert_int_equal(action->shares[0].amount.memory_mb, 1000);
	scene.now = 2500;
	end(&scene, 1);
	submit(&scene, 4, 1, 6500, 100);
	decide(&scene, 2500);
	/* 6192 MB are free. 6500 are not free before 7440, when C has ended after its
	   remaining 4940 s. */
	assert_actions(&scene, "resume 3, reserve 4 at 7440, start 4 until 2560");
	action = action_of(&scene, LXFW_ACTION_RESUME, 3);
	assert_int_equal(action->shares[0].amount.procs, 2);
	assert_int_equal(action->shares[0].amount.memory_mb, 1000);
	scene.now = 2550;
	end(&scene, 3);
	decide(&scene, 2550);
	finish(&scene);
}

/* A job with less memory than it requested is requeued nevertheless. */
static void suspends_none_without_its_memory(void **state)
{
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE "lxfw_quantum_end=suspend");
	scene.now = 700;
	submit(&scene, 3, 2, 1025, 5000);
	decide(&scene, 700);
	decide(&scene, 760);
	assert_actions(&scene, "requeue 3, resume 1, reserve 3 at 10060");
	finish(&scene);
}

/* Job 2 was submitted first and requests all memory. Job 3 would keep some of it until
   it is resumed, which is after job 2. Therefore it is requeued. */
static void yields_to_the_first(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, SERVE "lxfw_quantum_end=suspend");
	host_with(&scene, 0, 4, 8192);
	submit(&scene, 1, 4, 1000, 10000);
	decide(&scene, 0);
	scene.now = 690;
	submit(&scene, 2, 4, 8192, 5000);
	decide(&scene, 690);
	assert_actions(&scene, "reserve 2 at 10000, suspend 1, start 2 until 750");
	decide(&scene, 750);
	assert_actions(&scene, "requeue 2, resume 1, reserve 2 at 10060");
	scene.now = 1400;
	submit(&scene, 3, 2, 1000, 5000);
	decide(&scene, 1400);
	assert_actions(&scene, "suspend 1, start 3 until 1460");
	decide(&scene, 1460);
	assert_actions(&scene, "suspend 3, resume 1, requeue 3, "
			       "reserve 2 at 10120");
	scene.now = 2000;
	end(&scene, 1);
	decide(&scene, 2000);
	assert_actions(&scene, "start 2, reserve 3 at 7000");
	scene.now = 3000;
	end(&scene, 2);
	decide(&scene, 3000);
	assert_actions(&scene, "start 3");
	finish(&scene);
}

/* Job 3 is suspended on host 0, where job 1 is resumed. Host 1 is free earlier. */
static void starts_elsewhere_if_possible(void **state)
{
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin(&scene, SERVE "lxfw_quantum_end=suspend");
	host_with(&scene, 0, 4, 8192);
	host_with(&scene, 1, 5, 8192);
	submit(&scene, 1, 4, 100, 10000);
	submit(&scene, 2, 5, 100, 5000);
	decide(&scene, 0);
	scene.now = 700;
	submit(&scene, 3, 4, 100, 5000);
	decide(&scene, 700);
	assert_actions(&scene, "reserve 3 at 5000, suspend 1, start 3 until 760");
	decide(&scene, 760);
	action = action_of(&scene, LXFW_ACTION_RESERVE, 3);
	assert_int_equal(action->start, 5000);
	assert_int_equal(action->shares[0].host, 1);
	scene.now = 2000;
	end(&scene, 2);
	decide(&scene, 2000);
	assert_actions(&scene, "requeue 3, start 3");
	assert_int_equal(host_of(&scene, 3), 1);
	assert_int_equal(scene.decision.waiting, 0);
	finish(&scene);
}

/* The memory that job 3 keeps leaves too little for another job of its size. It can be
   resumed on its host when job 1 has ended, and can start on no other one. */
static void resumes_on_its_host(void **state)
{
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy,lxfw_quantum=60,lxfw_quantum_mem=6000,"
		      "lxfw_quantum_end=suspend");
	host_with(&scene, 0, 4, 8192);
	submit(&scene, 1, 4, 100, 10000);
	decide(&scene, 0);
	scene.now = 700;
	submit(&scene, 3, 4, 5000, 5000);
	decide(&scene, 700);
	assert_actions(&scene, "reserve 3 at 10000, suspend 1, start 3 until 760");
	decide(&scene, 760);
	assert_actions(&scene, "suspend 3, resume 1, reserve 3 at 10060");
	action = action_of(&scene, LXFW_ACTION_RESERVE, 3);
	assert_int_equal(action->count, 1);
	assert_int_equal(action->shares[0].amount.procs, 4);
	assert_int_equal(action->shares[0].amount.memory_mb, 0);
	scene.now = 2000;
	end(&scene, 1);
	decide(&scene, 2000);
	assert_actions(&scene, "resume 3");
	finish(&scene);
}

/* The memory of a suspended job is freed when it is cancelled, and allocated again when
   its resumption is refused. */
static void keeps_what_it_keeps(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE "lxfw_quantum_end=suspend");
	scene.now = 700;
	submit(&scene, 3, 2, 1000, 5000);
	decide(&scene, 700);
	decide(&scene, 760);
	scene.now = 2500;
	end(&scene, 1);
	decide(&scene, 2500);
	assert_actions(&scene, "resume 3");
	event.refused.id = 3;
	event.refused.until = 2600;
	apply(&scene, &event);
	/* 8192 - 1000 of job 2 - 1000 of job 3; not 7000. */
	submit(&scene, 4, 3, 6192, 100);
	submit(&scene, 5, 1, 1, 100);
	decide(&scene, 2500);
	assert_true(starts(&scene, 4));
	assert_false(starts(&scene, 5));
	scene.now = 2510;
	end(&scene, 3);
	end(&scene, 4);
	submit(&scene, 6, 3, 7191, 100);
	decide(&scene, 2510);
	assert_true(starts(&scene, 6));
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(suspends_at_the_end),
		cmocka_unit_test(suspends_none_without_its_memory),
		cmocka_unit_test(yields_to_the_first),
		cmocka_unit_test(starts_elsewhere_if_possible),
		cmocka_unit_test(resumes_on_its_host),
		cmocka_unit_test(keeps_what_it_keeps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
