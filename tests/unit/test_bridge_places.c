/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs in many partitions: the library has all of them, and starts the job in any. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "common/books/books.h"
#include "plugins/agent/table.h"
#include "plugins/slurm/bridge/known.h"
#include "tests/unit/bridge_pass.h"

#define NOW 1700000000
#define PROCS 16
#define PARTS 40

static struct lxfw_bridge bridge;
static job_record_t *filler[PARTS];

/* A node in each of PARTS partitions, which are full, and "p0,p1,..." of all of them. */
static const char *full_parts(void)
{
	static char all[PARTS * 5];
	char name[8];

	fake_start(NOW, true);
	bridge_start(&bridge);
	fake_nodes("n", PARTS, PROCS, 32000, 0);
	fake_nodes_done();
	all[0] = '\0';
	for (int i = 0; i < PARTS; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		fake_part(name, i, i);
		filler[i] = fake_job(name, 60);
		fake_tasks(filler[i], PROCS, 1);
		snprintf(all + strlen(all), sizeof(all) - strlen(all), i ? ",p%d" : "p%d", i);
	}
	passes(&bridge);
	assert_int_equal(fake_running(), PARTS);
	return all;
}

static int tear_down(void **state)
{
	(void)state;
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	return 0;
}

static struct lxfw_known_job *known(const job_record_t *job)
{
	struct lxfw_known_job *found = lxfw_table_find(&bridge.agent.jobs, lxfw_record_id(job));

	assert_non_null(found);
	return found;
}

static job_record_t *in_parts(const char *parts)
{
	job_record_t *job = fake_job(parts, 60);

	fake_tasks(job, PROCS, 1);
	passes(&bridge);
	return job;
}

/* Each waiting job starts in the partition in which a node becomes free, wherever that is in
   its list, and has a reservation before. */
static void any_partition(void **state)
{
	const char *all = full_parts();
	static const int ends[] = { PARTS - 1, 3, 4, 17, 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		job_record_t *job = in_parts(all);
		char name[8];

		assert_true(IS_JOB_PENDING(job));
		assert_int_equal(known(job)->request.host_set_count, LXFW_HOST_SETS_MAX);
		assert_int_equal(known(job)->request.more_sets, PARTS - LXFW_HOST_SETS_MAX);
		assert_int_equal(lxfw_own_of(known(job))->places.count, PARTS);
		fake_end(filler[ends[i]]);
		fake_pass_seconds(1);
		passes(&bridge);
		assert_true(IS_JOB_RUNNING(job));
		snprintf(name, sizeof(name), "p%d", ends[i]);
		assert_string_equal(job->part_ptr->name, name);
	}
	/* Jobs with the same partitions share a run. */
	assert_int_equal(bridge.sets.runs.count, 1);
	assert_int_equal(fake_counts.errors, 0);
}

/* Five have one in a run; four have none. */
static void few_partitions(void **state)
{
	job_record_t *four, *five;

	(void)state;
	(void)full_parts();
	four = in_parts("p0,p1,p2,p3");
	assert_int_equal(known(four)->request.host_set_count, 4);
	assert_int_equal(known(four)->request.more_sets, 0);
	assert_int_equal(bridge.sets.runs.count, 0);
	five = in_parts("p4,p0,p1,p2,p3");
	assert_int_equal(known(five)->request.host_set_count, 4);
	assert_int_equal(known(five)->request.more_sets, 1);
	fake_end(filler[3]);
	fake_pass_seconds(1);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(four));
	fake_end(four);
	fake_pass_seconds(1);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(five));
	assert_string_equal(five->part_ptr->name, "p3");
}

/* The partitions of a job with higher priorities come first, also among many. */
static void order_of_slurm(void **state)
{
	const char *all = full_parts();
	part_record_t *part;
	job_record_t *job;

	(void)state;
	part = find_part_record("p30");
	part->priority_job_factor = 5000;
	part = find_part_record("p20");
	part->priority_job_factor = 4000;
	job = in_parts(all);
	assert_string_equal(lxfw_place(&lxfw_own_of(known(job))->places, 0)->part, "p30");
	assert_string_equal(lxfw_place(&lxfw_own_of(known(job))->places, 1)->part, "p20");
	/* Of a higher tier: the others are for Slurm. */
	part->priority_tier = 2;
	fake_pass_seconds(1);
	last_part_update = time(NULL);
	passes(&bridge);
	assert_int_equal(lxfw_own_of(known(job))->places.count, 1);
	assert_int_equal(known(job)->request.host_set_count, 1);
	assert_int_equal(known(job)->request.more_sets, 0);
	assert_int_equal(fake_counts.errors, 0);
}

/* The tasks of an array, and the components of a heterogeneous job, which is freed while its
   places are kept. */
static void arrays_and_components(void **state)
{
	const char *all = full_parts();
	job_record_t *array, *one, *other;

	(void)state;
	array = fake_job(all, 60);
	fake_tasks(array, PROCS, 1);
	fake_array(array, 0, 9, 0);
	one = fake_job(all, 60);
	fake_tasks(one, PROCS, 1);
	other = fake_job(all, 60);
	fake_tasks(other, PROCS, 1);
	fake_component(one, other);
	passes(&bridge);
	for (int i = 0; i < 12; i++) {
		fake_end(filler[PARTS - 1 - i]);
		fake_pass_seconds(1);
		passes(&bridge);
	}
	assert_int_equal(fake_running(), PARTS);
	assert_int_equal(fake_waiting(), 0);
	assert_int_equal(fake_counts.errors, 0);
}

/* The list of unused entries has those without nodes, each once, and states their number. */
static void check_unused(void)
{
	const struct lxfw_host_sets *sets = &bridge.sets;
	int32_t unused = 0, listed = 0;

	for (int32_t i = 0; i < sets->count; i++)
		unused += !sets->set[i].nodes;
	for (int32_t i = sets->free; i >= 0 && listed <= unused; i = sets->set[i].next) {
		assert_null(sets->set[i].nodes);
		listed++;
	}
	assert_int_equal(listed, unused);
	assert_int_equal(sets->free_count, unused);
}

/* Many runs: those that no job uses are freed, and their numbers used again. */
static void many_runs(void **state)
{
	const char *all = full_parts();

	(void)state;
	for (int round = 0; round < 300; round++) {
		job_record_t *job = fake_job(all, 60);
		char name[32];

		fake_tasks(job, PROCS, 1);
		/* Each has sets of its own. */
		snprintf(name, sizeof(name), "n%d,x%d", round % PARTS, round);
		fake_exclude(job, name, round % PARTS);
		passes(&bridge);
		assert_true(IS_JOB_PENDING(job));
		check_unused();
		if (round % 50 < 49)
			fake_vanish(job);
	}
	fake_pass_seconds(1);
	last_job_update = time(NULL);
	passes(&bridge);
	assert_true(bridge.sets.count < 4000);
	assert_true(bridge.sets.runs.count < 100);
	for (int i = 0; i < 6; i++) {
		fake_end(filler[10 + i]);
		fake_pass_seconds(1);
		passes(&bridge);
	}
	assert_int_equal(fake_waiting(), 0);
	assert_int_equal(fake_counts.errors, 0);
}

#define TEST(function) cmocka_unit_test_teardown(function, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(any_partition),
		TEST(few_partitions),
		TEST(order_of_slurm),
		TEST(arrays_and_components),
		TEST(many_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
