/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several reservations: which jobs move when a job ends early. */
#include "tests/unit/scene.h"

/* A and B run; H, then L, wait; B ends at 50 instead of 1000. Four processors are free
   then, and all ten at 100. */
static void make_scene(struct scene *scene, const char *params)
{
	begin(scene, params);
	host_with(scene, 0, 10, 10000);
	submit(scene, 'A', 4, 1, 100);
	submit(scene, 'B', 6, 1, 1000);
	decide(scene, 0);
	assert_true(starts(scene, 'A'));
	assert_true(starts(scene, 'B'));
	scene->now = 1;
	submit(scene, 'H', 8, 1, 500);
	decide(scene, 1);
	assert_int_equal(reserved(scene, 'H'), 1000);
	scene->now = 2;
	submit(scene, 'L', 4, 1, 800);
	decide(scene, 2);
	scene->now = 50;
	end(scene, 'B');
	decide(scene, 50);
}

/* Chiang and Vernon 2001, section 2.2: at each point in time the first k jobs have the
   earliest start that is possible. */
static void gives_the_first_the_earliest(void **state)
{
	static const char *const params[] = {
		"lxfw_policy=easy,lxfw_reservations=2",
		"lxfw_policy=easy,lxfw_reservations=all",
		"lxfw_policy=easy,lxfw_reservations=2,"
		"lxfw_reservation_mode=dynamic",
	};
	struct scene scene;

	(void)state;
	for (int i = 0; i < 3; i++) {
		make_scene(&scene, params[i]);
		assert_int_equal(reserved(&scene, 'H'), 100);
		assert_int_equal(reserved(&scene, 'L'), 600);
		assert_false(starts(&scene, 'L'));
		scene.now = 100;
		end(&scene, 'A');
		decide(&scene, 100);
		assert_true(starts(&scene, 'H'));
		assert_false(starts(&scene, 'L'));
		decide(&scene, 600);
		finish(&scene);
	}
	/* With one reservation both modes are the same. */
	make_scene(&scene, "lxfw_policy=easy");
	assert_int_equal(reserved(&scene, 'H'), 100);
	finish(&scene);
}

/* Mu'alem and Feitelson 2001: a reservation never moves to a later time, so L keeps its
   position and even starts, and H waits for it. */
static void compresses(void **state)
{
	static const char *const params[] = {
		"lxfw_policy=easy,lxfw_reservations=2,"
		"lxfw_reservation_mode=compress",
		"lxfw_policy=conservative",
	};
	struct scene scene;

	(void)state;
	for (int i = 0; i < 2; i++) {
		make_scene(&scene, params[i]);
		assert_true(starts(&scene, 'L'));
		decide(&scene, 50);
		assert_int_equal(reserved(&scene, 'H'), 850);
		finish(&scene);
	}
}

/* --- comparison with rebuilding all reservations at each pass ----------- */

#define JOBS 60

struct pair {
	struct scene one, rebuilt;
	struct lxfw_params params;
	bool some_unreserved;	/* some of the jobs request no reservation */
	int64_t submit[JOBS + 1], run[JOBS + 1], end[JOBS + 1];
	bool started[JOBS + 1];
};

static void begin_pair(struct pair *pair, const char *params)
{
	struct lxfw_error error;

	memset(pair, 0, sizeof(*pair));
	begin(&pair->one, params);
	begin(&pair->rebuilt, params);
	lxfw_params_preset(&pair->params, LXFW_POLICY_LXFW);
	assert_int_equal(lxfw_params_parse(&pair->params, params, NULL, NULL,
					   &error), 0);
	host_with(&pair->one, 0, 16, 10000);
	host_with(&pair->rebuilt, 0, 16, 10000);
}

static void submit_both(struct pair *pair, uint64_t *random, uint64_t id, int64_t now)
{
	int32_t procs = (int32_t)unit_between(random, 1, 16);
	int64_t estimate = unit_between(random, 1, 300);
	struct lxfw_request job = request(id, now, procs, 1, estimate);
	struct lxfw_event priority = { .type = LXFW_EVENT_JOB_PRIORITY };

	pair->run[id] = unit_between(random, 1, estimate);
	priority.priority.id = id;
	priority.priority.priority = unit_between(random, 0, 9);
	pair->one.now = pair->rebuilt.now = now;
	job.no_reservation = pair->some_unreserved && unit_between(random, 0, 2) == 0;
	submit_request(&pair->one, &job);
	submit_request(&pair->rebuilt, &job);
	apply(&pair->one, &priority);
	apply(&pair->rebuilt, &priority);
}

/* The same jobs must start. One of the two schedulers gets its parameters again,
   unchanged, so that it rebuilds all reservations. */
