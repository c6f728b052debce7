/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reservations of jobs that wait for pools: they do not take that of a job that waits for
   processors. */
#include "tests/unit/scene.h"

#include "common/pass/consider.h"

#define POOL 1

/* A host of 8 processors and a pool of AMOUNT. */
static void begin_with(struct scene *scene, const char *params, int32_t amount)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };

	begin(scene, params);
	host_with(scene, 0, 8, 1000);
	event.host.index = POOL;
	event.host.up = true;
	event.host.total.extras[0] = amount;
	apply(scene, &event);
}

/* Submit a job that needs 1 of the pool. */
static void submit_for_pool(struct scene *scene, uint64_t id, int32_t procs, int64_t estimate)
{
	struct lxfw_request job = request(id, scene->now, procs, 0, estimate);

	job.no_quantum = true;
	job.pool_count = 1;
	job.pools[0] = (struct lxfw_pool_need){ .pool = POOL, .amount = 1 };
	submit_request(scene, &job);
}

/* Job 1 has the pool until 1000, job 2 has 3 processors until 100. Job 3 waits for the pool,
   and job 4 for more processors than are free. */
static void begin_waiting(struct scene *scene, const char *params)
{
	begin_with(scene, params, 1);
	submit_for_pool(scene, 1, 1, 1000);
	submit(scene, 2, 3, 0, 100);
	decide(scene, 0);
	submit_for_pool(scene, 3, 1, 50);
	decide(scene, 10);
	assert_int_equal(reserved(scene, 3), 1000);
	scene->now = 20;
	submit(scene, 4, 6, 0, 100);
	decide(scene, 20);
}

static const char *const policies[] = {
	"lxfw_policy=easy",
	"lxfw_policy=lxfw",
	"lxfw_policy=priority",
	"lxfw_policy=sjf",
	"lxfw_policy=site",
	"lxfw_policy=easy,lxfw_reservation_mode=compress",
	"lxfw_policy=easy,lxfw_reservation_window=5000",
};

#define POLICY_COUNT (sizeof(policies) / sizeof(policies[0]))

/* The second one has a reservation, too, which a long job does not delay. */
static void test_both(void **state)
{
	struct scene scene;

	(void)state;
	for (size_t i = 0; i < POLICY_COUNT; i++) {
		begin_waiting(&scene, policies[i]);
		assert_int_equal(reserved(&scene, 4), 100);
		scene.now = 30;
		submit(&scene, 5, 2, 0, 500);
		decide(&scene, 30);
		assert_false(starts(&scene, 5));
		end(&scene, 2);
		decide(&scene, 100);
		assert_true(starts(&scene, 4));
		finish(&scene);
	}
}

/* The number of reservations for processors stays what it was. */
static void test_number(void **state)
{
	struct scene scene;

	(void)state;
	begin_waiting(&scene, "lxfw_policy=easy");
	scene.now = 30;
	submit(&scene, 5, 8, 0, 100);
	decide(&scene, 30);
	assert_null(action_of(&scene, LXFW_ACTION_RESERVE, 5));
	/* Behind the last reservation, jobs that wait for the pool have none, either. */
	submit_for_pool(&scene, 6, 1, 50);
	decide(&scene, 40);
	assert_null(action_of(&scene, LXFW_ACTION_RESERVE, 6));
	end(&scene, 2);
	decide(&scene, 50);
	assert_true(starts(&scene, 4));
	assert_non_null(action_of(&scene, LXFW_ACTION_RESERVE, 5));
	finish(&scene);
}

/* Jobs that wait for the pool keep coming before a wide job, and small jobs behind it. */
static void test_no_starvation(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_PRIORITY };
	int64_t wide = -1, ends[100] = { 0 };
	struct scene scene;

	(void)state;
	begin_with(&scene, "lxfw_policy=site", 1);
	submit_for_pool(&scene, 1, 1, 100000);
	for (int i = 0; i < 100 && wide < 0; i++) {
		scene.now = 10 * i;
		for (int small = 0; small < i; small++) {
			if (ends[small] == scene.now)
				end(&scene, 200 + (uint64_t)small);
		}
		submit_for_pool(&scene, event.priority.id = 100 + (uint64_t)i, 1, 100);
		event.priority.priority = 100;
		apply(&scene, &event);
		if (i == 20)
			submit(&scene, 3, 7, 0, 100);
		submit(&scene, 200 + (uint64_t)i, 1, 0, 50);
		decide(&scene, 10 * i);
		for (int small = 0; small <= i; small++) {
			if (starts(&scene, 200 + (uint64_t)small))
				ends[small] = 10 * i + 50;
		}
		if (starts(&scene, 3))
			wide = 10 * i;
	}
	/* Those that ran when it was submitted have ended. */
	assert_int_equal(wide, 240);
	finish(&scene);
}

