/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds on the suspensions of jobs preempted for immediate service: the maximum
 * number, the minimum interval, the maximum share of their time. Job 1 has the only
 * host from 0 on. Later jobs are served by suspending it, for a quantum of 60 s.
 */
#include "tests/unit/quantum_scene.h"

#define LONG 100000

static void begin_alone(struct scene *scene, const char *params)
{
	begin(scene, params);
	host_with(scene, 0, 2, 8192);
	submit(scene, 1, 2, 500, LONG);
	decide(scene, 0);
	assert_actions(scene, "start 1");
}

/* Submit job ID at NOW. Return whether job 1 is suspended for it. */
static bool served(struct scene *scene, uint64_t id, int64_t now)
{
	scene->now = now;
	submit(scene, id, 2, 500, 5000);
	decide(scene, now);
	assert_int_equal(action_of(scene, LXFW_ACTION_SUSPEND, 1) != NULL,
			 starts(scene, id));
	return starts(scene, id);
}

/* End job ID at NOW; job 1 is resumed if it was suspended. */
static void over(struct scene *scene, uint64_t id, int64_t now)
{
	scene->now = now;
	end(scene, id);
	decide(scene, now);
}

/* Submit job ID at NOW; it must be served at TIME and not before. */
static void expect_served_at(struct scene *scene, uint64_t id, int64_t now,
			     int64_t time)
{
	assert_false(served(scene, id, now));
	assert_int_equal(scene->decision.wake, time);
	decide(scene, time - 1);
	assert_false(starts(scene, id));
	decide(scene, time);
	assert_true(starts(scene, id));
	assert_non_null(action_of(scene, LXFW_ACTION_SUSPEND, 1));
}

static void expect_never_served(struct scene *scene, uint64_t id, int64_t now)
{
	assert_false(served(scene, id, now));
	decide(scene, now + 20000);
	assert_false(starts(scene, id));
}

static void tell(struct scene *scene, int32_t procs, struct lxfw_run_past past)
{
	const struct lxfw_share share = {
		.host = 0, .amount = { .procs = procs, .memory_mb = 500 },
	};
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN,
		.run = { 1, LONG, 1, &share, past },
	};

	apply(scene, &event);
}

/* --- number of suspensions */

static void counts_suspensions(void **state)
{
	struct scene scene;

	(void)state;
	begin_alone(&scene, SERVE "lxfw_victim_suspensions=2");
	assert_true(served(&scene, 2, 600));
	over(&scene, 2, 610);
	assert_true(served(&scene, 3, 1210));
	over(&scene, 3, 1220);
	expect_never_served(&scene, 4, 1820);
	finish(&scene);

	begin_alone(&scene, SERVE "lxfw_victim_suspensions=0");
	for (uint64_t i = 0; i < 10; i++) {
		assert_true(served(&scene, 2 + i, 1000 * (int64_t)i + 600));
		over(&scene, 2 + i, 1000 * (int64_t)i + 610);
	}
	finish(&scene);
}

static void bound(struct scene *scene, int64_t suspensions)
{
	struct lxfw_params params;
	struct lxfw_event event = {
		.type = LXFW_EVENT_PARAMS, .params = &params,
	};

	lxfw_params_preset(&params, LXFW_POLICY_EASY);
	params.quantum = 60;
	params.victim_suspensions = suspensions;
	apply(scene, &event);
}

/* A bound that is set later includes earlier suspensions. */
static void counts_before_there_is_a_bound(void **state)
{
	struct scene scene;

	(void)state;
	begin_alone(&scene, SERVE);
	assert_true(served(&scene, 2, 600));
	over(&scene, 2, 610);
	bound(&scene, 1);
	expect_never_served(&scene, 3, 2000);
	finish(&scene);
}

/* The count begins again with each run of the job, as after a requeue by hand. */
static void counts_each_run_separately(void **state)
{
	struct scene scene;

	(void)state;
	begin_alone(&scene, SERVE "lxfw_victim_suspensions=1");
	assert_true(served(&scene, 2, 600));
	over(&scene, 2, 610);
	over(&scene, 1, 700);
	submit(&scene, 1, 2, 500, LONG);
	decide(&scene, 700);
	assert_true(served(&scene, 3, 1300));
	finish(&scene);
}

/* It also begins again if the start was refused, so that no end was recorded. */
static void counts_again_when_refused(void **state)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_REFUSED, .refused = { 1, 630 },
	};
	struct scene scene;

	(void)state;
	begin_alone(&scene, SERVE "lxfw_quantum_min_run=0,lxfw_victim_share=10,"
		    "lxfw_victim_suspensions=1");
	assert_true(served(&scene, 2, 600));
	over(&scene, 2, 610);
	apply(&scene, &event);
	decide(&scene, 630);
	assert_true(starts(&scene, 1));
	expect_served_at(&scene, 3, 640, 1170);
	finish(&scene);
}

