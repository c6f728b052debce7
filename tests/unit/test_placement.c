/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hosts that a job gets, one small scene per case. */
#include "tests/unit/scene.h"

static void test_fewest_unallocated_processors(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 16, 1000);
	host_with(&scene, 1, 8, 1000);
	host_with(&scene, 2, 8, 500);
	submit(&scene, 1, 4, 100, 100);
	decide(&scene, 0);
	/* 1 and 2 have equally few processors; 2 has less memory. */
	assert_int_equal(host_of(&scene, 1), 2);
	submit(&scene, 2, 4, 450, 100);
	decide(&scene, 1);
	/* 2 has the fewest free processors, but not enough memory. */
	assert_int_equal(host_of(&scene, 2), 1);
	submit(&scene, 3, 12, 100, 100);
	decide(&scene, 2);
	assert_int_equal(host_of(&scene, 3), 0);
	finish(&scene);
}

static void test_several_hosts(void **state)
{
	struct lxfw_request job = request(1, 0, 4, 100, 100);
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 16, 1000);
	host_with(&scene, 1, 2, 1000);
	host_with(&scene, 2, 8, 1000);
	host_with(&scene, 3, 4, 1000);
	job.count = 2;
	submit_request(&scene, &job);
	decide(&scene, 0);
	action = action_of(&scene, LXFW_ACTION_START, 1);
	assert_non_null(action);
	assert_int_equal(action->count, 2);
	assert_int_equal(action->shares[0].host, 2);
	assert_int_equal(action->shares[1].host, 3);
	assert_int_equal(action->shares[1].amount.procs, 4);
	finish(&scene);
}

static void test_pieces_anywhere(void **state)
{
	struct lxfw_request job = request(1, 0, 1, 10, 100);
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 4, 1000);
	host_with(&scene, 1, 8, 40);	/* memory for 4 pieces only */
	host_with(&scene, 2, 6, 1000);
	job.shape = LXFW_SHAPE_ANYWHERE;
	job.count = 5;
	submit_request(&scene, &job);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 2);	/* one host holds all pieces */
	job.id = 2;
	job.count = 8;
	submit_request(&scene, &job);
	decide(&scene, 1);
	action = action_of(&scene, LXFW_ACTION_START, 2);
	assert_non_null(action);
	assert_int_equal(action->count, 2);
	assert_int_equal(action->shares[0].host, 0);
	assert_int_equal(action->shares[1].host, 1);
	assert_int_equal(action->shares[1].amount.memory_mb, 40);
	finish(&scene);
}

/* Six processors on at most two hosts. All three hosts together have them at 100, but
   no two of them before 200. */
static void test_few_hosts_later(void **state)
{
	struct lxfw_request job = request(4, 0, 1, 0, 50);
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	for (int32_t host = 0; host < 3; host++)
		host_with(&scene, host, 4, 1000);
	for (int32_t i = 0; i < 3; i++)
		submit(&scene, (uint64_t)i + 1, 3, 0, 100 * (i + 1));
	decide(&scene, 0);
	job.shape = LXFW_SHAPE_ANYWHERE;
	job.count = 6;
	submit_request(&scene, &job);
	decide(&scene, 0);
	assert_int_equal(reserved(&scene, 4), 100);
	for (int32_t most = 3; most > 0; most--) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_CHANGE,
			.request = &job,
		};

		job.max_hosts = most;
		apply(&scene, &event);
		decide(&scene, 0);
		/* No single host ever has six. */
		assert_int_equal(reserved(&scene, 4),
				 most == 3 ? 100 : most == 2 ? 200 : -1);
	}
	finish(&scene);
}

/* Six processors of two hosts that are free at 100. At first the first host has more
   free; then a job on the second one ends. The new shares are reported. */
