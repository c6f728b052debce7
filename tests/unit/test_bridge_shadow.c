/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shadow mode in a simulated controller: the records of jobs are those that Slurm's
 * scheduler has made, and nothing is started.
 */
#include "common/books/books.h"
#include "plugins/agent/estimate.h"
#include "tests/unit/bridge_loop.h"

static void set_mode(enum lxfw_shadow mode)
{
	struct lxfw_params params = bridge.agent.params;

	params.shadow = mode;
	lxfw_agent_set_params(&bridge.agent, &params);
}

static job_record_t *node_job(void)
{
	job_record_t *job = fake_job("all", 10);

	fake_tasks(job, 16, 1);
	return job;
}

/* Finishes an outlook, and makes the pass that shows its results. */
static void estimate(void)
{
	bridge.agent.estimates.began_us = 0;
	do {
		lxfw_estimates_work(&bridge.agent);
	} while (lxfw_estimates_in_progress(&bridge.agent));
	passes(&bridge);
}

/* The priority of a pending job in the model. */
static int64_t known_priority(const job_record_t *job)
{
	const struct lxfw_sched *sched = bridge.agent.sched;
	int32_t index = lxfw_id_map_get(&sched->job_by_id, job->job_id);

	assert_true(index >= 0);
	return sched->jobs[index].priority;
}

/* Slurm's priorities are in the model in this mode only, if the policy does not use them. */
static void mode_rebuilds(void **state)
{
	job_record_t *jobs[6];
	uint64_t rebuilds;

	(void)state;
	four_nodes();
	for (int i = 0; i < 6; i++)
		jobs[i] = node_job();
	live(2);
	assert_int_equal(fake_running(), 4);
	rebuilds = bridge.agent.total.rebuilds;
	assert_int_equal(known_priority(jobs[5]), 0);
	set_mode(LXFW_SHADOW_ON);
	live(2);
	assert_int_equal(bridge.agent.total.rebuilds, rebuilds + 1);
	assert_int_equal(known_priority(jobs[5]), 1000);
	set_mode(LXFW_SHADOW_ON);
	live(2);
	assert_int_equal(bridge.agent.total.rebuilds, rebuilds + 1);
	set_mode(LXFW_SHADOW_OFF);
	live(2);
	assert_int_equal(bridge.agent.total.rebuilds, rebuilds + 2);
	assert_int_equal(known_priority(jobs[5]), 0);
}

/* Sets what Slurm's scheduler records of a pending job. */
static void plan_own(job_record_t *job)
{
	job->start_time = NOW + 777;
	xfree(job->sched_nodes);
	job->sched_nodes = xstrdup("n3");
	job->state_reason = WAIT_PRIORITY;
}

static void expect_own_plan(const job_record_t *job)
{
	assert_int_equal(job->start_time, NOW + 777);
	assert_non_null(job->sched_nodes);
	assert_string_equal(job->sched_nodes, "n3");
	assert_int_equal(job->state_reason, WAIT_PRIORITY);
	assert_int_equal(job->priority, 1000);
}

/* Not even for a job with a reservation, or with an expected start. */
static void records_stay(void **state)
{
	job_record_t *first, *second;

	(void)state;
	four_nodes();
	for (int i = 0; i < 4; i++)
		node_job();
	live(2);
	assert_int_equal(fake_running(), 4);
	set_mode(LXFW_SHADOW_ON);
	first = node_job();
	second = node_job();
	plan_own(first);
	plan_own(second);
	live(2);
	assert_true(lxfw_table_find(&bridge.agent.jobs, first->job_id)->reserved_start > 0);
	estimate();
	last_job_update = time(NULL) + 1;
	live(2);
	assert_true(lxfw_table_find(&bridge.agent.jobs, second->job_id)->estimated_start > 0);
	expect_own_plan(first);
	expect_own_plan(second);
	/* The reservation moves: a job ends early. */
	fake_end(fake_active[0]);
	last_job_update = time(NULL) + 1;
	live(2);
	expect_own_plan(first);
	expect_own_plan(second);
	/* They are shown when the mode ends. */
	fake_node_down(0, true);
	set_mode(LXFW_SHADOW_OFF);
	live(2);
	assert_true(first->start_time != NOW + 777);
	assert_int_equal(first->state_reason, WAIT_RESOURCES);
}