/* A job with a pool that waits for processors has the reservation, and gives it up when only
   the pool delays it. */
static void test_kinds_change(void **state)
{
	struct scene scene;

	(void)state;
	begin_with(&scene, "lxfw_policy=easy", 1);
	submit(&scene, 1, 7, 0, 100);
	decide(&scene, 0);
	submit_for_pool(&scene, 2, 2, 50);
	submit(&scene, 3, 3, 0, 100);
	decide(&scene, 10);
	assert_int_equal(reserved(&scene, 2), 100);
	assert_null(action_of(&scene, LXFW_ACTION_RESERVE, 3));
	/* Others start that have the pool until later. */
	submit_for_pool(&scene, 4, 1, 80);
	decide(&scene, 15);
	assert_true(starts(&scene, 4));
	end(&scene, 1);
	decide(&scene, 20);
	assert_true(starts(&scene, 3));
	assert_int_equal(reserved(&scene, 2), 95);
	submit(&scene, 5, 8, 0, 100);
	decide(&scene, 30);
	assert_int_equal(reserved(&scene, 5), 145);
	finish(&scene);
}

/* The number of those for pools is bounded, too, and so are decisions: what does not fit in the
   number waits without a reservation, and takes none from others. */
static void test_many(void **state)
{
	const int waiting = 3 * LXFW_RESERVATIONS_FOR_POOLS;
	struct scene scene;
	int count = 0;

	(void)state;
	begin_with(&scene, "lxfw_policy=easy", 1);
	submit_for_pool(&scene, 1, 1, 1000);
	submit(&scene, 2, 3, 0, 100);
	decide(&scene, 0);
	scene.now = 10;
	for (int i = 0; i < waiting; i++)
		submit_for_pool(&scene, (uint64_t)(10 + i), 1, 50 + i);
	scene.now = 20;
	submit(&scene, 4, 6, 0, 100);
	decide(&scene, 20);
	for (int i = 0; i < waiting; i++)
		count += action_of(&scene, LXFW_ACTION_RESERVE, (uint64_t)(10 + i)) != NULL;
	assert_int_equal(count, LXFW_RESERVATIONS_FOR_POOLS);
	assert_int_equal(reserved(&scene, 4), 100);
	/* Nothing has changed: nothing is decided. */
	decide(&scene, 21);
	assert_int_equal(scene.decision.count, 0);
	/* The pool is free early, twice: each time one more has a reservation. */
	end(&scene, 1);
	decide(&scene, 30);
	assert_true(starts(&scene, 10));
	assert_non_null(action_of(&scene, LXFW_ACTION_RESERVE,
				  10 + LXFW_RESERVATIONS_FOR_POOLS));
	end(&scene, 10);
	decide(&scene, 40);
	assert_true(starts(&scene, 11));
	assert_non_null(action_of(&scene, LXFW_ACTION_RESERVE,
				  11 + LXFW_RESERVATIONS_FOR_POOLS));
	finish(&scene);
}

/* A decision after a policy has changed finds the numbers as they are. */
static void test_other_policy(void **state)
{
	struct scene scene;
	struct lxfw_params params;
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS, .params = &params };
	struct lxfw_error error;

	(void)state;
	begin_waiting(&scene, "lxfw_policy=easy");
	for (int i = 0; i < 3; i++) {
		const char *text = i == 0 ? "lxfw_policy=slurm" : i == 1 ? "lxfw_policy=fcfs" :
							      "lxfw_policy=easy";

		lxfw_params_preset(&params, LXFW_POLICY_EASY);
		assert_int_equal(lxfw_params_parse(&params, text, NULL, NULL, &error), 0);
		apply(&scene, &event);
		decide(&scene, 60 * (i + 1) - 30);
		assert_int_equal(scene.sched->reserved_for_pools, i > 0);
	}
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both),
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_no_starvation),
		cmocka_unit_test(test_kinds_change),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_other_policy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
