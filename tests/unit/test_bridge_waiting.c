/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * No job waits forever. A job that Slurm could start on an idle cluster starts there
 * immediately, and on a busy one within a bounded time, whether or not the model can
 * represent it.
 */
#include "tests/unit/unit.h"

#include <string.h>

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

/* --- every shape, on an idle cluster ------------------------------------ */

struct shape {
	const char *options;	/* options of sbatch */
	uint32_t tasks;
	uint16_t cpus_per_task;
	uint32_t nodes, most_nodes;
	uint64_t memory;
	bool exclusive;
	uint16_t ntasks_per_node;
	uint64_t gpus, gpus_per_node, gpus_per_task;
};

static const struct shape shapes[] = {
	{ .options = "-n1", .tasks = 1 },
	{ .options = "-n16", .tasks = 16 },
	{ .options = "-n17", .tasks = 17 },
	{ .options = "-n144", .tasks = 144 },
	{ .options = "-n72 --mem=1000", .tasks = 72, .memory = 1000 },
	{ .options = "-n18 --mem=2000", .tasks = 18, .memory = 2000 },
	{ .options = "-n30 --mem=1000", .tasks = 30, .memory = 1000 },
	{ .options = "-n72 --exclusive", .tasks = 72, .exclusive = true },
	{ .options = "-n20 --exclusive", .tasks = 20, .exclusive = true },
	{ .options = "-n20 -c2 --exclusive", .tasks = 20, .cpus_per_task = 2,
	  .exclusive = true },
	{ .options = "-n16 -c3 --exclusive", .tasks = 16, .cpus_per_task = 3,
	  .exclusive = true },
	{ .options = "-n40 -N2", .tasks = 40, .nodes = 2, .most_nodes = 2 },
	{ .options = "-N3 -n64", .tasks = 64, .nodes = 3, .most_nodes = 3 },
	{ .options = "-N8 -n144", .tasks = 144, .nodes = 8, .most_nodes = 8 },
	{ .options = "-N2-4 -n50", .tasks = 50, .nodes = 2, .most_nodes = 4 },
	{ .options = "-N5 -n5", .tasks = 5, .nodes = 5, .most_nodes = 5 },
	{ .options = "-N4 --ntasks-per-node=4", .tasks = 16, .nodes = 4,
	  .most_nodes = 4, .ntasks_per_node = 4 },
	{ .options = "-n24 --ntasks-per-node=8", .tasks = 24,
	  .ntasks_per_node = 8 },
	{ .options = "-n8 --gpus-per-task=1", .tasks = 8, .gpus_per_task = 1 },
	{ .options = "-n4 --gpus-per-task=2", .tasks = 4, .gpus_per_task = 2 },
	{ .options = "--gpus=8 -n8", .tasks = 8, .gpus = 8 },
	{ .options = "--gpus=6", .tasks = 1, .gpus = 6 },
	{ .options = "-n2 --gpus=6", .tasks = 2, .gpus = 6 },
	{ .options = "--gpus=5 -c2", .tasks = 1, .cpus_per_task = 2,
	  .gpus = 5 },
	{ .options = "-N2 --gpus-per-node=4", .tasks = 2, .nodes = 2,
	  .most_nodes = 2, .gpus_per_node = 4 },
	{ .options = "-n20 -N2 --gpus-per-node=2", .tasks = 20, .nodes = 2,
	  .most_nodes = 2, .gpus_per_node = 2 },
};

static job_record_t *submit(const struct shape *shape)
{
	job_record_t *job = fake_job("all", 1);

	fake_tasks(job, shape->tasks,
		   shape->cpus_per_task ? shape->cpus_per_task : 1);
	if (shape->nodes)
		fake_node_count(job, shape->nodes, shape->most_nodes);
	if (shape->memory)
		fake_memory(job, shape->memory);
	if (shape->exclusive)
		fake_exclusive(job);
	job->details->ntasks_per_node = shape->ntasks_per_node;
	if (shape->gpus || shape->gpus_per_node || shape->gpus_per_task) {
		gres_job_state_t *gpus = fake_gres(job, "gpu");

		gpus->gres_per_job = shape->gpus;
		gpus->gres_per_node = shape->gpus_per_node;
		gpus->gres_per_task = shape->gpus_per_task;
	}
	return job;
}

