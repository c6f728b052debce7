/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that are moldable at their start: schedules worked by hand, and properties of
   random worlds. tests/golden/moldable.sh compares with an independent program. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/scene.h"

/* Processors on which a job starts in the last decision; 0: it does not start. */
static int32_t procs_of(const struct scene *scene, uint64_t id)
{
	const struct lxfw_action *action = action_of(scene, LXFW_ACTION_START, id);
	int32_t procs = 0;

	for (int32_t i = 0; action && i < action->count; i++)
		procs += action->shares[i].amount.procs;
	return procs;
}

static void begin_with(struct scene *scene, const char *params)
{
	begin(scene, params);
	host_with(scene, 0, 10, 1000);
}

/*
 * A (job 1) runs on 6 of 10 processors until 100 s. B (2) requests 8 for 50 s. It ends at
 * 150 s if it waits, and at 100 s on 4 processors: 67 per cent.
 */
static void until_scaled_down(struct scene *scene, const char *params)
{
	begin_with(scene, params);
	submit(scene, 1, 6, 0, 100);
	submit(scene, 2, 8, 0, 50);
	decide(scene, 0);
	assert_int_equal(procs_of(scene, 1), 6);
}

static void starts_on_fewer(void **state)
{
	struct scene scene;

	(void)state;
	until_scaled_down(&scene, "lxfw_policy=fcfs_moldable,lxfw_mold_threshold=67");
	assert_int_equal(procs_of(&scene, 2), 4);
	assert_int_equal(action_of(&scene, LXFW_ACTION_START, 2)->limit, 0);
	finish(&scene);
}

static void waits_below_the_threshold(void **state)
{
	struct scene scene;

	(void)state;
	until_scaled_down(&scene, "lxfw_policy=fcfs_moldable,lxfw_mold_threshold=66");
	assert_int_equal(procs_of(&scene, 2), 0);
	assert_int_equal(action_of(&scene, LXFW_ACTION_RESERVE, 2)->start, 100);
	/* Its turnaround time is now 20 s more in both cases: 120 of 150 s. */
	decide(&scene, 20);
	assert_int_equal(procs_of(&scene, 2), 0);
	scene.now = 30;
	end(&scene, 1);
	decide(&scene, 30);
	assert_int_equal(procs_of(&scene, 2), 8);
	finish(&scene);
}

/* Without estimates, every job that finds a free processor starts. */
static void never_waits(void **state)
{
	struct scene scene;

	(void)state;
	begin_with(&scene, "lxfw_policy=fcfs_moldable,lxfw_mold_threshold=0");
	submit(&scene, 1, 9, 0, 100);
	submit(&scene, 2, 10, 0, 1000);
	submit(&scene, 3, 1, 0, 10);
	decide(&scene, 0);
	assert_int_equal(procs_of(&scene, 1), 9);
	assert_int_equal(procs_of(&scene, 2), 1);
	assert_int_equal(procs_of(&scene, 3), 0);
	finish(&scene);
}

/* The job takes all processors, and is expected to end after 40 s instead of 100 s. */
static void starts_on_more(void **state)
{
	struct scene scene;

	(void)state;
	begin_with(&scene, "lxfw_policy=fcfs_moldable,lxfw_mold=both");
	submit(&scene, 1, 4, 0, 100);
	decide(&scene, 0);
	assert_int_equal(procs_of(&scene, 1), 10);
	assert_int_equal(action_of(&scene, LXFW_ACTION_START, 1)->limit, 40);
	finish(&scene);
}

/* The first of two jobs starts as requested; no job waits behind the second one. */
static void starts_on_more_only_alone(void **state)
{
	struct scene scene;

	(void)state;
	begin_with(&scene, "lxfw_policy=fcfs_moldable,lxfw_mold=both");
	submit(&scene, 1, 4, 0, 100);
	submit(&scene, 2, 1, 0, 100);
	decide(&scene, 0);
	assert_int_equal(procs_of(&scene, 1), 4);
	assert_int_equal(procs_of(&scene, 2), 6);
	finish(&scene);

	begin_with(&scene, "lxfw_policy=fcfs_moldable");
	submit(&scene, 1, 4, 0, 100);
	decide(&scene, 0);
	assert_int_equal(procs_of(&scene, 1), 4);
	finish(&scene);
}