static void test_same_hosts_otherwise(void **state)
{
	struct lxfw_share share = { .host = 1, .amount = { .procs = 1 } };
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN,
		.run = { .id = 9, .expected_end = 1000, .count = 1,
			 .shares = &share },
	};
	const int32_t hosts[] = { 0, 1 };
	struct lxfw_event set = {
		.type = LXFW_EVENT_HOST_SET,
		.host_set = { .count = 2, .hosts = hosts },
	};
	struct lxfw_request job = request(3, 0, 1, 0, 50);
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 4, 1000);
	host_with(&scene, 1, 4, 1000);
	apply(&scene, &set);
	submit(&scene, 1, 3, 0, 100);
	submit(&scene, 2, 3, 0, 100);
	decide(&scene, 0);
	job.shape = LXFW_SHAPE_ANYWHERE;
	job.count = 6;
	job.host_set_count = 1;
	submit_request(&scene, &job);
	host_with(&scene, 2, 8, 1000);	/* free, but not in the set */
	apply(&scene, &event);
	decide(&scene, 0);
	action = action_of(&scene, LXFW_ACTION_RESERVE, 3);
	assert_non_null(action);
	assert_int_equal(action->start, 100);
	assert_int_equal(action->count, 2);
	assert_int_equal(action->shares[0].amount.procs, 4);
	assert_int_equal(action->shares[1].amount.procs, 2);
	end(&scene, 9);
	decide(&scene, 0);
	action = action_of(&scene, LXFW_ACTION_RESERVE, 3);
	assert_non_null(action);
	assert_int_equal(action->start, 100);
	assert_int_equal(action->count, 2);
	assert_int_equal(action->shares[0].amount.procs, 2);
	assert_int_equal(action->shares[1].amount.procs, 4);
	finish(&scene);
}

static void test_host_sets_and_extras(void **state)
{
	struct lxfw_request job = request(1, 0, 1, 0, 100);
	struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET };
	const int32_t second[] = { 1 }, third[] = { 2 };
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	for (int32_t i = 0; i < 3; i++)
		host_with(&scene, i, 2, 1000);
	event.host_set.count = 1;
	event.host_set.hosts = second;
	apply(&scene, &event);
	event.host_set.id = 1;
	event.host_set.hosts = third;
	apply(&scene, &event);
	job.unit.procs = 2;
	job.host_set_count = 2;
	job.host_sets[0] = 0;
	job.host_sets[1] = 1;
	for (uint64_t id = 1; id <= 3; id++) {
		job.id = id;
		submit_request(&scene, &job);
	}
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 1);
	assert_int_equal(action_of(&scene, LXFW_ACTION_START, 1)->host_set, 0);
	assert_int_equal(host_of(&scene, 2), 2);
	assert_int_equal(action_of(&scene, LXFW_ACTION_START, 2)->host_set, 1);
	assert_false(starts(&scene, 3));
	job = request(4, 0, 1, 0, 100);
	job.unit.extras[0] = 2;
	submit_request(&scene, &job);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 4), 0);
	finish(&scene);
}

/* Both hosts of the job are in one of the sets 1 to 3. */
static void test_more_sets(void **state)
{
	struct lxfw_request job = request(2, 0, 4, 0, 100);
	struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET };
	const int32_t sets[][2] = { { 0, 5 }, { 0, 1 }, { 2, 3 }, { 4, 5 } };
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	for (int32_t i = 0; i < 6; i++)
		host_with(&scene, i, 4, 1000);
	for (int32_t i = 0; i < 4; i++) {
		event.host_set.id = i;
		event.host_set.count = 2;
		event.host_set.hosts = sets[i];
		apply(&scene, &event);
	}
	submit(&scene, 1, 4, 0, 50);	/* on host 0 */
	decide(&scene, 0);
	job.count = 2;
	job.host_set_count = 1;
	job.host_sets[0] = 1;
	job.more_sets = 2;
	for (; job.id <= 4; job.id++)
		submit_request(&scene, &job);
	decide(&scene, 1);
	action = action_of(&scene, LXFW_ACTION_START, 2);
	assert_non_null(action);
	assert_int_equal(action->host_set, 1);
	assert_int_equal(action->shares[0].host, 2);
	assert_int_equal(action->shares[1].host, 3);
	action = action_of(&scene, LXFW_ACTION_START, 3);
	assert_non_null(action);
	assert_int_equal(action->shares[1].host, 5);
	/* The set of job 1, which ends first. */
	action = action_of(&scene, LXFW_ACTION_RESERVE, 4);
	assert_non_null(action);
	assert_int_equal(action->start, 50);
	assert_int_equal(action->shares[0].host, 0);
	assert_int_equal(action->shares[1].host, 1);
	job.id = 5;
	job.more_sets = 3;
	event.type = LXFW_EVENT_JOB_SUBMIT;
	event.request = &job;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	finish(&scene);
}

static void pool_with(struct scene *scene, int32_t index, int32_t amount)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };

	event.host.index = index;
	event.host.up = true;
	event.host.total.extras[0] = amount;
	apply(scene, &event);
}

/* Two licenses for all hosts: the third job waits for one of them, and a job that needs both
   has a reservation that a long job does not delay. */
