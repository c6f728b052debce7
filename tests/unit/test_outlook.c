/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expected starts of all waiting jobs. In random worlds in which every job runs for its
 * estimate, they are compared with the true ones. With one host they are equal. With
 * several, a reservation may have other hosts than in the copy, and later jobs start at
 * other times.
 */
#include "tests/unit/random_machine.h"

#include "common/outlook.h"

#define JOBS 120

static uint64_t seed;

/* --- a world ------------------------------------------------------------- */

struct world {
	struct machine machine;
	int64_t ends[JOBS + 1];		/* by id; 0: the job does not run */
	int64_t estimates[JOBS + 1];
	int64_t started[JOBS + 1];	/* -1: not yet */
	int64_t expected[JOBS + 1];	/* -1: unknown */
};

static void submit_random(struct world *world, uint64_t id)
{
	struct lxfw_request job = random_job(&world->machine, id);

	world->estimates[id] = job.estimate;
	world->started[id] = world->expected[id] = -1;
	submit_request(&world->machine.scene, &job);
	set_random_priority(&world->machine, id);
}

/* Decide at second NOW, and note the jobs that start. */
static void live_at(struct world *world, int64_t now)
{
	const struct lxfw_decision *decision = &world->machine.scene.decision;

	decide(&world->machine.scene, now);
	for (size_t i = 0; i < decision->count; i++) {
		uint64_t id = decision->actions[i].job;

		if (decision->actions[i].type != LXFW_ACTION_START)
			continue;
		world->started[id] = now;
		world->ends[id] = now + world->estimates[id];
	}
}

static void end_until(struct world *world, int64_t now)
{
	for (uint64_t id = 1; id <= JOBS; id++) {
		if (!world->ends[id] || world->ends[id] > now)
			continue;
		end(&world->machine.scene, id);
		world->ends[id] = 0;
	}
}

/* The time of the next end of a job, or of the next decision that was requested. */
static int64_t next_time(const struct world *world)
{
	int64_t next = world->machine.scene.decision.wake;

	for (uint64_t id = 1; id <= JOBS; id++) {
		if (world->ends[id] && world->ends[id] < next)
			next = world->ends[id];
	}
	return next;
}

/* The copy has no reservations and makes them again. So does the scheduler after this. */
static void make_reservations_again(struct world *world, const char *text)
{
	struct lxfw_params params;
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS, .params = &params };

	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	assert_int_equal(lxfw_params_parse(&params, text, NULL, NULL, NULL), 0);
	apply(&world->machine.scene, &event);
}

/* Fill the machine: jobs are submitted and started; some have ended early. */
static void begin_world(struct world *world, const char *params, int hosts,
			uint64_t number)
{
	*world = (struct world){ .machine.random = number, .machine.hosts = hosts };
	begin(&world->machine.scene, params);
	world->machine.scene.now = 1000;
	for (int32_t i = 0; i < hosts; i++)
		host_with(&world->machine.scene, i, i < hosts / 2 ? 8 : 16, 8000);
	set_host_sets(&world->machine);
	block(&world->machine, 100, 1500, 4000);
	block(&world->machine, 101, 9000, 20000);
	for (uint64_t id = 1; id <= JOBS; id++) {
		submit_random(world, id);
		if (draw(&world->machine, 0, 9) > 0)
			continue;
		world->machine.scene.now += draw(&world->machine, 0, 60);
		end_until(world, world->machine.scene.now);
		live_at(world, world->machine.scene.now);
		if (draw(&world->machine, 0, 2) == 0 && world->ends[1]) {
			world->ends[1] = 0;
			end(&world->machine.scene, 1);
		}
	}
	live_at(world, world->machine.scene.now);
	make_reservations_again(world, params);
}

static void look_ahead(struct world *world, struct lxfw_outlook *outlook)
{
	struct lxfw_decision decision;
	int64_t time = 0;

	while (lxfw_outlook_next(outlook, &time, &decision) > 0) {
		for (size_t i = 0; i < decision.count; i++) {
			if (decision.actions[i].type == LXFW_ACTION_START)
				world->expected[decision.actions[i].job] = time;
		}
	}
}

