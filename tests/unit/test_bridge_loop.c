/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes of the bridge with a simulated controller: which jobs start and which wait,
 * and that an error of one job does not affect others.
 */
#include "tests/unit/bridge_loop.h"

static uint64_t seed;

/* --- starts ------------------------------------------------------------- */

static void test_starts_and_ends(void **state)
{
	job_record_t *job;

	(void)state;
	four_nodes();
	passes(&bridge);
	job = fake_job("all", 1);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(fake_counts.launches, 1);
	live(61);
	assert_true(IS_JOB_COMPLETE(job));
	assert_int_equal(fake_counts.errors, 0);
	assert_int_equal(bridge.agent.total.rebuilds, 1);
}

/* The end of a job after the last pass is recorded when the thread is stopped, unless the
   model must be rebuilt. */
static void test_last_look(void **state)
{
	job_record_t *job;
	uint64_t changes;

	(void)state;
	four_nodes();
	passes(&bridge);
	job = fake_job("all", 1);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	fake_pass_seconds(10);
	fake_end(job);
	changes = bridge.agent.changes;
	bridge.agent.rebuild = true;
	lxfw_agent_last_look(&bridge.agent);
	assert_int_equal(bridge.agent.changes, changes);
	bridge.agent.rebuild = false;
	lxfw_agent_last_look(&bridge.agent);
	assert_int_equal(bridge.agent.changes, changes + 1);
}

/* 5 jobs of a whole node each on 4 nodes. The last one starts when the first has ended.
 */
static void test_waits_for_room(void **state)
{
	job_record_t *jobs[5];

	(void)state;
	four_nodes();
	for (uint32_t i = 0; i < 5; i++) {
		jobs[i] = fake_job("all", i + 1);
		fake_tasks(jobs[i], 16, 1);
		/* Priorities increase with the waiting time. */
		jobs[i]->details->begin_time -= 10000 - 1000 * (time_t)i;
	}
	passes(&bridge);
	assert_int_equal(fake_running(), 4);
	assert_int_equal(fake_waiting(), 1);
	/* It gets a reservation at the end of the first one. */
	for (uint32_t i = 0; i < 5; i++) {
		if (!IS_JOB_PENDING(jobs[i]))
			continue;
		assert_true(jobs[i]->start_time >= NOW + 60);
		assert_non_null(jobs[i]->sched_nodes);
		assert_int_equal(jobs[i]->state_reason, WAIT_RESOURCES);
	}
	live(190);
	assert_int_equal(fake_waiting(), 0);
	assert_int_equal(fake_counts.starts, 5);
	assert_int_equal(fake_counts.refusals, 0);
}

static void test_begin_time(void **state)
{
	job_record_t *job;

	(void)state;
	four_nodes();
	job = fake_job("all", 1);
	job->details->begin_time = NOW + 100;
	passes(&bridge);
	assert_true(IS_JOB_PENDING(job));
	assert_int_equal(bridge.agent.wake, in_turn ? NOW + 1 : NOW + 100);
	fake_pass_seconds(100);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
}

static void test_array(void **state)
{
	job_record_t *job;
	uint32_t id;

	(void)state;
	four_nodes();
	job = fake_job("all", 1);
	id = job->job_id;
	fake_tasks(job, 16, 1);
	fake_array(job, 3, 12, 0);
	passes(&bridge);
	assert_int_equal(fake_running(), 4);
	for (uint32_t task = 3; task < 7; task++) {
		assert_non_null(fake_task(id, task));
		assert_true(IS_JOB_RUNNING(fake_task(id, task)));
	}
	assert_true(IS_JOB_PENDING(fake_find(id)));
	live(62);
	assert_int_equal(fake_counts.starts, 8);
	live(62);
	assert_int_equal(fake_counts.starts, 10);
	assert_int_equal(fake_waiting(), 0);
	assert_int_equal(bridge.agent.total.rebuilds, 1);
}

