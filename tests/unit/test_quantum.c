/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Immediate service, scene by scene, computed by hand. Charts: a row is a processor,
 * time increases to the right, a letter is a job; '.' is idle, '~' is idle during a
 * suspension.
 */
#include "tests/unit/quantum_scene.h"

/*
 *     0        700     720
 *     A A A A A C C C C A A A
 *     A A A A A C C C C A A A
 *     A A A A A ~ ~ ~ ~ A A A
 *     B B B B B B B B B B B B
 *
 * A and B have the same slowdown, 1. A is preempted because of its lower id.
 */
static void serves_at_once(void **state)
{
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE);
	scene.now = 700;
	submit(&scene, 3, 2, 4000, 5000);
	decide(&scene, 700);
	assert_actions(&scene, "reserve 3 at 10000, suspend 1, start 3 until 760");
	action = action_of(&scene, LXFW_ACTION_SUSPEND, 1);
	assert_int_equal(action->count, 1);
	assert_int_equal(action->shares[0].amount.procs, 0);
	assert_int_equal(action->shares[0].amount.memory_mb, 1000);
	action = action_of(&scene, LXFW_ACTION_START, 3);
	assert_int_equal(action->shares[0].amount.procs, 2);
	assert_int_equal(action->shares[0].amount.memory_mb, 1024);
	assert_int_equal(scene.decision.wake, 760);

	/* Processors of A that C does not use stay idle. */
	scene.now = 710;
	submit(&scene, 4, 1, 0, 5);
	decide(&scene, 710);
	assert_actions(&scene, "reserve 4 at 10000, suspend 2, start 4 until 770");
	scene.now = 715;
	end(&scene, 4);
	decide(&scene, 715);
	assert_actions(&scene, "resume 2");

	scene.now = 720;
	end(&scene, 3);
	decide(&scene, 720);
	assert_actions(&scene, "resume 1");
	action = action_of(&scene, LXFW_ACTION_RESUME, 1);
	assert_int_equal(action->shares[0].amount.procs, 3);
	assert_int_equal(action->shares[0].amount.memory_mb, 1000);

	/* A ends 20 s later than without the quantum. Pending jobs are reserved
	 * accordingly. */
	scene.now = 730;
	submit(&scene, 5, 3, 8000, 100);
	decide(&scene, 730);
	assert_actions(&scene, "reserve 5 at 10020");
	finish(&scene);
}

/* The job has not ended: it is requeued, keeps its rank in the queue, and is not served
   twice. */
static void requeues_at_the_end(void **state)
{
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE);
	scene.now = 700;
	submit(&scene, 3, 2, 4000, 5000);
	decide(&scene, 700);
	decide(&scene, 759);
	assert_actions(&scene, "");
	assert_int_equal(scene.decision.wake, 760);
	decide(&scene, 760);
	assert_actions(&scene, "requeue 3, resume 1, reserve 3 at 10060");
	assert_int_equal(scene.decision.waiting, 1);
	assert_int_equal(scene.decision.running, 2);
	decide(&scene, 2000);
	assert_actions(&scene, "");
	scene.now = 2500;
	end(&scene, 1);
	decide(&scene, 2500);
	assert_actions(&scene, "start 3");
	finish(&scene);
}

/* No job has run for ten minutes yet. As soon as one has, the new job is served. The
   run time of a preempted job is counted again from its resumption. */
static void waits_for_the_least_run(void **state)
{
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE);
	scene.now = 300;
	submit(&scene, 3, 2, 0, 5000);
	decide(&scene, 300);
	assert_actions(&scene, "reserve 3 at 10000");
	assert_int_equal(scene.decision.wake, 600);
	decide(&scene, 599);
	assert_actions(&scene, "");
	decide(&scene, 600);
	assert_actions(&scene, "suspend 1, start 3 until 660");
	scene.now = 610;
	end(&scene, 3);
	decide(&scene, 610);
	assert_actions(&scene, "resume 1");
	scene.now = 1200;
	submit(&scene, 4, 3, 0, 5000);
	decide(&scene, 1200);
	assert_actions(&scene, "reserve 4 at 10010");
	assert_int_equal(scene.decision.wake, 1210);
	decide(&scene, 1210);
	assert_actions(&scene, "suspend 1, start 4 until 1270");
	finish(&scene);
}

/*
 * Slowdowns at 2000: job 1 (submitted at 0, started at 0) 1; job 2 (submitted at 0,
 * started at 1000) 2000 / 1000 = 2; job 3 (submitted at 500, started at 1000) 1.5. Two
 * processors are needed, each job has one.
 */
