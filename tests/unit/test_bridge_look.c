/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks that examine a part of the records (watch_look.h). After random changes of the
 * controller's records, and the looks of one second, a look that reads everything must find
 * nothing that the library was not told.
 */
#include "tests/unit/bridge_loop.h"

#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/watch_look.h"

#define JOBS 160

static uint64_t seed;

/* --- the cluster ------------------------------------------------------------------ */

static job_record_t *submit(void)
{
	job_record_t *job = fake_job("all", 5 + (uint32_t)(fake_random() % 100));

	if (fake_chance(12))
		fake_array(job, 1, 1 + (int)(fake_random() % 5), 0);
	else
		fake_tasks(job, 1 + (uint32_t)(fake_random() % 64), 1);
	job->priority = 1000 + (uint32_t)(fake_random() % 1000);
	return job;
}

/* A look examines a quarter of the pending jobs. */
static void many_jobs(int count)
{
	four_nodes();
	bridge.watch.least = 0;
	bridge.watch.most = 0;
	for (int i = 0; i < count; i++)
		(void)submit();
	live(3);
}

/* --- changes ---------------------------------------------------------------------- */

static void change_pending(job_record_t *job)
{
	switch (fake_random() % 12) {
	case 0: job->priority = job->priority ? 0 : 1500; break;	/* hold, release */
	case 1: job->priority = 1000 + (uint32_t)(fake_random() % 1000); break;
	case 2: job->time_limit = 5 + (uint32_t)(fake_random() % 100); break;
	case 3: job->details->begin_time = time(NULL) + (time_t)(fake_random() % 5); break;
	case 4: job->details->nice = NICE_OFFSET + (uint32_t)(fake_random() % 100); break;
	case 5: job->details->pn_min_memory = fake_random() % 1000; break;
	case 6: job->direct_set_prio = !job->direct_set_prio; break;
	case 7: job->state_reason = job->state_reason == WAIT_DEPENDENCY ?
			WAIT_NO_REASON : WAIT_DEPENDENCY; break;
	case 8: job->restart_cnt++; break;
	case 9: (void)fake_select_nodes(job, false); break;	/* started by another */
	case 10: fake_vanish(job); return;
	default: fake_end(job); return;				/* cancelled */
	}
}

static void change_running(job_record_t *job)
{
	switch (fake_random() % 4) {
	case 0: fake_vanish(job); break;
	case 1: fake_requeue(job); break;
	case 2: job->end_time += 60; break;
	default: fake_end(job); break;
	}
}

/* The record of a job that has ended is deleted, or the job is pending again. */
static void change_ended(job_record_t *job)
{
	if (fake_chance(2))
		fake_vanish(job);
	else
		fake_requeue(job);
}

static void change_something(void)
{
	job_record_t *job = fake_any_job();

	if (!job || fake_chance(5))
		(void)submit();
	else if (IS_JOB_PENDING(job))
		change_pending(job);
	else if (IS_JOB_RUNNING(job))
		change_running(job);
	else
		change_ended(job);
	last_job_update = time(NULL);
}

/* --- the property ----------------------------------------------------------------- */

/* The looks that are made without a further change. */
static void look_on(void)
{
	for (int i = 0; i < LXFW_LOOK_UNITS + 2; i++) {
		assert_true(one_pass(&bridge));
		if (!bridge.agent.stale)
			return;
	}
	fail_msg("the looks do not end");
}

/* Starts are made in the same second until the library has no more to do. */
static bool settle(void)
{
	for (int i = 0; i < 20; i++) {
		look_on();
		if (bridge.agent.counts.events == 0 && bridge.agent.counts.started == 0 &&
		    bridge.agent.counts.refused == 0)
			return true;
	}
	return false;
}

/* A pass that examines and reads everything. */
static void look_at_all(void)
{
	bridge.watch.listed = 0;
	lxfw_watch_forget(&bridge.watch);
	assert_true(one_pass(&bridge));
	assert_int_equal(bridge.watch.all.count, list_count(job_list));
}

static void assert_no_twins(const struct lxfw_job_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		for (size_t j = 0; j < i; j++)
			assert_true(list->job[i] != list->job[j]);
	}
}

static void assert_known(void)
{
	size_t waiting = bridge.agent.decision.waiting;
	size_t running = bridge.agent.decision.running;

	assert_no_twins(&bridge.watch.all);
	look_at_all();
	if (bridge.agent.counts.events)
		fail_msg("%u differences were not found", bridge.agent.counts.events);
	assert_int_equal(bridge.agent.decision.waiting, waiting);
	assert_int_equal(bridge.agent.decision.running, running);
}

static void test_random(void **state)
{
	const char *given = getenv("LXFW_CASES");
	int steps = given ? atoi(given) : 400, compared = 0;

	(void)state;
	fake_trouble.random = seed;
	many_jobs(JOBS);
	for (int step = 0; step < steps; step++) {
		int changes = (int)(fake_random() % 4);

		for (int i = 0; i <= changes; i++) {
			change_something();
			/* Later changes are in the second of a look. */
			if (fake_chance(3))
				(void)one_pass(&bridge);
		}
		fake_pass_seconds(1);
		if (settle()) {
			assert_known();
			compared++;
		}
	}
	assert_true(compared > steps / 2);
}

