/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sdiag and squeue --start show, with a simulated controller. */
#include "tests/unit/unit.h"

#include <string.h>

#include "plugins/agent/estimate.h"
#include "tests/unit/bridge_pass.h"

#define NOW 1700000000

static struct lxfw_bridge bridge;
static const diag_stats_t *const stats = &slurmctld_diag_stats;

static int set_up(void **state)
{
	(void)state;
	fake_start(NOW, true);
	memset(&slurmctld_diag_stats, 0, sizeof(slurmctld_diag_stats));
	bridge_start(&bridge);
	fake_nodes("n", 4, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 3);
	fake_part("half", 0, 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	return 0;
}

static job_record_t *node_job(const char *part, uint32_t minutes)
{
	job_record_t *job = fake_job(part, minutes);

	fake_tasks(job, 16, 1);
	return job;
}

/* --- sdiag --------------------------------------------------------------- */

static void test_no_jobs(void **state)
{
	(void)state;
	passes(&bridge);
	assert_int_equal(bridge.agent.total.passes, 1);
	assert_int_equal(stats->bf_cycle_counter, 0);
	assert_int_equal(stats->bf_when_last_cycle, 0);
	assert_false(stats->bf_active);
}

static void test_counters(void **state)
{
	uint32_t cycles;

	(void)state;
	for (uint32_t i = 0; i < 4; i++)
		node_job("all", 1 + i);
	one_pass(&bridge);
	assert_int_equal(stats->backfilled_jobs, 4);
	assert_int_equal(stats->last_backfilled_jobs, 4);
	assert_int_equal(stats->bf_cycle_counter, 1);
	assert_int_equal(stats->bf_when_last_cycle, NOW);
	assert_int_equal(stats->bf_queue_len, 4);
	assert_int_equal(stats->bf_last_depth, 4);
	assert_int_equal(stats->bf_last_depth_try, 4);
	assert_int_equal(stats->bf_table_size, 4);
	/* A job in two partitions has two records in the queue. */
	fake_pass_seconds(1);
	node_job("all,half", 1);
	node_job("all", 1);
	one_pass(&bridge);
	assert_int_equal(stats->backfilled_jobs, 4);
	assert_int_equal(stats->bf_cycle_counter, 2);
	assert_int_equal(stats->bf_when_last_cycle, NOW + 1);
	assert_int_equal(stats->bf_queue_len, 3);
	assert_int_equal(stats->bf_queue_len_sum, 7);
	assert_int_equal(stats->bf_last_depth, 3);
	assert_int_equal(stats->bf_depth_sum, 7);
	assert_int_equal(stats->bf_last_depth_try, 2);
	assert_int_equal(stats->bf_depth_try_sum, 6);
	/* Four ends of jobs, and the reservation of the first pending one. */
	assert_int_equal(stats->bf_table_size, 5);
	assert_int_equal(stats->bf_table_size_sum, 9);
	assert_true(stats->bf_cycle_sum >= stats->bf_cycle_max);
	assert_true(stats->bf_cycle_max >= stats->bf_cycle_last);
	assert_false(stats->bf_active);
	cycles = stats->bf_cycle_counter;
	one_pass(&bridge);
	assert_int_equal(stats->bf_cycle_counter, cycles + 1);
}

/* A job that a partition does not let run is in the queue, and is not tested. */
static void test_not_tested(void **state)
{
	(void)state;
	node_job("all", 1);
	node_job("half", 1);
	find_part_record((char *)"half")->state_up = PARTITION_SUBMIT;
	one_pass(&bridge);
	assert_int_equal(stats->bf_queue_len, 2);
	assert_int_equal(stats->bf_last_depth, 2);
	assert_int_equal(stats->bf_last_depth_try, 1);
}

/* --- squeue --start ------------------------------------------------------ */

/* Finish an outlook, and show its results in the records. */
static void estimate(void)
{
	bridge.agent.estimates.began_us = 0;
	do {
		lxfw_estimates_work(&bridge.agent);
	} while (lxfw_estimates_in_progress(&bridge.agent));
	passes(&bridge);
}

/* 24 jobs of one node and ten minutes on four nodes: four run, and four more start every
   ten minutes. */
static void test_all_have_estimates(void **state)
{
	job_record_t *jobs[24];

	(void)state;
	for (int i = 0; i < 24; i++) {
		jobs[i] = node_job("all", 10);
		jobs[i]->details->submit_time = NOW - 900 + i;
		jobs[i]->details->begin_time = NOW - 900 + i;
	}
	passes(&bridge);
	assert_int_equal(fake_running(), 4);
	estimate();
	for (int i = 4; i < 24; i++) {
		assert_true(IS_JOB_PENDING(jobs[i]));
		assert_int_equal(jobs[i]->start_time, NOW + i / 4 * 600);
		assert_non_null(jobs[i]->sched_nodes);
	}
	/* The jobs start as expected. */
	for (int i = 1; i < 6; i++) {
		fake_pass_seconds(600);
		fake_end_overdue();
		passes(&bridge);
		assert_int_equal(fake_counts.starts, 4 + 4 * i);
	}
}

/* Names of nodes are shown for the jobs that are expected to start first. */
static void test_names_are_bounded(void **state)
{
	int named = 0;

	(void)state;
	for (uint32_t i = 0; i < 300; i++)
		node_job("all", 10);
	passes(&bridge);
	estimate();
	for (uint32_t id = 1; id <= 300; id++) {
		const job_record_t *job = fake_find(id);

		if (!IS_JOB_PENDING(job))
			continue;
		assert_true(job->start_time > NOW);
		named += job->sched_nodes != NULL;
	}
	assert_in_range(named, 64, 66);
}

/* An estimate that is over is not shown. A new one is made then. */
static void test_late(void **state)
{
	job_record_t *job;

	(void)state;
	for (int i = 0; i < 6; i++)
		job = node_job("all", 10);
	passes(&bridge);
	estimate();
	assert_int_equal(job->start_time, NOW + 600);
	/* The running jobs do not end in time. */
	fake_pass_seconds(650);
	passes(&bridge);
	assert_true(job->start_time == 0 || job->start_time > NOW + 650);
	estimate();
	assert_true(job->start_time > NOW + 650);
}

/* The tasks of an array have one record, with the first of their starts. */
static void test_array(void **state)
{
	job_record_t *job, *array;

	(void)state;
	for (int i = 0; i < 4; i++)
		job = node_job("all", 10);
	passes(&bridge);
	job = node_job("all", 10);
	job->details->submit_time -= 500;
	job->details->begin_time -= 500;
	array = node_job("all", 10);
	fake_array(array, 0, 9, 0);
	passes(&bridge);
	estimate();
	assert_int_equal(array->start_time, NOW + 600);
	assert_int_equal(job->start_time, NOW + 600);
}

/* Nothing is computed while nothing changes, and nothing without pending jobs. */
static void test_is_not_repeated(void **state)
{
	uint32_t number;

	(void)state;
	node_job("all", 10);
	passes(&bridge);
	estimate();
	assert_int_equal(bridge.agent.estimates.number, 0);
	for (int i = 0; i < 6; i++)
		node_job("all", 10);
	passes(&bridge);
	estimate();
	number = bridge.agent.estimates.number;
	assert_int_equal(number, 1);
	fake_pass_seconds(10);
	passes(&bridge);
	estimate();
	assert_int_equal(bridge.agent.estimates.number, number);
	assert_false(bridge.agent.stale);
	node_job("all", 10);
	passes(&bridge);
	estimate();
	assert_int_equal(bridge.agent.estimates.number, number + 1);
}

int main(void)
{
#define SHOWN(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		SHOWN(test_no_jobs),
		SHOWN(test_counters),
		SHOWN(test_not_tested),
		SHOWN(test_all_have_estimates),
		SHOWN(test_names_are_bounded),
		SHOWN(test_late),
		SHOWN(test_array),
		SHOWN(test_is_not_repeated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