static void takes_the_smallest_slowdown(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 3, 8192);
	submit(&scene, 9, 2, 0, 1000);
	submit(&scene, 1, 1, 0, 20000);
	decide(&scene, 0);
	submit(&scene, 2, 1, 0, 20000);
	scene.now = 500;
	submit(&scene, 3, 1, 0, 20000);
	decide(&scene, 500);
	scene.now = 1000;
	end(&scene, 9);
	decide(&scene, 1000);
	assert_actions(&scene, "start 2, start 3");

	/* Immediate service begins now. The running jobs are known to it. */
	{
		struct lxfw_event event = { .type = LXFW_EVENT_PARAMS };
		struct lxfw_params params;

		lxfw_params_preset(&params, LXFW_POLICY_EASY);
		params.quantum = 60;
		event.params = &params;
		apply(&scene, &event);
	}
	scene.now = 2000;
	submit(&scene, 4, 2, 0, 5000);
	decide(&scene, 2000);
	assert_non_null(action_of(&scene, LXFW_ACTION_SUSPEND, 1));
	assert_non_null(action_of(&scene, LXFW_ACTION_SUSPEND, 3));
	assert_null(action_of(&scene, LXFW_ACTION_SUSPEND, 2));
	finish(&scene);
}

/* Host 0: 4 processors preempted for 3, so 1 idle. Host 1: 3 preempted, none idle. Host
   2 would be as good, but lacks memory. The job on host 3 was started too recently. */
static void takes_the_host_with_fewest_idle(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, SERVE);
	host_with(&scene, 0, 4, 8192);
	host_with(&scene, 1, 5, 8192);
	host_with(&scene, 2, 3, 8192);
	host_with(&scene, 3, 3, 8192);
	submit(&scene, 3, 3, 8000, 10000);	/* host 2: the tightest */
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 3), 2);
	submit(&scene, 1, 4, 100, 10000);	/* host 0 */
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 0);
	submit(&scene, 2, 3, 100, 10000);	/* host 3, until 100 */
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 2), 3);
	submit(&scene, 4, 2, 100, 10000);	/* host 1 */
	submit(&scene, 5, 3, 100, 10000);	/* host 1 */
	decide(&scene, 0);
	scene.now = 100;
	end(&scene, 2);
	submit(&scene, 6, 3, 100, 10000);	/* host 3 again */
	decide(&scene, 100);
	assert_int_equal(host_of(&scene, 6), 3);

	scene.now = 650;
	submit(&scene, 7, 3, 2000, 5000);
	decide(&scene, 650);
	/* On host 1 job 4 is first (same slowdown, lower id) but not sufficient. With
	   job 5, job 4 is not needed, and no processor is idle. */
	assert_actions(&scene, "reserve 7 at 10000, suspend 5, start 7 until 710");
	assert_int_equal(host_of(&scene, 7), 1);
	finish(&scene);
}

/* Free processors are sufficient: no job is suspended, though the processors are
   reserved for a job that starts after the quantum. Processors reserved for a start
   within the quantum are not used. */
static void uses_free_processors_first(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, SERVE);
	host_with(&scene, 0, 4, 8192);
	submit(&scene, 1, 2, 0, 1000);
	submit(&scene, 2, 4, 0, 1000);
	decide(&scene, 0);
	assert_actions(&scene, "start 1, reserve 2 at 1000");
	decide(&scene, 600);
	assert_actions(&scene, "suspend 1, start 2 until 660");
	decide(&scene, 660);
	assert_actions(&scene, "requeue 2, resume 1, reserve 2 at 1060");
	/* Now 2 processors are free until 1060. */
	scene.now = 930;
	submit(&scene, 3, 2, 0, 5000);
	decide(&scene, 930);
	assert_actions(&scene, "start 3 until 990");
	decide(&scene, 990);
	assert_actions(&scene, "requeue 3");
	scene.now = 1010;
	submit(&scene, 4, 1, 0, 5000);
	decide(&scene, 1010);
	assert_actions(&scene, "");
	finish(&scene);
}

/* `soon` suspends no job; the job waits for processors. */
static void serves_soon(void **state)
{
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE "lxfw_quantum_mode=soon");
	scene.now = 700;
	submit(&scene, 3, 4, 0, 5000);
	submit(&scene, 4, 1, 0, 20000);
	decide(&scene, 700);
	assert_actions(&scene, "reserve 3 at 10000");
	assert_int_equal(scene.decision.wake, 10000);
	scene.now = 800;
	end(&scene, 2);
	decide(&scene, 800);
	/* Job 4 would delay job 3, but not if it runs for a quantum only. */
	assert_actions(&scene, "start 4 until 860");
	decide(&scene, 860);
	assert_actions(&scene, "requeue 4");
	finish(&scene);
}

