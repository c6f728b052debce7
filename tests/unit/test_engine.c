/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The virtual clock: the order of ends, and jobs that can never start. */
#include <errno.h>
#include <string.h>

#include "sim-frontend/engine/ends.h"
#include "sim-frontend/engine/simulation.h"
#include "tests/unit/unit.h"

/* Compare with the definition: by time, then in the order of insertion. */
static void orders_ends(void **state)
{
	uint64_t random = unit_seed("ends");

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct lxfw_ends ends = { 0 };
		int64_t times[300];
		int count = (int)unit_between(&random, 1, 300);
		int64_t last_time = -1;
		uint64_t last_job = 0;

		for (int i = 0; i < count; i++) {
			times[i] = unit_between(&random, 0, 30);
			assert_int_equal(lxfw_ends_add(&ends, times[i],
						       (uint64_t)i + 1), 0);
			/* some entries are removed while others are added */
			if (i % 7 == 6) {
				int64_t first = ends.heap[0].time;
				uint64_t job = lxfw_ends_pop(&ends);

				assert_int_equal(times[job - 1], first);
			}
		}
		while (ends.count > 0) {
			int64_t time = ends.heap[0].time;
			uint64_t job = lxfw_ends_pop(&ends);

			assert_int_equal(times[job - 1], time);
			assert_true(time > last_time ||
				    (time == last_time && job > last_job));
			last_time = time;
			last_job = job;
		}
		free(ends.heap);
	}
}

struct scene {
	struct lxfw_trace_job jobs[8];
	struct lxfw_trace trace;
	struct lxfw_cluster cluster;
	struct lxfw_simulation_options options;
	struct lxfw_simulation sim;
};

/* COUNT jobs of PROCS processors, submitted at 0, 1 ... for 10 s each. */
static void set_scene(struct scene *scene, size_t count, int32_t procs)
{
	memset(scene, 0, sizeof(*scene));
	for (size_t i = 0; i < count; i++)
		scene->jobs[i] = (struct lxfw_trace_job) {
			.number = 7 + (int64_t)i, .submit = (int64_t)i,
			.run = 10, .limit = 10, .wait = -1, .procs = procs,
		};
	scene->trace.jobs = scene->jobs;
	scene->trace.count = count;
	assert_int_equal(lxfw_cluster_procs(&scene->cluster, 4, NULL), 0);
	lxfw_params_preset(&scene->options.params, LXFW_POLICY_EASY);
	scene->sim.trace = &scene->trace;
	scene->sim.cluster = &scene->cluster;
	scene->sim.options = &scene->options;
}

static void strike_scene(struct scene *scene)
{
	lxfw_simulation_clear(&scene->sim);
	lxfw_cluster_clear(&scene->cluster);
}

static void runs_to_the_end(void **state)
{
	struct lxfw_error error;
	struct scene scene;

	(void)state;
	set_scene(&scene, 3, 4);
	assert_int_equal(lxfw_simulation_run(&scene.sim, NULL, &error), 0);
	assert_int_equal(scene.sim.starts[0], 0);
	assert_int_equal(scene.sim.starts[1], 10);
	assert_int_equal(scene.sim.starts[2], 20);
	assert_int_equal(scene.sim.result.submitted, 3);
	assert_int_equal(scene.sim.result.started, 3);
	assert_int_equal(scene.sim.result.ended, 3);
	/* the parameters, the host, three submissions and ends */
	assert_int_equal(scene.sim.result.events, 8);
	assert_int_equal(scene.sim.result.waiting, 0);
	strike_scene(&scene);
}

static int asked;

static bool stop_at_third(void)
{
	return ++asked == 3;
}

/* The simulation is stopped in the middle, which is not reported as a job that never
 * starts. */
static void stops_when_told(void **state)
{
	struct lxfw_error error;
	struct scene scene;

	(void)state;
	set_scene(&scene, 3, 4);
	scene.sim.stop = stop_at_third;
	asked = 0;
	assert_int_equal(lxfw_simulation_run(&scene.sim, NULL, &error), -1);
	assert_int_equal(errno, ECANCELED);
	assert_int_equal(asked, 3);
	/* times 0 and 1 were processed, that of the third submission was not */
	assert_int_equal(scene.sim.result.submitted, 2);
	assert_int_equal(scene.sim.result.ended, 0);
	strike_scene(&scene);
}

static void names_what_never_starts(void **state)
{
	struct lxfw_error error;
	struct scene scene;

	(void)state;
	for (int interval = 0; interval <= 60; interval += 60) {
		set_scene(&scene, 3, 5);
		scene.jobs[0].procs = 2;
		scene.options.params.interval = interval;
		assert_int_equal(lxfw_simulation_run(&scene.sim, NULL, &error),
				 -1);
		assert_int_equal(errno, EDEADLK);
		assert_string_equal(error.text, "job 8 (5 processors, 0 MB, "
			"submitted at 1) can never start: no events remain "
			"and 2 jobs wait");
		assert_int_equal(scene.sim.starts[0], 0);
		strike_scene(&scene);
	}
}

static void leaves_out_what_never_fits(void **state)
{
	size_t too_large;
	struct scene scene;

	(void)state;
	set_scene(&scene, 3, 4);
	scene.jobs[1].procs = 5;
	assert_int_equal(lxfw_simulation_fit(&scene.trace, &scene.cluster,
					     false, &too_large), 0);
	assert_int_equal(too_large, 1);
	assert_int_equal(scene.trace.count, 2);
	assert_int_equal(scene.trace.jobs[1].number, 9);
	strike_scene(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_ends),
		cmocka_unit_test(runs_to_the_end),
		cmocka_unit_test(stops_when_told),
		cmocka_unit_test(names_what_never_starts),
		cmocka_unit_test(leaves_out_what_never_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
