/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pieces anywhere with amounts per host and limits of the number of hosts, compared
 * with a search through all ways to distribute the pieces. LXFW_CASES sets the number
 * of cases.
 */
#include "tests/unit/scene.h"

#define HOSTS_MOST 4
#define RUNNING_MOST 3

struct world {
	struct lxfw_resources total[HOSTS_MOST];
	int32_t host_count;
	struct lxfw_share running[RUNNING_MOST];	/* one share per job */
	int64_t end[RUNNING_MOST];
	int32_t running_count;
	struct lxfw_request request;
};

static void any_amount(uint64_t *random, struct lxfw_resources *amount,
		       int32_t procs, int32_t memory_mb, int32_t extras)
{
	*amount = (struct lxfw_resources){
		.procs = (int32_t)unit_between(random, 0, procs),
		.memory_mb = unit_between(random, 0, memory_mb),
	};
	amount->extras[1] = (int32_t)unit_between(random, 0, extras);
}

static void any_world(uint64_t *random, struct world *world)
{
	struct lxfw_request *request = &world->request;

	memset(world, 0, sizeof(*world));
	world->host_count = (int32_t)unit_between(random, 1, HOSTS_MOST);
	for (int32_t i = 0; i < world->host_count; i++)
		any_amount(random, &world->total[i], 8, 12, 3);
	world->running_count = (int32_t)unit_between(random, 0, RUNNING_MOST);
	for (int32_t i = 0; i < world->running_count; i++) {
		world->running[i].host = (int32_t)unit_between(
			random, 0, world->host_count - 1);
		any_amount(random, &world->running[i].amount, 2, 3, 1);
		world->running[i].amount.procs |= 1;
		world->end[i] = unit_between(random, 1, 50);
	}
	*request = (struct lxfw_request){
		.id = 1000,
		.estimate = 100,
		.shape = LXFW_SHAPE_ANYWHERE,
		.count = (int32_t)unit_between(random, 1, 10),
		.unit = { .procs = (int32_t)unit_between(random, 1, 3),
			  .memory_mb = unit_between(random, 0, 2) },
		.exclusive = unit_between(random, 0, 4) == 0,
	};
	request->unit.extras[1] = unit_between(random, 0, 3) == 0;
	request->min_hosts = (int32_t)unit_between(
		random, 0, request->count < 4 ? request->count : 4);
	if (unit_between(random, 0, 1))
		request->max_hosts = (int32_t)unit_between(
			random, request->min_hosts ? request->min_hosts : 1, 4);
	request->per_host.memory_mb = unit_between(random, 0, 3);
	request->per_host.extras[1] = unit_between(random, 0, 3) == 0;
}

/* True if PIECES fit on HOST at TIME, by amounts alone. */
static bool fits(const struct world *world, int32_t host, int32_t pieces,
		 int64_t time)
{
	const struct lxfw_request *request = &world->request;
	struct lxfw_resources free = world->total[host];

	for (int32_t i = 0; i < world->running_count; i++) {
		if (world->running[i].host != host || world->end[i] <= time)
			continue;
		if (request->exclusive)
			return false;
		lxfw_resources_subtract(&free, &world->running[i].amount);
	}
	return request->unit.procs * pieces <= free.procs &&
	       request->unit.memory_mb * pieces + request->per_host.memory_mb <=
		       free.memory_mb &&
	       request->unit.extras[1] * pieces + request->per_host.extras[1] <=
		       free.extras[1];
}

static bool divide(const struct world *world, int32_t host, int32_t rest,
		   int32_t used, int64_t time)
{
	const struct lxfw_request *request = &world->request;

	if (host == world->host_count)
		return rest == 0 && used >= request->min_hosts &&
		       (!request->max_hosts || used <= request->max_hosts);
	for (int32_t pieces = 0; pieces <= rest; pieces++) {
		if ((pieces == 0 || fits(world, host, pieces, time)) &&
		    divide(world, host + 1, rest - pieces, used + (pieces > 0),
			   time))
			return true;
	}
	return false;
}

