/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that another scheduler plans for later, although the model has room for them now. */
#include "tests/unit/scene.h"

#include "sim-frontend/predict/future.h"
#include "sim-frontend/predict/held.h"

#define BEGIN 1000
#define SLACK 60
#define WIDE 2
#define SMALL 3
#define ELSEWHERE 4

static struct scene *scene;
static int64_t plan;	/* for SMALL */

static int64_t planned(void *context, uint64_t job)
{
	assert_ptr_equal(context, scene);
	return job == SMALL ? plan : job == WIDE ? BEGIN + 600 : 0;
}

static struct lxfw_request on_hosts(uint64_t id, int32_t hosts, int32_t procs, int64_t estimate)
{
	struct lxfw_request job = request(id, BEGIN, procs, 0, estimate);

	job.count = hosts;
	return job;
}

/* Two hosts of four processors. One is full for 600 s; a job waits for one processor on each of them; behind
   it a small one fits on the other host at once. */
static void make_scene(void)
{
	struct lxfw_request job;

	begin(scene, "lxfw_policy=site,lxfw_reservations=all");
	scene->now = BEGIN;
	host_with(scene, 0, 4, 1000);
	host_with(scene, 1, 4, 1000);
	job = on_hosts(1, 1, 4, 600);
	submit_request(scene, &job);
	decide(scene, BEGIN);
	job = on_hosts(WIDE, 2, 1, 300);
	submit_request(scene, &job);
	job = on_hosts(SMALL, 1, 1, 1800);
	job.submit++;
	submit_request(scene, &job);
}

static void traits(const void *context, const struct lxfw_request *request,
		   struct lxfw_traits *to)
{
	(void)context;
	*to = (struct lxfw_traits) { .limit = request->estimate, .procs = request->unit.procs };
}

/* The start of a waiting job, or of CANDIDATE, if all run to their limits. */
static int64_t start_of(uint64_t id, const struct lxfw_held *held,
			const struct lxfw_request *candidate)
{
	struct lxfw_experience experience = { 0 };
	const struct lxfw_known known = { .experience = &experience, .traits = traits };
	const struct lxfw_futures futures = {
		.sched = scene->sched, .now = BEGIN, .known = &known, .count = 1, .threads = 1,
		.horizon = 1000000, .watched = &id, .watched_count = 1, .by_limits = true,
		.held = held, .candidate = candidate, .candidate_held = candidate != NULL,
	};
	struct lxfw_error error;
	int64_t start;

	if (lxfw_futures_run(&futures, &start, &error))
		fail_msg("%s", error.text);
	lxfw_experience_clear(&experience);
	return start;
}

static void a_planned_job_is_held(void **state)
{
	struct lxfw_held held = { 0 };

	(void)state;
	make_scene();
	plan = BEGIN + 900;
	assert_int_equal(lxfw_held_find(&held, scene->sched, BEGIN, SLACK, planned, scene), 0);
	/* That the wide one waits is no difference. */
	assert_int_equal(held.count, 1);
	assert_int_equal(lxfw_held_until(&held, SMALL), BEGIN + 900);
	assert_int_equal(lxfw_held_until(&held, WIDE), 0);
	assert_int_equal(start_of(SMALL, NULL, NULL), BEGIN);
	assert_int_equal(start_of(SMALL, &held, NULL), BEGIN + 600);
	assert_int_equal(start_of(WIDE, &held, NULL), BEGIN + 600);
	/* No later than planned. */
	held.jobs[0].planned = BEGIN + 200;
	assert_int_equal(start_of(SMALL, &held, NULL), BEGIN + 200);
	lxfw_held_clear(&held);
	finish(scene);
}

static void a_job_that_is_planned_soon_is_not(void **state)
{
	struct lxfw_held held = { 0 };

	(void)state;
	make_scene();
	for (plan = 0; plan <= BEGIN + SLACK; plan += BEGIN + SLACK) {
		assert_int_equal(lxfw_held_find(&held, scene->sched, BEGIN, SLACK, planned, scene), 0);
		assert_int_equal(held.count, 0);
	}
	lxfw_held_clear(&held);
	finish(scene);
}

/* A request that ends before the wide job starts, or that precedes it, is not held. */
static void a_request_beside_a_reservation_is_held(void **state)
{
	struct lxfw_request job;

	(void)state;
	make_scene();
	job = on_hosts(ELSEWHERE, 1, 1, 1800);
	assert_int_equal(lxfw_held_request(scene->sched, BEGIN, &job), 1);
	assert_int_equal(start_of(ELSEWHERE, NULL, &job), BEGIN + 600);
	job.estimate = 500;
	assert_int_equal(lxfw_held_request(scene->sched, BEGIN, &job), 0);
	job.estimate = 1800;
	job.tier = 1;
	assert_int_equal(lxfw_held_request(scene->sched, BEGIN, &job), 0);
	job = on_hosts(ELSEWHERE, 1, 5, 1800);
	assert_int_equal(lxfw_held_request(scene->sched, BEGIN, &job), 0);
	finish(scene);
}

int main(void)
{
	static struct scene only;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_planned_job_is_held),
		cmocka_unit_test(a_job_that_is_planned_soon_is_not),
		cmocka_unit_test(a_request_beside_a_reservation_is_held),
	};

	scene = &only;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
