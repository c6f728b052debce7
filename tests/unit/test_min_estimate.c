/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that may start with less than their estimate. */
#include "tests/unit/scene.h"

#define JOBS 24
#define HOSTS 3
#define WORLDS 600

static struct lxfw_request flexible(uint64_t id, int32_t procs, int64_t estimate,
				    int64_t min_estimate)
{
	struct lxfw_request job = request(id, 0, procs, 0, estimate);

	job.min_estimate = min_estimate;
	return job;
}

static void submit_flexible(struct scene *scene, uint64_t id, int32_t procs,
			    int64_t estimate, int64_t min_estimate)
{
	struct lxfw_request job = flexible(id, procs, estimate, min_estimate);

	job.submit = scene->now;
	submit_request(scene, &job);
}

/* Host 0 of 8 processors. Job 1 has 4 of them until 100; job 2 needs all, at 100. */
static void before_a_reservation(struct scene *scene)
{
	begin(scene, "lxfw_policy=easy");
	host_with(scene, 0, 8, 1000);
	submit(scene, 1, 4, 0, 100);
	submit(scene, 2, 8, 0, 50);
	decide(scene, 0);
	assert_true(starts(scene, 1));
	assert_int_equal(reserved(scene, 2), 100);
}

static void test_shortened(void **state)
{
	struct scene scene;

	(void)state;
	before_a_reservation(&scene);
	submit_flexible(&scene, 3, 2, 1000, 60);
	submit_flexible(&scene, 4, 2, 1000, 95);
	decide(&scene, 10);
	assert_true(starts(&scene, 3));
	assert_int_equal(action_of(&scene, LXFW_ACTION_START, 3)->limit, 90);
	/* 95 s would delay job 2. */
	assert_false(starts(&scene, 4));
	/* The model knows when job 3 ends. */
	decide(&scene, 100);
	end(&scene, 1);
	end(&scene, 3);
	decide(&scene, 100);
	assert_true(starts(&scene, 2));
	finish(&scene);
}

/* The end of the shortened job counts: a job behind it is expected then. */
static void test_expected_end(void **state)
{
	struct scene scene;

	(void)state;
	before_a_reservation(&scene);
	submit_flexible(&scene, 3, 4, 1000, 60);
	decide(&scene, 0);
	assert_int_equal(action_of(&scene, LXFW_ACTION_START, 3)->limit, 100);
	assert_int_equal(reserved(&scene, 2), -1);
	end(&scene, 1);
	submit(&scene, 5, 5, 0, 10);
	decide(&scene, 1);
	/* It still waits for job 3, and nothing else. */
	assert_int_equal(reserved(&scene, 2), -1);
	finish(&scene);
}

static void test_whole_estimate(void **state)
{
	struct scene scene;

	(void)state;
	before_a_reservation(&scene);
	submit_flexible(&scene, 3, 2, 100, 50);
	decide(&scene, 0);
	assert_int_equal(action_of(&scene, LXFW_ACTION_START, 3)->limit, 0);
	finish(&scene);
	/* A host on which the whole estimate fits is preferred. */
	before_a_reservation(&scene);
	host_with(&scene, 1, 8, 1000);
	submit(&scene, 6, 8, 0, 5);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 2), 1);
	finish(&scene);
}

/* The reservation is for the shortest run time; the start is for the longest. */
static void test_reserved_for_the_least(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy,lxfw_reservations=2");
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 0, 100);
	submit_flexible(&scene, 2, 8, 1000, 60);
	submit(&scene, 3, 8, 0, 50);
	decide(&scene, 0);
	assert_int_equal(reserved(&scene, 2), 100);
	assert_int_equal(reserved(&scene, 3), 160);
	end(&scene, 1);
	decide(&scene, 50);
	/* Reservations are dynamic: job 2 is first and not limited by job 3. */
	assert_int_equal(action_of(&scene, LXFW_ACTION_START, 2)->limit, 0);
	finish(&scene);
}

static void test_several_hosts(void **state)
{
	struct lxfw_request job = flexible(4, 1, 1000, 10);
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 4, 1000);
	host_with(&scene, 1, 4, 1000);
	submit(&scene, 1, 3, 0, 200);
	submit(&scene, 2, 3, 0, 300);
	decide(&scene, 0);
	job.count = 2;
	submit(&scene, 3, 4, 0, 50);
	submit_request(&scene, &job);
	decide(&scene, 1);
	assert_int_equal(reserved(&scene, 3), 200);
	/* limited by the reservation on host 0 */
	assert_int_equal(action_of(&scene, LXFW_ACTION_START, 4)->limit, 199);
	finish(&scene);
}

