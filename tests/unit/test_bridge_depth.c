/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which jobs a look considers (bf_max_job_*), and when passes begin (max_rpc_cnt). */
#include "tests/unit/unit.h"

#include <string.h>

#include "plugins/agent/table.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/sched-lxfw/rpcs.h"
#include "tests/unit/bridge_pass.h"

#define NOW 1700000000
#define PROCS 16

static struct lxfw_bridge bridge;

/* One full node in two partitions, so that jobs wait. */
static void full_node(const char *parameters)
{
	job_record_t *job;

	fake_start(NOW, true);
	bridge_start(&bridge);
	lxfw_depth_set(&bridge.depth, parameters);
	fake_nodes("n", 1, PROCS, 32000, 0);
	fake_nodes_done();
	fake_part("p", 0, 0);
	fake_part("q", 0, 0);
	passes(&bridge);
	job = fake_job("p", 60);
	fake_tasks(job, PROCS, 1);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
}

static int tear_down(void **state)
{
	(void)state;
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	return 0;
}

static job_record_t *job_of(uint32_t user, const char *parts, uint32_t priority)
{
	job_record_t *job;

	fake_pass_seconds(1);
	job = fake_job(parts, 60);
	job->user_id = user;
	job->priority = priority;
	return job;
}

static bool is_considered(uint64_t id)
{
	const struct lxfw_known_job *known = lxfw_table_find(&bridge.agent.jobs, id);

	return known && known->state == LXFW_KNOWN_WAITING;
}

static bool considers(const job_record_t *job)
{
	return is_considered(lxfw_record_id(job));
}

static void look_again(void)
{
	fake_pass_seconds(1);
	last_job_update = time(NULL);
	passes(&bridge);
}

static void limits_users(void **state)
{
	job_record_t *low, *first, *second, *other;

	(void)state;
	full_node("bf_max_job_user=2");
	low = job_of(1, "p", 100);
	first = job_of(1, "p", 300);
	second = job_of(1, "q", 200);
	other = job_of(2, "p", 50);
	look_again();
	assert_true(considers(first) && considers(second) && considers(other));
	assert_false(considers(low));
	/* The order is that of Slurm's priorities now. */
	low->priority = 400;
	look_again();
	assert_true(considers(low) && considers(first) && considers(other));
	assert_false(considers(second));
	/* A job that has left makes room for the next one. */
	fake_vanish(first);
	look_again();
	assert_true(considers(second));
	lxfw_depth_set(&bridge.depth, "bf_max_job_user=0");
	look_again();
	assert_true(considers(low) && considers(second));
}

static void limits_partitions(void **state)
{
	job_record_t *first, *second, *third, *both;

	(void)state;
	full_node("bf_max_job_part=2");
	first = job_of(1, "p", 400);
	both = job_of(2, "p,q", 300);
	second = job_of(3, "p", 200);
	third = job_of(4, "q", 100);
	look_again();
	assert_true(considers(first) && considers(both) && considers(third));
	assert_false(considers(second));
	lxfw_depth_set(&bridge.depth, "bf_max_job_part=1");
	look_again();
	assert_true(considers(first) && considers(both));
	assert_false(considers(second) || considers(third));
}

static void limits_users_in_partitions(void **state)
{
	job_record_t *first, *second, *third, *fourth;

	(void)state;
	full_node("bf_max_job_user_part=1");
	first = job_of(1, "p", 400);
	second = job_of(1, "p", 300);
	third = job_of(1, "q", 200);
	fourth = job_of(2, "p", 100);
	look_again();
	assert_true(considers(first) && considers(third) && considers(fourth));
	assert_false(considers(second));
}

static void limits_associations(void **state)
{
	static slurmdb_assoc_rec_t assoc;
	job_record_t *first, *second, *third;

	(void)state;
	full_node("bf_max_job_assoc=1");
	first = job_of(1, "p", 400);
	second = job_of(1, "p", 300);
	third = job_of(1, "p", 200);
	/* Without accounting there is no limit. */
	look_again();
	assert_true(considers(first) && considers(second) && considers(third));
	first->assoc_ptr = second->assoc_ptr = third->assoc_ptr = &assoc;
	first->assoc_id = second->assoc_id = 7;
	third->assoc_id = 8;
	look_again();
	assert_true(considers(first) && considers(third));
	assert_false(considers(second));
	first->assoc_ptr = second->assoc_ptr = third->assoc_ptr = NULL;
}

static void counts_tasks(void **state)
{
	job_record_t *array, *plain;

	(void)state;
	full_node("bf_max_job_user=3");
	array = job_of(1, "p,q", 400);
	fake_array(array, 1, 5, 0);
	plain = job_of(1, "p", 300);
	look_again();
	for (uint32_t task = 1; task <= 5; task++)
		assert_int_equal(is_considered(lxfw_job_id(array->job_id,
						array->array_job_id, task)), task <= 3);
	assert_false(considers(plain));
	lxfw_depth_set(&bridge.depth, "bf_max_job_part=6");
	look_again();
	assert_true(is_considered(lxfw_job_id(array->job_id, array->array_job_id, 5)));
	assert_true(considers(plain));
}

