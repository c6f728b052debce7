/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which pending jobs a look reads: those whose record has changed at once, the others in
 * turn.
 */
#include "tests/unit/bridge_loop.h"

#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/watch_mark.h"

#define JOBS 64

static job_record_t *jobs[JOBS];

/* Submit jobs that wait for a job that has all nodes. A look reads a part of them in turn. */
static void full_cluster(void)
{
	job_record_t *first;

	four_nodes();
	bridge.watch.least = 0;
	first = fake_job("all", 100);
	fake_tasks(first, 64, 1);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(first));
	for (int i = 0; i < JOBS; i++) {
		jobs[i] = fake_job("all", 10 + (uint32_t)i);
		fake_tasks(jobs[i], 16, 1);
	}
	/* Later changes are not in the second of these looks. */
	live(3);
	assert_int_equal(bridge.agent.decision.waiting, JOBS);
}

static void one_second(void)
{
	fake_pass_seconds(1);
	assert_true(one_pass(&bridge));
}

/* A pass after a change of some record. */
static void after_update(void)
{
	last_job_update = time(NULL);
	one_second();
}

static struct lxfw_known_job *known_of(const job_record_t *job)
{
	return lxfw_table_find(&bridge.agent.jobs, lxfw_record_id(job));
}

/* Each job has its turn in one of the looks. */
static void test_in_turn(void **state)
{
	uint32_t passes_read[JOBS] = { 0 };

	(void)state;
	full_cluster();
	for (int look = 0; look < LXFW_WATCH_TURNS; look++) {
		one_second();
		assert_int_equal(bridge.watch.read, JOBS / LXFW_WATCH_TURNS);
		assert_int_equal(bridge.agent.wake, bridge.agent.clock + 1);
		assert_int_equal(bridge.queue_length, JOBS);
		assert_int_equal(bridge.agent.counts.jobs, JOBS);
		for (int i = 0; i < JOBS; i++)
			passes_read[i] += lxfw_watch_find(&bridge.watch,
					jobs[i]->job_id)->read == bridge.agent.pass;
	}
	for (int i = 0; i < JOBS; i++)
		assert_int_equal(passes_read[i], 1);
	assert_int_equal(bridge.agent.decision.waiting, JOBS);
}

/* With few jobs, each look reads all. */
static void test_few(void **state)
{
	(void)state;
	full_cluster();
	bridge.watch.least = LXFW_WATCH_LEAST;
	one_second();
	assert_int_equal(bridge.watch.read, JOBS);
	assert_true(bridge.agent.wake > bridge.agent.clock + 1);
}

/* --- changes of a record -------------------------------------------------------- */

static void change_limit(job_record_t *job) { job->time_limit = 999; }
static void change_least_limit(job_record_t *job) { job->time_min = 5; }
static void change_deadline(job_record_t *job) { job->deadline = NOW + 1000000; }
static void change_priority(job_record_t *job) { job->priority += 7; }
static void change_by_hand(job_record_t *job) { job->direct_set_prio = 1; }
static void change_reason(job_record_t *job) { job->state_reason = WAIT_DEPENDENCY; }
static void change_cpus(job_record_t *job) { job->details->min_cpus = 3; }
static void change_tasks(job_record_t *job) { job->details->num_tasks = 3; }
static void change_nodes(job_record_t *job) { job->details->min_nodes = 2; }
static void change_most_nodes(job_record_t *job) { job->details->max_nodes = 9; }
static void change_per_task(job_record_t *job) { job->details->cpus_per_task = 4; }
static void change_per_node(job_record_t *job) { job->details->ntasks_per_node = 2; }
static void change_node_cpus(job_record_t *job) { job->details->pn_min_cpus = 2; }
static void change_memory(job_record_t *job) { job->details->pn_min_memory = 77; }
static void change_disk(job_record_t *job) { job->details->pn_min_tmp_disk = 7; }
static void change_nice(job_record_t *job) { job->details->nice += 5; }
static void change_begin(job_record_t *job) { job->details->begin_time += 5; }
static void change_submit(job_record_t *job) { job->details->submit_time -= 5; }
static void change_contiguous(job_record_t *job) { job->details->contiguous = 1; }
static void change_core_spec(job_record_t *job) { job->details->core_spec = 1; }
static void change_overcommit(job_record_t *job) { job->details->overcommit = 1; }
static void change_sharing(job_record_t *job) { job->details->share_res = 1; }
static void change_whole(job_record_t *job) { job->details->whole_node = 1; }
static void change_requeue(job_record_t *job) { job->details->requeue ^= 1; }
static void change_expanding(job_record_t *job) { job->details->expanding_jobid = 5; }
static void change_switches(job_record_t *job) { job->req_switch = 1; }
static void change_reservation(job_record_t *job) { job->resv_name = xstrdup("r"); }
static void change_buffer(job_record_t *job) { job->burst_buffer = xstrdup("b"); }
static void change_comment(job_record_t *job) { job->comment = xstrdup("longer than a word"); }
static void change_licenses(job_record_t *job) { job->licenses = xstrdup("l"); }
static void change_excluded(job_record_t *job) { fake_exclude(job, "n1", 1); }
static void change_required(job_record_t *job) { fake_require(job, "n1", 1); }
static void change_features(job_record_t *job) { fake_features(job, "f", 0); }
static void change_preferred(job_record_t *job) { fake_prefer(job, "f"); }
static void change_gres(job_record_t *job) { fake_gres(job, "gpu"); }
static void change_array(job_record_t *job) { fake_array(job, 1, 4, 0); }
static void change_qos(job_record_t *job) { job->qos_id += 1; }
static void change_account(job_record_t *job) { job->assoc_id += 1; }