/* If a job may not be suspended any more, another one is. */
static void chooses_eligible_jobs(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, SERVE "lxfw_victim_suspensions=1");
	host_with(&scene, 0, 4, 8192);
	submit(&scene, 1, 2, 500, LONG);
	submit(&scene, 2, 2, 500, LONG);
	decide(&scene, 0);
	assert_true(served(&scene, 3, 600));
	over(&scene, 3, 610);
	scene.now = 1300;
	submit(&scene, 4, 2, 500, 5000);
	decide(&scene, 1300);
	assert_non_null(action_of(&scene, LXFW_ACTION_SUSPEND, 2));
	assert_null(action_of(&scene, LXFW_ACTION_SUSPEND, 1));
	finish(&scene);
}

/* --- minimum interval */

/* For the first suspension only lxfw_quantum_min_run applies. */
static void keeps_the_interval(void **state)
{
	struct scene scene;

	(void)state;
	begin_alone(&scene, SERVE "lxfw_victim_interval=5000");
	expect_served_at(&scene, 2, 10, 600);
	over(&scene, 2, 640);
	expect_served_at(&scene, 3, 700, 5640);
	finish(&scene);

	begin_alone(&scene, SERVE "lxfw_victim_interval=100");
	expect_served_at(&scene, 2, 10, 600);
	over(&scene, 2, 640);
	expect_served_at(&scene, 3, 700, 1240);
	finish(&scene);
}

/* --- maximum share */

/* A tenth: 60 s of 600, 120 s of 1200; or, if it was resumed after 20 s, 80 of 800. */
static void keeps_the_share(void **state)
{
	struct scene scene;

	(void)state;
	for (int64_t lasts = 20; lasts <= 60; lasts += 40) {
		begin_alone(&scene, SERVE
			    "lxfw_quantum_min_run=0,lxfw_victim_share=10");
		expect_served_at(&scene, 2, 10, 540);
		over(&scene, 2, 540 + lasts);
		expect_served_at(&scene, 3, 700, lasts == 60 ? 1140 : 740);
		finish(&scene);
	}
}

/* 60 s are 7 % of 857.1 s, of which 797.1 are outside of the quantum. */
static void rounds_for_the_victim(void **state)
{
	struct scene scene;

	(void)state;
	begin_alone(&scene, SERVE "lxfw_quantum_min_run=0,lxfw_victim_share=7");
	expect_served_at(&scene, 2, 10, 798);
	finish(&scene);
}

static void full_share_is_no_bound(void **state)
{
	struct scene scene;

	(void)state;
	begin_alone(&scene, SERVE "lxfw_quantum_min_run=0,lxfw_victim_share=100");
	assert_true(served(&scene, 2, 1));
	finish(&scene);
	begin_alone(&scene, SERVE "lxfw_quantum_min_run=0,lxfw_victim_share=99");
	expect_served_at(&scene, 2, 0, 1);
	finish(&scene);
}

/* Suspended by hand from 100 to 1000. A tenth of 9600 s is 960. */
static void counts_what_others_do(void **state)
{
	struct scene scene;

	(void)state;
	begin_alone(&scene, SERVE "lxfw_victim_share=10");
	scene.now = 100;
	tell(&scene, 0, (struct lxfw_run_past){ 0 });
	scene.now = 1000;
	tell(&scene, 2, (struct lxfw_run_past){ 0 });
	expect_served_at(&scene, 2, 1000, 9540);
	finish(&scene);
}

/* Job 2 is served at 600 and suspended from 660 to 2000. It may be preempted at 3340,
   when 1400 s, which include the next quantum's 60, are half of its time. Its
   suspension at the end of the quantum was not for another job and does not count. */
static void counts_the_end_of_its_quantum(void **state)
{
	struct scene scene;

	(void)state;
	begin_alone(&scene, SERVE "lxfw_quantum_end=suspend,lxfw_victim_share=50,"
		    "lxfw_victim_suspensions=1");
	assert_true(served(&scene, 2, 600));
	decide(&scene, 660);
	assert_non_null(action_of(&scene, LXFW_ACTION_SUSPEND, 2));
	over(&scene, 1, 2000);
	assert_actions(&scene, "resume 2");
	submit(&scene, 3, 2, 500, 5000);
	decide(&scene, 3339);
	assert_null(action_of(&scene, LXFW_ACTION_SUSPEND, 2));
	assert_int_equal(scene.decision.wake, 3340);
	decide(&scene, 3340);
	assert_non_null(action_of(&scene, LXFW_ACTION_SUSPEND, 2));
	finish(&scene);
}

/* --- after a restart ---------------------------------------------------- */

static void begin_told(struct scene *scene, const char *params,
		       struct lxfw_run_past past)
{
	begin(scene, params);
	host_with(scene, 0, 2, 8192);
	scene->now = 5000;
	tell(scene, 2, past);
}

