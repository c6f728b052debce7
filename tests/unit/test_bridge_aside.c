/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the bridge states of pending jobs that are not in the library. */
#include "tests/unit/unit.h"

#include "plugins/slurm/bridge/aside.h"
#include "tests/unit/bridge_pass.h"

#define NOW 1700000000

static struct lxfw_bridge bridge;

static int set_up(void **state)
{
	(void)state;
	fake_start(NOW, true);
	bridge_start(&bridge);
	fake_nodes("n", 2, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	return 0;
}

static size_t count(enum lxfw_reason reason)
{
	return lxfw_aside_count(&bridge.agent, reason);
}

static void look(void)
{
	last_node_update = last_job_update = time(NULL) + 1;
	passes_for(&bridge, 2);
}

/* The only job that is kept is kept for this reason. */
static void expect_one(enum lxfw_reason reason)
{
	look();
	assert_int_equal(bridge.agent.asides.count, 1);
	assert_int_equal(count(reason), 1);
}

/* Slurm's reasons, and those of the journal. */
static void maps_reasons(void **state)
{
	static const struct {
		uint32_t slurm;
		bool held;
		enum lxfw_reason reason;
		enum lxfw_limited limited;
	} cases[] = {
		{ WAIT_HELD_USER, true, LXFW_REASON_HELD_BY_USER, 0 },
		{ WAIT_HELD, true, LXFW_REASON_HELD, 0 },
		{ WAIT_DEPENDENCY, true, LXFW_REASON_HELD, 0 },
		{ FAIL_BAD_CONSTRAINTS, true, LXFW_REASON_HELD_NO_HOSTS, 0 },
		{ WAIT_MAX_REQUEUE, true, LXFW_REASON_HELD_FAILED, 0 },
		{ WAIT_DEPENDENCY, false, LXFW_REASON_DEPENDENCY, 0 },
		{ WAIT_DEP_INVALID, false, LXFW_REASON_DEPENDENCY_NEVER, 0 },
		{ WAIT_TIME, false, LXFW_REASON_BEGIN_TIME, 0 },
		{ WAIT_LICENSES, false, LXFW_REASON_LICENSES, 0 },
		{ WAIT_ARRAY_TASK_LIMIT, false, LXFW_REASON_LIMIT_TASKS, 0 },
		{ WAIT_PART_DOWN, false, LXFW_REASON_QUEUE_STOPPED, 0 },
		{ WAIT_PART_TIME_LIMIT, false, LXFW_REASON_LIMIT_QUEUE, 0 },
		{ WAIT_BURST_BUFFER_STAGING, false, LXFW_REASON_BUFFER, 0 },
		{ WAIT_RESERVATION, false, LXFW_REASON_RESERVATION, 0 },
		{ WAIT_ACCOUNT, false, LXFW_REASON_ACCOUNT, 0 },
		{ WAIT_QOS, false, LXFW_REASON_ACCOUNT, 0 },
		{ WAIT_QOS_THRES, false, LXFW_REASON_PRIORITY, 0 },
		{ WAIT_QOS_GRP_CPU, false, LXFW_REASON_LIMIT_QOS, LXFW_LIMITED_PROCS },
		{ WAIT_QOS_GRP_CPU_MIN, false, LXFW_REASON_LIMIT_QOS, LXFW_LIMITED_TIME },
		{ WAIT_QOS_GRP_MEM, false, LXFW_REASON_LIMIT_QOS, LXFW_LIMITED_MEMORY },
		{ WAIT_QOS_GRP_GRES, false, LXFW_REASON_LIMIT_QOS, LXFW_LIMITED_GPUS },
		{ WAIT_QOS_MAX_JOB_PER_USER, false, LXFW_REASON_LIMIT_QOS, LXFW_LIMITED_JOBS },
		{ WAIT_QOS_MAX_CPU_PER_ACCT, false, LXFW_REASON_LIMIT_QOS, LXFW_LIMITED_PROCS },
		{ WAIT_QOS_MAX_GRES_PER_NODE, false, LXFW_REASON_LIMIT_QOS, LXFW_LIMITED_GPUS },
		{ WAIT_ASSOC_GRP_NODE, false, LXFW_REASON_LIMIT_ACCOUNT, LXFW_LIMITED_HOSTS },
		{ WAIT_ASSOC_MAX_JOBS, false, LXFW_REASON_LIMIT_ACCOUNT, LXFW_LIMITED_JOBS },
		{ WAIT_ASSOC_GRP_LIC, false, LXFW_REASON_LIMIT_ACCOUNT, LXFW_LIMITED_LICENSES },
		{ WAIT_ASSOC_GRP_BILLING, false, LXFW_REASON_LIMIT_ACCOUNT, LXFW_LIMITED_OTHER },
		{ WAIT_NO_REASON, false, LXFW_REASON_LATER, 0 },
		{ WAIT_NODE_NOT_AVAIL, false, LXFW_REASON_OTHER, 0 },
	};
	job_record_t *job = fake_job("all", 10);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct lxfw_watched entry = { .job_id = job->job_id };

		job->state_reason = cases[i].slurm;
		job->priority = cases[i].held ? 0 : 1000;
		lxfw_aside_tell(&bridge, &entry, job);
		assert_int_equal(bridge.agent.asides.count, 1);
		assert_int_equal(bridge.agent.asides.job[0].reason, cases[i].reason);
		assert_int_equal(bridge.agent.asides.job[0].limited, cases[i].limited);
		lxfw_aside_over(&bridge, &entry);
		assert_int_equal(bridge.agent.asides.count, 0);
	}
}

