/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policies that suspend jobs for others, with a simulated controller: random jobs, nodes that
 * fail, refused starts, models that are rebuilt, restarts of the plugin, and operators who
 * suspend, resume, requeue and cancel jobs. All jobs end, no core has two running jobs, and
 * none stays suspended.
 */
#include <unistd.h>

#include "common/params/policy.h"
#include "plugins/agent/quanta.h"
#include "plugins/slurm/bridge/overlap.h"
#include "tests/unit/bridge_loop.h"

#define REMAINING "lxfw_policy=remaining,lxfw_interval=5"
#define PFCFS "lxfw_policy=pfcfs2,lxfw_pf_delay=10,lxfw_pf_gang=10,lxfw_pf_free=10," \
	      "lxfw_pf_wide=25"
#define HANDS 16

static uint64_t seed;
static char directory[32];

struct world {
	struct lxfw_params params;
	uint64_t random;
	int rebuild, restart;		/* intervals in seconds; 0: never */
	bool hands;
	uint32_t stopped[HANDS];	/* jobs that an operator suspended; 0: none */
};

static int between(struct world *world, int low, int high)
{
	return (int)unit_between(&world->random, low, high);
}

static void submit(struct world *world)
{
	job_record_t *job = fake_job("all", (uint32_t)between(world, 1, 8));

	fake_tasks(job, (uint32_t)between(world, 1, between(world, 0, 3) ? 16 : 48), 1);
	job->details->requeue = between(world, 0, 3) != 0;
	if (between(world, 0, 2) == 0)
		fake_memory(job, (uint64_t)between(world, 1, 8) * 1000);
}

/* Resume a job that an operator suspended, as `scontrol resume` does whether or not another
   job has its cores by now: here only if none has. */
static void resume(struct world *world, int at)
{
	job_record_t *job = fake_find(world->stopped[at]);

	if (job && IS_JOB_SUSPENDED(job) &&
	    !lxfw_quanta_hold(&bridge.agent, world->stopped[at]) && !lxfw_cores_taken(job))
		fake_suspend(job, false);
	else if (job && IS_JOB_SUSPENDED(job))
		return;
	world->stopped[at] = 0;
}

/* Slurm holds a job that is requeued while an operator has suspended it. */
static bool is_stopped(const struct world *world, const job_record_t *job)
{
	for (int i = 0; i < HANDS; i++) {
		if (world->stopped[i] == job->job_id)
			return true;
	}
	return false;
}

/* What operators do. */
static void operate(struct world *world)
{
	int at = between(world, 0, HANDS - 1);
	job_record_t *job;

	if (world->stopped[at] && between(world, 0, 3) == 0)
		resume(world, at);
	if (fake_active_count == 0 || between(world, 0, 9))
		return;
	job = fake_active[between(world, 0, (int)fake_active_count - 1)];
	switch (between(world, 0, 3)) {
	case 0:
		if (world->stopped[at] || !IS_JOB_RUNNING(job))
			break;
		world->stopped[at] = job->job_id;
		fake_suspend(job, true);
		break;
	case 1:
		if (IS_JOB_SUSPENDED(job) && !lxfw_cores_taken(job))
			fake_suspend(job, false);
		break;
	case 2:
		if (!is_stopped(world, job))
			fake_requeue(job);
		break;
	default:
		fake_end(job);
	}
}

static void restart(const struct world *world)
{
	lxfw_bridge_destroy(&bridge);
	bridge_start(&bridge);
	lxfw_agent_set_params(&bridge.agent, &world->params);
}

static void disturb(struct world *world, int second)
{
	if (between(world, 0, 60) == 0)
		fake_node_down(between(world, 0, 2), true);
	if (between(world, 0, 10) == 0)
		fake_node_down(between(world, 0, 2), false);
	if (world->hands)
		operate(world);
	if (world->restart > 0 && second % world->restart == world->restart - 1)
		restart(world);
	bridge.agent.rebuild |= world->rebuild > 0 && second % world->rebuild == 0;
}

/* Everything is over within the sum of all limits. */
static void settle(struct world *world)
{
	memset(&fake_trouble, 0, sizeof(fake_trouble));
	for (int node = 0; node < 3; node++)
		fake_node_down(node, false);
	for (int i = 0; i < 20000 && (fake_waiting() || fake_active_count); i += 5) {
		for (int at = 0; at < HANDS; at++)
			resume(world, at);
		fake_pass_seconds(4);
		live(1);
	}
	for (size_t i = 0; i < fake_active_count; i++)
		fake_describe(fake_active[i]);
	assert_int_equal(fake_waiting(), 0);
	assert_int_equal(fake_active_count, 0);
	if (fake_counts.errors)
		print_message("# %s\n", fake_counts.last_error);
	assert_int_equal(fake_counts.errors, 0);
}

/* Nodes of 16 processors, and a folder for the plugin's file. */
static void begin(struct world *world, const char *text, int nodes)
{
	struct lxfw_error error;

	strcpy(directory, "/tmp/lxfw-bridge-XXXXXX");
	assert_non_null(mkdtemp(directory));
	slurm_conf.state_save_location = directory;
	lxfw_params_default(&world->params);
	assert_int_equal(lxfw_params_parse(&world->params, text, NULL, NULL, &error), 0);
	fake_nodes("n", nodes, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, nodes - 1);
	lxfw_agent_set_params(&bridge.agent, &world->params);
}

static void finish(void)
{
	char path[64];

	slurm_conf.state_save_location = NULL;
	snprintf(path, sizeof(path), "%s/lxfw_quanta", directory);
	(void)unlink(path);
	assert_int_equal(rmdir(directory), 0);
}

