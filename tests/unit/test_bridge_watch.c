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
static void change_het(job_record_t *job) { job->het_job_id = 5; }
static void change_reservation_id(job_record_t *job) { job->resv_id = 5; }
static void change_restarts(job_record_t *job) { job->restart_cnt++; }
static void change_spank(job_record_t *job) { job->spank_job_env_size = 1; }
static void change_batch(job_record_t *job) { job->batch_flag++; }
static void change_partition(job_record_t *job) { job->part_ptr = NULL; }
static void change_dependency(job_record_t *job)
{
	job->details->dependency = xstrdup("afterok:7(unfulfilled)");
}

/* Of parts that a job may have. */

static void have_partitions(job_record_t *job)
{
	job->part_ptr_list = list_create(NULL);
	list_append(job->part_ptr_list, find_part_record((char *)"all"));
	xfree(job->partition);
	job->partition = xstrdup("all");
}

static void change_partitions(job_record_t *job)
{
	xfree(job->partition);
	job->partition = xstrdup("all,few");
}

static void have_array(job_record_t *job) { fake_array(job, 1, 4, 0); }
static void change_throttle(job_record_t *job) { job->array_recs->max_run_tasks = 2; }
static void change_started(job_record_t *job) { job->array_recs->tot_run_tasks = 2; }

static multi_core_data_t cores;

static void have_cores(job_record_t *job)
{
	cores = (multi_core_data_t){ .threads_per_core = 2, .ntasks_per_socket = 2 };
	job->details->mc_ptr = &cores;
}

static void change_threads(job_record_t *job) { job->details->mc_ptr->threads_per_core = 1; }
static void change_sockets(job_record_t *job) { job->details->mc_ptr->ntasks_per_socket = 1; }

static const struct {
	void (*have)(job_record_t *job);
	void (*change)(job_record_t *job);
} parts_changes[] = {
	{ have_partitions, change_partitions }, { have_array, change_throttle },
	{ have_array, change_started }, { have_cores, change_threads },
	{ have_cores, change_sockets },
};

