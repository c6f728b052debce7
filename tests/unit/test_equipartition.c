/* SPDX-License-Identifier: GPL-2.0-or-later */
/* EQspatial, one small scene for each of its rules, worked out by hand. Times are
   seconds. In the charts a column is a host's processor or a row of its memory,
   time goes down. */
#include "tests/unit/scene.h"

/* What a decision says of a job, at most one thing. */
static const struct lxfw_action *said(const struct scene *scene, uint64_t id)
{
	const struct lxfw_action *found = NULL;

	for (size_t i = 0; i < scene->decision.count; i++) {
		if (scene->decision.actions[i].job != id)
			continue;
		assert_null(found);
		found = &scene->decision.actions[i];
	}
	return found;
}

/* The processors that a job has from this decision on by an action of TYPE; 0 if
   there is none. */
static int32_t by(const struct scene *scene, enum lxfw_action_type type, uint64_t id)
{
	const struct lxfw_action *action = said(scene, id);

	if (!action)
		return 0;
	assert_int_equal(action->type, type);
	assert_int_equal(action->count, 1);
	return action->shares[0].amount.procs;
}

static int32_t started(const struct scene *scene, uint64_t id)
{
	return by(scene, LXFW_ACTION_START, id);
}

static int32_t resized(const struct scene *scene, uint64_t id)
{
	return by(scene, LXFW_ACTION_RESIZE, id);
}

static void says_nothing(const struct scene *scene)
{
	assert_int_equal(scene->decision.count, 0);
}

static void host_is(struct scene *scene, int32_t index, bool up, int32_t procs,
		    int64_t memory_mb)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };

	event.host.index = index;
	event.host.up = up;
	event.host.total.procs = procs;
	event.host.total.memory_mb = memory_mb;
	apply(scene, &event);
}

static void refuse(struct scene *scene, uint64_t id, int64_t until)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };

	event.refused.id = id;
	event.refused.until = until;
	apply(scene, &event);
}

static void told_to_run(struct scene *scene, uint64_t id, int32_t host,
			int32_t procs, int64_t memory_mb)
{
	const struct lxfw_share share = {
		.host = host,
		.amount = { .procs = procs, .memory_mb = memory_mb },
	};
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };

	event.run.id = id;
	event.run.expected_end = 100000;
	event.run.count = 1;
	event.run.shares = &share;
	apply(scene, &event);
}

static void block(struct scene *scene, int32_t procs, int64_t start, int64_t end_time)
{
	const struct lxfw_share share = { .amount.procs = procs };
	struct lxfw_event event = { .type = LXFW_EVENT_BLOCK };

	event.block.id = 100;
	event.block.start = start;
	event.block.end = end_time;
	event.block.count = 1;
	event.block.shares = &share;
	apply(scene, &event);
}

static void take_params(struct scene *scene, const char *text)
{
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS };
	struct lxfw_params params;
	struct lxfw_error error;

	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	assert_int_equal(lxfw_params_parse(&params, text, NULL, NULL, &error), 0);
	event.params = &params;
	apply(scene, &event);
}

#define EQ_0 "lxfw_policy=eqspatial,lxfw_eq_min_interval=0"

/* --- placement -------------------------------------------------------------------- */

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
	/* 1 and 2 have 8 each, and 2 less memory. */
	assert_int_equal(host_of(&scene, 1), 2);
	assert_int_equal(started(&scene, 1), 6);
	/* Host 2 has fewest, but not enough; host 1 before host 0. */
	submit(&scene, 2, 3, 100, 100);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 2), 1);
	/* All have enough processors; memory only host 0 and 1. */
	submit(&scene, 3, 2, 850, 100);
	decide(&scene, 2);
	assert_int_equal(host_of(&scene, 3), 1);
	submit(&scene, 4, 2, 850, 100);
	decide(&scene, 3);
	assert_int_equal(host_of(&scene, 4), 0);
	finish(&scene);
}