/* The same with a clock that is set back now and then. */
static void test_clock(void **state)
{
	(void)state;
	fake_trouble.random = seed;
	many_jobs(JOBS);
	for (int step = 0; step < 50; step++) {
		change_something();
		(void)one_pass(&bridge);
		fake_clock(time(NULL) - (time_t)(fake_random() % 50));
		change_something();
		fake_pass_seconds(60);
		if (settle())
			assert_known();
	}
}

/* --- what a look examines --------------------------------------------------------- */

/* JOBS pending jobs, while another one has all nodes. The jobs' records are the last ones. */
static void full_cluster(job_record_t **jobs)
{
	job_record_t *first;

	four_nodes();
	bridge.watch.least = 0;
	bridge.watch.most = 0;
	first = fake_job("all", 100);
	fake_tasks(first, 64, 1);
	passes(&bridge);
	for (int i = 0; i < JOBS; i++) {
		jobs[i] = fake_job("all", 10);
		fake_tasks(jobs[i], 16, 1);
	}
	live(3);
	look_on();
}

static void one_second(void)
{
	fake_pass_seconds(1);
	assert_true(one_pass(&bridge));
}

static struct lxfw_known_job *known_of(const job_record_t *job)
{
	return lxfw_table_find(&bridge.agent.jobs, lxfw_record_id(job));
}

/* If nothing has changed, only the running job's record is examined. */
static void test_quiet(void **state)
{
	job_record_t *jobs[JOBS];

	(void)state;
	full_cluster(jobs);
	one_second();
	assert_int_equal(bridge.watch.all.count, 1);
	assert_false(bridge.agent.stale);
	assert_int_equal(bridge.agent.decision.waiting, JOBS);
	assert_int_equal(bridge.agent.counts.jobs, JOBS);
}

/* Each look examines arrays, whose tasks are counted from the record, and jobs that are read in
   each look. */
static void test_always(void **state)
{
	job_record_t *jobs[JOBS];

	(void)state;
	full_cluster(jobs);
	fake_array(jobs[5], 1, 3, 0);
	jobs[6]->direct_set_prio = 1;
	last_job_update = time(NULL);
	live(3);
	one_second();
	assert_int_equal(bridge.watch.all.count, 3);
	assert_true(lxfw_watch_find(&bridge.watch, jobs[5]->job_id)->fresh);
	assert_true(lxfw_watch_find(&bridge.watch, jobs[6]->job_id)->fresh);
}

/* A changed job is found after some looks, none of which examines many. */
static void test_change(void **state)
{
	job_record_t *jobs[JOBS];

	(void)state;
	full_cluster(jobs);
	for (int i = 0; i < JOBS; i += 7) {
		int looks = 0;

		fake_pass_seconds(1);
		jobs[i]->time_limit = 500;
		last_job_update = time(NULL);
		do {
			assert_true(one_pass(&bridge));
			assert_true(bridge.watch.all.count < JOBS);
			looks++;
		} while (bridge.agent.stale && looks <= LXFW_LOOK_UNITS);
		assert_in_range(looks, LXFW_LOOK_UNITS - 1, LXFW_LOOK_UNITS);
		assert_int_equal(known_of(jobs[i])->request.estimate, 60 * 500);
	}
}

/* A change that follows the looks of the same second is found in the next one. */
static void test_same_second(void **state)
{
	job_record_t *jobs[JOBS];

	(void)state;
	full_cluster(jobs);
	fake_pass_seconds(1);
	last_job_update = time(NULL);
	look_on();
	jobs[5]->time_limit = 500;
	last_job_update = time(NULL);
	look_on();
	fake_pass_seconds(1);
	look_on();
	assert_int_equal(known_of(jobs[5])->request.estimate, 60 * 500);
}

/* Slurm notes the second in which it began to wait for its locks: an earlier one than that of
   the last look, but another one than this look has seen. */
static void test_noted_late(void **state)
{
	job_record_t *jobs[JOBS];

	(void)state;
	full_cluster(jobs);
	fake_pass_seconds(10);
	last_job_update = time(NULL) - 5;
	look_on();
	jobs[5]->time_limit = 500;
	last_job_update = time(NULL) - 2;
	look_on();
	assert_int_equal(known_of(jobs[5])->request.estimate, 60 * 500);
}

/* New jobs are found at once, without a walk over the list. */
static void test_submitted(void **state)
{
	job_record_t *jobs[JOBS];
	time_t listed;

	(void)state;
	full_cluster(jobs);
	listed = bridge.watch.listed;
	fake_pass_seconds(1);
	for (int i = 0; i < 3; i++)
		jobs[i] = fake_job("all", 7);
	assert_true(one_pass(&bridge));
	for (int i = 0; i < 3; i++)
		assert_non_null(known_of(jobs[i]));
	assert_int_equal(bridge.watch.listed, listed);
}

