/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks of large arrays in simulated futures: only the first ones are in the queue at a time. */
#include "tests/unit/scene.h"

#include <stdlib.h>

#include "common/books/books.h"
#include "sim-frontend/predict/array_rest.h"
#include "sim-frontend/predict/future.h"

#define BEGIN 1000
#define ARRAY 7
#define TASKS 60
#define WIDE 99

static struct scene *scene;

static uint64_t task(uint64_t number)
{
	return ARRAY | (number + 1) << 32;
}

/* Two processors, on which a job runs, an array of tasks of 100 s, and behind them a job of both
   processors. */
static void make_scene(void)
{
	struct lxfw_request job;

	begin(scene, "lxfw_policy=site,lxfw_reservations=all");
	scene->now = BEGIN;
	host_with(scene, 0, 2, 1000);
	job = request(1, BEGIN, 2, 0, 100);
	submit_request(scene, &job);
	decide(scene, BEGIN);
	for (uint64_t i = TASKS; i > 0; i--) {
		job = request(task(i - 1), BEGIN, 1, 0, 100);
		submit_request(scene, &job);
	}
	job = request(WIDE, BEGIN + 1, 2, 0, 100);
	submit_request(scene, &job);
}

static void traits(const void *context, const struct lxfw_request *request,
		   struct lxfw_traits *to)
{
	(void)context;
	*to = (struct lxfw_traits) { .limit = request->estimate, .procs = request->unit.procs };
}

static size_t most_starts;

/* The starts of all jobs that wait, if each runs to its limit. */
static void find_starts(int array_tasks, int64_t starts[TASKS + 1])
{
	struct lxfw_experience experience = { 0 };
	const struct lxfw_known known = { .experience = &experience, .traits = traits };
	uint64_t ids[TASKS + 1];
	const struct lxfw_futures futures = {
		.sched = scene->sched, .now = BEGIN, .known = &known, .count = 1, .threads = 1,
		.horizon = 1000000, .watched = ids, .watched_count = TASKS + 1,
		.by_limits = true, .array_tasks = array_tasks, .most_starts = most_starts,
	};
	struct lxfw_error error;

	for (uint64_t i = 0; i < TASKS; i++)
		ids[i] = task(i);
	ids[TASKS] = WIDE;
	if (lxfw_futures_run(&futures, starts, &error))
		fail_msg("%s", error.text);
	lxfw_experience_clear(&experience);
}

/* The tasks after the first ones are left out of a copy, in their order. */
static void tasks_are_left_out(void **state)
{
	struct lxfw_array_rest rest = { 0 };
	struct lxfw_sched *copy;

	(void)state;
	make_scene();
	assert_int_equal(lxfw_array_rest_find(&rest, scene->sched, 20), 0);
	assert_int_equal(rest.count, TASKS - 20);
	for (size_t i = 0; i < rest.count; i++)
		assert_true(rest.requests[i].id == task(20 + i));
	assert_int_equal(lxfw_array_rest_part(&rest, task(3)), 0);
	assert_int_equal(lxfw_array_rest_part(&rest, WIDE), -1);
	assert_int_equal(lxfw_array_rest_part(&rest, 8 | UINT64_C(1) << 32), -1);
	copy = lxfw_array_rest_leave(&rest, scene->sched);
	assert_non_null(copy);
	assert_int_equal(copy->waiting, 20 + 1);
	assert_int_equal(scene->sched->waiting, TASKS + 1);
	lxfw_sched_destroy(copy);
	lxfw_array_rest_clear(&rest);
	assert_int_equal(lxfw_array_rest_find(&rest, scene->sched, TASKS), 0);
	assert_int_equal(rest.count, 0);
	lxfw_array_rest_clear(&rest);
	finish(scene);
}

/* Tasks that are cancelled, whose places in the books are free, are none. */
static void tasks_that_have_left_are_none(void **state)
{
	struct lxfw_array_rest rest = { 0 };
	struct lxfw_sched *copy;

	(void)state;
	make_scene();
	for (uint64_t i = 10; i < TASKS; i++)
		end(scene, task(i));
	assert_int_equal(lxfw_array_rest_find(&rest, scene->sched, 5), 0);
	assert_int_equal(rest.count, 5);
	copy = lxfw_array_rest_leave(&rest, scene->sched);
	assert_non_null(copy);
	assert_int_equal(copy->waiting, 5 + 1);
	lxfw_sched_destroy(copy);
	lxfw_array_rest_clear(&rest);
	finish(scene);
}

/* Of an array that may run two tasks at once, two are in the queue. */
static void limited_tasks_are_left_out(void **state)
{
	struct lxfw_event pool = { .type = LXFW_EVENT_HOST };
	struct lxfw_array_rest rest = { 0 };

	(void)state;
	begin(scene, "lxfw_policy=site,lxfw_reservations=all");
	scene->now = BEGIN;
	host_with(scene, 0, 2, 1000);
	pool.host.index = 1;
	pool.host.up = true;
	pool.host.total.extras[0] = 5;
	apply(scene, &pool);
	for (uint64_t i = 0; i < TASKS; i++) {
		struct lxfw_request job = request(task(i), BEGIN, 1, 0, 100);

		job.no_quantum = true;
		job.pool_count = 1;
		job.pools[0] = (struct lxfw_pool_need) { .pool = 1, .amount = 2 };
		submit_request(scene, &job);
	}
	assert_int_equal(lxfw_array_rest_find(&rest, scene->sched, 20), 0);
	assert_int_equal(rest.count, TASKS - 2);
	lxfw_array_rest_clear(&rest);
	finish(scene);
}

/* A future ends after a number of starts. */
static void later_starts_are_not_found(void **state)
{
	int64_t all[TASKS + 1], some[TASKS + 1];

	(void)state;
	make_scene();
	most_starts = 0;
	find_starts(20, all);
	most_starts = 10;
	find_starts(20, some);
	most_starts = 0;
	for (int i = 0; i < TASKS; i++)
		assert_int_equal(some[i], i < 10 ? all[i] : LXFW_NEVER);
	assert_int_equal(some[TASKS], LXFW_NEVER);
	finish(scene);
}

/* All of them start, at the same times as if all were in the queue at once. */
static void starts_are_the_same(void **state)
{
	int64_t all[TASKS + 1], some[TASKS + 1];

	(void)state;
	make_scene();
	find_starts(0, all);
	find_starts(20, some);
	for (int i = 0; i < TASKS; i++) {
		assert_int_equal(all[i], BEGIN + 100 + i / 2 * 100);
		assert_int_equal(some[i], all[i]);
	}
	assert_int_equal(some[TASKS], all[TASKS]);
	finish(scene);
}

int main(void)
{
	static struct scene only;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_are_left_out),
		cmocka_unit_test(tasks_that_have_left_are_none),
		cmocka_unit_test(limited_tasks_are_left_out),
		cmocka_unit_test(later_starts_are_not_found),
		cmocka_unit_test(starts_are_the_same),
	};

	scene = &only;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
