/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Properties of every schedule, on thousands of random clusters and workloads. The seed
 * is printed; LXFW_SEED repeats a run, LXFW_CASES sets the number of cases.
 */
#include "common/params/policy.h"
#include "tests/unit/world.h"

static const enum lxfw_policy policies[] = {
	LXFW_POLICY_FCFS,     LXFW_POLICY_EASY, LXFW_POLICY_CONSERVATIVE,
	LXFW_POLICY_PRIORITY, LXFW_POLICY_LXFW, LXFW_POLICY_SJF,
	/* smart_ffia, smart_nfiw and psrs, each with its _strict */
	11, 12, 13, 14, 15, 16,
};

#define POLICY_COUNT (sizeof(policies) / sizeof(policies[0]))

static uint64_t cases(void)
{
	const char *given = getenv("LXFW_CASES");

	return given ? strtoull(given, NULL, 10) : 3000;
}

static int32_t reservations(const struct world *world)
{
	if (lxfw_policy_has(world->params.policy, LXFW_TRAIT_IN_ORDER))
		return 1;
	return world->params.reservations;
}

/* With one reservation, it is at the earliest start that the running jobs permit, and
   started jobs do not delay it. Jobs that wait for pools have reservations besides, and may
   delay it. */
static void check_reserved(struct world *world)
{
	for (int32_t i = 0; i < world->job_count; i++) {
		const struct world_job *job = &world->jobs[i];
		int64_t earliest;

		if (reservations(world) != 1 || job->state != WORLD_WAITING ||
		    (world->pool_count == 0 ? i != world->reserved : !job->announced))
			continue;
		earliest = world_earliest(world, job, true);
		assert_true(earliest > world->now || world->pool_count > 0);
		/* A reservation for now may be late. */
		if (job->reserved > world->now)
			assert_true(earliest <= job->reserved);
	}
}

/* No job waits that could run without delaying another one. */
static void check_idle(struct world *world)
{
	if (reservations(world) == 1 &&
	    !lxfw_policy_has(world->params.policy, LXFW_TRAIT_IN_ORDER))
		assert_null(world_idler(world));
}

/* Whether a job has a reservation besides job ID, or had one before the decision. */
static bool others_announced(const struct world *world, uint64_t id)
{
	for (int32_t i = 0; i < world->job_count; i++) {
		const struct world_job *job = &world->jobs[i];

		if (job->request.id != id && (job->announced_before ||
				(job->announced && job->state == WORLD_WAITING)))
			return true;
	}
	return false;
}

static void check_new_reservation(const struct world *world)
{
	for (size_t i = 0; i < world->decision.count; i++) {
		const struct lxfw_action *action = &world->decision.actions[i];

		if (action->type != LXFW_ACTION_RESERVE ||
		    reservations(world) != 1 || i > 0 ||
		    (world->pool_count > 0 && others_announced(world, action->job)))
			continue;
		/* No job starts before it was submitted. */
		assert_int_equal(
			action->start,
			world_earliest(world, &world->jobs[action->job - 1],
				       false));
	}
}

static void check_promise(const struct world *world)
{
	for (size_t i = 0; i < world->decision.count; i++) {
		const struct lxfw_action *action = &world->decision.actions[i];

		if (action->type == LXFW_ACTION_START && world_keeps_promises(world))
			assert_true(action->start <=
				    world->jobs[action->job - 1].promised);
	}
}

static void run(struct world *world, bool upper_bounds)
{
	while (world_step(world)) {
		world_decide(world);
		check_reserved(world);
		check_idle(world);
		if (!upper_bounds)
			continue;
		check_new_reservation(world);
		check_promise(world);
	}
	for (int32_t i = 0; i < world->job_count; i++)
		assert_int_equal(world->jobs[i].state, WORLD_ENDED);
}

/* Jobs of a higher tier or with the same submit time may be scheduled before a reserved
   job, so announced starts are only checked with one tier and distinct times. */
static void one_tier(struct world *world)
{
	for (int32_t i = 0; i < world->job_count; i++)
		world->jobs[i].request.tier = 0;
}