static void decide_both(struct pair *pair, int64_t now, uint64_t seed)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_PARAMS, .params = &pair->params,
	};

	pair->rebuilt.now = now;
	apply(&pair->rebuilt, &event);
	decide(&pair->one, now);
	decide(&pair->rebuilt, now);
	for (uint64_t id = 1; id <= JOBS; id++) {
		if (starts(&pair->one, id) != starts(&pair->rebuilt, id))
			fail_msg("seed %llu: job %d at %lld: %d, rebuilt %d",
				 (unsigned long long)seed, (int)id,
				 (long long)now, starts(&pair->one, id),
				 starts(&pair->rebuilt, id));
		if (!starts(&pair->one, id))
			continue;
		pair->started[id] = true;
		pair->end[id] = now + pair->run[id];
	}
}

/* No job may start between the times that the last decision named. */
static void nothing_starts(struct pair *pair, int64_t now, uint64_t seed)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_PARAMS, .params = &pair->params,
	};

	pair->rebuilt.now = now;
	apply(&pair->rebuilt, &event);
	decide(&pair->rebuilt, now);
	for (uint64_t id = 1; id <= JOBS; id++) {
		if (starts(&pair->rebuilt, id))
			fail_msg("seed %llu: job %d may start at %lld",
				 (unsigned long long)seed, (int)id, (long long)now);
	}
}

/* Decides on events and at the times that the last decision named, or EACH_SECOND. */
static void equals_rebuilt_with(const char *params, uint64_t seed, bool each_second,
				bool some_unreserved)
{
	uint64_t random = seed, next = 1;
	int64_t submission = 0;
	struct pair pair;

	begin_pair(&pair, params);
	pair.some_unreserved = some_unreserved;
	for (int64_t now = 0; now < 20000; now++) {
		bool changed = false;

		for (uint64_t id = 1; id < next; id++) {
			if (!pair.started[id] || pair.end[id] != now)
				continue;
			pair.one.now = pair.rebuilt.now = now;
			end(&pair.one, id);
			end(&pair.rebuilt, id);
			changed = true;
		}
		for (; next <= JOBS && submission <= now; next++) {
			submit_both(&pair, &random, next, now);
			submission += unit_between(&random, 0, 60);
			changed = true;
		}
		if (changed || now == pair.one.decision.wake)
			decide_both(&pair, now, seed);
		else if (each_second)
			nothing_starts(&pair, now, seed);
	}
	for (uint64_t id = 1; id <= JOBS; id++)
		assert_true(pair.started[id]);
	finish(&pair.one);
	finish(&pair.rebuilt);
}

static void equals_rebuilt(const char *params, uint64_t seed, bool each_second)
{
	equals_rebuilt_with(params, seed, each_second, false);
}

static void dynamic_ones_equal_rebuilt_ones(void **state)
{
	static const char *const params[] = {
		"lxfw_policy=easy,lxfw_reservations=3",
		"lxfw_policy=easy,lxfw_reservations=all",
		"lxfw_policy=lxfw,lxfw_reservations=4",
		"lxfw_policy=priority,lxfw_reservations=2,lxfw_wbypass=0.5",
	};
	uint64_t random = unit_seed("reservations");

	(void)state;
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 10; j++)
			equals_rebuilt(params[i],
					(uint64_t)unit_between(&random, 1, 1 << 30),
					false);
	}
}

/* --- which jobs may have a reservation ------------------------------------ */

/* A runs on all processors but two until 100; W waits for all of them. S fits beside A
   but not before 100. */
static void make_waiting(struct scene *scene, const char *params, int64_t priority)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_PRIORITY };

	begin(scene, params);
	host_with(scene, 0, 10, 10000);
	submit(scene, 'A', 8, 1, 100);
	decide(scene, 0);
	scene->now = 10;
	submit(scene, 'W', 10, 1, 500);
	event.priority.id = 'W';
	event.priority.priority = priority;
	apply(scene, &event);
	decide(scene, 10);
}

static void short_jobs_overtake(struct scene *scene, bool overtakes)
{
	submit(scene, 'S', 2, 1, 1000);
	decide(scene, scene->now);
	assert_int_equal(starts(scene, 'S'), overtakes);
	finish(scene);
}

static void not_before_an_age(void **state)
{
	struct scene scene;

	(void)state;
	make_waiting(&scene, "lxfw_policy=easy,lxfw_reservation_age=30", 0);
	assert_int_equal(reserved(&scene, 'W'), -1);
	assert_int_equal(scene.decision.wake, 40);
	short_jobs_overtake(&scene, true);
	make_waiting(&scene, "lxfw_policy=easy,lxfw_reservation_age=30", 0);
	decide(&scene, 39);
	assert_int_equal(reserved(&scene, 'W'), -1);
	decide(&scene, 40);
	assert_int_equal(reserved(&scene, 'W'), 100);
	assert_int_equal(scene.decision.wake, 100);
	short_jobs_overtake(&scene, false);
}