static void held_and_released(void **state)
{
	job_record_t *job = fake_job("all", 10);

	(void)state;
	job->priority = 0;
	job->state_reason = WAIT_HELD_USER;
	expect_one(LXFW_REASON_HELD_BY_USER);
	job->priority = 1000;
	job->state_reason = WAIT_NO_REASON;
	look();
	assert_int_equal(bridge.agent.asides.count, 0);
	assert_true(IS_JOB_RUNNING(job));
}

/* The nodes are in use, so that the job waits. */
static void left_to_slurm(void **state)
{
	job_record_t *all = fake_job("all", 10), *job;

	(void)state;
	fake_tasks(all, 32, 1);
	look();
	assert_true(IS_JOB_RUNNING(all));
	job = fake_job("all", 10);
	job->details->contiguous = 1;
	expect_one(LXFW_REASON_LEFT_CONTIGUOUS);
	job->details->contiguous = 0;
	look();
	assert_int_equal(bridge.agent.asides.count, 0);
	job->details->core_spec = 1;
	expect_one(LXFW_REASON_LEFT_CORES);
}

static void gone(void **state)
{
	job_record_t *job = fake_job("all", 10);

	(void)state;
	job->priority = 0;
	job->state_reason = WAIT_HELD;
	expect_one(LXFW_REASON_HELD);
	job->job_state = JOB_CANCELLED;
	look();
	assert_int_equal(bridge.agent.asides.count, 0);
}

/* All of them are reported to a new model. */
static void again_after_rebuild(void **state)
{
	job_record_t *job = fake_job("all", 10);

	(void)state;
	job->priority = 0;
	job->state_reason = WAIT_HELD;
	expect_one(LXFW_REASON_HELD);
	bridge.agent.rebuild = true;
	expect_one(LXFW_REASON_HELD);
}

/* The array is kept as a whole, until it has tasks in the library. */
static void array(void **state)
{
	job_record_t *job = fake_job("all", 10);
	uint32_t number = job->job_id;

	(void)state;
	fake_array(job, 0, 3, 0);
	job->priority = 0;
	job->state_reason = WAIT_HELD_USER;
	expect_one(LXFW_REASON_HELD_BY_USER);
	assert_true(bridge.agent.asides.job[0].id == number);
	job->priority = 1000;
	job->state_reason = WAIT_NO_REASON;
	look();
	assert_int_equal(bridge.agent.asides.count, 0);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(maps_reasons), TEST(held_and_released), TEST(left_to_slurm), TEST(gone),
		TEST(again_after_rebuild), TEST(array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