/* Jobs that arrive at the same time are served in the order of their ids, each with separate
   preempted jobs, as far as there are any. */
static void serves_several_at_once(void **state)
{
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE);
	scene.now = 700;
	submit(&scene, 5, 1, 0, 5000);
	submit(&scene, 4, 1, 0, 5000);
	submit(&scene, 3, 1, 0, 5000);
	decide(&scene, 700);
	assert_actions(&scene, "reserve 3 at 10000, suspend 1, start 3 until 760, "
			       "suspend 2, start 4 until 760");
	decide(&scene, 760);
	/* No job was left to preempt for the last one. Jobs 2 and 1 have just been
	 * resumed. */
	assert_actions(&scene, "requeue 3, resume 1, requeue 4, resume 2, "
			       "reserve 3 at 10060");
	assert_int_equal(scene.decision.wake, 1360);
	decide(&scene, 1360);
	assert_actions(&scene, "suspend 1, start 5 until 1420");
	finish(&scene);
}

/* A preempted job is cancelled. Its processors go to the served job, and then to all. */
static void survives_a_cancelled_victim(void **state)
{
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE);
	scene.now = 700;
	submit(&scene, 3, 2, 0, 5000);
	decide(&scene, 700);
	scene.now = 710;
	end(&scene, 1);
	submit(&scene, 4, 2, 0, 5000);
	submit(&scene, 5, 1, 0, 5000);
	decide(&scene, 710);
	/* Of the 3 processors 2 are in use: only job 5 starts. */
	assert_null(action_of(&scene, LXFW_ACTION_START, 4));
	assert_true(starts(&scene, 5));
	scene.now = 720;
	end(&scene, 3);
	decide(&scene, 720);
	assert_true(starts(&scene, 4));
	finish(&scene);
}

/* The start of a quantum is refused: the preempted jobs are resumed, and the job waits,
 * as one that was served. */
static void survives_a_refusal(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE);
	scene.now = 700;
	submit(&scene, 3, 2, 0, 5000);
	decide(&scene, 700);
	event.refused.id = 3;
	event.refused.until = 700;
	apply(&scene, &event);
	decide(&scene, 700);
	assert_actions(&scene, "resume 1, reserve 3 at 10000");
	decide(&scene, 701);
	assert_actions(&scene, "");
	finish(&scene);
}

/* No job is placed on the host of an exclusive job, and no exclusive job on a host with
   another job, suspended or not. */
static void leaves_exclusive_jobs_alone(void **state)
{
	struct lxfw_request job = request(1, 0, 1, 0, 10000);
	struct scene scene;

	(void)state;
	begin(&scene, SERVE);
	host_with(&scene, 0, 2, 8192);
	host_with(&scene, 1, 4, 8192);
	job.exclusive = true;
	submit_request(&scene, &job);
	decide(&scene, 0);
	submit(&scene, 2, 4, 0, 10000);
	decide(&scene, 0);
	assert_actions(&scene, "start 2");
	scene.now = 700;
	submit(&scene, 3, 1, 0, 5000);
	job.id = 4;
	job.submit = 700;
	submit_request(&scene, &job);
	decide(&scene, 700);
	assert_actions(&scene, "reserve 3 at 10000, suspend 2, start 3 until 760");
	finish(&scene);
}

/* Events that confirm a decision change nothing. A preempted job that an administrator
   resumes has its processors again, together with the served job. */
static void accepts_confirmations(void **state)
{
	struct lxfw_share share = { .host = 0, .amount = { .memory_mb = 1000 } };
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN,
		.run = { 1, 10060, 1, &share },
	};
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE);
	scene.now = 700;
	submit(&scene, 3, 2, 0, 5000);
	decide(&scene, 700);
	apply(&scene, &event);	/* suspended */
	event.run.id = 3;
	event.run.expected_end = 760;
	share.amount = (struct lxfw_resources){ .procs = 2, .memory_mb = 10 };
	apply(&scene, &event);	/* served */
	submit(&scene, 4, 1, 0, 1);
	decide(&scene, 701);
	assert_actions(&scene, "reserve 4 at 10000, suspend 2, start 4 until 761");
	scene.now = 705;
	event.run.id = 1;
	event.run.expected_end = 10005;
	share.amount = (struct lxfw_resources){ .procs = 3, .memory_mb = 1000 };
	apply(&scene, &event);
	scene.now = 710;
	end(&scene, 3);
	submit(&scene, 5, 1, 0, 1);
	decide(&scene, 710);
	assert_null(action_of(&scene, LXFW_ACTION_START, 5));
	assert_null(action_of(&scene, LXFW_ACTION_RESUME, 1));
	scene.now = 1000;
	end(&scene, 1);
	decide(&scene, 1000);
	assert_true(starts(&scene, 5));
	finish(&scene);
}