static void live_to_the_end(struct world *world)
{
	int64_t next;

	live_at(world, world->machine.scene.now);
	while ((next = next_time(world)) != LXFW_NEVER) {
		end_until(world, next);
		world->machine.scene.now = next;
		live_at(world, next);
	}
}

/* --- tests ---------------------------------------------------------------- */

/* Count the jobs that waited, those that have an expected start, and those that start
   then. */
struct tally {
	int waited, expected, exact;
};

static void check_world(const char *params, int hosts, uint64_t number,
			struct tally *tally)
{
	struct lxfw_outlook *outlook;
	struct world world;
	bool waits[JOBS + 1];

	begin_world(&world, params, hosts, number);
	for (uint64_t id = 1; id <= JOBS; id++)
		waits[id] = world.started[id] < 0;
	outlook = lxfw_outlook_begin(world.machine.scene.sched);
	assert_non_null(outlook);
	/* The scheduler that was copied continues; nothing of it is shared. */
	live_to_the_end(&world);
	look_ahead(&world, outlook);
	for (uint64_t id = 1; id <= JOBS; id++) {
		if (!waits[id] || world.started[id] < 0)
			continue;
		tally->waited++;
		tally->expected += world.expected[id] >= 0;
		tally->exact += world.expected[id] == world.started[id];
		if (hosts == 1 && world.expected[id] != world.started[id])
			fail_msg("%s, world %llu: job %llu was expected at %lld and started at %lld",
				 params, (unsigned long long)number,
				 (unsigned long long)id,
				 (long long)world.expected[id],
				 (long long)world.started[id]);
	}
	lxfw_outlook_end(outlook);
	finish(&world.machine.scene);
}

static void check_worlds(int hosts, int per_cent)
{
	static const char *const params[] = {
		"lxfw_policy=fcfs",
		"lxfw_policy=easy",
		"lxfw_policy=easy,lxfw_reservations=3",
		"lxfw_policy=conservative",
		"lxfw_policy=lxfw",
		"lxfw_policy=lxfw,lxfw_wsite=1",
		"lxfw_policy=site",
		"lxfw_policy=sjf",
		"lxfw_policy=priority",
	};

	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
		struct tally tally = { 0 };

		for (uint64_t number = 0; number < 20; number++)
			check_world(params[i], hosts, seed + number, &tally);
		printf("# %s, %d hosts: %d of %d starts are the expected ones\n",
		       params[i], hosts, tally.exact, tally.waited);
		assert_true(tally.waited > 1000);
		assert_int_equal(tally.expected, tally.waited);
		assert_true(tally.exact * 100 >= tally.waited * per_cent);
	}
}

static void test_one_host(void **state)
{
	(void)state;
	check_worlds(1, 100);
}

static void test_several_hosts(void **state)
{
	(void)state;
	check_worlds(HOSTS_MAX, 75);
}

/* A job that runs past its estimate is not expected to have ended. One that cannot start
   has no expected start, and the outlook ends. */
static void test_late_and_never(void **state)
{
	struct lxfw_decision decision;
	struct lxfw_outlook *outlook;
	struct scene scene;
	int64_t time, expected = -1;

	(void)state;
	begin(&scene, "lxfw_policy=easy,lxfw_interval=60");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 10, 0, 100);
	decide(&scene, 0);
	submit(&scene, 2, 10, 0, 100);
	submit(&scene, 3, 11, 0, 100);
	decide(&scene, 130);
	outlook = lxfw_outlook_begin(scene.sched);
	assert_non_null(outlook);
	while (lxfw_outlook_next(outlook, &time, &decision) > 0) {
		for (size_t i = 0; i < decision.count; i++) {
			if (decision.actions[i].type != LXFW_ACTION_START)
				continue;
			assert_int_equal(decision.actions[i].job, 2);
			expected = time;
		}
	}
	assert_int_equal(expected, 130 + 60);
	assert_int_equal(lxfw_outlook_next(outlook, &time, &decision), 0);
	lxfw_outlook_end(outlook);
	lxfw_outlook_end(NULL);
	finish(&scene);
}

/* A job on a host that is asleep occupies it for the boot time as well. Then the host is
   awake. */
