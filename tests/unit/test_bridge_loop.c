/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes of the bridge with a simulated controller: which jobs start and which wait,
 * and that an error of one job does not affect others.
 */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/journal/journal.h"
#include "tests/unit/bridge_pass.h"

#define NOW 1700000000

static struct lxfw_bridge bridge;
static uint64_t seed;

static int set_up(void **state)
{
	(void)state;
	fake_start(NOW, true);
	bridge_start(&bridge);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	return 0;
}

/* Four nodes of 16 processors and 16,000 MB, in a partition "all". */
static void four_nodes(void)
{
	fake_nodes("n", 4, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 3);
}

/* Run passes one second apart, and end jobs whose time is over. */
static void live(int seconds)
{
	for (int i = 0; i < seconds; i++) {
		fake_pass_seconds(1);
		fake_end_overdue();
		passes(&bridge);
	}
}

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
	assert_int_equal(bridge.agent.wake, NOW + 100);
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

/* --- jobs that are interrupted or resized ------------------------------- */

/* A mix of jobs under a policy that changes running jobs. All jobs must complete, and
   no core may be allocated twice. The model is rebuilt every REBUILD_INTERVAL seconds, unless
   0. */
static void interrupt(const struct lxfw_params *params, int rebuild_interval)
{
	uint64_t random = seed;

	fake_nodes("n", 3, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 2);
	fake_trouble.random = seed;
	fake_trouble.refuse = 10;
	lxfw_agent_set_params(&bridge.agent, params);
	for (int second = 0; second < 600; second++) {
		if (second < 300 && unit_between(&random, 0, 4) == 0) {
			job_record_t *job = fake_job("all", (uint32_t)
						     unit_between(&random, 1, 8));

			fake_tasks(job, (uint32_t)unit_between(&random, 1, 16),
				   1);
			job->details->requeue =
				unit_between(&random, 0, 3) != 0;
			if (unit_between(&random, 0, 1))
				fake_adaptive(job, (uint32_t)
					      unit_between(&random, 1, 4));
		}
		if (unit_between(&random, 0, 60) == 0)
			fake_node_down((int)unit_between(&random, 0, 2), true);
		if (unit_between(&random, 0, 10) == 0)
			fake_node_down((int)unit_between(&random, 0, 2), false);
		bridge.agent.rebuild |= rebuild_interval > 0 && second % rebuild_interval == 0;
		live(1);
		if (second % 10 == 0)
			free(fake_taken());
	}
	memset(&fake_trouble, 0, sizeof(fake_trouble));
	for (int node = 0; node < 3; node++)
		fake_node_down(node, false);
	for (int i = 0; i < 20000 && (fake_waiting() || fake_active_count);
	     i += 5) {
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
	assert_int_equal(bridge.agent.total.rebuilds > 1, rebuild_interval > 0);
}

static void test_equipartition(void **state)
{
	struct lxfw_params params;

	(void)state;
	lxfw_params_preset(&params, LXFW_POLICY_EQSPATIAL);
	params.eq_min_interval = 2;
	interrupt(&params, 0);
	assert_true(fake_counts.resizes > 0);
}

static void quanta(enum lxfw_quantum_mode mode, enum lxfw_quantum_end end,
		   int64_t suspensions, int rebuild_interval)
{
	char directory[] = "/tmp/lxfw-bridge-XXXXXX", path[64];
	struct lxfw_params params;

	assert_non_null(mkdtemp(directory));
	slurm_conf.state_save_location = directory;
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	params.quantum_mode = mode;
	params.quantum_end = end;
	params.quantum = 20;
	params.quantum_mem = 100000;
	params.quantum_min_run = 10;
	params.victim_suspensions = suspensions;
	interrupt(&params, rebuild_interval);
	assert_int_equal(bridge.agent.quanta.victim_count, 0);
	slurm_conf.state_save_location = NULL;
	snprintf(path, sizeof(path), "%s/lxfw_quanta", directory);
	(void)unlink(path);
	assert_int_equal(rmdir(directory), 0);
}

/* No job is suspended more often than its bound permits, although a rebuilt model has
   only the data that it reads. Without a bound, jobs are suspended more often. */
static void test_quanta_contract(void **state)
{
	(void)state;
	quanta(LXFW_QUANTUM_PREEMPT, LXFW_QUANTUM_REQUEUE, 1, 25);
	assert_int_equal(fake_counts.most_suspensions, 1);
}

static void test_quanta_soon(void **state)
{
	(void)state;
	quanta(LXFW_QUANTUM_SOON, LXFW_QUANTUM_REQUEUE, 0, 0);
	assert_true(fake_counts.requeues > 0);
	assert_int_equal(fake_counts.suspensions, 0);
}

static void test_quanta_preempt(void **state)
{
	(void)state;
	quanta(LXFW_QUANTUM_PREEMPT, LXFW_QUANTUM_REQUEUE, 0, 0);
	assert_true(fake_counts.requeues > 0);
	assert_true(fake_counts.suspensions > 0);
	assert_true(fake_counts.most_suspensions > 2);
}

static void test_quanta_suspend(void **state)
{
	(void)state;
	quanta(LXFW_QUANTUM_PREEMPT, LXFW_QUANTUM_SUSPEND, 0, 0);
	assert_true(fake_counts.suspensions > 0);
}

/* --- the journal -------------------------------------------------------- */

static unsigned char *read_all(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	unsigned char *bytes;

	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	*length = (size_t)ftell(file);
	rewind(file);
	bytes = malloc(*length + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *length, file), *length);
	fclose(file);
	return bytes;
}