static void test_pools(void **state)
{
	struct lxfw_request job = request(1, 0, 1, 0, 100), plain = request(5, 0, 1, 0, 1000);
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 8, 1000);
	host_with(&scene, 1, 8, 1000);
	pool_with(&scene, 2, 2);
	job.no_quantum = true;
	job.pool_count = 1;
	job.pools[0] = (struct lxfw_pool_need){ .pool = 2, .amount = 1 };
	submit_request(&scene, &job);
	decide(&scene, 0);
	action = action_of(&scene, LXFW_ACTION_START, 1);
	assert_non_null(action);
	assert_int_equal(action->count, 2);
	assert_int_equal(action->shares[1].host, 2);
	assert_int_equal(action->shares[1].amount.extras[0], 1);
	assert_int_equal(action->shares[1].amount.procs, 0);
	job.id = 2;
	job.pools[0].amount = 2;
	submit_request(&scene, &job);
	decide(&scene, 10);
	assert_int_equal(reserved(&scene, 2), 100);
	/* One would end before, and another would not. */
	job.pools[0].amount = 1;
	for (uint64_t id = 3; id <= 4; id++) {
		job.id = id;
		job.estimate = id == 3 ? 100 : 90;
		submit_request(&scene, &job);
	}
	submit_request(&scene, &plain);
	decide(&scene, 10);
	assert_false(starts(&scene, 3));
	assert_true(starts(&scene, 4));
	assert_true(starts(&scene, 5));
	end(&scene, 4);
	end(&scene, 1);
	decide(&scene, 50);
	assert_true(starts(&scene, 2));
	assert_false(starts(&scene, 3));
	end(&scene, 2);
	decide(&scene, 60);
	assert_true(starts(&scene, 3));
	/* A pool that is too small: the job waits, and no other one for it. */
	job.id = 6;
	job.pools[0].amount = 3;
	submit_request(&scene, &job);
	job.id = 7;
	job.pools[0].amount = 1;
	submit_request(&scene, &job);
	decide(&scene, 61);
	assert_true(starts(&scene, 7));
	pool_with(&scene, 2, 3);
	decide(&scene, 62);
	assert_non_null(action_of(&scene, LXFW_ACTION_RESERVE, 6));
	finish(&scene);
}

static void test_exclusive(void **state)
{
	struct lxfw_request job = request(2, 0, 1, 0, 100);
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 4, 1000);
	submit(&scene, 1, 1, 0, 50);
	decide(&scene, 0);
	job.exclusive = true;
	submit_request(&scene, &job);
	decide(&scene, 1);
	assert_int_equal(reserved(&scene, 2), 50);
	end(&scene, 1);
	submit(&scene, 3, 1, 0, 10);
	decide(&scene, 2);
	assert_true(starts(&scene, 2));
	assert_int_equal(action_of(&scene, LXFW_ACTION_START, 2)->shares->amount.procs, 4);
	assert_false(starts(&scene, 3));
	finish(&scene);
}

/* A query about a job that is not in the model: the same rule, and nothing is
 * allocated. */
static void test_asked(void **state)
{
	struct lxfw_request job = request(0, 0, 3, 300, 1);
	const struct lxfw_share *shares;
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 8, 1000);
	host_with(&scene, 1, 4, 1000);
	host_with(&scene, 2, 4, 200);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(lxfw_sched_place(scene.sched, &job, &shares), 1);
		assert_int_equal(shares[0].host, 1);
		assert_int_equal(shares[0].amount.procs, 3);
	}
	submit(&scene, 1, 2, 0, 10);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 2);
	submit(&scene, 2, 2, 800, 10);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 2), 1);
	assert_int_equal(lxfw_sched_place(scene.sched, &job, &shares), 1);
	assert_int_equal(shares[0].host, 0);
	job.count = 4;
	assert_int_equal(lxfw_sched_place(scene.sched, &job, &shares), 0);
	job.count = 0;
	assert_int_equal(lxfw_sched_place(scene.sched, &job, &shares), -1);
	assert_int_equal(errno, EINVAL);
	finish(&scene);
}

/* A forecast of the start, with the running jobs and the reservations; nothing is
 * allocated. */