/* Five nodes of 16 processors, one of 32, two of 16 with four GPUs. */
static void uneven_nodes(void)
{
	fake_nodes("n", 5, 16, 32000, 0);
	fake_nodes("big", 1, 32, 64000, 0);
	fake_nodes("g", 2, 16, 32000, 4);
	fake_nodes_done();
	fake_part("all", 0, 7);
	passes(&bridge);
}

static void test_shapes(void **state)
{
	int waiting = 0;

	(void)state;
	uneven_nodes();
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		job_record_t *job = submit(&shapes[i]);

		/* The table contains only requests that fit. */
		if (!fake_fits_empty(job, true))
			fail_msg("%s does not fit", shapes[i].options);
		passes_for(&bridge, 5);
		if (!IS_JOB_RUNNING(job)) {
			printf("# %s waits on an idle cluster\n",
			       shapes[i].options);
			waiting++;
		}
		fake_vanish(job);
	}
	assert_int_equal(waiting, 0);
}

/* Random requests: each starts on the idle cluster, or does not fit. */
static void test_random_shapes(void **state)
{
	uint64_t random = seed;
	int waiting = 0;

	(void)state;
	uneven_nodes();
	for (int round = 0; round < 300; round++) {
		struct shape shape = {
			.tasks = (uint32_t)unit_between(&random, 1, 60),
			.cpus_per_task = (uint16_t)unit_between(&random, 1, 4),
			.exclusive = unit_between(&random, 0, 5) == 0,
		};
		job_record_t *job;

		if (unit_between(&random, 0, 2) == 0) {
			shape.nodes = (uint32_t)unit_between(&random, 1, 6);
			shape.most_nodes = shape.nodes + (uint32_t)
				unit_between(&random, 0, 2);
		}
		if (unit_between(&random, 0, 2) == 0)
			shape.memory = (uint64_t)unit_between(&random, 1, 33000);
		switch (unit_between(&random, 0, 5)) {
		case 0:
			shape.gpus = (uint64_t)unit_between(&random, 1, 8);
			break;
		case 1:
			shape.gpus_per_node = (uint64_t)
				unit_between(&random, 1, 4);
			break;
		case 2:
			shape.gpus_per_task = 1;
			break;
		}
		job = submit(&shape);
		passes_for(&bridge, 5);
		if (!IS_JOB_RUNNING(job) && fake_fits_empty(job, true)) {
			fake_describe(job);
			waiting++;
		}
		fake_vanish(job);
	}
	assert_int_equal(waiting, 0);
}

/* --- a bound on overtaking ---------------------------------------------- */

/*
 * --gpus=1 --mem-per-gpu=40000 and a stream of jobs with half of the node's memory. The
 * job is refused where a smaller one fits, until nodes are held for it.
 */
static void test_refused_job_is_not_starved(void **state)
{
	job_record_t *job;
	gres_job_state_t *gpus;
	int seconds = 0;

	(void)state;
	fake_nodes("g", 1, 16, 50000, 4);
	fake_nodes_done();
	fake_part("all", 0, 0);
	for (int i = 0; i < 2; i++)
		fake_memory(fake_job("all", 1), 25000);
	passes(&bridge);
	assert_int_equal(fake_running(), 2);
	job = fake_job("all", 1);
	gpus = fake_gres(job, "gpu");
	gpus->gres_per_job = 1;
	gpus->mem_per_gres = 40000;
	/* One of the two always ends half a minute after the other. */
	fake_find(1)->end_time -= 30;
	while (IS_JOB_PENDING(job) && seconds < 1200) {
		if (fake_waiting() < 4)
			fake_memory(fake_job("all", 1), 25000);
		passes_for(&bridge, 1);
		seconds++;
	}
	printf("# started after %d s\n", seconds);
	assert_true(IS_JOB_RUNNING(job));
	/* Three refusals with their back-off, the hold, and the ends of two jobs. */
	assert_true(seconds <= 600);
}

/* The job is refused, and then the clock is set back by two hours. No job waits until
   the clock has caught up. */