/* So are jobs with other numbers than the next ones. */
static void test_other_numbers(void **state)
{
	job_record_t *jobs[JOBS], *job;

	(void)state;
	full_cluster(jobs);
	job = fake_job("all", 7);
	bridge.watch.newest = 1000000;
	one_second();
	assert_non_null(known_of(job));
	assert_int_equal(bridge.watch.newest, job->job_id);
}

/* The rest of an array from which a task has started is at the end of Slurm's list, but has an old
   number: the jobs with the following numbers are not new. */
static void test_rest_of_array(void **state)
{
	job_record_t *array, *job;

	(void)state;
	four_nodes();
	bridge.watch.least = 0;
	bridge.watch.most = 0;
	job = fake_job("all", 100);
	fake_tasks(job, 64, 1);
	passes(&bridge);
	array = fake_job("all", 10);
	array->priority = 2000;
	fake_tasks(array, 16, 1);
	fake_array(array, 1, 9, 0);
	for (int i = 0; i < JOBS; i++)
		fake_tasks(fake_job("all", 10), 16, 1);
	live(3);
	fake_end(job);
	for (int i = 0; i < LXFW_LOOK_UNITS + 2; i++) {
		one_second();
		assert_no_twins(&bridge.watch.all);
	}
	assert_int_equal(fake_active_count, 4);
	/* The tasks that run, and the rest. */
	assert_false(bridge.agent.stale);
	assert_int_equal(bridge.watch.all.count, 5);
}

/* A job that has ended is pending again. */
static void test_pending_again(void **state)
{
	job_record_t *jobs[JOBS];

	(void)state;
	full_cluster(jobs);
	fake_end(jobs[9]);
	live(3);
	assert_int_equal(bridge.agent.decision.waiting, JOBS - 1);
	jobs[9]->job_state = JOB_PENDING;
	last_job_update = time(NULL);
	fake_pass_seconds(1);
	look_on();
	assert_int_equal(bridge.agent.decision.waiting, JOBS);
}

/* Records are freed while as many others are created. */
static void test_freed(void **state)
{
	job_record_t *jobs[JOBS];

	(void)state;
	full_cluster(jobs);
	for (int i = 0; i < 40; i++) {
		fake_vanish(jobs[i]);
		jobs[i] = fake_job("all", 7);
	}
	fake_pass_seconds(1);
	look_on();
	assert_int_equal(bridge.agent.decision.waiting, JOBS);
	assert_int_equal(bridge.watch.count, JOBS);
	for (int i = 0; i < JOBS; i++)
		assert_non_null(known_of(jobs[i]));
}

/* A job that the library has started is reported as running: its end is not assumed. */
static void test_own_start(void **state)
{
	job_record_t *jobs[JOBS];

	(void)state;
	full_cluster(jobs);
	for (int i = 0; i < JOBS / 2; i++) {
		fake_end(fake_active[0]);
		fake_pass_seconds(1);
		for (int j = 0; j < LXFW_LOOK_UNITS && fake_active_count < 4; j++)
			assert_true(one_pass(&bridge));
		assert_true(bridge.agent.counts.started > 0);
		assert_true(one_pass(&bridge));
		assert_int_equal(bridge.agent.counts.events, 0);
		assert_int_equal(bridge.agent.decision.running, 4);
	}
}

static void assert_pending(const struct lxfw_job_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		assert_true(IS_JOB_PENDING(list->job[i]));
}

/* Another scheduler has started jobs that have their turn, or must be read: a job that runs
   is not read as a pending one. */
static void test_started(void **state)
{
	job_record_t *jobs[JOBS];

	(void)state;
	full_cluster(jobs);
	fake_end(fake_find(1));
	for (int i = 0; i < 4; i++)
		assert_int_equal(fake_select_nodes(jobs[JOBS - 1 - i], false), 0);
	last_job_update = bridge.watch.part[0].examined - 1;	/* Slurm noted nothing */
	lxfw_watch_find(&bridge.watch, jobs[JOBS - 1]->job_id)->due = bridge.watch.round;
	lxfw_watch_find(&bridge.watch, jobs[JOBS - 2]->job_id)->tables--;
	one_second();
	assert_pending(&bridge.watch.turn);
	assert_pending(&bridge.watch.todo);
	look_on();
	assert_int_equal(known_of(jobs[JOBS - 1])->state, LXFW_KNOWN_RUNNING);
	assert_true(IS_JOB_RUNNING(jobs[JOBS - 1]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOOP(test_random),
		LOOP(test_clock),
		LOOP(test_quiet),
		LOOP(test_always),
		LOOP(test_change),
		LOOP(test_same_second),
		LOOP(test_noted_late),
		LOOP(test_submitted),
		LOOP(test_other_numbers),
		LOOP(test_rest_of_array),
		LOOP(test_pending_again),
		LOOP(test_freed),
		LOOP(test_own_start),
		LOOP(test_started),
	};

	seed = unit_seed("look");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
