/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bounds on suspensions when Slurm deviates from the decision: a job is resumed
 * late because its node did not respond.
 */
#include "tests/unit/unit.h"

#include <string.h>
#include <unistd.h>

#include "tests/unit/bridge_pass.h"

#define NOW 1700000000
#define QUANTUM 20
#define MIN_RUN 10
#define INTERVAL 100
#define SILENCE 150

static struct lxfw_bridge bridge;
static char directory[] = "/tmp/lxfw-contract-XXXXXX";

static int set_up(void **state)
{
	(void)state;
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	if (!mkdtemp(directory))
		return -1;
	fake_start(NOW, true);
	bridge_start(&bridge);
	slurm_conf.state_save_location = directory;
	fake_nodes("n", 1, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 0);
	return 0;
}

static int tear_down(void **state)
{
	char path[64];

	(void)state;
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	slurm_conf.state_save_location = NULL;
	snprintf(path, sizeof(path), "%s/lxfw_quanta", directory);
	(void)unlink(path);
	return rmdir(directory);
}

static void promise(int64_t interval, int64_t share)
{
	struct lxfw_params params;

	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	params.quantum_mode = LXFW_QUANTUM_PREEMPT;
	params.quantum = QUANTUM;
	params.quantum_mem = 100000;
	params.quantum_min_run = MIN_RUN;
	params.victim_interval = interval;
	params.victim_share = share;
	lxfw_agent_set_params(&bridge.agent, &params);
}

static job_record_t *whole_node(uint32_t minutes)
{
	job_record_t *job = fake_job("all", minutes);

	fake_tasks(job, 16, 1);
	return job;
}

/* Return the seconds until JOB is suspended, at most SECONDS. */
static int until_suspended(const job_record_t *job, int seconds)
{
	int second = 0;

	while (second < seconds && !IS_JOB_SUSPENDED(job)) {
		passes_for(&bridge, 1);
		second++;
	}
	return second;
}

/* A preempted job with a limit of MINUTES is resumed SILENCE s after the end of the
   quantum. Return the seconds until it is suspended again. */
static int again_after(uint32_t minutes)
{
	job_record_t *victim = whole_node(minutes);
	node_record_t *node = node_record_table_ptr[0];

	passes_for(&bridge, 2 * INTERVAL);
	whole_node(1);
	assert_true(until_suspended(victim, INTERVAL) < INTERVAL);
	node->node_state |= NODE_STATE_NO_RESPOND;
	passes_for(&bridge, SILENCE);
	assert_true(IS_JOB_SUSPENDED(victim));
	node->node_state &= ~NODE_STATE_NO_RESPOND;
	while (IS_JOB_SUSPENDED(victim))
		passes_for(&bridge, 1);
	whole_node(1);
	return until_suspended(victim, 20 * INTERVAL);
}

static void test_interval(void **state)
{
	(void)state;
	promise(INTERVAL, 0);
	assert_in_range(again_after(100), INTERVAL - 1, INTERVAL + 5);
}

/* Slurm does not change the end of a job without a limit when it is resumed. */
static void test_interval_unlimited(void **state)
{
	(void)state;
	promise(INTERVAL, 0);
	assert_in_range(again_after(INFINITE), INTERVAL - 1, INTERVAL + 5);
}

/* All the time of the suspension counts, about SILENCE and a quantum, and so does the
   next quantum: with 25 per cent the job must have run for three times as long, about
   200 s of it before. */
static void test_share_unlimited(void **state)
{
	(void)state;
	promise(0, 25);
	assert_in_range(again_after(INFINITE), 3 * (SILENCE + QUANTUM) - 220,
			3 * (SILENCE + 2 * QUANTUM) - 180);
}

int main(void)
{
#define LOOP(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		LOOP(test_interval),
		LOOP(test_interval_unlimited),
		LOOP(test_share_unlimited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