/*
 * A runs on 6 of 10 processors until 100 s. H (2) needs all 10 and waits until then, since
 * 250 s on 4 is too long. C (3) requests 6 for 60 s: on 4 it would end at 90 s, before H
 * starts. D (4), which requests 5 for 90 s, would delay H on fewer.
 */
static void reservations_are_not_delayed(void **state)
{
	struct scene scene;

	(void)state;
	begin_with(&scene, "lxfw_policy=easy_moldable,lxfw_mold_threshold=100");
	submit(&scene, 1, 6, 0, 100);
	submit(&scene, 2, 10, 0, 100);
	submit(&scene, 4, 5, 0, 90);
	submit(&scene, 3, 6, 0, 60);
	decide(&scene, 0);
	assert_int_equal(procs_of(&scene, 2), 0);
	assert_int_equal(procs_of(&scene, 4), 0);
	assert_int_equal(procs_of(&scene, 3), 4);
	assert_int_equal(action_of(&scene, LXFW_ACTION_RESERVE, 2)->start, 100);
	finish(&scene);
}

/* Rigid and exclusive jobs, and those with extras, keep their request; `min_procs` is the
   least. */
static void not_every_job_is_moldable(void **state)
{
	struct scene scene;
	struct lxfw_request job;

	(void)state;
	begin_with(&scene, "lxfw_policy=easy_moldable,lxfw_mold=both,"
		   "lxfw_mold_threshold=0");
	job = request(1, 0, 7, 0, 100);
	job.rigid = true;
	submit_request(&scene, &job);
	decide(&scene, 0);
	assert_int_equal(procs_of(&scene, 1), 7);
	job.id = 2;
	submit_request(&scene, &job);
	job = request(3, 0, 7, 0, 50);
	job.exclusive = true;
	submit_request(&scene, &job);
	job = request(4, 0, 7, 0, 50);
	job.unit.extras[0] = 1;
	submit_request(&scene, &job);
	job = request(5, 0, 7, 0, 10);
	job.min_procs = 4;
	submit_request(&scene, &job);
	decide(&scene, 0);
	for (uint64_t id = 2; id <= 5; id++)
		assert_int_equal(procs_of(&scene, id), 0);
	job = request(6, 0, 7, 0, 10);
	job.min_procs = 3;
	submit_request(&scene, &job);
	decide(&scene, 0);
	assert_int_equal(procs_of(&scene, 6), 3);
	finish(&scene);
}

/* A job with a bound of hosts keeps its request. One of 10 processors anywhere and 7 MB for each
   keeps its 70 MB on 4, rounded up to 18 each. */
static void processors_anywhere(void **state)
{
	struct lxfw_request job = request(2, 0, 1, 7, 100);
	struct scene scene;

	(void)state;
	begin_with(&scene, "lxfw_policy=easy_moldable,lxfw_mold_threshold=0");
	submit(&scene, 1, 6, 0, 100);
	decide(&scene, 0);
	job.shape = LXFW_SHAPE_ANYWHERE;
	job.count = 10;
	job.max_hosts = 1;
	submit_request(&scene, &job);
	decide(&scene, 0);
	assert_int_equal(procs_of(&scene, 2), 0);
	end(&scene, 2);
	job.id = 3;
	job.max_hosts = 0;
	submit_request(&scene, &job);
	decide(&scene, 0);
	assert_int_equal(procs_of(&scene, 3), 4);
	assert_int_equal(action_of(&scene, LXFW_ACTION_START, 3)->shares[0].amount.memory_mb,
			 72);
	finish(&scene);
}

