/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a job that is not submitted enters simulated futures: at a time, or after other jobs. */
#include "tests/unit/scene.h"

#include <stdlib.h>

#include "common/books/books.h"
#include "sim-frontend/predict/future.h"

#define BEGIN 1000
#define RUNS 1
#define WAITS 2
#define CANDIDATE UINT64_C(0x00000000efffffff)

static struct scene *scene;

/* Two processors, on which a job runs for 100 s, and behind it one of both for 200 s. */
static void make_scene(void)
{
	struct lxfw_request job;

	begin(scene, "lxfw_policy=site,lxfw_reservations=all");
	scene->now = BEGIN;
	host_with(scene, 0, 2, 1000);
	job = request(RUNS, BEGIN, 2, 0, 100);
	submit_request(scene, &job);
	decide(scene, BEGIN);
	job = request(WAITS, BEGIN, 2, 0, 200);
	submit_request(scene, &job);
}

static void traits(const void *context, const struct lxfw_request *request,
		   struct lxfw_traits *to)
{
	(void)context;
	*to = (struct lxfw_traits) { .limit = request->estimate, .procs = request->unit.procs };
}

/* The start of a job of both processors from then on, in seconds, if each runs to its limit. */
static int64_t start_of(int64_t from, const struct lxfw_future_after *after, size_t count)
{
	struct lxfw_experience experience = { 0 };
	const struct lxfw_known known = { .experience = &experience, .traits = traits };
	const struct lxfw_request job = request(CANDIDATE, BEGIN, 2, 0, 50);
	const uint64_t id = CANDIDATE;
	const struct lxfw_futures futures = {
		.sched = scene->sched, .now = BEGIN, .known = &known, .count = 1, .threads = 1,
		.horizon = 10000, .watched = &id, .watched_count = 1, .by_limits = true,
		.candidate = &job, .candidate_begin = from, .after = after, .after_count = count,
	};
	struct lxfw_error error;
	int64_t start;

	if (lxfw_futures_run(&futures, &start, &error))
		fail_msg("%s", error.text);
	lxfw_experience_clear(&experience);
	return start == LXFW_NEVER ? -1 : start - BEGIN;
}

static void begins(void **state)
{
	(void)state;
	make_scene();
	assert_int_equal(start_of(0, NULL, 0), 300);
	assert_int_equal(start_of(BEGIN + 250, NULL, 0), 300);
	assert_int_equal(start_of(BEGIN + 700, NULL, 0), 700);
	assert_int_equal(start_of(BEGIN + 20000, NULL, 0), -1);
	finish(scene);
}

static void follows_jobs(void **state)
{
	const struct lxfw_future_after ends[] = { { .job = RUNS }, { .job = WAITS } };
	const struct lxfw_future_after starts = { .job = WAITS, .started = true, .delay = 350 };
	const struct lxfw_future_after began = { .job = RUNS, .started = true, .delay = 500 };
	const struct lxfw_future_after twice[] = { { .job = WAITS, .delay = 400 }, { .job = WAITS } };

	(void)state;
	make_scene();
	assert_int_equal(start_of(0, ends, 1), 300);
	assert_int_equal(start_of(0, ends, 2), 300);
	assert_int_equal(start_of(0, &starts, 1), 450);
	assert_int_equal(start_of(0, &began, 1), 500);
	assert_int_equal(start_of(0, twice, 2), 700);
	assert_int_equal(start_of(BEGIN + 600, ends, 2), 600);
	finish(scene);
}

int main(void)
{
	static struct scene only;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(begins),
		cmocka_unit_test(follows_jobs),
	};

	scene = &only;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