static void (*const changes[])(job_record_t *job) = {
	change_limit, change_least_limit, change_deadline, change_priority,
	change_by_hand, change_reason, change_cpus, change_tasks, change_nodes,
	change_most_nodes, change_per_task, change_per_node, change_node_cpus,
	change_memory, change_disk, change_nice, change_begin, change_submit,
	change_contiguous, change_core_spec, change_overcommit, change_sharing,
	change_whole, change_requeue, change_expanding, change_switches,
	change_reservation, change_buffer, change_comment, change_licenses,
	change_excluded, change_required, change_features, change_preferred,
	change_gres, change_array, change_qos, change_account,
};

static void test_mark(void **state)
{
	(void)state;
	four_nodes();
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		job_record_t *job = fake_job("all", 10);
		uint64_t before = lxfw_watch_mark(job);

		assert_int_equal(lxfw_watch_mark(job), before);
		changes[i](job);
		if (lxfw_watch_mark(job) == before)
			fail_msg("change %zu is not noticed", i);
	}
}

/* A text that replaces another one may have the same address and length. */
static void test_text(void **state)
{
	job_record_t *job;
	uint64_t before;

	(void)state;
	four_nodes();
	job = fake_job("all", 10);
	job->comment = xstrdup("lxfw:adaptive=4");
	before = lxfw_watch_mark(job);
	job->comment[14] = '8';
	assert_true(lxfw_watch_mark(job) != before);
}

/* What the scheduler itself sets is no change. */
static void test_own_reason(void **state)
{
	job_record_t *job;
	uint64_t before;

	(void)state;
	four_nodes();
	job = fake_job("all", 10);
	job->state_reason = WAIT_NO_REASON;
	before = lxfw_watch_mark(job);
	job->state_reason = WAIT_PRIORITY;
	assert_int_equal(lxfw_watch_mark(job), before);
	job->state_reason = WAIT_RESOURCES;
	assert_int_equal(lxfw_watch_mark(job), before);
}

/* Each job is changed when it is not its turn. */
static void test_update_at_once(void **state)
{
	(void)state;
	full_cluster();
	for (int i = 0; i < JOBS; i++) {
		jobs[i]->time_limit = 500 + (uint32_t)i;
		after_update();
		assert_int_equal(known_of(jobs[i])->request.estimate,
				 60 * (500 + i));
	}
}

static void test_hold_and_release(void **state)
{
	(void)state;
	full_cluster();
	for (int i = 0; i < LXFW_WATCH_TURNS; i++) {
		jobs[i]->priority = 0;
		after_update();
		assert_int_equal(bridge.agent.decision.waiting, JOBS - 1);
		jobs[i]->priority = 1000;
		after_update();
		assert_int_equal(bridge.agent.decision.waiting, JOBS);
	}
}

static void test_cancelled(void **state)
{
	(void)state;
	full_cluster();
	for (int i = 0; i < LXFW_WATCH_TURNS; i++) {
		fake_vanish(jobs[i]);
		one_second();
		assert_int_equal(bridge.agent.decision.waiting, JOBS - 1 - i);
		assert_int_equal(bridge.watch.count, JOBS - 1 - i);
	}
}