static void test_upper_bounds(void **state)
{
	uint64_t seed = unit_seed("estimates are upper bounds");
	struct world_options options = { 0 };
	int64_t actions = 0;

	(void)state;
	for (uint64_t i = 0; i < cases(); i++) {
		struct world world;

		options.compress = i / POLICY_COUNT % 2;
		world_make(&world, seed + i, policies[i % POLICY_COUNT], &options);
		one_tier(&world);
		run(&world, true);
		actions += world.actions;
		world_free(&world);
	}
	printf("# %lld actions\n", (long long)actions);
}

/* As with estimates that are upper bounds: a reservation waits for hosts and pools, and
   jobs neither exceed a pool nor wait while it has what they need. */
static void test_pools(void **state)
{
	uint64_t seed = unit_seed("jobs need amounts of pools");
	struct world_options options = { .pools = true };

	(void)state;
	for (uint64_t i = 0; i < cases(); i++) {
		struct world world;

		options.compress = i / POLICY_COUNT % 2;
		world_make(&world, seed + i, policies[i % POLICY_COUNT], &options);
		one_tier(&world);
		run(&world, true);
		world_free(&world);
	}
}

static void test_overruns(void **state)
{
	uint64_t seed = unit_seed("jobs overrun");
	struct world_options options = { .overruns = true };

	(void)state;
	for (uint64_t i = 0; i < cases(); i++) {
		struct world world;

		world_make(&world, seed + i, policies[i % POLICY_COUNT], &options);
		run(&world, false);
		world_free(&world);
	}
}

/* With any errors, no host is overcommitted, no job runs into a block, and every job
   ends when all hosts are up again. */
static void test_trouble(void **state)
{
	uint64_t seed = unit_seed("trouble");
	struct world_options options = { .overruns = true };
	int64_t actions = 0;

	(void)state;
	for (uint64_t i = 0; i < cases(); i++) {
		struct world world;

		world_make(&world, seed + i, policies[i % POLICY_COUNT], &options);
		while (world_step(&world)) {
			world_decide(&world);
			world_trouble(&world);
			world_decide(&world);
		}
		world_repair(&world);
		world_decide(&world);
		run(&world, false);
		actions += world.actions;
		world_free(&world);
	}
	printf("# %lld actions\n", (long long)actions);
}

static void test_same_events_same_actions(void **state)
{
	uint64_t seed = unit_seed("same events, same actions");
	struct world_options options = { .overruns = true };

	(void)state;
	for (uint64_t i = 0; i < cases() / 4; i++) {
		struct world first, second;

		world_make(&first, seed + i, policies[i % POLICY_COUNT], &options);
		run(&first, false);
		world_make(&second, seed + i, policies[i % POLICY_COUNT],
			   &options);
		run(&second, false);
		assert_int_equal(first.digest, second.digest);
		assert_int_equal(first.actions, second.actions);
		world_free(&first);
		world_free(&second);
	}
}

/* FCFS starts jobs in the order of their submission. Other policies do not always. */
static void test_fcfs_order(void **state)
{
	uint64_t seed = unit_seed("FCFS order");
	struct world_options options = { 0 };
	int64_t overtakes = 0;

	(void)state;
	for (uint64_t i = 0; i < cases() / 4; i++) {
		enum lxfw_policy policy = i % 2 ? LXFW_POLICY_FCFS :
						  LXFW_POLICY_EASY;
		struct world world;

		world_make(&world, seed + i, policy, &options);
		one_tier(&world);
		run(&world, true);
		for (int32_t j = 1; j < world.job_count; j++) {
			if (world.jobs[j].start >= world.jobs[j - 1].start)
				continue;
			assert_int_equal(policy, LXFW_POLICY_EASY);
			overtakes++;
		}
		world_free(&world);
	}
	assert_true(overtakes > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_upper_bounds),
		cmocka_unit_test(test_pools),
		cmocka_unit_test(test_overruns),
		cmocka_unit_test(test_trouble),
		cmocka_unit_test(test_same_events_same_actions),
		cmocka_unit_test(test_fcfs_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