static void test_invalid(void **state)
{
	struct lxfw_request job = flexible(1, 1, 100, 100);
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_SUBMIT, .request = &job,
	};
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 4, 1000);
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	job.min_estimate = -1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	job.min_estimate = 99;
	submit_request(&scene, &job);
	finish(&scene);
}

/* --- random worlds ---------------------------------------------------------------- */

struct random_job {
	struct lxfw_request request;
	int64_t promised, end;	/* end: 0 waiting, -1 ended */
};

static void make(struct random_job *job, uint64_t id, uint64_t *random)
{
	int64_t estimate = unit_between(random, 2, 100);

	*job = (struct random_job){ .promised = INT64_MAX };
	job->request = flexible(id, (int32_t)unit_between(random, 1, 8), estimate,
				unit_between(random, 0, estimate - 1));
	if (unit_between(random, 0, 2) == 0) {
		job->request.shape = LXFW_SHAPE_ANYWHERE;
		job->request.count = job->request.unit.procs;
		job->request.unit.procs = 1;
	}
	job->request.submit = (int64_t)id * unit_between(random, 1, 8);
}

/* Boot times of the hosts. */
static int64_t boot[HOSTS];

/* A host that may be asleep. */
static void random_host(struct scene *scene, int32_t index, uint64_t *random)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };

	boot[index] = unit_between(random, 0, 2) == 0 ?
			      unit_between(random, 1, 30) : 0;
	event.host.index = index;
	event.host.up = true;
	event.host.total.procs = (int32_t)unit_between(random, 8, 12);
	event.host.weight = boot[index] ? 100 : 0;
	event.host.boot = boot[index];
	apply(scene, &event);
}

static int64_t boot_of(const struct lxfw_action *action)
{
	int64_t most = 0;

	for (int32_t i = 0; i < action->count; i++) {
		int64_t one = boot[action->shares[i].host];

		most = one > most ? one : most;
	}
	return most;
}

/* Returns the number of shortened starts. */
static int carry_out(struct scene *scene, struct random_job *jobs)
{
	int shortened = 0;

	for (size_t i = 0; i < scene->decision.count; i++) {
		const struct lxfw_action *action = &scene->decision.actions[i];
		struct random_job *job = &jobs[action->job];
		const struct lxfw_request *asked = &job->request;
		int64_t limit = action->limit ? action->limit : asked->estimate;

		if (action->type == LXFW_ACTION_RESERVE) {
			assert_true(action->start <= job->promised);
			job->promised = action->start;
		}
		if (action->type != LXFW_ACTION_START)
			continue;
		assert_true(scene->now <= job->promised);
		assert_true(limit <= asked->estimate);
		assert_true(limit >= lxfw_request_least(asked));
		job->end = scene->now + boot_of(action) + limit;
		shortened += action->limit != 0;
	}
	return shortened;
}

/* Jobs run as long as they may, and their hosts boot as long as they may. A reservation is never delayed: neither by a shortened
   job nor by one that got its whole estimate. */
static void test_no_reservation_is_delayed(void **state)
{
	uint64_t seed = unit_seed("shortened jobs");
	int shortened = 0;

	(void)state;
	for (uint64_t world = 0; world < WORLDS; world++) {
		uint64_t random = seed + world;
		struct random_job jobs[JOBS + 1];
		struct scene scene;
		int ended = 0;

		begin(&scene, "lxfw_policy=conservative");
		for (int32_t i = 0; i < HOSTS; i++)
			random_host(&scene, i, &random);
		for (uint64_t id = 1; id <= JOBS; id++)
			make(&jobs[id], id, &random);
		for (int64_t now = 0; ended < JOBS; now++) {
			assert_true(now < 100000);
			scene.now = now;
			for (uint64_t id = 1; id <= JOBS; id++) {
				if (jobs[id].end == now && now > 0) {
					end(&scene, id);
					jobs[id].end = -1;
					ended++;
				}
				if (jobs[id].request.submit == now)
					submit_request(&scene, &jobs[id].request);
			}
			decide(&scene, now);
			shortened += carry_out(&scene, jobs);
		}
		finish(&scene);
	}
	printf("# %d shortened starts\n", shortened);
	assert_true(shortened > WORLDS / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shortened),
		cmocka_unit_test(test_expected_end),
		cmocka_unit_test(test_whole_estimate),
		cmocka_unit_test(test_reserved_for_the_least),
		cmocka_unit_test(test_several_hosts),
		cmocka_unit_test(test_invalid),
		cmocka_unit_test(test_no_reservation_is_delayed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