static size_t count_reserved(void)
{
	size_t count = 0;

	for (size_t i = 0; i < bridge.agent.jobs.count; i++)
		count += bridge.agent.jobs.jobs[i]->reserved_start != 0;
	return count;
}

/* Hundreds of jobs have reservations: more of them when decisions are fast. */
static void test_many_reservations(void **state)
{
	struct lxfw_params params;

	(void)state;
	four_nodes();
	lxfw_params_preset(&params, LXFW_POLICY_CONSERVATIVE);
	lxfw_agent_set_params(&bridge.agent, &params);
	for (int i = 0; i < 500; i++)
		fake_tasks(fake_job("all", 1000), 64, 1);
	passes(&bridge);
	assert_int_equal(fake_running(), 1);
	assert_int_equal(count_reserved(), 200);
	for (int i = 0; i < 1000 && count_reserved() < 499; i++) {
		fake_pass_seconds(1);
		passes(&bridge);
	}
	assert_int_equal(count_reserved(), 499);
	assert_int_equal(bridge.agent.total.rebuilds, 1);
}

/* A long array on a large machine: its tasks start before the jobs after it, and no more of
   them are reported than the machine has processors. */
static void test_long_arrays(void **state)
{
	job_record_t *after;
	int32_t before;

	(void)state;
	fake_nodes("n", 8, 128, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 7);
	fake_array(fake_job("all", 1), 0, 999, 0);
	after = fake_job("all", 1);
	fake_node_count(after, 1, 1);
	fake_exclusive(after);
	passes(&bridge);
	assert_int_equal(fake_running(), 1000);
	assert_true(IS_JOB_PENDING(after));
	for (int i = 0; i < 10; i++)
		fake_array(fake_job("all", 1), 0, 1999, 0);
	for (int i = 0; i < 5; i++) {
		fake_pass_seconds(1);
		passes(&bridge);
	}
	assert_in_range(bridge.tasks.tasks, 1000, 1024);
	before = bridge.tasks.tasks;
	/* Fewer processors: what was reported remains. */
	fake_node_down(0, true);
	fake_node_down(1, true);
	for (int i = 0; i < 5; i++) {
		fake_pass_seconds(1);
		passes(&bridge);
	}
	assert_in_range(bridge.tasks.tasks, before - 24, before);
	assert_int_equal(bridge.agent.total.rebuilds, 1);
	assert_int_equal(fake_counts.errors, 0);
}

/* --array=0-5%2 */
static void test_array_limit(void **state)
{
	job_record_t *job;

	(void)state;
	four_nodes();
	job = fake_job("all", 1);
	fake_array(job, 0, 5, 2);
	passes(&bridge);
	assert_int_equal(fake_running(), 2);
	live(30);
	assert_int_equal(fake_counts.starts, 2);
	live(32);
	assert_int_equal(fake_counts.starts, 4);
	assert_true(fake_running() <= 2);
}

static void test_two_partitions(void **state)
{
	job_record_t *first, *second;

	(void)state;
	fake_nodes("n", 4, 16, 16000, 0);
	fake_nodes_done();
	fake_part("left", 0, 1);
	fake_part("right", 2, 3);
	first = fake_job("left", 10);
	fake_node_count(first, 2, 2);
	fake_exclusive(first);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(first));
	second = fake_job("left,right", 10);
	fake_tasks(second, 16, 1);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(second));
	assert_string_equal(second->part_ptr->name, "right");
}

/* --- what Slurm refuses ------------------------------------------------- */

/* Slurm refuses at random. In the end all jobs have run. */
static void test_refusals(void **state)
{
	(void)state;
	four_nodes();
	fake_trouble.random = seed;
	fake_trouble.refuse = 2;
	for (int i = 0; i < 30; i++)
		fake_tasks(fake_job("all", 1), 1 + (uint32_t)i % 16, 1);
	live(600);
	assert_int_equal(fake_waiting(), 0);
	assert_int_equal(fake_counts.starts, 30);
	assert_true(fake_counts.refusals > 0);
	assert_int_equal(fake_counts.errors, 0);
}