/* --- random worlds ------------------------------------------------------------------- */

#define JOBS 60
#define PROCS 16

struct world {
	struct scene scene;
	int32_t asked[JOBS + 1], least[JOBS + 1], has[JOBS + 1];
	int64_t work[JOBS + 1], end[JOBS + 1];
	bool both, done[JOBS + 1];
};

static int below(unsigned *seed, int most)
{
	*seed = *seed * 1103515245u + 12345u;
	return (int)((*seed >> 8) % (unsigned)most);
}

static void note_starts(struct world *world)
{
	int32_t used = 0;

	for (size_t i = 0; i < world->scene.decision.count; i++) {
		const struct lxfw_action *action = &world->scene.decision.actions[i];
		uint64_t id = action->job;
		int32_t procs;

		if (action->type != LXFW_ACTION_START)
			continue;
		procs = procs_of(&world->scene, id);
		assert_int_equal(world->has[id], 0);
		assert_in_range(procs, world->least[id],
				world->both ? PROCS : world->asked[id]);
		world->has[id] = procs;
		/* all the work is done, rounded up */
		world->end[id] = world->scene.now +
				 (world->work[id] + procs - 1) / procs;
	}
	for (int id = 1; id <= JOBS; id++)
		used += world->done[id] ? 0 : world->has[id];
	assert_in_range(used, 0, PROCS);
}

static void run_world(unsigned seed)
{
	static const char *const policies[] = { "fcfs", "easy", "priority" };
	struct world world = { .both = below(&seed, 2) };
	int submitted = 0, done = 0;
	char params[120];

	snprintf(params, sizeof(params),
		 "lxfw_policy=%s_moldable,lxfw_mold=%s,lxfw_mold_threshold=%d",
		 policies[below(&seed, 3)], world.both ? "both" : "down",
		 below(&seed, 4) * 70);
	begin(&world.scene, params);
	host_with(&world.scene, 0, PROCS, 1000);
	for (int64_t now = 0; done < JOBS; now++) {
		assert_true(now < 1000000);
		world.scene.now = now;
		for (int id = 1; id <= submitted; id++) {
			if (!world.has[id] || world.done[id] || world.end[id] > now)
				continue;
			end(&world.scene, (uint64_t)id);
			world.done[id] = true;
			done++;
		}
		while (submitted < JOBS && below(&seed, 20) == 0) {
			int id = ++submitted, run = 1 + below(&seed, 100);
			struct lxfw_request job = request((uint64_t)id, now,
				1 + below(&seed, PROCS), 0, run * (1 + below(&seed, 2)));

			job.min_procs = below(&seed, 3) ? 0 :
					1 + below(&seed, job.unit.procs);
			world.asked[id] = job.unit.procs;
			world.least[id] = job.min_procs ? job.min_procs : 1;
			world.work[id] = (int64_t)run * job.unit.procs;
			submit_request(&world.scene, &job);
		}
		decide(&world.scene, now);
		note_starts(&world);
	}
	finish(&world.scene);
}

static void random_worlds(void **state)
{
	const char *text = getenv("LXFW_SEED"), *cases = getenv("LXFW_CASES");
	unsigned seed = text ? (unsigned)strtoul(text, NULL, 10) : 1;
	int count = cases ? atoi(cases) : 200;

	(void)state;
	printf("# LXFW_SEED=%u\n", seed);
	for (int i = 0; i < count; i++)
		run_world(seed + (unsigned)i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_on_fewer),
		cmocka_unit_test(waits_below_the_threshold),
		cmocka_unit_test(never_waits),
		cmocka_unit_test(starts_on_more),
		cmocka_unit_test(starts_on_more_only_alone),
		cmocka_unit_test(reservations_are_not_delayed),
		cmocka_unit_test(not_every_job_is_moldable),
		cmocka_unit_test(processors_anywhere),
		cmocka_unit_test(random_worlds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
