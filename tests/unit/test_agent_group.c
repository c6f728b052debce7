/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts of a group by the agent: all of its jobs run or none, whatever the workload
 * manager answers. */
#include <string.h>

#include "common/books/books.h"
#include "common/params/policy.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/pass.h"
#include "plugins/agent/quanta.h"
#include "plugins/agent/setup.h"
#include "tests/unit/unit.h"

#define JOBS 3

struct manager {
	struct lxfw_agent agent;
	int64_t now;
	enum lxfw_answer may[JOBS], start[JOBS];
	bool runs[JOBS], shown;
	bool removes;		/* the first start removes the last job from the table */
	int asked, started, taken_back;
	int64_t boot[JOBS];	/* boot time of each host */
	struct lxfw_share shares[JOBS];
};

static int64_t now(void *context)
{
	return ((struct manager *)context)->now;
}

static char *folder(void *context)
{
	(void)context;
	return NULL;
}

static bool look_at_hosts(void *context)
{
	static const char *const names[] = { "a", "b", "c" };
	const struct lxfw_resources total = { .procs = 4, .memory_mb = 1000 };
	struct manager *manager = context;

	if (lxfw_mirror_hosts(&manager->agent, names, JOBS) < 0)
		return false;
	for (int32_t i = 0; i < JOBS; i++)
		lxfw_mirror_host(&manager->agent, i, true, &total, 0, 0,
				 manager->boot[i]);
	return true;
}

static void read_job(struct manager *manager, int job, struct lxfw_run *run)
{
	*run = (struct lxfw_run){
		.id = (uint64_t)job + 1, .record = (uint32_t)job + 1,
		.end = 1100 + manager->boot[manager->shares[job].host],
		.count = 1, .shares = &manager->shares[job],
	};
}

static bool look_at_jobs(void *context)
{
	static const int32_t hosts[] = { 0, 1, 2 };
	struct manager *manager = context;

	if (!manager->shown)
		lxfw_mirror_set(&manager->agent, 0, hosts, JOBS);
	manager->shown = true;
	for (int i = 0; i < JOBS; i++) {
		const struct lxfw_waiting waiting = {
			.request = {
				.id = (uint64_t)i + 1, .submit = 1000,
				.estimate = 100, .shape = LXFW_SHAPE_HOSTS,
				.count = 1, .unit.procs = 4, .host_set_count = 1,
				.no_quantum = true, .group = 1,
				.group_count = JOBS,
			},
			.record = (uint32_t)i + 1,
		};
		struct lxfw_run run;

		if (!manager->runs[i]) {
			assert_non_null(lxfw_mirror_waiting(&manager->agent, &waiting));
			continue;
		}
		read_job(manager, i, &run);
		lxfw_mirror_run(&manager->agent,
				lxfw_mirror_running(&manager->agent, run.id,
						    run.record), &run);
	}
	return true;
}

static enum lxfw_phase phase(void *context, uint32_t record)
{
	return ((struct manager *)context)->runs[record - 1] ?
		LXFW_PHASE_RUNNING : LXFW_PHASE_WAITING;
}

static bool read_run(void *context, struct lxfw_known_job *known, struct lxfw_run *run)
{
	read_job(context, (int)known->record - 1, run);
	return true;
}

static enum lxfw_answer may_start(void *context, struct lxfw_known_job *known,
				  const struct lxfw_action *action)
{
	struct manager *manager = context;

	assert_int_equal(manager->started, 0);
	assert_int_equal(action->count, 1);
	manager->asked++;
	return manager->may[known->record - 1];
}

static enum lxfw_answer start(void *context, struct lxfw_known_job *known,
			      const struct lxfw_action *action, struct lxfw_run *run)
{
	struct manager *manager = context;
	int job = (int)known->record - 1;

	assert_int_equal(manager->asked % JOBS, 0);
	assert_false(manager->runs[job]);
	if (manager->start[job] != LXFW_DONE)
		return manager->start[job];
	manager->started++;
	manager->runs[job] = true;
	manager->shares[job] = action->shares[0];
	read_job(manager, job, run);
	if (manager->removes) {
		struct lxfw_job_table *table = &manager->agent.jobs;

		manager->removes = false;
		lxfw_table_remove(table, (size_t)lxfw_id_map_get(&table->by_id, JOBS));
	}
	return LXFW_DONE;
}

static void take_back(void *context, struct lxfw_known_job *known)
{
	struct manager *manager = context;

	assert_true(manager->runs[known->record - 1]);
	manager->runs[known->record - 1] = false;
	manager->taken_back++;
}

static const struct lxfw_wlm operations = {
	.name = "test", .job = "job ", .now = now, .folder_name = "folder",
	.folder = folder, .look_at_hosts = look_at_hosts,
	.look_at_jobs = look_at_jobs, .phase = phase, .read_run = read_run,
	.start = start, .may_start = may_start, .take_back = take_back,
};

