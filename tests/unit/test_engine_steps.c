/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An engine run step by step, with jobs that are submitted and withdrawn in between. */
#include <errno.h>
#include <string.h>

#include "sim-frontend/engine/engine.h"
#include "tests/unit/unit.h"

#define JOBS 60
#define LINES 4000

struct line {
	int64_t now, start;
	uint64_t job;
	int64_t type;
};

/* A host of 8 processors, jobs in the order of time, and the decisions. */
struct scene {
	struct lxfw_request requests[JOBS];
	int64_t runs[JOBS];
	int count, next;
	bool host_added;
	struct lxfw_event host;
	struct line lines[LINES];
	int line_count;
	struct lxfw_world world;
};

static int submission(void *context, struct lxfw_request *request, int64_t *time)
{
	struct scene *scene = context;

	if (scene->next == scene->count)
		return 0;
	*request = scene->requests[scene->next++];
	*time = request->submit;
	return 1;
}

static int64_t started(void *context, const struct lxfw_action *action,
		       struct lxfw_error *error)
{
	struct scene *scene = context;

	(void)error;
	return scene->runs[action->job - 1];
}

static const struct lxfw_event *other(void *context)
{
	struct scene *scene = context;

	if (scene->host_added)
		return NULL;
	scene->host_added = true;
	return &scene->host;
}

static void decided(void *context, int64_t now, const struct lxfw_decision *decision)
{
	struct scene *scene = context;

	for (size_t i = 0; i < decision->count; i++) {
		const struct lxfw_action *action = &decision->actions[i];

		assert_true(scene->line_count < LINES);
		scene->lines[scene->line_count++] = (struct line) {
			now, action->start, action->job, action->type,
		};
	}
}

static void set_scene(struct scene *scene, int count)
{
	memset(scene, 0, sizeof(*scene));
	scene->count = count;
	scene->host = (struct lxfw_event) {
		.type = LXFW_EVENT_HOST, .host.up = true, .host.name = "h",
		.host.total = { .procs = 8,
				.memory_mb = LXFW_MEMORY_UNLIMITED },
	};
	scene->world = (struct lxfw_world) {
		.context = scene, .submission = submission, .started = started,
		.other = other, .decided = decided,
	};
}

static void add_job(struct scene *scene, int job, int64_t submit, int32_t procs,
		    int64_t run)
{
	scene->requests[job] = (struct lxfw_request) {
		.id = (uint64_t)job + 1, .submit = submit, .estimate = run,
		.unit.procs = procs, .shape = LXFW_SHAPE_HOSTS, .count = 1,
	};
	scene->runs[job] = run;
}

/* Submit each job just before the step at its time. */
static void run_by_steps(struct scene *scene, const struct lxfw_params *params,
			 enum lxfw_pass pass, uint64_t *random,
			 struct lxfw_engine_result *result)
{
	struct lxfw_error error = { "" };
	struct lxfw_engine *engine;
	int submitted = 0;

	scene->world.submission = NULL;
	engine = lxfw_engine_open(&scene->world, params, pass, NULL, &error);
	assert_non_null(engine);
	for (;;) {
		int64_t next = lxfw_engine_next(engine);

		while (submitted < scene->count &&
		       (scene->requests[submitted].submit <= next ||
			unit_between(random, 0, 9) == 0)) {
			const struct lxfw_request *request =
				&scene->requests[submitted++];

			assert_int_equal(lxfw_engine_submit(engine, request,
							    request->submit), 0);
			next = lxfw_engine_next(engine);
		}
		if (next == LXFW_NEVER)
			break;
		/* a step to a time without events changes nothing */
		if (next > scene->requests[0].submit &&
		    unit_between(random, 0, 3) == 0)
			assert_int_equal(lxfw_engine_step(engine, next - 1,
							  &error), 0);
		assert_int_equal(lxfw_engine_step(engine, next, &error), 0);
	}
	*result = *lxfw_engine_result(engine);
	lxfw_engine_close(engine);
}

/* Jobs submitted between steps and jobs of a trace give the same decisions. */
static void decides_the_same(void **state)
{
	static struct scene whole, steps;
	static const enum lxfw_policy policies[] = {
		LXFW_POLICY_EASY, LXFW_POLICY_LXFW, LXFW_POLICY_FCFS,
	};
	uint64_t random = unit_seed("steps");

	(void)state;
	for (int round = 0; round < 60; round++) {
		enum lxfw_pass pass = round % 2 ? LXFW_PASS_EVENT :
						  LXFW_PASS_TIMESTAMP;
		struct lxfw_engine_result results[2];
		struct lxfw_params params;
		struct lxfw_error error;
		int64_t submit = 0;

		lxfw_params_preset(&params, policies[round % 3]);
		if (round % 4 == 3)
			params.interval = 30;
		set_scene(&whole, JOBS);
		set_scene(&steps, JOBS);
		for (int i = 0; i < JOBS; i++) {
			int32_t procs = (int32_t)unit_between(&random, 1, 8);
			int64_t run = unit_between(&random, 1, 200);

			submit += unit_between(&random, 0, 40);
			add_job(&whole, i, submit, procs, run);
			add_job(&steps, i, submit, procs, run);
		}
		whole.host.time = steps.host.time = whole.requests[0].submit;
		assert_int_equal(lxfw_engine_run(&whole.world, &params, pass, NULL,
						 &results[0], &error), 0);
		run_by_steps(&steps, &params, pass, &random, &results[1]);
		assert_int_equal(whole.line_count, steps.line_count);
		assert_memory_equal(whole.lines, steps.lines,
			(size_t)whole.line_count * sizeof(*whole.lines));
		assert_memory_equal(&results[0], &results[1], sizeof(*results));
	}
}