static void test_boot(void **state)
{
	static const int64_t expected[] = { 0, 160, 220 };
	struct lxfw_event host = {
		.type = LXFW_EVENT_HOST,
		.host.up = true,
		.host.total.procs = 8,
		.host.total.memory_mb = 1000,
		.host.boot = 100,
	};
	struct lxfw_decision decision;
	struct lxfw_outlook *outlook;
	struct scene scene;
	uint64_t starts = 0;
	int64_t time;

	(void)state;
	begin(&scene, "lxfw_policy=fcfs");
	apply(&scene, &host);
	for (uint64_t id = 1; id <= 3; id++)
		submit(&scene, id, 8, 0, 60);
	outlook = lxfw_outlook_begin(scene.sched);
	assert_non_null(outlook);
	while (lxfw_outlook_next(outlook, &time, &decision) > 0) {
		for (size_t i = 0; i < decision.count; i++) {
			if (decision.actions[i].type != LXFW_ACTION_START)
				continue;
			assert_true(starts < 3);
			assert_int_equal(decision.actions[i].job, starts + 1);
			assert_int_equal(time, expected[starts]);
			starts++;
		}
	}
	assert_int_equal(starts, 3);
	lxfw_outlook_end(outlook);
	finish(&scene);
}

/* Without waiting jobs nothing is computed. Immediate service does not count. */
static void test_quanta(void **state)
{
	struct lxfw_decision decision;
	struct lxfw_outlook *outlook;
	struct scene scene;
	int64_t time;

	(void)state;
	begin(&scene, "lxfw_policy=lxfw,lxfw_quantum=60,lxfw_quantum_min_run=1,"
		      "lxfw_quantum_mem=100");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 10, 0, 1000);
	decide(&scene, 0);
	outlook = lxfw_outlook_begin(scene.sched);
	assert_int_equal(lxfw_outlook_next(outlook, &time, &decision), 0);
	lxfw_outlook_end(outlook);
	scene.now = 10;
	submit(&scene, 2, 10, 0, 500);
	outlook = lxfw_outlook_begin(scene.sched);
	assert_int_equal(lxfw_outlook_next(outlook, &time, &decision), 1);
	assert_int_equal(time, 10);
	for (size_t i = 0; i < decision.count; i++)
		assert_int_equal(decision.actions[i].type, LXFW_ACTION_RESERVE);
	assert_int_equal(lxfw_outlook_next(outlook, &time, &decision), 1);
	assert_int_equal(time, 1000);
	assert_int_equal(decision.actions[0].type, LXFW_ACTION_START);
	assert_int_equal(lxfw_outlook_next(outlook, &time, &decision), 0);
	lxfw_outlook_end(outlook);
	finish(&scene);
}

/* Number of reservations that the first decision of an outlook makes, if at most MOST jobs have one. */
static size_t count_reserved(const struct scene *scene, int32_t most)
{
	struct lxfw_outlook *outlook = lxfw_outlook_begin(scene->sched);
	struct lxfw_decision decision;
	size_t count = 0;
	int64_t time;

	assert_int_equal(lxfw_outlook_limit(outlook, most), 0);
	assert_int_equal(lxfw_outlook_next(outlook, &time, &decision), 1);
	for (size_t i = 0; i < decision.count; i++)
		count += decision.actions[i].type == LXFW_ACTION_RESERVE;
	lxfw_outlook_end(outlook);
	return count;
}

static void test_limit(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=lxfw,lxfw_reservations=3");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 10, 0, 1000);
	decide(&scene, 0);
	for (uint64_t id = 2; id < 8; id++)
		submit(&scene, id, 10, 0, 100 * (int64_t)id);
	assert_int_equal(count_reserved(&scene, LXFW_RESERVATIONS_ALL), 3);
	assert_int_equal(count_reserved(&scene, 2), 2);
	/* The scheduler that was copied is as before. */
	assert_int_equal(count_reserved(&scene, 5), 3);
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_host),
		cmocka_unit_test(test_several_hosts),
		cmocka_unit_test(test_late_and_never),
		cmocka_unit_test(test_boot),
		cmocka_unit_test(test_quanta),
		cmocka_unit_test(test_limit),
	};

	seed = unit_seed("test_outlook");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