static void not_below_a_priority(void **state)
{
	static const char params[] = "lxfw_policy=easy,lxfw_reservation_priority=7";
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_PRIORITY };
	struct scene scene;

	(void)state;
	make_waiting(&scene, params, 6);
	assert_int_equal(reserved(&scene, 'W'), -1);
	assert_int_equal(scene.decision.wake, LXFW_NEVER);
	short_jobs_overtake(&scene, true);
	make_waiting(&scene, params, 7);
	assert_int_equal(reserved(&scene, 'W'), 100);
	/* It loses the reservation with the priority. */
	event.priority.id = 'W';
	event.priority.priority = 6;
	apply(&scene, &event);
	decide(&scene, 11);
	assert_non_null(action_of(&scene, LXFW_ACTION_UNRESERVE, 'W'));
	short_jobs_overtake(&scene, true);
}

/* The same if all waiting jobs have reservations, whether resources became free early or
   not. */
static void not_below_a_priority_in_place(void **state)
{
	static const char params[] =
		"lxfw_policy=easy,lxfw_reservations=all,lxfw_reservation_mode=compress,"
		"lxfw_reservation_priority=7";
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_PRIORITY };
	struct scene scene;

	(void)state;
	for (int ends = 0; ends < 2; ends++) {
		make_waiting(&scene, params, 7);
		submit(&scene, 'E', 1, 1, 50);
		decide(&scene, 10);
		assert_true(starts(&scene, 'E'));
		decide(&scene, 11);
		scene.now = 20;
		if (ends)
			end(&scene, 'E');
		event.priority.id = 'W';
		event.priority.priority = 6;
		apply(&scene, &event);
		decide(&scene, 20);
		assert_non_null(action_of(&scene, LXFW_ACTION_UNRESERVE, 'W'));
		finish(&scene);
	}
}

static void not_beyond_a_window(void **state)
{
	static const char params[] = "lxfw_policy=easy,lxfw_reservation_window=50";
	struct scene scene;

	(void)state;
	make_waiting(&scene, params, 0);
	assert_int_equal(reserved(&scene, 'W'), -1);
	assert_int_equal(scene.decision.wake, 50);
	assert_int_equal(lxfw_sched_can_start(scene.sched, 'W'), 1);
	short_jobs_overtake(&scene, true);
	make_waiting(&scene, params, 0);
	decide(&scene, 50);
	assert_int_equal(reserved(&scene, 'W'), 100);
	short_jobs_overtake(&scene, false);
}

/* A job that may have no reservation does not use up one of the others, and one behind it
   with the same request may have it. */
static void the_next_one_may(void **state)
{
	static const char *const params[] = {
		"lxfw_policy=easy,lxfw_reservation_priority=7",
		"lxfw_policy=easy,lxfw_reservation_priority=7,lxfw_reservations=2",
	};
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_PRIORITY };
	struct scene scene;

	(void)state;
	for (int i = 0; i < 2; i++) {
		make_waiting(&scene, params[i], 6);
		scene.now = 20;
		submit(&scene, 'X', 10, 1, 500);
		submit(&scene, 'Y', 10, 1, 500);
		event.priority.id = 'Y';
		event.priority.priority = 7;
		apply(&scene, &event);
		decide(&scene, 20);
		assert_int_equal(reserved(&scene, 'W'), -1);
		assert_int_equal(reserved(&scene, 'X'), -1);
		assert_int_equal(reserved(&scene, 'Y'), 100);
		/* At the end of A all three fit, one at a time, and the first starts. */
		end(&scene, 'A');
		decide(&scene, 50);
		assert_true(starts(&scene, 'W'));
		finish(&scene);
	}
}

