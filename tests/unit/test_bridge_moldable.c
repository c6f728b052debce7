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

/* As sbatch --comment. */
static job_record_t *submit_comment(uint32_t cpus, const char *comment)
{
	job_record_t *job = fake_job("all", 10);

	fake_tasks(job, 1, (uint16_t)cpus);
	job->comment = xstrdup(comment);
	passes(&bridge);
	return job;
}

/* Tasks are not scaled down unless the job is marked. */
static void tasks_wait(void **state)
{
	job_record_t *job, *marked;

	(void)state;
	submit(27, 0);
	job = fake_job("all", 10);
	marked = fake_job("all", 10);
	fake_tasks(job, 20, 1);
	fake_tasks(marked, 20, 1);
	fake_adaptive(marked, 1);
	passes(&bridge);
	assert_true(IS_JOB_PENDING(job) && IS_JOB_RUNNING(marked));
	assert_int_equal(marked->total_cpus, 5);
}

/* A tenth of 25 processors is 3. */
static void a_tenth_is_rounded_up(void **state)
{
	job_record_t *filler = submit(30, 0), *job = submit(25, 1), *other;

	(void)state;
	assert_true(IS_JOB_RUNNING(filler) && IS_JOB_PENDING(job));
	other = submit(15, 1);
	assert_true(IS_JOB_RUNNING(other));
	assert_int_equal(other->total_cpus, 2);
	assert_true(IS_JOB_PENDING(job));
}

/* More than the job requests, no number, 0, or more digits than a number has. */
static void nonsense_in_the_comment(void **state)
{
	job_record_t *job = submit_comment(20, "lxfw:adaptive=30");

	(void)state;
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(job->total_cpus, 20);
	assert_true(IS_JOB_PENDING(submit_comment(16, "lxfw:adaptive=99999999999999999999")));
	assert_true(IS_JOB_PENDING(submit_comment(16, "lxfw:adaptivex")));
	assert_true(IS_JOB_PENDING(submit_comment(16, "lxfw:adaptive-1")));
	job = submit_comment(16, "lxfw:adaptive=0");
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(job->total_cpus, 12);
}

static void least_is_1(void **state)
{
	(void)state;
	submit(31, 0);
	assert_int_equal(submit_comment(9, "x lxfw:adaptive=-5")->total_cpus, 1);
}

/* The processors are chosen, not the time limit. */
static void minimum_time_limit(void **state)
{
	job_record_t *job;

	(void)state;
	submit(27, 0);
	job = fake_job("all", 10);
	fake_tasks(job, 1, 20);
	fake_adaptive(job, 1);
	job->time_min = 5;
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(job->total_cpus, 5);
	assert_int_equal(job->time_limit, 40);
}

/* A limit of 40 on 5 processors that a user lowers to 30 is one of 8 on all 20 when the job
   starts again. */
static void limit_after_requeue(void **state)
{
	job_record_t *filler = submit(27, 0), *job = submit(20, 1);

	(void)state;
	assert_int_equal(job->time_limit, 40);
	job->time_limit = 30;
	fake_requeue(job);
	fake_end(filler);
	passes_for(&bridge, 3);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(job->total_cpus, 20);
	assert_int_equal(job->time_limit, 8);
}

/* A job that is wider than a node has a comment with the reason. */
static void wider_than_a_node(void **state)
{
	job_record_t *job = fake_job("all", 10);

	(void)state;
	fake_tasks(job, 40, 1);
	fake_adaptive(job, 1);
	passes(&bridge);
	assert_true(IS_JOB_PENDING(job));
	assert_non_null(job->system_comment);
	assert_non_null(strstr(job->system_comment, "several nodes"));
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
		cmocka_unit_test_setup_teardown(tasks_wait, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_tenth_is_rounded_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nonsense_in_the_comment, set_up, tear_down),
		cmocka_unit_test_setup_teardown(least_is_1, set_up, tear_down),
		cmocka_unit_test_setup_teardown(minimum_time_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(limit_after_requeue, set_up, tear_down),
		cmocka_unit_test_setup_teardown(wider_than_a_node, set_up, tear_down),
		cmocka_unit_test_setup_teardown(is_not_scaled_up, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