static void assert_same_action(const struct lxfw_action *one,
			       const struct lxfw_action *other)
{
	assert_int_equal(one->type, other->type);
	assert_int_equal(one->job, other->job);
	assert_int_equal(one->start, other->start);
	assert_int_equal(one->host_set, other->host_set);
	assert_int_equal(one->count, other->count);
	for (int32_t i = 0; i < one->count; i++)
		assert_memory_equal(&one->shares[i], &other->shares[i],
				    sizeof(*one->shares));
}

/* Replay the decisions; return the number of actions. */
static size_t replay(const unsigned char *bytes, size_t length)
{
	struct lxfw_sched *sched = NULL;
	struct lxfw_record record = { 0 };
	struct lxfw_decision decision = { 0 };
	struct lxfw_params params;
	struct lxfw_error why;
	size_t offset = 0, action = 0, actions = 0;

	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	while (lxfw_journal_get(bytes, length, &offset, &record) > 0) {
		switch (record.kind) {
		case LXFW_RECORD_MAGIC:
			lxfw_sched_destroy(sched);
			sched = lxfw_sched_create(&params);
			assert_non_null(sched);
			break;
		case LXFW_RECORD_EVENT:
			assert_int_equal(lxfw_sched_apply(sched, &record.event,
							  &why), 0);
			break;
		case LXFW_RECORD_DECIDE:
			assert_int_equal(lxfw_sched_decide(sched, record.now,
							   &decision), 0);
			action = 0;
			break;
		case LXFW_RECORD_ACTION:
			assert_true(action < decision.count);
			assert_same_action(&decision.actions[action++],
					   &record.action);
			actions++;
			break;
		case LXFW_RECORD_DECIDED:
			assert_int_equal(action, decision.count);
			assert_int_equal(decision.wake, record.wake);
			break;
		case LXFW_RECORD_NAME:	/* of a simulation */
			break;
		}
	}
	assert_int_equal(offset, length);
	lxfw_sched_destroy(sched);
	lxfw_record_clear(&record);
	return actions;
}

static void test_replay(void **state)
{
	char directory[] = "/tmp/lxfw-bridge-XXXXXX", path[64];
	unsigned char *bytes;
	uint64_t random = seed;
	size_t length;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/journal", directory);
	lxfw_journal_file_set(&bridge.agent.journal, path, (int)strlen(path));
	four_nodes();
	fake_trouble.random = seed;
	fake_trouble.refuse = 4;
	fake_trouble.more = 6;
	for (int i = 0; i < 300; i++) {
		job_record_t *job;

		if (unit_between(&random, 0, 2) == 0) {
			job = fake_job("all", (uint32_t)
				       unit_between(&random, 1, 3));
			fake_tasks(job, (uint32_t)unit_between(&random, 1, 20),
				   1);
		}
		if (i % 50 == 20)
			fake_node_down(i / 50 % 4, true);
		if (i % 50 == 40)
			fake_node_down(i / 50 % 4, false);
		live(1);
	}
	lxfw_journal_file_flush(&bridge.agent.journal, bridge.agent.clock);
	bytes = read_all(path, &length);
	/* At least a start for each job, and reservations. */
	assert_true(replay(bytes, length) > fake_counts.starts / 2);
	free(bytes);
	assert_int_equal(unlink(path), 0);
	(void)rmdir(directory);		/* a lock file may be left */
}

int main(void)
{
#define LOOP(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		LOOP(test_starts_and_ends),
		LOOP(test_waits_for_room),
		LOOP(test_begin_time),
		LOOP(test_array),
		LOOP(test_array_limit),
		LOOP(test_two_partitions),
		LOOP(test_refusals),
		LOOP(test_back_off),
		LOOP(test_more_than_decided),
		LOOP(test_leftover),
		LOOP(test_hold),
		LOOP(test_node_goes_and_comes),
		LOOP(test_excludes),
		LOOP(test_renumber),
		LOOP(test_replay),
		LOOP(test_refused_here_starts_elsewhere),
		LOOP(test_vanishing_jobs),
		LOOP(test_clock),
		LOOP(test_equipartition),
		LOOP(test_quanta_soon),
		LOOP(test_quanta_preempt),
		LOOP(test_quanta_contract),
		LOOP(test_quanta_suspend),
	};

	seed = unit_seed("bridge");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