/* --- schedules worked by hand ------------------------------------------------------------- */

static job_record_t *submit_all(uint32_t minutes, uint32_t priority)
{
	job_record_t *job = fake_job("all", minutes);

	fake_tasks(job, 16, 1);
	job->priority = priority;
	return job;
}

/* LONG has run for 20 s when SHORT comes. */
static void long_and_short(struct world *world, job_record_t **longer, job_record_t **shorter)
{
	begin(world, REMAINING, 1);
	*longer = submit_all(60, 5000);
	live(20);
	assert_true(IS_JOB_RUNNING((*longer)));
	*shorter = submit_all(1, 1000);
}

/* A job has its priority again when it resumes. */
static void test_priority(void **state)
{
	struct world world = { 0 };
	job_record_t *longer, *shorter;

	(void)state;
	long_and_short(&world, &longer, &shorter);
	live(5);
	assert_true(IS_JOB_SUSPENDED(longer) && IS_JOB_RUNNING(shorter));
	fake_end(shorter);
	live(5);
	assert_true(IS_JOB_RUNNING(longer));
	assert_int_equal(longer->priority, 5000);
	finish();
}

/* After a restart, a job that waits comes before the suspended one if its priority is
   higher. */
static void test_order_after_a_restart(void **state)
{
	struct world world = { 0 };
	job_record_t *longer, *shorter, *third;

	(void)state;
	long_and_short(&world, &longer, &shorter);
	live(5);
	third = submit_all(3, 1000);
	live(3);
	restart(&world);
	live(10);
	assert_true(IS_JOB_SUSPENDED(longer) && IS_JOB_RUNNING(shorter));
	assert_true(IS_JOB_PENDING(third));
	fake_end(shorter);
	live(5);
	assert_true(IS_JOB_SUSPENDED(longer) && IS_JOB_RUNNING(third));
	fake_end(third);
	live(5);
	assert_true(IS_JOB_RUNNING(longer));
	finish();
}

/* An operator suspends and resumes a job between two looks. It is not suspended again before its
   least run time. */
static void test_resumed_between_looks(void **state)
{
	struct world world = { 0 };
	job_record_t *longer, *shorter;

	(void)state;
	long_and_short(&world, &longer, &shorter);
	fake_suspend(longer, true);
	fake_suspend(longer, false);
	live(5);
	assert_true(IS_JOB_RUNNING(longer) && IS_JOB_PENDING(shorter));
	live(25);
	assert_true(IS_JOB_SUSPENDED(longer) && IS_JOB_RUNNING(shorter));
	finish();
}

/* No job is suspended that could not be recorded. */
static void test_file_cannot_be_written(void **state)
{
	struct world world = { 0 };
	job_record_t *longer, *shorter;
	char nowhere[] = "/nonexistent/lxfw";

	(void)state;
	long_and_short(&world, &longer, &shorter);
	slurm_conf.state_save_location = nowhere;
	restart(&world);
	live(60);
	assert_true(IS_JOB_RUNNING(longer) && IS_JOB_PENDING(shorter));
	assert_int_equal(fake_counts.suspensions, 0);
	slurm_conf.state_save_location = directory;
	restart(&world);
	live(20);
	assert_true(IS_JOB_SUSPENDED(longer) && IS_JOB_RUNNING(shorter));
	finish();
}

/* --- random jobs and troubles ---------------------------------------------------------------- */

static void run(const char *text, int rebuild, int restart_interval, bool hands)
{
	struct world world = {
		.random = seed, .rebuild = rebuild, .restart = restart_interval,
		.hands = hands,
	};

	begin(&world, text, 3);
	fake_trouble.random = seed;
	fake_trouble.refuse = 10;
	for (int second = 0; second < 600; second++) {
		if (second < 300 && between(&world, 0, 4) == 0)
			submit(&world);
		disturb(&world, second);
		live(1);
		if (second % 10 == 0)
			free(fake_taken());
	}
	settle(&world);
	assert_true(fake_counts.suspensions > 0);
	assert_int_equal(bridge.agent.quanta.victim_count, 0);
	finish();
}

static void test_remaining(void **state)
{
	(void)state;
	run(REMAINING, 0, 0, false);
}

static void test_remaining_rebuilt(void **state)
{
	(void)state;
	run(REMAINING, 25, 0, false);
}

static void test_remaining_restarted(void **state)
{
	(void)state;
	run(REMAINING, 0, 40, false);
}

static void test_remaining_with_operators(void **state)
{
	(void)state;
	run(REMAINING, 0, 0, true);
}

static void test_pfcfs(void **state)
{
	(void)state;
	run(PFCFS, 0, 0, false);
}

static void test_pfcfs_rebuilt(void **state)
{
	(void)state;
	run(PFCFS, 25, 0, false);
}

static void test_pfcfs_restarted(void **state)
{
	(void)state;
	run(PFCFS, 0, 40, false);
}

static void test_pfcfs_with_operators(void **state)
{
	(void)state;
	run(PFCFS, 0, 0, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOOP(test_priority),
		LOOP(test_order_after_a_restart),
		LOOP(test_resumed_between_looks),
		LOOP(test_file_cannot_be_written),
		LOOP(test_remaining),
		LOOP(test_remaining_rebuilt),
		LOOP(test_remaining_restarted),
		LOOP(test_remaining_with_operators),
		LOOP(test_pfcfs),
		LOOP(test_pfcfs_rebuilt),
		LOOP(test_pfcfs_restarted),
		LOOP(test_pfcfs_with_operators),
	};

	seed = unit_seed("policies that suspend");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