/* A job that Slurm always refuses is not tried in every pass, and others start. */
static void test_back_off(void **state)
{
	(void)state;
	four_nodes();
	fake_trouble.refuse = 1;
	fake_job("all", 1);
	live(300);
	/* It is tried at the times of its back-off, or once per pass while nodes are
	 * held for it. */
	assert_true(fake_counts.selections < 400);
	assert_true(fake_counts.selections >= 10);
	fake_trouble.refuse = 0;
	live(31);
	assert_int_equal(fake_counts.starts, 1);
}

/* Slurm starts no job on the node that the library prefers, for a reason that the
   library does not know. The job runs on another node in the same pass. */
static void test_refused_here_starts_elsewhere(void **state)
{
	job_record_t *job;

	(void)state;
	fake_nodes("n", 1, 4, 16000, 0);
	fake_nodes("m", 1, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 1);
	fake_trouble.bad_node = 1;
	job = fake_job("all", 1);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	assert_string_equal(job->nodes, "m0");
	assert_true(fake_counts.refusals > 0);
	assert_int_equal(bridge.agent.total.offers, 1);
	/* The library knows where the job runs: sixteen processors are not free there. */
	fake_trouble.bad_node = 0;
	job = fake_job("all", 1);
	fake_tasks(job, 16, 1);
	fake_node_count(job, 1, 1);
	passes(&bridge);
	assert_true(IS_JOB_PENDING(job));
	assert_int_equal(fake_counts.refusals, 1);
	live(61);
	assert_true(IS_JOB_RUNNING(job));
}

/* A job that is cancelled during a decision is not started, and data that the decision
   points at remains valid. */
static void test_vanishing_jobs(void **state)
{
	(void)state;
	four_nodes();
	fake_trouble.random = seed;
	fake_trouble.vanish = 1;
	for (int i = 0; i < 100; i++) {
		fake_tasks(fake_job("all", 1), 16, 1);
		fake_tasks(fake_job("all", 1), 3, 1);
		live(1);
	}
	fake_trouble.vanish = 0;
	live(300);
	assert_int_equal(fake_waiting(), 0);
	assert_int_equal(fake_running(), 0);
	assert_int_equal(fake_counts.errors, 0);
}

/* The clock is set forwards by one hour and backwards by two. */
static void test_clock(void **state)
{
	static const int64_t jumps[] = { 3600, -7200, 3600 };

	(void)state;
	four_nodes();
	for (int i = 0; i < 3; i++) {
		job_record_t *job = fake_job("all", 1);

		passes(&bridge);
		assert_true(IS_JOB_RUNNING(job));
		fake_pass_seconds(jumps[i]);
		live(2);
		job = fake_job("all", 1);
		passes(&bridge);
		assert_true(IS_JOB_RUNNING(job));
	}
	assert_int_equal(fake_counts.errors, 0);
}

/* Slurm allocates other amounts than decided. No node is allocated twice (the simulated
   controller would abort), and all jobs run. */
static void test_more_than_decided(void **state)
{
	uint64_t random = seed;

	(void)state;
	four_nodes();
	fake_trouble.random = random;
	fake_trouble.more = 2;
	for (int i = 0; i < 60; i++) {
		job_record_t *job = fake_job("all", 1);

		fake_tasks(job, (uint32_t)unit_between(&random, 1, 20), 1);
		fake_memory(job, 100);
	}
	live(900);
	assert_int_equal(fake_waiting(), 0);
	assert_int_equal(fake_counts.starts, 60);
}

/* A heterogeneous request that no shape represents is passed to Slurm. */
static void test_leftover(void **state)
{
	job_record_t *job;

	(void)state;
	four_nodes();
	job = fake_job("all", 1);
	job->details->contiguous = 1;
	fake_node_count(job, 2, 2);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(bridge.agent.total.offers, 1);
	live(61);
	assert_true(IS_JOB_COMPLETE(job));
}