static void begin(struct manager *manager)
{
	struct lxfw_params params;

	memset(manager, 0, sizeof(*manager));
	manager->now = 1000;
	lxfw_params_default(&params);
	lxfw_agent_init(&manager->agent, &operations, manager, &params);
}

/* Make a pass. Return the number of jobs that run after it. */
static int pass(struct manager *manager)
{
	int running = 0;

	manager->asked = manager->started = manager->taken_back = 0;
	assert_true(lxfw_agent_pass(&manager->agent));
	assert_false(manager->agent.rebuild);
	for (int i = 0; i < JOBS; i++)
		running += manager->runs[i];
	return running;
}

/* The agent knows that no job runs. */
static void expect_waiting(const struct manager *manager)
{
	for (uint64_t id = 1; id <= JOBS; id++)
		assert_int_not_equal(lxfw_table_find(&manager->agent.jobs, id)->state,
				     LXFW_KNOWN_RUNNING);
	assert_true(manager->agent.counts.rounds < 4);
}

/* What is shown as started: as many jobs as run. */
static void expect_counted(const struct manager *manager, uint64_t running)
{
	const struct lxfw_meter *meter = &manager->agent.meter;
	uint64_t starts = 0;

	for (int i = 0; i < LXFW_START_LABELS; i++)
		starts += meter->starts[i];
	assert_int_equal(starts, running);
	assert_int_equal(meter->answers[LXFW_DONE], running);
	assert_int_equal(meter->kept + meter->late, 0);
	assert_int_equal(manager->agent.total.starts, running);
}

/* All jobs start in a later pass, and stay in the model. */
static void start_later(struct manager *manager)
{
	for (int i = 0; i < JOBS; i++)
		manager->may[i] = manager->start[i] = LXFW_DONE;
	manager->now += 60;
	assert_int_equal(pass(manager), JOBS);
	assert_int_equal(manager->agent.decision.running, JOBS);
	assert_int_equal(pass(manager), JOBS);
	assert_int_equal(manager->agent.decision.running, JOBS);
	expect_counted(manager, JOBS);
	lxfw_agent_destroy(&manager->agent);
}

static void all_start(void **state)
{
	struct manager manager;

	(void)state;
	begin(&manager);
	assert_int_equal(pass(&manager), JOBS);
	assert_int_equal(manager.taken_back, 0);
	start_later(&manager);
}

/* The library expects each job to run for the longest boot time. It learns the true end
   of those whose hosts boot sooner. */
static void boot_times_differ(void **state)
{
	struct manager manager;
	const struct lxfw_sched *sched;

	(void)state;
	begin(&manager);
	manager.boot[0] = 10;
	manager.boot[1] = 20;
	assert_int_equal(pass(&manager), JOBS);
	sched = manager.agent.sched;
	for (uint64_t id = 1; id <= JOBS; id++) {
		int32_t job = lxfw_id_map_get(&sched->job_by_id, id);
		int64_t boot = manager.boot[manager.shares[id - 1].host];

		assert_true(job >= 0);
		assert_int_equal(sched->jobs[job].expected_end, 1100 + boot);
	}
	lxfw_agent_destroy(&manager.agent);
}

static const enum lxfw_answer refusals[] = {
	LXFW_BUSY, LXFW_REFUSED, LXFW_UNFIT, LXFW_GONE,
};

static void none_is_tried(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		for (int job = 0; job < JOBS; job++) {
			struct manager manager;

			begin(&manager);
			manager.may[job] = refusals[i];
			assert_int_equal(pass(&manager), 0);
			assert_int_equal(manager.started, 0);
			expect_waiting(&manager);
			start_later(&manager);
		}
	}
}

static void taken_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		for (int job = 0; job < JOBS; job++) {
			struct manager manager;

			begin(&manager);
			manager.start[job] = refusals[i];
			assert_int_equal(pass(&manager), 0);
			assert_int_equal(manager.started, job);
			assert_int_equal(manager.taken_back, job);
			expect_waiting(&manager);
			expect_counted(&manager, 0);
			start_later(&manager);
		}
	}
}

/* A job that is gone when it is its turn: those before it do not run without it. */
static void one_is_gone(void **state)
{
	struct manager manager;

	(void)state;
	begin(&manager);
	manager.removes = true;
	assert_true(lxfw_agent_pass(&manager.agent));
	assert_int_equal(manager.started, JOBS - 1);
	assert_int_equal(manager.taken_back, JOBS - 1);
	for (int i = 0; i < JOBS; i++)
		assert_false(manager.runs[i]);
	/* The model is built again. */
	assert_true(manager.agent.rebuild);
	manager.shown = false;
	manager.now += 60;
	assert_int_equal(pass(&manager), JOBS);
	lxfw_agent_destroy(&manager.agent);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_start),
		cmocka_unit_test(boot_times_differ),
		cmocka_unit_test(none_is_tried),
		cmocka_unit_test(taken_back),
		cmocka_unit_test(one_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
