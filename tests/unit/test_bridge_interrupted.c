/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes of the bridge with a simulated controller: jobs that are interrupted or resized,
 * and the replay of the journal.
 */
#include <unistd.h>

#include "common/journal/journal.h"
#include "tests/unit/bridge_loop.h"

static uint64_t seed;

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
	const struct CMUnitTest tests[] = {
		LOOP(test_equipartition),
		LOOP(test_quanta_contract),
		LOOP(test_quanta_soon),
		LOOP(test_quanta_preempt),
		LOOP(test_quanta_suspend),
		LOOP(test_replay),
	};
	int failed;

	seed = unit_seed("bridge");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	in_turn = true;
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
