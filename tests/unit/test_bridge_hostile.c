/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * No number in any field of a job affects other jobs. One of two nodes belongs to a
 * separate partition. A job of one processor must start there in the next passes,
 * whatever other jobs are pending.
 */
#include "tests/unit/unit.h"

#include "tests/unit/bridge_pass.h"
#include "tests/unit/hostile_job.h"

#define NOW 1700000000
#define ROUNDS 300

static struct lxfw_bridge bridge;
static uint64_t seed;
static enum lxfw_policy used_policy;

static void start(enum lxfw_policy policy)
{
	struct lxfw_params params;

	bridge_start(&bridge);
	lxfw_params_preset(&params, policy);
	params.eq_min_interval = 2;
	lxfw_agent_set_params(&bridge.agent, &params);
	used_policy = policy;
}

/* Submit a hostile job, adaptive if the policy supports it. */
static job_record_t *bad_job(const char *parts)
{
	job_record_t *job = fake_job(parts, 1);

	if (used_policy == LXFW_POLICY_EQSPATIAL)
		fake_adaptive(job, 1);
	return job;
}

static int set_up_with(bool memory_counts, enum lxfw_policy policy)
{
	fake_start(NOW, memory_counts);
	start(policy);
	fake_nodes("n", 3, 16, 16000, 0);
	fake_nodes("g", 2, 32, 64000, 4);
	fake_nodes("good", 1, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 4);
	fake_part("good", 5, 5);
	passes(&bridge);
	return 0;
}

static int set_up(void **state)
{
	(void)state;
	return set_up_with(true, LXFW_POLICY_LXFW);
}

static int set_up_equipartition(void **state)
{
	(void)state;
	return set_up_with(true, LXFW_POLICY_EQSPATIAL);
}

static int set_up_without_memory(void **state)
{
	(void)state;
	return set_up_with(false, LXFW_POLICY_LXFW);
}

static int tear_down(void **state)
{
	(void)state;
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	return 0;
}

/* True if another user's job starts, the hostile job does not cause the model to be
   rebuilt, and the log is not flooded. */
static bool is_calm(void)
{
	uint32_t errors = fake_counts.errors;
	job_record_t *good;
	bool calm;

	for (int i = 0; i < 3; i++) {
		fake_pass_seconds(1);
		passes(&bridge);
	}
	good = fake_job("good", 1);
	passes(&bridge);
	calm = IS_JOB_RUNNING(good) && bridge.agent.total.rebuilds == 1 &&
	       fake_counts.errors <= errors + 1;
	if (!calm)
		printf("# the good job is in state %u; books made %"PRIu64" times; %u errors, the last: %s\n",
		       good->job_state, bridge.agent.total.rebuilds,
		       fake_counts.errors - errors, fake_counts.last_error);
	fake_vanish(good);
	return calm;
}

static void assert_calm(const job_record_t *bad)
{
	if (is_calm())
		return;
	if (bad)
		fake_describe(bad);
	fail();
}

/* All fields are tested, to report each one that does harm. */
static void test_each_field(void **state)
{
	int harmful = 0;

	(void)state;
	for (int field = 0; field < HOSTILE_FIELDS; field++) {
		for (unsigned int i = 0; i < hostile_value_count; i++) {
			job_record_t *bad = bad_job("all");
			uint32_t id = bad->job_id;

			hostile_set(bad, (enum hostile_field)field,
				    hostile_values[i]);
			if (!is_calm()) {
				printf("# %s %"PRIu64" does harm\n",
				       hostile_name(field), hostile_values[i]);
				harmful++;
				lxfw_bridge_destroy(&bridge);
				start(used_policy);
			}
			if (fake_find(id))
				fake_vanish(fake_find(id));
		}
	}
	assert_int_equal(harmful, 0);
}

/* Changes as by scontrol update of a pending job. */
static void test_updates(void **state)
{
	job_record_t *bad;
	uint64_t random = seed;

	(void)state;
	bad = bad_job("all");
	fake_tasks(bad, 200, 1);	/* it is pending */
	passes(&bridge);
	for (int round = 0; round < ROUNDS; round++) {
		int field = (int)unit_between(&random, 0, HOSTILE_FIELDS - 1);
		int value = (int)unit_between(&random, 0,
					      hostile_value_count - 1);

		hostile_set(bad, (enum hostile_field)field,
			    hostile_values[value]);
		assert_calm(bad);
		if (!IS_JOB_PENDING(bad)) {
			fake_vanish(bad);
			bad = bad_job("all");
		}
	}
}

static void random_fields(job_record_t *job, uint64_t *random)
{
	int64_t count = unit_between(random, 1, 6);

	while (count-- > 0) {
		int64_t field = unit_between(random, 0, HOSTILE_FIELDS - 1);
		uint64_t value;

		switch (unit_between(random, 0, 3)) {
		case 0:
			value = unit_random(random);
			break;
		case 1:
			value = (uint64_t)unit_between(random, 0, 40);
			break;
		default:
			value = hostile_values[unit_between(
				random, 0, hostile_value_count - 1)];
			break;
		}
		hostile_set(job, (enum hostile_field)field, value);
	}
}

/* Several fields, several jobs, two partitions, arrays. */
static void test_random_fields(void **state)
{
	uint64_t random = seed;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		job_record_t *bad = bad_job(round % 2 ? "all" : "all,good");

		/* It may also use the other partition's node. */
		if (round % 2 == 0)
			fake_exclude(bad, "good0", 5);
		if (round % 5 == 0)
			fake_array(bad, 0, 3, 0);
		random_fields(bad, &random);
		if (round % 10 == 0)
			assert_calm(bad);
		fake_end_overdue();
	}
	assert_calm(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_each_field, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_each_field,
						set_up_without_memory,
						tear_down),
		cmocka_unit_test_setup_teardown(test_each_field,
						set_up_equipartition,
						tear_down),
		cmocka_unit_test_setup_teardown(test_updates, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_random_fields, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_random_fields,
						set_up_without_memory,
						tear_down),
		cmocka_unit_test_setup_teardown(test_random_fields,
						set_up_equipartition,
						tear_down),
	};
	int failed;

	seed = unit_seed("hostile");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	in_turn = true;
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