static void test_clock_set_back(void **state)
{
	job_record_t *job, *leftover;

	(void)state;
	fake_nodes("n", 4, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 3);
	fake_trouble.refuse = 1;
	job = fake_job("all", 1);
	leftover = fake_job("all", 1);
	leftover->details->contiguous = 1;
	/* The jobs are eligible with any clock. */
	job->details->begin_time = NOW - 100000;
	leftover->details->begin_time = NOW - 100000;
	passes_for(&bridge, 1);
	assert_int_equal(fake_running(), 0);
	fake_pass_seconds(-7200);
	passes_for(&bridge, 2);
	fake_trouble.refuse = 0;
	passes_for(&bridge, 120);
	assert_false(IS_JOB_PENDING(job));
	assert_false(IS_JOB_PENDING(leftover));
}

/* Partitions change twice in one second, before and after a look. A job that Slurm refused
   is tried again when the second is over, and not after its back-off. */
static void test_changes_in_one_second(void **state)
{
	job_record_t *leftover;

	(void)state;
	fake_nodes("n", 4, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 3);
	fake_trouble.refuse = 1;
	leftover = fake_job("all", 1);
	leftover->details->contiguous = 1;
	/* The hold for it is dropped, and later tries follow after a back-off. */
	passes_for(&bridge, 70);
	last_part_update = time(NULL);
	passes(&bridge);
	last_part_update = time(NULL);
	fake_trouble.refuse = 0;
	assert_true(IS_JOB_PENDING(leftover));
	passes_for(&bridge, 1);
	assert_true(IS_JOB_RUNNING(leftover));
}

/* Slurm releases a job that was held with reason BadConstraints, because a node has
   registered. It is held again, and does not keep the reason of one that waits. */
static void test_released_by_slurm(void **state)
{
	job_record_t *never;

	(void)state;
	fake_nodes("n", 4, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 3);
	never = fake_job("all", 1);
	fake_memory(never, 32000);
	passes(&bridge);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(never->priority, 0);
		assert_int_equal(never->state_reason, FAIL_BAD_CONSTRAINTS);
		fake_pass_seconds(1);
		never->priority = 1;
		never->state_reason = WAIT_NO_REASON;
		last_job_update = time(NULL);
		passes(&bridge);
	}
}

/* --- limits of ours ----------------------------------------------------- */

static void more_sets_than_ever(void (*distinguish)(job_record_t *, int))
{
	job_record_t *good;

	fake_nodes("n", 4, 16, 16000, 0);
	fake_nodes("good", 1, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 3);
	fake_part("good", 4, 4);
	for (int i = 0; i < 20500; i++) {
		job_record_t *job = fake_job("all", 1);

		fake_exclusive(job);
		distinguish(job, i);
	}
	passes(&bridge);
	good = fake_job("good", 1);
	passes_for(&bridge, 2);
	assert_true(IS_JOB_RUNNING(good));
	assert_int_equal(fake_running(), 5);
	passes_for(&bridge, 3);
	fake_pass_seconds(60);
	fake_end_overdue();
	passes_for(&bridge, 2);
	assert_true(fake_counts.starts > 5);
	assert_int_equal(fake_counts.errors, 0);
}

static void by_disk(job_record_t *job, int i)
{
	job->details->pn_min_tmp_disk = (uint32_t)i + 1;
}

static void by_exclude(job_record_t *job, int i)
{
	char name[32];

	snprintf(name, sizeof(name), "n%d,x%d", i % 4, i);
	fake_exclude(job, name, i % 4);
}

static void test_sets_by_disk(void **state)
{
	(void)state;
	more_sets_than_ever(by_disk);
}

static void test_sets_by_exclude(void **state)
{
	(void)state;
	more_sets_than_ever(by_exclude);
}

/* One request that the library rejects among a hundred valid ones. */
static void test_malformed_among_good(void **state)
{
	(void)state;
	fake_nodes("n", 4, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 3);
	for (int i = 0; i < 100; i++) {
		job_record_t *job = fake_job("all", 1);

		if (i == 50)
			fake_memory(job, UINT64_C(9000000000000000000));
	}
	passes(&bridge);
	passes_for(&bridge, 200);
	assert_int_equal(fake_counts.starts, 99);
	assert_int_equal(fake_waiting(), 1);
	assert_true(fake_counts.errors <= 1);
	assert_int_equal(bridge.agent.total.rebuilds, 1);
}

/* --- all of it at once -------------------------------------------------- */