/* Such a job starts despite a stream of small jobs, because nodes are held for it. */
static void test_hold(void **state)
{
	job_record_t *big;
	int64_t waited = 0;

	(void)state;
	four_nodes();
	for (int i = 0; i < 4; i++)
		fake_tasks(fake_job("all", 1 + (uint32_t)i), 16, 1);
	passes(&bridge);
	big = fake_job("all", 1);
	big->details->contiguous = 1;
	fake_node_count(big, 4, 4);
	fake_tasks(big, 64, 1);
	while (IS_JOB_PENDING(big) && waited < 3000) {
		fake_pass_seconds(10);
		waited += 10;
		fake_end_overdue();
		for (int i = 0; i < 2; i++)
			fake_tasks(fake_job("all", 4), 8, 1);
		passes(&bridge);
	}
	assert_true(IS_JOB_RUNNING(big));
	/* 300 s until nodes are held, and the ends of the jobs that run then. */
	assert_true(waited <= 300 + 240 + 60);
}

/* --- nodes -------------------------------------------------------------- */

static void test_node_goes_and_comes(void **state)
{
	job_record_t *job;

	(void)state;
	fake_nodes("n", 2, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 1);
	fake_node_down(0, true);
	fake_node_down(1, true);
	job = fake_job("all", 1);
	passes(&bridge);
	live(10);
	assert_true(IS_JOB_PENDING(job));
	fake_node_down(1, false);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	assert_string_equal(job->nodes, "n1");
}

/* A node that each job excludes by name. */
static void test_excludes(void **state)
{
	(void)state;
	four_nodes();
	for (int i = 0; i < 4; i++) {
		job_record_t *job = fake_job("all", 1);
		char name[16];

		snprintf(name, sizeof(name), "n[0-3]!%d", i);
		for (int node = 0; node < 4; node++) {
			if (node != i)
				fake_exclude(job, name, node);
		}
	}
	passes(&bridge);
	assert_int_equal(fake_running(), 4);
	for (uint32_t id = 1; id <= 4; id++) {
		char name[16];

		snprintf(name, sizeof(name), "n%u", id - 1);
		assert_string_equal(fake_find(id)->nodes, name);
	}
}

/* The indexes of nodes change with the configuration. */
static void test_renumber(void **state)
{
	job_record_t *job, *other;

	(void)state;
	fake_nodes("n", 2, 16, 16000, 0);
	fake_nodes("big", 1, 64, 64000, 0);
	fake_nodes_done();
	fake_part("all", 0, 2);
	job = fake_job("all", 1);
	fake_tasks(job, 8, 1);
	fake_exclude(job, "n0", 0);
	passes(&bridge);
	assert_string_equal(job->nodes, "n1");
	fake_end(job);
	fake_pass_seconds(1);
	fake_renumber();
	job = fake_job("all", 1);
	fake_tasks(job, 64, 1);
	fake_node_count(job, 1, 1);
	other = fake_job("all", 1);
	fake_exclude(other, "n[0-1]", 1);
	passes(&bridge);
	live(70);
	assert_string_equal(job->nodes, "big0");
	assert_true(IS_JOB_COMPLETE(job));
	assert_int_equal(fake_waiting(), 0);
	assert_int_equal(fake_counts.errors, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOOP(test_starts_and_ends),
		LOOP(test_last_look),
		LOOP(test_waits_for_room),
		LOOP(test_begin_time),
		LOOP(test_array),
		LOOP(test_array_limit),
		LOOP(test_many_reservations),
		LOOP(test_long_arrays),
		LOOP(test_two_partitions),
		LOOP(test_refusals),
		LOOP(test_back_off),
		LOOP(test_more_than_decided),
		LOOP(test_leftover),
		LOOP(test_hold),
		LOOP(test_node_goes_and_comes),
		LOOP(test_excludes),
		LOOP(test_renumber),
		LOOP(test_refused_here_starts_elsewhere),
		LOOP(test_vanishing_jobs),
		LOOP(test_clock),
	};
	int failed;

	seed = unit_seed("bridge");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	in_turn = true;
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
