/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expected starts: when an outlook begins, how long it works, and what it leaves in the
 * entries of jobs. The clock of the work is the test's.
 */
#include <string.h>

#include "plugins/agent/estimate.h"
#include "tests/unit/bridge_loop.h"

/* Of estimate.c, in microseconds. */
#define SLICE 10000
#define LEAST 2000000
#define MOST 30000000

/* Present time of the work, and by how much it grows with each look at it. */
static uint64_t now_us, tick_us;

uint64_t __wrap_lxfw_now_us(void);

uint64_t __wrap_lxfw_now_us(void)
{
	return now_us += tick_us;
}

static struct lxfw_estimates *const estimates = &bridge.agent.estimates;

static int begin(void **state)
{
	now_us = LEAST;
	tick_us = 0;
	(void)set_up(state);
	four_nodes();
	return 0;
}

static job_record_t *node_job(void)
{
	job_record_t *job = fake_job("all", 10);

	fake_tasks(job, 16, 1);
	return job;
}

static job_record_t *node_jobs(int count)
{
	job_record_t *job = NULL;

	for (int i = 0; i < count; i++)
		job = node_job();
	return job;
}

static struct lxfw_known_job *known_of(const job_record_t *job)
{
	struct lxfw_known_job *known =
		lxfw_table_find(&bridge.agent.jobs, job->job_id);

	assert_non_null(known);
	return known;
}

static void work(void)
{
	lxfw_estimates_work(&bridge.agent);
}

/* Returns true if an outlook began, and ends it. */
static bool begins(void)
{
	uint32_t before = estimates->number;

	do {
		work();
	} while (lxfw_estimates_in_progress(&bridge.agent));
	return estimates->number != before;
}

/* Makes an outlook of one step in each slice. */
static void estimate_slowly(void)
{
	tick_us = SLICE - 1;
	assert_true(begins());
	tick_us = 0;
}

/* --- when it begins --------------------------------------------------------------- */

/* Not before ten times its work, and two seconds, have passed. */
static void is_rare(void **state)
{
	uint64_t pause;

	(void)state;
	node_jobs(5);
	live(1);
	assert_true(begins());
	node_job();
	live(1);
	now_us = estimates->began_us + LEAST - 1;
	assert_false(begins());
	now_us++;
	assert_true(begins());
	node_jobs(60);
	live(1);
	now_us += LEAST;
	estimate_slowly();
	assert_true(estimates->used_us > 2 * LEAST / 10);
	pause = 10 * estimates->used_us;
	node_job();
	live(1);
	now_us = estimates->began_us + pause - 1;
	assert_false(begins());
	now_us++;
	assert_true(begins());
}

/* Without a change it begins after the earliest expected start has passed. A start at the
   time at which it began does not count. */
static void begins_when_late(void **state)
{
	job_record_t *job;

	(void)state;
	job = node_jobs(5);
	live(1);
	assert_true(begins());
	live(1);
	now_us += LEAST;
	(void)begins();
	assert_int_equal(estimates->first, known_of(job)->reserved_start);
	bridge.agent.clock = estimates->first;
	estimates->of_changes = bridge.agent.changes;
	now_us += LEAST;
	assert_false(begins());
	bridge.agent.clock++;
	assert_true(begins());
}

/* In shadow mode, jobs that fit do not start. */
static void starts_at_once_are_not_awaited(void **state)
{
	struct lxfw_params params = bridge.agent.params;
	job_record_t *job;

	(void)state;
	live(1);
	params.shadow = LXFW_SHADOW_ON;
	lxfw_agent_set_params(&bridge.agent, &params);
	job = node_job();
	live(1);
	/* It is refused for some seconds. */
	fake_pass_seconds(120);
	passes(&bridge);
	known_of(job)->refused_until = 0;
	assert_true(begins());
	assert_true(estimates->first > bridge.agent.clock);
}

static void rests_without_a_model(void **state)
{
	(void)state;
	assert_false(begins());
	node_jobs(5);
	live(1);
	bridge.agent.rebuild = true;
	assert_false(begins());
	bridge.agent.rebuild = false;
	assert_true(begins());
	/* 0 means that there was none. */
	estimates->number = UINT32_MAX;
	node_job();
	live(1);
	now_us += LEAST;
	assert_true(begins());
	assert_int_equal(estimates->number, 1);
}

/* --- how long it works ------------------------------------------------------------ */

/* A slice at a time. */
static void is_interrupted(void **state)
{
	int calls = 0;

	(void)state;
	node_jobs(24);
	live(1);
	tick_us = SLICE - 1;
	do {
		work();
		calls++;
	} while (lxfw_estimates_in_progress(&bridge.agent));
	assert_in_range(calls, 5, 10);
	assert_true(estimates->used_us >= (uint64_t)(calls - 1) * (SLICE - 1));
}

/* An outlook that takes too long is left. Jobs that it did not reach keep their estimates. */
static void is_left(void **state)
{
	job_record_t *last;

	(void)state;
	last = node_jobs(24);
	live(1);
	assert_true(begins());
	assert_int_equal(known_of(last)->estimated_start, bridge.agent.clock + 5 * 600);
	fake_job("all", 10);
	live(1);
	now_us += LEAST;
	tick_us = MOST / 2;
	assert_true(begins());
	tick_us = 0;
	assert_true(known_of(last)->estimated < estimates->number);
	assert_true(known_of(last)->estimated_start > 0);
}