/* Slurm may distribute a job over its hosts differently, or allocate another number of
   processors. The job is in its quantum nevertheless. */
static void takes_other_shares(void **state)
{
	struct lxfw_share shares[] = { { .host = 0, .amount = { .procs = 1, .memory_mb = 10 } },
				       { .host = 1, .amount = { .procs = 1, .memory_mb = 10 } } };
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN, .run = { 3, 5700, 2, shares },
	};
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE);
	host_with(&scene, 1, 1, 1024);
	scene.now = 700;
	submit(&scene, 3, 2, 0, 5000);
	decide(&scene, 700);
	assert_actions(&scene, "reserve 3 at 10000, suspend 1, start 3 until 760");
	apply(&scene, &event);
	decide(&scene, 760);
	assert_actions(&scene, "requeue 3, resume 1, reserve 3 at 10060");
	finish(&scene);
}

/* A job that must not be served waits as without immediate service. When this is
   changed, it counts as just submitted. */
static void respects_jobs_that_decline(void **state)
{
	struct lxfw_request job = request(3, 700, 2, 0, 5000);
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_CHANGE, .request = &job,
	};
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE);
	scene.now = 700;
	job.no_quantum = true;
	submit_request(&scene, &job);
	decide(&scene, 700);
	assert_actions(&scene, "reserve 3 at 10000");
	assert_int_equal(scene.decision.wake, 10000);
	job.no_quantum = false;
	apply(&scene, &event);
	decide(&scene, 701);
	assert_actions(&scene, "reserve 3 at 10000, suspend 1, start 3 until 761");
	finish(&scene);
}

/* A new job whose start Slurm refused is served after its back-off, and a changed job
   when it fits. */
static void tries_again_what_comes_back(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };
	struct lxfw_request job = request(4, 900, 9, 0, 5000);
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE);
	scene.now = 700;
	submit(&scene, 3, 1, 0, 5000);
	event.refused.id = 3;
	event.refused.until = 800;
	apply(&scene, &event);
	decide(&scene, 700);
	assert_actions(&scene, "");
	decide(&scene, 800);
	assert_actions(&scene, "reserve 3 at 10000, suspend 1, start 3 until 860");
	decide(&scene, 860);
	scene.now = 900;
	submit_request(&scene, &job);	/* more than the cluster has */
	decide(&scene, 900);
	assert_actions(&scene, "");
	job.unit.procs = 1;
	event = (struct lxfw_event){ .type = LXFW_EVENT_JOB_CHANGE };
	event.request = &job;
	apply(&scene, &event);
	decide(&scene, 901);
	assert_actions(&scene, "suspend 2, start 4 until 961");
	finish(&scene);
}

/* No quantum begins on a host that is down. A quantum in progress ends as usual. */
static void begins_no_quantum_on_a_down_host(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE);
	scene.now = 700;
	submit(&scene, 3, 2, 0, 5000);
	decide(&scene, 700);
	event.host.index = 0;
	event.host.total = (struct lxfw_resources){ .procs = 4,
						    .memory_mb = 8192 };
	apply(&scene, &event);
	submit(&scene, 4, 1, 0, 5000);
	decide(&scene, 710);
	assert_actions(&scene, "");
	decide(&scene, 760);
	assert_actions(&scene, "requeue 3, resume 1");
	event.host.up = true;
	apply(&scene, &event);
	decide(&scene, 770);
	assert_actions(&scene, "reserve 3 at 10060, suspend 2, start 4 until 830");
	finish(&scene);
}

/* A reservation that depends on a preempted job is delayed by the quantum. No job is
   suspended needlessly: job 2 is first by its slowdown, but job 1 alone is sufficient. */