/* Return the first time at which the job fits, or LXFW_NEVER. */
static int64_t first_time(const struct world *world)
{
	int64_t first = LXFW_NEVER;

	if (divide(world, 0, world->request.count, 0, 0))
		return 0;
	for (int32_t i = 0; i < world->running_count; i++) {
		if (world->end[i] < first &&
		    divide(world, 0, world->request.count, 0, world->end[i]))
			first = world->end[i];
	}
	return first;
}

static void check_shares(const struct world *world,
			 const struct lxfw_action *action, int64_t time)
{
	const struct lxfw_request *request = &world->request;
	int32_t pieces = 0;

	assert_true(action->count >= request->min_hosts);
	assert_true(!request->max_hosts || action->count <= request->max_hosts);
	for (int32_t i = 0; i < action->count; i++) {
		const struct lxfw_share *share = &action->shares[i];
		int32_t here = 0;

		for (int32_t n = 1; n <= request->count; n++) {
			struct lxfw_resources amount =
				lxfw_request_share(request, n);

			if (amount.memory_mb == share->amount.memory_mb &&
			    amount.extras[1] == share->amount.extras[1] &&
			    (request->exclusive ||
			     amount.procs == share->amount.procs))
				here = n;
		}
		assert_true(here > 0);
		assert_true(fits(world, share->host, request->exclusive ? 1 : here,
				 time));
		if (request->exclusive)
			assert_int_equal(share->amount.procs,
					 world->total[share->host].procs);
		pieces += here;
	}
	if (!request->exclusive)
		assert_int_equal(pieces, request->count);
}

static void tell_world(struct scene *scene, const struct world *world)
{
	for (int32_t i = 0; i < world->host_count; i++) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST };

		event.host.index = i;
		event.host.up = true;
		event.host.total = world->total[i];
		apply(scene, &event);
	}
	for (int32_t i = 0; i < world->running_count; i++) {
		struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };

		event.run.id = (uint64_t)i + 1;
		event.run.expected_end = world->end[i];
		event.run.count = 1;
		event.run.shares = &world->running[i];
		apply(scene, &event);
	}
	submit_request(scene, &world->request);
}

static void print_world(const struct world *world, int64_t first,
			const struct lxfw_action *reserved)
{
	const struct lxfw_request *request = &world->request;

	for (int32_t i = 0; i < world->host_count; i++)
		printf("# host %d: %d processors, %d MB, %d\n", (int)i,
		       (int)world->total[i].procs,
		       (int)world->total[i].memory_mb,
		       (int)world->total[i].extras[1]);
	for (int32_t i = 0; i < world->running_count; i++)
		printf("# on host %d until %d: %d processors, %d MB, %d\n",
		       (int)world->running[i].host, (int)world->end[i],
		       (int)world->running[i].amount.procs,
		       (int)world->running[i].amount.memory_mb,
		       (int)world->running[i].amount.extras[1]);
	printf("# %d pieces of %d processors, %d MB, %d; per host %d MB, %d; %d to %d hosts%s\n",
	       (int)request->count, (int)request->unit.procs,
	       (int)request->unit.memory_mb, (int)request->unit.extras[1],
	       (int)request->per_host.memory_mb,
	       (int)request->per_host.extras[1], (int)request->min_hosts,
	       (int)request->max_hosts,
	       request->exclusive ? ", exclusive" : "");
	printf("# fits at %lld, reserved %lld\n", (long long)first,
	       (long long)(reserved ? reserved->start : -1));
}

static void try_world(const struct world *world)
{
	const struct lxfw_action *start, *reserved;
	int64_t first = first_time(world);
	struct scene scene;

	begin(&scene, "lxfw_policy=easy");
	tell_world(&scene, world);
	decide(&scene, 0);
	start = action_of(&scene, LXFW_ACTION_START, 1000);
	reserved = action_of(&scene, LXFW_ACTION_RESERVE, 1000);
	if ((start != NULL) != (first == 0) ||
	    (reserved && reserved->start != first))
		print_world(world, first, reserved);
	assert_int_equal(start != NULL, first == 0);
	assert_int_equal(reserved != NULL, first > 0 && first != LXFW_NEVER);
	assert_int_equal(lxfw_sched_can_start(scene.sched, 1000),
			 first != LXFW_NEVER);
	if (start)
		check_shares(world, start, 0);
	if (reserved) {
		assert_true(reserved->start == first);
		check_shares(world, reserved, first);
	}
	finish(&scene);
}