static void (*const changes[])(job_record_t *job) = {
	change_limit, change_least_limit, change_deadline, change_priority,
	change_by_hand, change_reason, change_cpus, change_tasks, change_nodes,
	change_most_nodes, change_per_task, change_per_node, change_node_cpus,
	change_memory, change_disk, change_nice, change_begin, change_submit,
	change_contiguous, change_core_spec, change_overcommit, change_sharing,
	change_whole, change_requeue, change_expanding, change_switches,
	change_reservation, change_buffer, change_comment, change_licenses,
	change_excluded, change_required, change_features, change_preferred,
	change_gres, change_array, change_qos, change_account, change_het,
	change_reservation_id, change_restarts, change_spank, change_batch,
	change_partition, change_dependency,
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

static void test_mark_of_parts(void **state)
{
	(void)state;
	four_nodes();
	for (size_t i = 0; i < sizeof(parts_changes) / sizeof(*parts_changes); i++) {
		job_record_t *job = fake_job("all", 10);
		uint64_t before;

		parts_changes[i].have(job);
		before = lxfw_watch_mark(job);
		parts_changes[i].change(job);
		if (lxfw_watch_mark(job) == before)
			fail_msg("change %zu is not noticed", i);
		job->details->mc_ptr = NULL;
		FREE_NULL_LIST(job->part_ptr_list);
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

/* --- changes that Slurm makes in no job's record ---------------------------------- */

/* Whether the last pass has read the job. */
static bool was_read(const job_record_t *job)
{
	return lxfw_watch_find(&bridge.watch, job->job_id)->read == bridge.agent.pass;
}

static int jobs_read(void)
{
	int count = 0;

	for (int i = 0; i < JOBS; i++)
		count += was_read(jobs[i]);
	return count;
}

/* A reservation begins, the job's first or another one that it requests. */
static void test_reservation_begins(void **state)
{
	slurmctld_resv_t early = { .name = (char *)"early" }, late = { .name = (char *)"late" };
	lxfw_slurm_list both;

	(void)state;
	full_cluster();
	both = list_create(NULL);
	early.start_time = bridge.agent.clock + 20;
	late.start_time = bridge.agent.clock + 30;
	list_append(both, &late);
	list_append(both, &early);
	for (int i = 0; i < JOBS; i++) {
		jobs[i]->resv_name = xstrdup("early");
		jobs[i]->resv_ptr = i % 2 ? &late : &early;
		jobs[i]->resv_list = i % 2 ? both : NULL;
		jobs[i]->priority = 0;		/* is in no queue */
	}
	after_update();
	one_second();
	one_second();
	assert_true(jobs_read() < JOBS);
	for (time_t at = early.start_time; at <= late.start_time; at += 10) {
		fake_pass_seconds((int)(at - bridge.agent.clock));
		assert_true(one_pass(&bridge));
		for (int i = 0; i < JOBS; i++)
			assert_true(was_read(jobs[i]) || (at > early.start_time && i % 2 == 0));
	}
	for (int i = 0; i < JOBS; i++)
		jobs[i]->resv_list = NULL;
	FREE_NULL_LIST(both);
}

/* What is true some time after another job's start, or when data has been copied. */
static void test_read_always(void **state)
{
	(void)state;
	full_cluster();
	for (int i = 0; i < JOBS; i++) {
		jobs[i]->priority = 0;
		if (i % 2)
			jobs[i]->details->dependency = xstrdup("after:7+10(unfulfilled)");
		else
			jobs[i]->burst_buffer = xstrdup("b");
	}
	after_update();
	one_second();
	one_second();
	assert_int_equal(jobs_read(), JOBS);
}

/* A pass is made when the delay after the start of AFTER is over. */
static void some_time_after(depend_spec_t after)
{
	int64_t due;

	after.depend_type = SLURM_DEPEND_AFTER;
	bridge.watch.least = LXFW_WATCH_LEAST;
	assert_true(IS_JOB_RUNNING(fake_find(1)));
	due = bridge.agent.clock + 20;
	after.depend_time = (uint32_t)(due - fake_find(1)->start_time);
	one_second();
	assert_true(bridge.agent.wake > due);
	jobs[0]->details->dependency = xstrdup("after:1+1(unfulfilled)");
	jobs[0]->details->depend_list = list_create(NULL);
	list_append(jobs[0]->details->depend_list, &after);
	after_update();
	assert_int_equal(bridge.agent.wake, due);
	/* not again and again */
	fake_pass_seconds((int)(due - bridge.agent.clock));
	assert_true(one_pass(&bridge));
	assert_true(bridge.agent.wake > due);
	FREE_NULL_LIST(jobs[0]->details->depend_list);
}

static void test_some_time_after_a_start(void **state)
{
	(void)state;
	full_cluster();
	some_time_after((depend_spec_t){ .job_id = 1, .array_task_id = NO_VAL });
}

/* The job that runs is task 3 of an array of that task. */
static void after_task(uint32_t task)
{
	full_cluster();
	fake_find(1)->array_job_id = 1;
	fake_find(1)->array_task_id = 3;
	some_time_after((depend_spec_t){ .job_id = 1, .array_task_id = task });
}

static void test_some_time_after_a_task(void **state)
{
	(void)state;
	after_task(3);
}

static void test_some_time_after_an_array(void **state)
{
	(void)state;
	after_task(INFINITE);
}

static void test_licenses(void **state)
{
	(void)state;
	full_cluster();
	for (int i = 0; i < JOBS; i++) {
		jobs[i]->licenses = xstrdup("l");
		jobs[i]->license_list = list_create(NULL);
	}
	fake_licenses_busy = true;
	after_update();
	assert_int_equal(bridge.agent.decision.waiting, 0);
	one_second();
	one_second();
	assert_true(jobs_read() < JOBS);
	fake_licenses_busy = false;
	last_license_update = time(NULL);
	one_second();
	assert_int_equal(bridge.agent.decision.waiting, JOBS);
}

/* The end of a pending job may meet the dependency of others, which are in no queue. */
static void test_pending_ends(void **state)
{
	(void)state;
	full_cluster();
	for (int i = 0; i < JOBS; i++) {
		jobs[i]->licenses = xstrdup("l");
		jobs[i]->license_list = list_create(NULL);
	}
	fake_licenses_busy = true;
	after_update();
	one_second();
	one_second();
	assert_true(jobs_read() < JOBS);
	fake_vanish(jobs[JOBS - 1]);
	one_second();
	for (int i = 0; i < JOBS - 1; i++)
		assert_true(was_read(jobs[i]));
}

/* The reservation begins before the last time at which the job can start. */
static void test_first_of_times(void **state)
{
	slurmctld_resv_t resv = { .name = (char *)"r" };

	(void)state;
	full_cluster();
	resv.start_time = bridge.agent.clock + 20;
	for (int i = 0; i < JOBS; i++) {
		jobs[i]->resv_name = xstrdup("r");
		jobs[i]->resv_ptr = &resv;
		jobs[i]->time_limit = 1;
		jobs[i]->deadline = bridge.agent.clock + 1000;
		jobs[i]->priority = 0;
	}
	after_update();
	fake_pass_seconds(20);
	assert_true(one_pass(&bridge));
	assert_int_equal(jobs_read(), JOBS);
}

/* A node gets a feature that jobs request. */
static void test_feature(void **state)
{
	node_feature_t feature = { .name = (char *)"f" };

	(void)state;
	full_cluster();
	for (int i = 0; i < JOBS; i++)
		fake_features(jobs[i], "f", 0);
	after_update();
	one_second();
	one_second();
	assert_true(jobs_read() < JOBS);
	for (int i = 0; i < 2; i++) {
		if (i == 0) {
			avail_feature_list = list_create(NULL);
			feature.node_bitmap = bit_alloc(4);
			list_append(avail_feature_list, &feature);
		} else {
			bit_set(feature.node_bitmap, 2);
		}
		one_second();
		assert_int_equal(jobs_read(), JOBS);
		one_second();
		assert_true(jobs_read() < JOBS);
	}
	FREE_NULL_LIST(avail_feature_list);
	FREE_NULL_BITMAP(feature.node_bitmap);
	one_second();
	assert_int_equal(jobs_read(), JOBS);
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
		LOOP(test_mark_of_parts),
		LOOP(test_text),
		LOOP(test_own_reason),
		LOOP(test_update_at_once),
		LOOP(test_hold_and_release),
		LOOP(test_cancelled),
		LOOP(test_submitted),
		LOOP(test_partition_changed),
		LOOP(test_begin_time),
		LOOP(test_limit),
		LOOP(test_reservation_begins),
		LOOP(test_read_always),
		LOOP(test_some_time_after_a_start),
		LOOP(test_some_time_after_a_task),
		LOOP(test_some_time_after_an_array),
		LOOP(test_licenses),
		LOOP(test_pending_ends),
		LOOP(test_first_of_times),
		LOOP(test_feature),
		LOOP(test_slices),
		LOOP(test_slices_of_leftovers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