/* Job 1 runs, 2 and 3 wait for it, 4 is submitted later. */
static struct lxfw_engine *open_queue(struct scene *scene)
{
	struct lxfw_params params;
	struct lxfw_error error;
	struct lxfw_engine *engine;

	lxfw_params_preset(&params, LXFW_POLICY_FCFS);
	set_scene(scene, 4);
	scene->world.submission = NULL;
	for (int i = 0; i < 4; i++)
		add_job(scene, i, 10, 8, 100);
	engine = lxfw_engine_open(&scene->world, &params, LXFW_PASS_TIMESTAMP, NULL,
				  &error);
	assert_non_null(engine);
	for (int i = 0; i < 4; i++)
		assert_int_equal(lxfw_engine_submit(engine, &scene->requests[i],
						    i < 3 ? 10 : 50), 0);
	assert_int_equal(lxfw_engine_step(engine, 0, &error), 0);	/* the host */
	assert_int_equal(lxfw_engine_next(engine), 10);
	assert_int_equal(lxfw_engine_step(engine, 10, &error), 0);
	return engine;
}

/* Return the started jobs, in order, as digits. */
static int64_t starts(const struct scene *scene)
{
	int64_t digits = 0;

	for (int i = 0; i < scene->line_count; i++) {
		if (scene->lines[i].type == LXFW_ACTION_START)
			digits = 10 * digits + (int64_t)scene->lines[i].job;
	}
	return digits;
}

static void run_rest(struct lxfw_engine *engine)
{
	struct lxfw_error error;
	int64_t next;

	while ((next = lxfw_engine_next(engine)) != LXFW_NEVER)
		assert_int_equal(lxfw_engine_step(engine, next, &error), 0);
}

static void withdraws(void **state)
{
	static struct scene scene;
	static const struct {
		uint64_t job;
		int64_t next, starts;
	} cases[] = {
		{ 1, 10, 1234 },	/* 2 starts at once */
		{ 2, 10, 134 }, { 3, 10, 124 },
		{ 4, 110, 123 },	/* not submitted yet: no decision */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct lxfw_engine *engine = open_queue(&scene);
		struct lxfw_error error;

		assert_int_equal(lxfw_engine_withdraw(engine, cases[i].job, &error),
				 0);
		assert_int_equal(lxfw_engine_next(engine), cases[i].next);
		run_rest(engine);
		assert_int_equal(starts(&scene), cases[i].starts);
		assert_int_equal(lxfw_engine_result(engine)->ended, 3);
		assert_int_equal(lxfw_engine_withdraw(engine, cases[i].job, &error),
				 -1);
		assert_int_equal(errno, ENOENT);
		lxfw_engine_close(engine);
	}
}

/* A job gets the id of one that was withdrawn while it ran. The end of the first one
   must not end the second. */
static void forgets_the_end(void **state)
{
	static struct scene scene;
	struct lxfw_engine *engine = open_queue(&scene);
	struct lxfw_error error;

	(void)state;
	for (uint64_t job = 1; job <= 4; job++)
		assert_int_equal(lxfw_engine_withdraw(engine, job, &error), 0);
	assert_int_equal(lxfw_engine_submit(engine, &scene.requests[0], 60), 0);
	assert_int_equal(lxfw_engine_step(engine, 10, &error), 0);
	assert_int_equal(lxfw_engine_next(engine), 60);
	assert_int_equal(lxfw_engine_step(engine, 60, &error), 0);
	assert_int_equal(lxfw_engine_next(engine), 160);
	lxfw_engine_close(engine);
}

static void refuses_other_times(void **state)
{
	static struct scene scene;
	struct lxfw_engine *engine = open_queue(&scene);
	struct lxfw_error error;

	(void)state;
	assert_int_equal(lxfw_engine_next(engine), 50);
	assert_int_equal(lxfw_engine_step(engine, 9, &error), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(lxfw_engine_step(engine, 51, &error), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(lxfw_engine_submit(engine, &scene.requests[0], 9), -1);
	assert_int_equal(errno, EINVAL);
	run_rest(engine);
	assert_int_equal(starts(&scene), 1234);
	lxfw_engine_close(engine);
	lxfw_engine_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decides_the_same),
		cmocka_unit_test(withdraws),
		cmocka_unit_test(forgets_the_end),
		cmocka_unit_test(refuses_other_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