/* --- what it leaves --------------------------------------------------------------- */

/* The next pass shows new estimates. If they are the same as before, none is made for them. */
static void changes_are_shown(void **state)
{
	job_record_t *last, *others[4];

	(void)state;
	last = node_jobs(8);
	live(1);
	assert_false(bridge.agent.stale);
	assert_true(begins());
	assert_true(bridge.agent.stale);
	assert_int_equal(known_of(last)->first_expected, bridge.agent.clock + 600);
	live(1);
	bridge.agent.changes++;
	now_us += LEAST;
	assert_true(begins());
	assert_false(bridge.agent.stale);
	/* Others go first. */
	for (int i = 0; i < 4; i++) {
		others[i] = node_job();
		others[i]->details->submit_time -= 1000;
		others[i]->details->begin_time -= 1000;
	}
	live(1);
	now_us += LEAST;
	assert_true(begins());
	assert_true(bridge.agent.stale);
	assert_true(known_of(last)->estimated_start > known_of(last)->first_expected);
}

/* Takes a node away in the model, after the last look. */
static void lose_host(int32_t host)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_HOST, .time = bridge.agent.clock,
		.host = { .index = host, .up = false,
			  .total = { .procs = 16, .memory_mb = 16000 },
			  .name = (char *)"n0" },
	};

	assert_int_equal(lxfw_sched_apply(bridge.agent.sched, &event, NULL), 0);
	bridge.agent.changes++;
}

/* The estimate of a job that cannot start any more ends. That of a job before it stays. */
static void lost_starts_are_shown(void **state)
{
	job_record_t *wide, *first;
	int64_t start;

	(void)state;
	fake_require(node_job(), "n3", 3);
	live(1);
	first = node_job();
	fake_require(first, "n3", 3);
	live(1);
	wide = fake_job("all", 10);
	fake_node_count(wide, 4, 4);
	fake_tasks(wide, 64, 1);
	live(1);
	assert_int_equal(fake_running(), 1);
	assert_true(begins());
	assert_true(known_of(wide)->estimated_start > 0);
	start = known_of(first)->estimated_start;
	assert_true(start > 0);
	live(1);
	lose_host(0);
	now_us += LEAST;
	assert_false(bridge.agent.stale);
	assert_true(begins());
	assert_int_equal(known_of(wide)->estimated_start, 0);
	assert_int_equal(known_of(first)->estimated_start, start);
	assert_true(bridge.agent.stale);
	/* It had none before the next outlook. */
	bridge.agent.stale = false;
	bridge.agent.changes++;
	now_us += LEAST;
	assert_true(begins());
	assert_int_equal(known_of(wide)->estimated_start, 0);
	assert_false(bridge.agent.stale);
}

/* A job may start while an outlook is in progress. */
static void started_jobs_have_none(void **state)
{
	job_record_t *jobs[8];

	(void)state;
	for (int i = 0; i < 8; i++)
		jobs[i] = node_job();
	live(1);
	assert_int_equal(fake_running(), 4);
	tick_us = SLICE - 1;
	work();
	assert_true(lxfw_estimates_in_progress(&bridge.agent));
	tick_us = 0;
	for (int i = 0; i < 4; i++)
		fake_end(jobs[i]);
	last_job_update = time(NULL) + 1;
	live(1);
	assert_int_equal(fake_running(), 4);
	assert_true(lxfw_estimates_in_progress(&bridge.agent));
	do {
		work();
	} while (lxfw_estimates_in_progress(&bridge.agent));
	for (int i = 4; i < 8; i++)
		assert_int_equal(known_of(jobs[i])->estimated_start, 0);
}

/* The expected start is that at which all nodes have booted. */
static void nodes_boot_first(void **state)
{
	static const char *const names[] = { "n0", "n1", "n2" };
	job_record_t *wide;

	(void)state;
	slurm_conf.resume_timeout = 77;
	node_record_table_ptr[3]->resume_timeout = NO_VAL16;
	node_record_table_ptr[3]->node_state |= NODE_STATE_POWERED_DOWN;
	for (int i = 0; i < 3; i++)
		fake_require(node_job(), names[i], i);
	live(1);
	assert_int_equal(fake_running(), 3);
	wide = fake_job("all", 10);
	fake_node_count(wide, 4, 4);
	fake_tasks(wide, 64, 1);
	live(1);
	now_us += LEAST;
	assert_true(begins());
	assert_int_equal(known_of(wide)->estimated_start, bridge.agent.clock - 1 + 600 + 77);
	slurm_conf.resume_timeout = 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(is_rare),
		TEST(begins_when_late),
		TEST(starts_at_once_are_not_awaited),
		TEST(rests_without_a_model),
		TEST(is_interrupted),
		TEST(is_left),
		TEST(changes_are_shown),
		TEST(lost_starts_are_shown),
		TEST(started_jobs_have_none),
		TEST(nodes_boot_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