/* The host's processors over what its jobs and the new one ask for. */
static void test_largest_ratio(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 16, 1000);
	host_with(&scene, 1, 8, 1000);
	host_with(&scene, 2, 8, 1000);
	submit(&scene, 1, 16, 10, 100);
	submit(&scene, 2, 8, 10, 100);	/* to host 1: less than host 0 has */
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
	/* 16/32 = 8/16, 8/21: host 0 is equal to host 1 in all and before it but
	   that it has less memory free, too. */
	submit(&scene, 6, 8, 10, 100);
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
	host_with(&scene, 0, 4, 1000);	/* has two of the first extra */
	host_with(&scene, 1, 8, 500);
	submit(&scene, 1, 8, 100, 100);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 1);
	submit(&scene, 2, 4, 900, 100);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 2), 0);
	/* Best ratio on host 1, but the extras are on host 0. */
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
	/* Unallocated processors in the second set are better than a share in
	   the first. */
	job.host_set_count = 2;
	job.host_sets[0] = 0;
	job.host_sets[1] = 1;
	submit_request(&scene, &job);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 2), 1);
	assert_int_equal(said(&scene, 2)->host_set, 1);
	/* Only its own set's host, though the other is as good. */
	job.id = 3;
	job.host_set_count = 1;
	job.host_sets[0] = 1;
	submit_request(&scene, &job);
	decide(&scene, 2);
	assert_int_equal(host_of(&scene, 3), 1);
	finish(&scene);
}

static void test_order_of_the_waiting(void **state)
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
	/* What does not fit does not stop those behind it. */
	submit(&scene, 4, 1, 100, 100);
	decide(&scene, 1);
	assert_int_equal(started(&scene, 4), 1);
	end(&scene, 1);
	decide(&scene, 2);
	assert_int_equal(started(&scene, 3), 1);	/* by its tier */
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
	/* Nobody shares with an exclusive job, however crowded the other host. */
	for (uint64_t id = 4; id <= 9; id++)
		submit(&scene, id, 4, 10, 100);
	decide(&scene, 1);
	for (uint64_t id = 4; id <= 6; id++) {
		assert_int_equal(host_of(&scene, id), 0);
		assert_int_equal(started(&scene, id), 1);
	}
	assert_null(said(&scene, 7));
	/* Host 1 is empty: the shared ones that wait on host 0 stay there. */
	end(&scene, 2);
	whole.id = 10;
	submit_request(&scene, &whole);
	decide(&scene, 2);
	assert_int_equal(host_of(&scene, 10), 1);
	finish(&scene);
}

/* Pieces anywhere are a job of one host where there is one host. */
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

/* --- partition --------------------------------------------------------------------- */

/*
 * With no least interval, at every change:
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
	/* Processors are given up before they are given out. */
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
 * A least interval of 300:
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
static void test_least_interval(void **state)
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

/* A partition that changes nobody's number does not begin another interval; and an
   end and a submission at one time are one repartition. */
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
	/* 2 ends, 4 comes: it takes the 3 that are free. That is as equal as 3, 3
	   and 2 for 1, 3 and 4 would be. */
	scene.now = 100;
	end(&scene, 2);
	submit(&scene, 4, 4, 10, 1000);
	decide(&scene, 100);
	assert_int_equal(started(&scene, 4), 3);
	assert_null(said(&scene, 3));
	assert_int_equal(scene.decision.wake, LXFW_NEVER);
	/* One more: 2 each. What 5 finds free it does not start with. */
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
	/* Its memory is taken all the same: 950 of 1000. */
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

/* An assigned job that changes is placed anew; memory that it no longer needs is
   there for others. */
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
	end(&scene, 1);
	decide(&scene, 2);
	assert_int_equal(started(&scene, 2), 1);
	assert_int_equal(said(&scene, 2)->shares[0].amount.memory_mb, 400);
	end(&scene, 2);
	decide(&scene, 3);
	assert_int_equal(started(&scene, 3), 1);
	finish(&scene);
}

/*
 * Those that ran for 100 have what they asked for:
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

/* The expected end moves with the processors: 1 and 2 ask for 8 processors and 100
   s, have 4 and 200 s. At 50 one of them leaves; the other has done 25 of its 100 and
   ends at 125. */
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

/* --- waiting for memory ------------------------------------------------------------ */

/*
 * Two hosts with 8 processors and 1000 MB. 5 and 6 are on host 1 with 950 MB.
 *
 *   host 0, memory      0  1 1 1 1 1 1 . . . .
 *                     100  1 1 1 1 1 1 . . . .    2 wants 600 MB
 *                     150  1 1 1 1 1 1 3 . . .
 *                     200  2 2 2 2 2 2 3 . . .    1 ends
 *   processors          0  1 1 1 1 1 1 1 1
 *                     150  1 1 1 1 3 3 3 3
 *                     200  2 2 2 2 2 2 3 3        2 has the 6 that it asked for
 *                     350  2 2 2 2 3 3 3 3        and has caught up
 *
 * Had 2 started at 100, it would have had 4 of 8 processors beside 1 alone (50 s),
 * then 2 of 8 as the last of three (50 s): 300 processor-seconds that it lacks at
 * 200. From then on it has 6 where its equal part is 4: 2 more, for 150 s.
 *
 * In the meantime these 2 are deducted when 4, which asks for 8, is placed:
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
	/* Without them host 0 is the better one: 8/22. */
	scene.now = 360;
	end(&scene, 4);
	submit(&scene, 7, 8, 40, 1000);
	decide(&scene, 360);
	assert_int_equal(host_of(&scene, 7), 0);
	finish(&scene);
}