/* Jobs in reservations precede those of a higher tier, and these those of a higher
   priority. */
static void follows_slurms_order(void **state)
{
	job_record_t *plain, *tier, *reserved;

	(void)state;
	full_node("bf_max_job_user=2");
	find_part_record("q")->priority_tier = 5;
	plain = job_of(1, "p", 300);
	tier = job_of(1, "q", 200);
	reserved = job_of(1, "p", 100);
	look_again();
	assert_true(considers(plain) && considers(tier));
	assert_false(considers(reserved));
	reserved->resv_id = 1;
	look_again();
	assert_true(considers(tier) && considers(reserved));
	assert_false(considers(plain));
	lxfw_depth_set(&bridge.depth, "bf_max_job_user=1");
	look_again();
	assert_true(considers(reserved));
	assert_false(considers(tier) || considers(plain));
}

/* A job that may not run because of a limit does not count. */
static void limits_come_first(void **state)
{
	job_record_t *first, *second;

	(void)state;
	full_node("bf_max_job_user=1");
	first = job_of(1, "p", 300);
	second = job_of(1, "p", 200);
	fake_account(first);
	fake_limits.qos_jobs = 1;
	fake_limits_begin(first);	/* for another job of its QOS */
	look_again();
	assert_true(considers(second));
	assert_false(considers(first));
	fake_limits.qos_jobs = 2;
	look_again();
	assert_true(considers(first));
	assert_false(considers(second));
}

static void two_nodes(const char *parameters)
{
	fake_start(NOW, true);
	bridge_start(&bridge);
	lxfw_depth_set(&bridge.depth, parameters);
	fake_nodes("n", 2, PROCS, 32000, 0);
	fake_nodes_done();
	fake_part("p", 0, 0);
	fake_part("q", 1, 1);
	passes(&bridge);
	slurm_conf.complete_wait = 30;
	fake_completing = bit_alloc(2);
	bit_set(fake_completing, 0);
}

static void completing_ends(void)
{
	FREE_NULL_BITMAP(fake_completing);
	look_again();
}

/* CompleteWait */
static void waits_for_completing_jobs(void **state)
{
	job_record_t *here, *elsewhere;

	(void)state;
	two_nodes("");
	here = job_of(1, "p", 100);
	elsewhere = job_of(1, "q", 100);
	look_again();
	assert_true(IS_JOB_PENDING(here) && IS_JOB_PENDING(elsewhere));
	completing_ends();
	assert_true(IS_JOB_RUNNING(here) && IS_JOB_RUNNING(elsewhere));
}

static void waits_in_the_partition(void **state)
{
	job_record_t *here, *elsewhere;

	(void)state;
	two_nodes("reduce_completing_frag");
	here = job_of(1, "p", 100);
	elsewhere = job_of(1, "q", 100);
	look_again();
	assert_true(IS_JOB_PENDING(here));
	assert_true(IS_JOB_RUNNING(elsewhere));
	completing_ends();
	assert_true(IS_JOB_RUNNING(here));
}

static void set_rpcs(uint32_t count, bool many)
{
	slurmctld_config.server_thread_count = (int)count;
	assert_int_equal(lxfw_rpcs_many(), many);
}

static void waits_for_rpcs(void **state)
{
	(void)state;
	full_node("");
	pthread_mutex_init(&slurmctld_config.thread_count_lock, NULL);
	lxfw_rpcs_set("defer");
	set_rpcs(200, false);
	lxfw_rpcs_set("max_rpc_cnt=100");
	set_rpcs(99, false);
	set_rpcs(100, true);
	set_rpcs(21, true);
	set_rpcs(20, false);
	set_rpcs(99, false);
	lxfw_rpcs_set("max_rpc_count=500");
	set_rpcs(500, true);
	set_rpcs(51, true);
	set_rpcs(50, false);
	lxfw_rpcs_set("max_rpc_cnt=100,bf_yield_rpc_cnt=90");
	set_rpcs(100, true);
	set_rpcs(90, false);
	lxfw_rpcs_set("");
	set_rpcs(1000, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(limits_users, tear_down),
		cmocka_unit_test_teardown(limits_partitions, tear_down),
		cmocka_unit_test_teardown(limits_users_in_partitions, tear_down),
		cmocka_unit_test_teardown(limits_associations, tear_down),
		cmocka_unit_test_teardown(counts_tasks, tear_down),
		cmocka_unit_test_teardown(follows_slurms_order, tear_down),
		cmocka_unit_test_teardown(limits_come_first, tear_down),
		cmocka_unit_test_teardown(waits_for_completing_jobs, tear_down),
		cmocka_unit_test_teardown(waits_in_the_partition, tear_down),
		cmocka_unit_test_teardown(waits_for_rpcs, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