static void test_submitted(void **state)
{
	(void)state;
	full_cluster();
	for (int i = 0; i < LXFW_WATCH_TURNS; i++) {
		job_record_t *job = fake_job("all", 7);

		fake_tasks(job, 16, 1);
		one_second();
		assert_non_null(known_of(job));
	}
	assert_int_equal(bridge.agent.decision.waiting, JOBS + LXFW_WATCH_TURNS);
}

/* --- other changes -------------------------------------------------------------- */

static void test_partition_changed(void **state)
{
	part_record_t *part;

	(void)state;
	full_cluster();
	part = find_part_record("all");
	part->state_up = PARTITION_DOWN;
	fake_pass_seconds(1);
	last_part_update = time(NULL);
	assert_true(one_pass(&bridge));
	assert_int_equal(bridge.watch.read, JOBS);
	assert_int_equal(bridge.agent.decision.waiting, 0);
	part->state_up = PARTITION_UP;
	fake_pass_seconds(1);
	last_part_update = time(NULL);
	assert_true(one_pass(&bridge));
	assert_int_equal(bridge.agent.decision.waiting, JOBS);
}

static void test_begin_time(void **state)
{
	(void)state;
	full_cluster();
	for (int i = 0; i < JOBS; i++)
		jobs[i]->details->begin_time = bridge.agent.clock + 20;
	after_update();
	assert_int_equal(bridge.agent.decision.waiting, 0);
	fake_pass_seconds(19);
	assert_true(one_pass(&bridge));
	assert_int_equal(bridge.agent.decision.waiting, JOBS);
}

/* A limit permits other jobs when one has ended: at once, and not only in their
   turn. The simulated controller does not count ends for limits. */
static void test_limit(void **state)
{
	job_record_t *first;

	(void)state;
	four_nodes();
	bridge.watch.least = 0;
	fake_limits.qos_cpus = 1;
	first = fake_job("all", 1000);
	fake_account(first);
	passes(&bridge);
	for (int i = 0; i < JOBS; i++) {
		jobs[i] = fake_job("all", 1000);
		fake_account(jobs[i]);
	}
	live(3);
	assert_int_equal(fake_running(), 1);
	assert_int_equal(bridge.agent.decision.waiting, 0);
	fake_end(first);
	fake_limits.qos_cpus = 0;	/* its usage is not counted any more */
	one_second();
	assert_int_equal(fake_running(), JOBS);
}

/* --- long looks ----------------------------------------------------------------- */

/* A look that takes long is interrupted; the decision knows all jobs. The job with the
   longest wait is read last. */
static void test_slices(void **state)
{
	const int count = 1000;
	job_record_t *job = NULL;
	uint32_t decisions;

	(void)state;
	four_nodes();
	passes(&bridge);
	decisions = bridge.agent.decisions;
	bridge.watch.read_us = 0;
	for (int i = 0; i < count; i++) {
		job = fake_job("all", 10);
		fake_tasks(job, 64, 1);
	}
	job->details->begin_time -= 10000;
	assert_true(one_pass(&bridge));
	assert_int_equal(bridge.agent.counts.looks, (count + 255) / 256);
	assert_int_equal(bridge.watch.read, count);
	assert_int_equal(bridge.queue_length, count);
	assert_int_equal(bridge.agent.decisions, decisions + 1);
	assert_int_equal(fake_running(), 1);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(bridge.agent.decision.waiting, count - 1);
}

/* Jobs that are passed to Slurm are read once in a pass of several looks. */
static void test_slices_of_leftovers(void **state)
{
	const int count = 600;
	job_record_t *job = NULL;

	(void)state;
	four_nodes();
	bridge.watch.read_us = 0;
	for (int i = 0; i < count; i++) {
		job = fake_job("all", 1000);
		job->details->contiguous = 1;
		fake_tasks(job, 16, 1);
	}
	assert_true(one_pass(&bridge));
	assert_int_equal(bridge.agent.counts.looks, 3);
	assert_int_equal(bridge.watch.read, count);
	assert_int_equal(bridge.leftover_count, count);
	assert_int_equal(fake_running(), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOOP(test_in_turn),
		LOOP(test_few),
		LOOP(test_mark),
		LOOP(test_text),
		LOOP(test_own_reason),
		LOOP(test_update_at_once),
		LOOP(test_hold_and_release),
		LOOP(test_cancelled),
		LOOP(test_submitted),
		LOOP(test_partition_changed),
		LOOP(test_begin_time),
		LOOP(test_limit),
		LOOP(test_slices),
		LOOP(test_slices_of_leftovers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
