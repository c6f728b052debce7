/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moldable jobs: they start on fewer processors than requested, with a longer limit. */
#include "tests/unit/unit.h"

#include <string.h>

#include "common/params/policy.h"
#include "tests/unit/bridge_pass.h"

#define NOW 1700000000

static struct lxfw_bridge bridge;

/* A node of 32 processors. Jobs do not wait because of the threshold. */
static int set_up(void **state)
{
	static const char text[] = "lxfw_policy=easy_moldable,lxfw_mold_threshold=0";
	struct lxfw_params params;
	struct lxfw_error error;

	(void)state;
	fake_start(NOW, true);
	memset(&bridge, 0, sizeof(bridge));
	lxfw_params_default(&params);
	assert_int_equal(lxfw_params_parse(&params, text, NULL, NULL, &error), 0);
	lxfw_bridge_init(&bridge, &params);
	assert_true(lxfw_bridge_set_adaptive(&bridge, text));
	fake_nodes("n", 1, 32, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 0);
	passes(&bridge);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	return 0;
}

static job_record_t *submit(uint32_t cpus, uint32_t least)
{
	job_record_t *job = fake_job("all", 10);

	fake_tasks(job, 1, (uint16_t)cpus);
	if (least > 0)
		fake_adaptive(job, least);
	passes(&bridge);
	return job;
}

/* On 5 of 20 processors the limit of 10 minutes becomes 40. */
static void starts_on_fewer(void **state)
{
	job_record_t *filler = submit(27, 0), *job = submit(20, 1);

	(void)state;
	assert_true(IS_JOB_RUNNING(filler) && IS_JOB_RUNNING(job));
	assert_int_equal(job->total_cpus, 5);
	assert_int_equal(job->time_limit, 40);
	assert_int_equal(job->end_time, NOW + 40 * 60);
	assert_int_equal(filler->time_limit, 10);
}

/* A limit grows by a factor of 10 at most: a job of 20 processors runs on 2 at least. */
static void has_time_for_its_work(void **state)
{
	job_record_t *filler = submit(31, 0), *job = submit(20, 1), *small = submit(10, 1);

	(void)state;
	assert_true(IS_JOB_RUNNING(filler) && IS_JOB_PENDING(job));
	assert_true(IS_JOB_RUNNING(small));
	assert_int_equal(small->total_cpus, 1);
	assert_int_equal(small->time_limit, 100);
}

/* A job that is not marked, or that needs more, waits. */
static void waits(void **state)
{
	job_record_t *rigid, *least;

	(void)state;
	submit(27, 0);
	rigid = submit(20, 0);
	least = submit(20, 6);
	assert_true(IS_JOB_PENDING(rigid) && IS_JOB_PENDING(least));
	assert_int_equal(least->time_limit, 10);
}

/* A free machine: as requested, and not more. */
static void is_not_scaled_up(void **state)
{
	job_record_t *job = submit(20, 1);

	(void)state;
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(job->total_cpus, 20);
	assert_int_equal(job->time_limit, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(starts_on_fewer, set_up, tear_down),
		cmocka_unit_test_setup_teardown(has_time_for_its_work, set_up, tear_down),
		cmocka_unit_test_setup_teardown(waits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(is_not_scaled_up, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
