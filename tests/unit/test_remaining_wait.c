/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preemptive priority: no job waits forever. A job that preemption cannot help has a
   reservation (policy/remaining.c). Schedules worked by hand, and streams of small jobs. */
#include "tests/unit/preempt_world.h"
#include "tests/unit/scene.h"

#define PARAMS "lxfw_policy=remaining,lxfw_interval=0,lxfw_rem_min_run=0"

static bool suspends(const struct scene *scene, uint64_t job)
{
	return action_of(scene, LXFW_ACTION_SUSPEND, job) != NULL;
}

static bool resumes(const struct scene *scene, uint64_t job)
{
	return action_of(scene, LXFW_ACTION_RESUME, job) != NULL;
}

static void ends_at(struct scene *scene, int64_t now, uint64_t job)
{
	scene->now = now;
	end(scene, job);
	decide(scene, now);
}

static void submit_exclusive(struct scene *scene, uint64_t id, int64_t estimate)
{
	struct lxfw_request job = request(id, scene->now, 1, 0, estimate);

	job.exclusive = true;
	submit_request(scene, &job);
}

/* A host of 4 processors. Job 1 (2 processors, 100 s) runs from 0 s on. At 10 s comes the
   exclusive job 2 (100 s), which is reserved from 100 s on. Job 3 (2 processors, 100 s) comes
   at 12 s, has a lower priority, and would delay it; job 4 (80 s) has a higher one and starts
   at once; job 5 of 30 s and 2 processors, at 20 s, preempts job 4 (72 s left) under the
   reservation? No: it is before job 2, too, and job 4 resumes at 50 s. At 100 s job 1
   ends; job 4 has 42 s left by then 22: 4 runs until 122 s, and 2 starts then. Job 3 waits
   until 222 s. */
static void exclusive_job(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, PARAMS);
	host_with(&scene, 0, 4, 1000);
	submit(&scene, 1, 2, 0, 100);
	decide(&scene, 0);
	scene.now = 10;
	submit_exclusive(&scene, 2, 100);
	decide(&scene, 10);
	assert_int_equal(reserved(&scene, 2), 100);
	scene.now = 12;
	submit(&scene, 3, 2, 0, 100);
	decide(&scene, 12);
	assert_false(starts(&scene, 3));
	submit(&scene, 4, 2, 0, 80);
	decide(&scene, 12);
	assert_true(starts(&scene, 4));
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exclusive_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