static void reads_the_count(void **state)
{
	static const struct {
		int64_t suspensions;
		bool served;
	} cases[] = { { 0, true }, { 2, true }, { 3, false }, { 4, false },
		      { LXFW_SUSPENSIONS_UNKNOWN, false } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct scene scene;

		begin_told(&scene, SERVE "lxfw_victim_suspensions=3",
			   (struct lxfw_run_past){ .since = 1000,
				.suspensions = cases[i].suspensions });
		assert_int_equal(served(&scene, 2, 5000), cases[i].served);
		finish(&scene);
	}
}

/* A count beyond any bound stays beyond it. */
static void counts_no_further_than_it_can(void **state)
{
	struct scene scene;

	(void)state;
	begin_told(&scene, SERVE, (struct lxfw_run_past){ .since = 1000,
		.suspensions = LXFW_SUSPENSIONS_UNKNOWN });
	assert_true(served(&scene, 2, 5000));
	over(&scene, 2, 5010);
	bound(&scene, 1000000);
	expect_never_served(&scene, 3, 5700);
	finish(&scene);
}

/* The job has run for 4000 s and was suspended for 400: with the quantum 460 of 4600. */
static void reads_the_share(void **state)
{
	struct scene scene;

	(void)state;
	begin_told(&scene, SERVE "lxfw_victim_share=10", (struct lxfw_run_past){
		.since = 4000, .ran = 3000, .suspended = 400 });
	expect_served_at(&scene, 2, 5000, 5140);
	finish(&scene);
}

/* The interval applies to a job that was suspended before the restart. */
static void reads_that_it_was_suspended(void **state)
{
	struct scene scene;

	(void)state;
	begin_told(&scene, SERVE "lxfw_victim_interval=5000",
		   (struct lxfw_run_past){ .since = 1000, .suspensions = 1 });
	expect_served_at(&scene, 2, 5000, 6000);
	finish(&scene);
}

/* A time in the future is ignored, but the count is used. */
static void ignores_a_future_time(void **state)
{
	struct scene scene;

	(void)state;
	begin_told(&scene, SERVE "lxfw_victim_suspensions=1",
		   (struct lxfw_run_past){ .since = 5001, .suspensions = 1 });
	expect_never_served(&scene, 2, 5000);
	finish(&scene);
}

/* The larger of the two values is used: the event has 2 suspensions where the model has
   one, and 900 s where the model has 10. An event without values changes nothing. */
static void uses_the_larger_value(void **state)
{
	struct scene scene;

	(void)state;
	begin_alone(&scene, SERVE "lxfw_victim_suspensions=2");
	assert_true(served(&scene, 2, 600));
	over(&scene, 2, 610);
	tell(&scene, 2, (struct lxfw_run_past){ .since = 610, .ran = 600,
		.suspensions = 2 });
	tell(&scene, 2, (struct lxfw_run_past){ .since = 610, .ran = 600,
		.suspensions = 1 });
	expect_never_served(&scene, 3, 2000);
	finish(&scene);

	begin_alone(&scene, SERVE "lxfw_victim_share=10");
	assert_true(served(&scene, 2, 600));
	over(&scene, 2, 610);
	tell(&scene, 2, (struct lxfw_run_past){ .since = 610, .ran = 600,
		.suspended = 900 });
	tell(&scene, 2, (struct lxfw_run_past){ .since = 610, .ran = 600,
		.suspended = 10 });
	/* 960 s are a tenth of 9600, of which it runs for 8640: 8040 from 610 on */
	expect_served_at(&scene, 3, 700, 8650);
	finish(&scene);
}

/* A job that an administrator resumes was suspended until then. */
static void counts_until_resumed_by_others(void **state)
{
	struct scene scene;

	(void)state;
	begin_alone(&scene, SERVE "lxfw_victim_share=10");
	assert_true(served(&scene, 2, 600));
	scene.now = 630;
	tell(&scene, 2, (struct lxfw_run_past){ 0 });
	over(&scene, 2, 640);
	/* 90 s of 900, of which it runs for 810: 210 from 630 on; but the minimum run
	 * time applies */
	expect_served_at(&scene, 3, 700, 1230);
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_suspensions),
		cmocka_unit_test(counts_before_there_is_a_bound),
		cmocka_unit_test(counts_each_run_separately),
		cmocka_unit_test(counts_again_when_refused),
		cmocka_unit_test(chooses_eligible_jobs),
		cmocka_unit_test(keeps_the_interval),
		cmocka_unit_test(keeps_the_share),
		cmocka_unit_test(rounds_for_the_victim),
		cmocka_unit_test(full_share_is_no_bound),
		cmocka_unit_test(counts_what_others_do),
		cmocka_unit_test(counts_the_end_of_its_quantum),
		cmocka_unit_test(reads_the_count),
		cmocka_unit_test(counts_no_further_than_it_can),
		cmocka_unit_test(reads_the_share),
		cmocka_unit_test(reads_that_it_was_suspended),
		cmocka_unit_test(ignores_a_future_time),
		cmocka_unit_test(uses_the_larger_value),
		cmocka_unit_test(counts_until_resumed_by_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