static void test_forecast(void **state)
{
	struct lxfw_request job = request(0, 0, 3, 300, 1);
	struct lxfw_sched_state books;
	const struct lxfw_share *shares;
	struct scene scene;
	int64_t start;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 8, 1000);
	job.estimate = 10;
	assert_int_equal(lxfw_sched_forecast(scene.sched, &job, &start, &shares), 1);
	assert_int_equal(start, 0);
	submit(&scene, 1, 6, 0, 50);
	decide(&scene, 0);
	submit(&scene, 2, 8, 0, 40);
	decide(&scene, 1);
	assert_int_equal(reserved(&scene, 2), 50);
	for (int i = 0; i < 2; i++) {
		/* 2 processors are free until 50, none from 50 to 90 */
		assert_int_equal(lxfw_sched_forecast(scene.sched, &job, &start,
						     &shares), 1);
		assert_int_equal(start, 90);
		assert_int_equal(shares[0].amount.procs, 3);
		lxfw_sched_state(scene.sched, &books);
		assert_int_equal(books.procs, 8);
		assert_int_equal(books.free, 2);
		assert_int_equal(books.waiting, 1);
		assert_int_equal(books.running, 1);
		assert_int_equal(books.waiting_work, 8 * 40);
	}
	job.unit.procs = 2;
	assert_int_equal(lxfw_sched_forecast(scene.sched, &job, &start, &shares), 1);
	assert_int_equal(start, 1);
	job.unit.procs = 9;
	assert_int_equal(lxfw_sched_forecast(scene.sched, &job, &start, &shares), 0);
	job.count = 0;
	assert_int_equal(lxfw_sched_forecast(scene.sched, &job, &start, &shares), -1);
	assert_int_equal(errno, EINVAL);
	finish(&scene);
}

/* The host of a job by each rule. The hosts have 3, 2, 0, 4 and 1 of 4 processors free,
   those with 2 and 4 only 100 MB. For a job on several hosts the result is negative,
   and `hosts` has a bit for each. */
static uint32_t hosts;

static int32_t placed(const char *placement, const struct lxfw_request *job)
{
	static const int32_t left[] = { 3, 2, 0, 4, 1 };
	const struct lxfw_share *shares;
	struct scene scene;
	char params[60];
	int32_t found;

	snprintf(params, sizeof(params), "lxfw_policy=easy,lxfw_placement=%s", placement);
	begin(&scene, params);
	for (int32_t i = 0; i < 5; i++)
		host_with(&scene, i, left[i], i % 2 ? 100 : 1000);
	found = lxfw_sched_place(scene.sched, job, &shares);
	assert_true(found >= 0);
	hosts = 0;
	for (int32_t i = 0; i < found; i++)
		hosts |= UINT32_C(1) << shares[i].host;
	found = found == 1 ? shares[0].host : -found;
	finish(&scene);
	return found;
}

static void test_other_rules(void **state)
{
	struct lxfw_request job = request(1, 0, 1, 50, 10);

	(void)state;
	assert_int_equal(placed("paper", &job), 4);
	assert_int_equal(placed("worst", &job), 3);
	/* Hosts 0 and 1 have 5 processors together, 3 and 4 as well: the first run is used. */
	assert_int_equal(placed("stock", &job), 1);
	/* Memory excludes 1 and 3: 0 alone has 3, 4 alone has 1. */
	job.unit.memory_mb = 200;
	assert_int_equal(placed("stock", &job), 4);
	job.unit.procs = 2;
	assert_int_equal(placed("stock", &job), 0);
	assert_int_equal(placed("worst", &job), 0);
	job.unit.memory_mb = 0;
	assert_int_equal(placed("paper", &job), 1);
	job.unit.procs = 4;
	/* The first run has enough, but none of its hosts alone: the second run is used. */
	assert_int_equal(placed("stock", &job), 3);
	job.unit.procs = 5;
	assert_int_equal(placed("stock", &job), 0);
	/* Pieces: two hosts of a run that has 5. */
	job.unit.procs = 1;
	job.shape = LXFW_SHAPE_ANYWHERE;
	job.count = 5;
	assert_int_equal(placed("stock", &job), -2);
	/* No run has six. Both have five: the first gives all, the second gives one. */
	job.count = 6;
	assert_int_equal(placed("stock", &job), -3);
	assert_int_equal(hosts, 1 << 0 | 1 << 1 | 1 << 4);
	job.count = 10;
	assert_int_equal(placed("stock", &job), -4);
	job.count = 11;
	assert_int_equal(placed("stock", &job), 0);
	/* Two hosts with 2 each: the run with enough is 0 and 1. */
	job = request(1, 0, 2, 0, 10);
	job.count = 2;
	assert_int_equal(placed("stock", &job), -2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fewest_unallocated_processors),
		cmocka_unit_test(test_several_hosts),
		cmocka_unit_test(test_pieces_anywhere),
		cmocka_unit_test(test_few_hosts_later),
		cmocka_unit_test(test_same_hosts_otherwise),
		cmocka_unit_test(test_host_sets_and_extras),
		cmocka_unit_test(test_more_sets),
		cmocka_unit_test(test_pools),
		cmocka_unit_test(test_exclusive),
		cmocka_unit_test(test_asked),
		cmocka_unit_test(test_forecast),
		cmocka_unit_test(test_other_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