static job_record_t *random_job(uint64_t *random)
{
	static const char *const parts[] = { "a", "b", "a,b", "b,a" };
	job_record_t *job = fake_job(parts[unit_between(random, 0, 3)],
				     (uint32_t)unit_between(random, 1, 5));

	/* It is eligible with any clock. */
	job->details->begin_time -= 100000;
	fake_tasks(job, (uint32_t)unit_between(random, 1, 20),
		   (uint16_t)unit_between(random, 1, 3));
	switch (unit_between(random, 0, 7)) {
	case 0:
		fake_node_count(job, 2, 2);
		break;
	case 1:
		fake_memory(job, (uint64_t)unit_between(random, 1, 16000));
		break;
	case 2:
		fake_memory_per_cpu(job, (uint64_t)unit_between(random, 1, 800));
		break;
	case 3:
		fake_exclusive(job);
		break;
	case 4:
		fake_tasks(job, 1, 1);
		fake_gres(job, "gpu")->gres_per_node =
			(uint64_t)unit_between(random, 1, 2);
		break;
	case 5:
		fake_tasks(job, 2, 1);
		fake_array(job, 0, (int)unit_between(random, 1, 9), 0);
		break;
	case 6:
		job->details->contiguous = 1;
		break;
	}
	return job;
}

static void trouble_nodes(void)
{
	fake_nodes("n", 6, 16, 16000, 0);
	fake_nodes("g", 2, 16, 16000, 2);
	fake_nodes_done();
	fake_part("a", 0, 7);
	fake_part("b", 4, 7);
}

/* Jobs that started before the clock was set back run until the clock has caught up. */
static void await_clock(void)
{
	time_t last = time(NULL);

	for (size_t i = 0; i < fake_active_count; i++) {
		if (fake_active[i]->end_time > last)
			last = fake_active[i]->end_time;
	}
	fake_pass_seconds(last - time(NULL));
}

/* No job disappears without a record, none is started twice, and at the end no job is
   pending that could run on an idle cluster. */
static void all_troubles(uint32_t jump)
{
	uint64_t random = seed;

	trouble_nodes();
	fake_trouble.random = random;
	fake_trouble.refuse = 5;
	fake_trouble.more = 5;
	fake_trouble.vanish = 20;
	fake_trouble.jump = jump;
	for (int second = 0; second < 600; second++) {
		if (second < 300 && unit_between(&random, 0, 2) == 0)
			random_job(&random);
		if (unit_between(&random, 0, 30) == 0)
			fake_node_down((int)unit_between(&random, 0, 7), true);
		if (unit_between(&random, 0, 3) == 0)
			fake_node_down((int)unit_between(&random, 0, 7), false);
		fake_pass_seconds(1);
		fake_end_overdue();
		one_pass(&bridge);
	}
	memset(&fake_trouble, 0, sizeof(fake_trouble));
	for (int node = 0; node < 8; node++)
		fake_node_down(node, false);
	await_clock();
	for (int i = 0; i < 1200 && fake_waiting(); i++)
		passes_for(&bridge, 5);
	for (uint32_t id = 1; fake_waiting() && id < 1000; id++) {
		const job_record_t *job = fake_find(id);

		if (job && IS_JOB_PENDING(job) && fake_fits_empty(job, true)) {
			fake_describe(job);
			printf("# the bridge's clock is %"PRId64" s ahead; nodes are held for JobId=%u\n",
			       bridge.agent.clock - (int64_t)time(NULL),
			       bridge.holds.count ? bridge.holds.hold[0].job_id : 0);
			fail();
		}
	}
	assert_int_equal(fake_counts.errors, 0);
	assert_int_equal(fake_counts.launches, fake_counts.starts);
}

static void test_troubles(void **state)
{
	(void)state;
	all_troubles(0);
}

static void test_troubles_of_the_clock(void **state)
{
	(void)state;
	all_troubles(50);
}

int main(void)
{
#define LOOP(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		LOOP(test_shapes),
		LOOP(test_random_shapes),
		LOOP(test_refused_job_is_not_starved),
		LOOP(test_clock_set_back),
		LOOP(test_changes_in_one_second),
		LOOP(test_released_by_slurm),
		LOOP(test_sets_by_disk),
		LOOP(test_sets_by_exclude),
		LOOP(test_malformed_among_good),
		LOOP(test_troubles),
		LOOP(test_troubles_of_the_clock),
	};
	int failed;

	seed = unit_seed("bridge");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	in_turn = true;
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