static void begin(void)
{
	four_nodes();
	live(1);
	set_mode(LXFW_SHADOW_ON);
}

/* Sets a reason that the plugin would replace, and looks at all jobs. */
static void expect_reason_stays(job_record_t *job, enum job_state_reason reason)
{
	job->state_reason = reason;
	last_job_update = time(NULL) + 1;
	live(2);
	assert_int_equal(job->state_reason, reason);
}

static bool is_known(const job_record_t *job)
{
	const struct lxfw_known_job *known =
		lxfw_table_find(&bridge.agent.jobs, job->job_id);

	return known && known->state == LXFW_KNOWN_WAITING;
}

/* The reason is Slurm's, also of a job that a limit or a license keeps
   from the model. */
static void reasons_stay(void **state)
{
	job_record_t *job;

	(void)state;
	begin();
	job = node_job();
	expect_reason_stays(job, WAIT_NO_REASON);
	expect_reason_stays(job, WAIT_LICENSES);
	expect_reason_stays(job, WAIT_NODE_NOT_AVAIL);
	assert_true(is_known(job));
	expect_reason_stays(job, WAIT_RESOURCES);
	fake_account(job);
	fake_limits.qos_cpus = 15;
	expect_reason_stays(job, WAIT_RESOURCES);
	assert_false(is_known(job));
}

/* A job that cannot meet its deadline is Slurm's to end. */
static void deadline_is_left(void **state)
{
	job_record_t *job;

	(void)state;
	begin();
	job = node_job();
	job->deadline = NOW + 610;
	live(2);
	assert_true(is_known(job));
	fake_pass_seconds(20);
	live(2);
	assert_true(IS_JOB_PENDING(job));
	assert_false(is_known(job));
}

/* The components of a heterogeneous job, which limits do not permit together, and of which
   one misses its deadline. */
static void components_stay(void **state)
{
	job_record_t *parts[2];

	(void)state;
	begin();
	for (int i = 0; i < 2; i++) {
		parts[i] = node_job();
		fake_account(parts[i]);
		if (i > 0)
			fake_component(parts[0], parts[i]);
	}
	live(2);
	assert_true(is_known(parts[0]) && is_known(parts[1]));
	fake_limits.qos_cpus = 31;
	for (int i = 0; i < 2; i++)
		expect_reason_stays(parts[i], WAIT_PRIORITY);
	assert_false(is_known(parts[0]) || is_known(parts[1]));
	parts[1]->job_state = JOB_DEADLINE;
	last_job_update = time(NULL) + 1;
	live(2);
	assert_true(IS_JOB_PENDING(parts[0]));
	assert_int_equal(parts[0]->deadline, 0);
}

/* Jobs start when Slurm's scheduler starts them, and are then in the model. */
static void slurm_starts(void **state)
{
	const struct lxfw_known_job *known;
	job_record_t *job;

	(void)state;
	four_nodes();
	live(1);
	set_mode(LXFW_SHADOW_ON);
	job = node_job();
	live(10);
	assert_true(IS_JOB_PENDING(job));
	assert_int_equal(fake_counts.selections, 0);
	assert_int_equal(job->start_time, 0);
	known = lxfw_table_find(&bridge.agent.jobs, job->job_id);
	assert_int_equal(known->state, LXFW_KNOWN_WAITING);
	assert_int_equal(fake_select_nodes(job, false), SLURM_SUCCESS);
	last_job_update = time(NULL) + 1;
	live(2);
	known = lxfw_table_find(&bridge.agent.jobs, job->job_id);
	assert_int_equal(known->state, LXFW_KNOWN_RUNNING);
	assert_int_equal(bridge.agent.total.starts, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOOP(mode_rebuilds),
		LOOP(records_stay),
		LOOP(reasons_stay),
		LOOP(deadline_is_left),
		LOOP(components_stay),
		LOOP(slurm_starts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