static void test_against_all_divisions(void **state)
{
	const char *given = getenv("LXFW_CASES");
	long cases = given ? strtol(given, NULL, 10) : 20000;
	uint64_t random = unit_seed("requests");
	struct world world;

	(void)state;
	for (long i = 0; i < cases; i++) {
		any_world(&random, &world);
		if (lxfw_request_is_valid(&world.request))
			try_world(&world);
	}
}

/* -n72 --mem=1000 on one node of 32 processors and five of 16. */
static void test_uneven_hosts(void **state)
{
	struct lxfw_request job = request(1, 0, 1, 0, 100);
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	for (int32_t i = 0; i < 6; i++)
		host_with(&scene, i, i == 2 ? 32 : 16, 64000);
	job.shape = LXFW_SHAPE_ANYWHERE;
	job.count = 72;
	job.per_host.memory_mb = 1000;
	submit_request(&scene, &job);
	decide(&scene, 0);
	action = action_of(&scene, LXFW_ACTION_START, 1);
	assert_non_null(action);
	for (int32_t i = 0; i < action->count; i++)
		assert_true(action->shares[i].amount.memory_mb == 1000);
	finish(&scene);
}

static void test_even_on_fewest_hosts(void **state)
{
	struct lxfw_request job = request(1, 0, 1, 0, 100);
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	for (int32_t i = 0; i < 3; i++)
		host_with(&scene, i, 16, 64000);
	job.shape = LXFW_SHAPE_ANYWHERE;
	job.count = 21;
	job.min_hosts = 2;
	job.max_hosts = 2;
	submit_request(&scene, &job);
	decide(&scene, 0);
	action = action_of(&scene, LXFW_ACTION_START, 1);
	assert_non_null(action);
	assert_int_equal(action->count, 2);
	assert_int_equal(action->shares[0].amount.procs, 11);
	assert_int_equal(action->shares[1].amount.procs, 10);
	finish(&scene);
}

static void expect_invalid(const struct lxfw_request *request)
{
	assert_false(lxfw_request_is_valid(request));
}

static void test_sums_do_not_overflow(void **state)
{
	struct lxfw_request good = request(1, 0, 1, 1, 1), bad;

	(void)state;
	good.shape = LXFW_SHAPE_ANYWHERE;
	good.count = INT32_MAX;
	assert_true(lxfw_request_is_valid(&good));
	bad = good;
	bad.unit.procs = 2;
	expect_invalid(&bad);
	bad = good;
	bad.unit.memory_mb = LXFW_MEMORY_UNLIMITED - 1;
	bad.count = 1 << 12;
	expect_invalid(&bad);
	bad.count = 1 << 10;
	assert_true(lxfw_request_is_valid(&bad));
	bad.per_host.memory_mb = LXFW_MEMORY_UNLIMITED - 1;
	bad.count = 1 << 11;
	expect_invalid(&bad);
	bad = good;
	bad.per_host.extras[0] = 1;
	assert_true(lxfw_request_is_valid(&bad));
	bad.unit.extras[0] = 1;
	expect_invalid(&bad);
	bad = good;
	bad.unit.memory_mb = LXFW_MEMORY_UNLIMITED;
	bad.count = 1;
	expect_invalid(&bad);
	bad = good;
	bad.per_host.procs = 1;
	expect_invalid(&bad);
	bad = good;
	bad.count = 3;
	bad.min_hosts = 3;
	assert_true(lxfw_request_is_valid(&bad));
	bad.max_hosts = 2;
	expect_invalid(&bad);
	bad.max_hosts = 0;
	bad.min_hosts = 4;
	expect_invalid(&bad);
	bad = good;
	bad.shape = LXFW_SHAPE_HOSTS;
	assert_true(lxfw_request_is_valid(&bad));
	bad.min_hosts = 1;
	expect_invalid(&bad);
	bad.min_hosts = 0;
	bad.per_host.memory_mb = 1;
	expect_invalid(&bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uneven_hosts),
		cmocka_unit_test(test_even_on_fewest_hosts),
		cmocka_unit_test(test_sums_do_not_overflow),
		cmocka_unit_test(test_against_all_divisions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
