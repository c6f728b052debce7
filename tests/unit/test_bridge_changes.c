/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes the plugin's thread look at the simulated controller: submissions, ends of
 * jobs and cleaned up nodes, and the condition that slurmctld signals after a request.
 */
#include "tests/unit/unit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "plugins/slurm/bridge/changes.h"
#include "plugins/slurm/compat/listen.h"
#include "tests/unit/bridge_pass.h"

#define NOW 1700000000

static struct lxfw_bridge bridge;

static int set_up(void **state)
{
	(void)state;
	fake_start(NOW, true);
	memset(&slurmctld_diag_stats, 0, sizeof(slurmctld_diag_stats));
	bridge_start(&bridge);
	fake_nodes("n", 2, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 1);
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

static bool stirred(void)
{
	return lxfw_slurm_stirred(&bridge);
}

/* The tables have the same second of change as the last look. */
static void test_submission(void **state)
{
	(void)state;
	assert_false(stirred());
	for (int i = 0; i < 3; i++) {
		fake_job("all", 1);
		slurmctld_diag_stats.jobs_submitted++;
		assert_true(stirred());
		passes(&bridge);
		assert_int_equal(fake_counts.starts, i + 1);
		assert_false(stirred());
	}
	/* The counters are reset at midnight. */
	slurmctld_diag_stats.jobs_submitted = 0;
	assert_true(stirred());
}

static void fill(int jobs)
{
	for (int i = 0; i < jobs; i++)
		fake_tasks(fake_job("all", 1), 16, 1);
	passes(&bridge);
}

/* Ends of jobs matter only while jobs are pending. */
static void test_ends(void **state)
{
	(void)state;
	fill(2);
	slurmctld_diag_stats.jobs_completed++;
	assert_false(stirred());
	fill(1);
	assert_int_equal(fake_waiting(), 1);
	assert_false(stirred());
	slurmctld_diag_stats.jobs_completed++;
	assert_true(stirred());
	passes(&bridge);
	assert_false(stirred());
	slurmctld_diag_stats.jobs_failed++;
	assert_true(stirred());
	passes(&bridge);
	slurmctld_diag_stats.jobs_canceled++;
	assert_true(stirred());
}

/* Jobs that were passed to Slurm are pending, too. */
static void test_ends_for_leftovers(void **state)
{
	job_record_t *job;

	(void)state;
	fill(2);
	job = fake_job("all", 1);
	job->details->contiguous = 1;
	fake_node_count(job, 2, 2);
	passes(&bridge);
	assert_true(IS_JOB_PENDING(job));
	assert_false(stirred());
	slurmctld_diag_stats.jobs_completed++;
	assert_true(stirred());
}

static void test_cleaned_nodes(void **state)
{
	(void)state;
	fill(3);
	assert_int_equal(fake_waiting(), 1);
	bit_set(cg_node_bitmap, 0);
	assert_false(stirred());
	passes(&bridge);
	/* Another one begins: nothing can start on it. */
	bit_set(cg_node_bitmap, 1);
	assert_false(stirred());
	bit_clear(cg_node_bitmap, 0);
	assert_true(stirred());
	passes(&bridge);
	assert_false(stirred());
	slurmctld_config.shutdown_time = NOW;
	bit_clear(cg_node_bitmap, 1);
	assert_false(stirred());
	slurmctld_config.shutdown_time = 0;
	assert_true(stirred());
	passes(&bridge);
	assert_false(stirred());
}

/* A node that cleans up after a job is of no use yet. A job that Slurm refused in the
   meantime is tried again as soon as the node is clean, and not after its back-off. */
static void test_leftover_on_cleaned_nodes(void **state)
{
	job_record_t *job;

	(void)state;
	fake_trouble.refuse = 1;
	job = fake_job("all", 1);
	job->details->contiguous = 1;
	for (int second = 0; second < 70; second++) {
		fake_pass_seconds(1);
		passes(&bridge);
	}
	bit_set(cg_node_bitmap, 0);
	passes(&bridge);
	fake_trouble.refuse = 0;
	bit_clear(cg_node_bitmap, 0);
	assert_true(IS_JOB_PENDING(job));
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
}

/* --- the listener --------------------------------------------------------- */

static atomic_int handled;

static void count(void)
{
	handled++;
}

/* As at the end of each of slurmctld's threads for requests. */
static void end_request(void)
{
	pthread_mutex_lock(&slurmctld_config.thread_count_lock);
	pthread_cond_broadcast(&slurmctld_config.thread_count_cond);
	pthread_mutex_unlock(&slurmctld_config.thread_count_lock);
}

static void test_listener(void **state)
{
	(void)state;
	handled = 0;
	assert_true(lxfw_listen_start(count));
	assert_false(lxfw_listen_start(count));
	/* A request that ends before the thread waits is not counted. */
	for (int i = 0; handled < 3 && i < 60000; i++) {
		end_request();
		usleep(1000);
	}
	assert_true(handled >= 3);
	lxfw_listen_stop();
	handled = 0;
	end_request();
	lxfw_listen_stop();
	assert_int_equal(handled, 0);
	assert_true(lxfw_listen_start(count));
	lxfw_listen_stop();
}

int main(void)
{
#define CHANGE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		CHANGE(test_submission),
		CHANGE(test_ends),
		CHANGE(test_ends_for_leftovers),
		CHANGE(test_cleaned_nodes),
		CHANGE(test_leftover_on_cleaned_nodes),
		CHANGE(test_listener),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