/* While it catches up its virtual progress goes on: another job comes at 250, when it
   lacks 200. Its equal part is 3 then (3, 3, 2 of 8 would be 3's, 2's and 7's by
   placement), it has 6, so 3 more: until 250 + 200/3 rounded up. */
static void test_catching_up_goes_on(void **state)
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

/* With a least interval the one that has caught up keeps what it has until the
   interval has passed. */
static void test_catching_up_and_least_interval(void **state)
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

/* The host that 3 is counted on goes down and no other could ever hold it: it is
   counted on none until the host is back. */
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
	submit(&scene, 3, 8, 900, 1000);	/* 4 of 8 beside 1 */
	decide(&scene, 0);
	says_nothing(&scene);
	scene.now = 100;			/* 400 so far */
	host_is(&scene, 0, false, 8, 1000);
	decide(&scene, 100);
	scene.now = 200;			/* none meanwhile */
	host_is(&scene, 0, true, 8, 1000);
	decide(&scene, 200);
	says_nothing(&scene);
	scene.now = 300;			/* and 400 again */
	end(&scene, 1);
	submit(&scene, 4, 8, 50, 1000);
	decide(&scene, 300);
	assert_int_equal(started(&scene, 3), 7);
	assert_int_equal(started(&scene, 4), 1);
	/* It has 7, its equal part is 4: 800 / 3. */
	assert_int_equal(scene.decision.wake, 300 + 267);
	finish(&scene);
}

/* --- what happens to hosts and jobs -------------------------------------------------- */

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
	says_nothing(&scene);	/* 3 is not touched, 4 fits on no other host */
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

/* Within the interval, but not where more is given out than there is. */
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
 * A block of 6 processors from 100 to 200; 2 is to run for 300 and needs one beside
 * it, 3 would be one job too many.
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
	submit(&scene, 4, 2, 10, 50);	/* over before */
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

/* Jobs that other hands start keep what they have. */
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

/* Told otherwise, a job is taken as told: with other processors it is repartitioned
   next time, without any it is left alone, on two hosts it is nobody's. */
static void test_told_otherwise(void **state)
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
	told_to_run(&scene, 1, 0, 4, 10);	/* goes on */
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

/*
 * Another policy for a time: what runs stays as it is, what was assigned waits like
 * the others, and when this policy is back its jobs are its own again, the other's
 * are not.
 *
 *     0  1 1 1 2 2 2 | 3 wants 1: assigned, then not
 *    10  1 1 1 2 2 2   easy
 *    20  1 1 1 3 . .   2 ends; 3 starts, 4 (asks for 2) as well
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

/* Reservations of another policy are taken back. */
static void test_reservations_are_taken_back(void **state)
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
		cmocka_unit_test(test_fewest_unallocated_of_those_with_enough),
		cmocka_unit_test(test_largest_ratio),
		cmocka_unit_test(test_memory_and_extras_limit_the_hosts),
		cmocka_unit_test(test_host_sets_in_turn),
		cmocka_unit_test(test_order_of_the_waiting),
		cmocka_unit_test(test_exclusive_and_several_hosts),
		cmocka_unit_test(test_pieces_on_the_only_host),
		cmocka_unit_test(test_at_every_change),
		cmocka_unit_test(test_least_interval),
		cmocka_unit_test(test_what_counts_as_repartition),
		cmocka_unit_test(test_more_jobs_than_processors),
		cmocka_unit_test(test_assigned_job_changes),
		cmocka_unit_test(test_full_after),
		cmocka_unit_test(test_expected_end),
		cmocka_unit_test(test_catches_up),
		cmocka_unit_test(test_catching_up_goes_on),
		cmocka_unit_test(test_catching_up_and_least_interval),
		cmocka_unit_test(test_counted_elsewhere),
		cmocka_unit_test(test_host_down),
		cmocka_unit_test(test_totals_change),
		cmocka_unit_test(test_beside_a_block),
		cmocka_unit_test(test_others_keep_theirs),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_told_otherwise),
		cmocka_unit_test(test_policy_changes),
		cmocka_unit_test(test_reservations_are_taken_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