/* W requests no reservation. Those behind it may have theirs, which do not delay W. */
static void not_if_it_asks_for_none(void **state)
{
	static const char *const params[] = {
		"lxfw_policy=easy",
		"lxfw_policy=easy,lxfw_reservations=3",
		"lxfw_policy=easy,lxfw_reservations=all,lxfw_reservation_mode=compress",
		"lxfw_policy=site",
	};
	struct lxfw_request job = request('W', 10, 10, 1, 500);
	struct scene scene;

	(void)state;
	job.no_reservation = true;
	for (int i = 0; i < 4; i++) {
		begin(&scene, params[i]);
		host_with(&scene, 0, 10, 10000);
		submit(&scene, 'A', 8, 1, 100);
		decide(&scene, 0);
		scene.now = 10;
		submit_request(&scene, &job);
		decide(&scene, 10);
		assert_int_equal(reserved(&scene, 'W'), -1);
		assert_int_equal(scene.decision.wake, LXFW_NEVER);
		scene.now = 20;
		submit(&scene, 'X', 10, 1, 600);
		decide(&scene, 20);
		assert_int_equal(reserved(&scene, 'X'), 100);
		scene.now = 50;
		end(&scene, 'A');
		decide(&scene, 50);
		assert_true(starts(&scene, 'W'));
		assert_int_equal(reserved(&scene, 'X'), 550);
		finish(&scene);
		/* Without it, a longer job would wait behind W. */
		begin(&scene, params[i]);
		host_with(&scene, 0, 10, 10000);
		submit(&scene, 'A', 8, 1, 100);
		decide(&scene, 0);
		scene.now = 10;
		submit_request(&scene, &job);
		decide(&scene, 10);
		short_jobs_overtake(&scene, true);
	}
}

static void unreserved_ones_equal_rebuilt_ones(void **state)
{
	static const char *const params[] = {
		"lxfw_policy=easy",
		"lxfw_policy=easy,lxfw_reservations=3",
		"lxfw_policy=easy,lxfw_reservations=all",
		"lxfw_policy=lxfw,lxfw_reservations=4",
		"lxfw_policy=site,lxfw_reservations=2,lxfw_reservation_age=200",
	};
	uint64_t random = unit_seed("jobs without reservations");

	(void)state;
	for (int i = 0; i < 5; i++) {
		for (int j = 0; j < 10; j++)
			equals_rebuilt_with(params[i],
					    (uint64_t)unit_between(&random, 1, 1 << 30),
					    !strstr(params[i], "policy=lxfw"), true);
	}
}

static void restricted_ones_equal_rebuilt_ones(void **state)
{
	static const char *const params[] = {
		"lxfw_policy=easy,lxfw_reservation_age=100",
		"lxfw_policy=easy,lxfw_reservations=3,lxfw_reservation_age=300",
		"lxfw_policy=easy,lxfw_reservations=all,lxfw_reservation_window=200",
		"lxfw_policy=easy,lxfw_reservation_window=100",
		"lxfw_policy=site,lxfw_reservations=3,lxfw_reservation_priority=5",
		"lxfw_policy=site,lxfw_reservations=all,lxfw_reservation_age=200",
		"lxfw_policy=site,lxfw_reservations=2,lxfw_reservation_priority=3,"
		"lxfw_reservation_age=150,lxfw_reservation_window=250",
	};
	uint64_t random = unit_seed("restricted reservations");

	(void)state;
	for (int i = 0; i < 7; i++) {
		for (int j = 0; j < 5; j++)
			equals_rebuilt(params[i],
				       (uint64_t)unit_between(&random, 1, 1 << 30),
				       true);
	}
}

/* Jobs become old between two passes; that alone makes no pass due. */
static void aged_ones_equal_rebuilt_ones(void **state)
{
	static const char *const params[] = {
		"lxfw_policy=sjf,lxfw_age_first=100",
		"lxfw_policy=sjf,lxfw_reservations=3,lxfw_age_first=300",
		"lxfw_policy=sjf,lxfw_reservations=all,lxfw_age_first=200",
		"lxfw_policy=lxfw,lxfw_wsite=1000,lxfw_age_first=100",
		"lxfw_policy=lxfw,lxfw_wsite=1000,lxfw_reservations=3,lxfw_age_first=200",
		"lxfw_policy=lxfw,lxfw_ww=0,lxfw_wx=0,lxfw_wp=1,lxfw_age_first=300",
	};
	uint64_t random = unit_seed("aged jobs");

	(void)state;
	for (int i = 0; i < 6; i++) {
		for (int j = 0; j < 20; j++)
			equals_rebuilt(params[i],
				       (uint64_t)unit_between(&random, 1, 1 << 30),
				       false);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_the_first_the_earliest),
		cmocka_unit_test(compresses),
		cmocka_unit_test(dynamic_ones_equal_rebuilt_ones),
		cmocka_unit_test(not_before_an_age),
		cmocka_unit_test(not_below_a_priority),
		cmocka_unit_test(not_below_a_priority_in_place),
		cmocka_unit_test(not_beyond_a_window),
		cmocka_unit_test(the_next_one_may),
		cmocka_unit_test(not_if_it_asks_for_none),
		cmocka_unit_test(unreserved_ones_equal_rebuilt_ones),
		cmocka_unit_test(restricted_ones_equal_rebuilt_ones),
		cmocka_unit_test(aged_ones_equal_rebuilt_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