static void moves_a_reservation(void **state)
{
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE);
	submit(&scene, 3, 4, 0, 5000);
	decide(&scene, 0);
	assert_actions(&scene, "reserve 3 at 10000");
	scene.now = 700;
	submit(&scene, 4, 2, 0, 5000);
	decide(&scene, 700);
	/* Job 3 was submitted earlier: it is served first. */
	assert_actions(&scene, "suspend 1, suspend 2, start 3 until 760");
	decide(&scene, 760);
	assert_actions(&scene, "requeue 3, resume 2, resume 1, reserve 3 at 10060");
	decide(&scene, 1360);
	assert_actions(&scene, "suspend 1, start 4 until 1420");
	scene.now = 1370;
	end(&scene, 4);
	decide(&scene, 1370);
	assert_actions(&scene, "resume 1, reserve 3 at 10070");
	scene.now = 2000;
	submit(&scene, 5, 3, 0, 5000);
	decide(&scene, 2000);
	assert_actions(&scene, "suspend 1, start 5 until 2060");
	finish(&scene);
}

/* A suspension for a quantum moves the expected end of a job. After that the job is
   late by the seconds since then, not by the quantum too. */
static void is_late_after_the_quantum(void **state)
{
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE);
	scene.now = 700;
	submit(&scene, 3, 2, 0, 5000);
	decide(&scene, 700);
	assert_actions(&scene, "reserve 3 at 10000, suspend 1, start 3 until 760");
	decide(&scene, 760);
	assert_actions(&scene, "requeue 3, resume 1, reserve 3 at 10060");
	decide(&scene, 10060);
	assert_actions(&scene, "");
	decide(&scene, 10061);
	/* It is one second late, and expected to run for another minute. */
	assert_actions(&scene, "reserve 3 at 10121");
	finish(&scene);
}

/* Two processors on each of two hosts: one job that runs on both is preempted, not the
   two that run on one each. */
static void serves_a_job_on_two_hosts(void **state)
{
	struct lxfw_request job = request(4, 700, 2, 100, 5000);
	struct scene scene;

	(void)state;
	begin(&scene, SERVE);
	host_with(&scene, 0, 4, 8192);
	host_with(&scene, 1, 4, 8192);
	{
		struct lxfw_request wide = request(1, 0, 2, 100, 10000);

		wide.count = 2;
		submit_request(&scene, &wide);
	}
	submit(&scene, 2, 2, 100, 10000);
	submit(&scene, 3, 2, 100, 10000);
	decide(&scene, 0);
	assert_actions(&scene, "start 1, start 2, start 3");
	scene.now = 700;
	job.count = 2;
	submit_request(&scene, &job);
	decide(&scene, 700);
	assert_actions(&scene, "reserve 4 at 10000, suspend 1, start 4 until 760");
	finish(&scene);
}

/* Three pieces anywhere: suspending the job on host 0 would free 2, none of which is
   needed with the 3 of the job on host 1. */
static void serves_pieces_anywhere(void **state)
{
	struct lxfw_request job = request(3, 700, 1, 100, 5000);
	struct scene scene;

	(void)state;
	begin(&scene, SERVE);
	host_with(&scene, 0, 2, 8192);
	host_with(&scene, 1, 3, 8192);
	submit(&scene, 1, 2, 100, 10000);
	submit(&scene, 2, 3, 100, 10000);
	decide(&scene, 0);
	scene.now = 700;
	job.shape = LXFW_SHAPE_ANYWHERE;
	job.count = 3;
	submit_request(&scene, &job);
	decide(&scene, 700);
	assert_non_null(action_of(&scene, LXFW_ACTION_SUSPEND, 2));
	assert_null(action_of(&scene, LXFW_ACTION_SUSPEND, 1));
	assert_int_equal(host_of(&scene, 3), 1);
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(serves_at_once),
		cmocka_unit_test(requeues_at_the_end),
		cmocka_unit_test(waits_for_the_least_run),
		cmocka_unit_test(takes_the_smallest_slowdown),
		cmocka_unit_test(takes_the_host_with_fewest_idle),
		cmocka_unit_test(uses_free_processors_first),
		cmocka_unit_test(serves_soon),
		cmocka_unit_test(serves_several_at_once),
		cmocka_unit_test(survives_a_cancelled_victim),
		cmocka_unit_test(survives_a_refusal),
		cmocka_unit_test(leaves_exclusive_jobs_alone),
		cmocka_unit_test(accepts_confirmations),
		cmocka_unit_test(takes_other_shares),
		cmocka_unit_test(respects_jobs_that_decline),
		cmocka_unit_test(tries_again_what_comes_back),
		cmocka_unit_test(begins_no_quantum_on_a_down_host),
		cmocka_unit_test(moves_a_reservation),
		cmocka_unit_test(is_late_after_the_quantum),
		cmocka_unit_test(serves_a_job_on_two_hosts),
		cmocka_unit_test(serves_pieces_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
