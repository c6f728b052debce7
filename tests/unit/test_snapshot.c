/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scheduler that is restored from a snapshot decides the same as the original one. In
 * random worlds a snapshot is taken after a random decision; then both get the same events,
 * and every action and wake is compared.
 */
#include "tests/unit/random_machine.h"

#include <unistd.h>

#include "sim-frontend/predict/snapshot_file.h"
#include "sim-frontend/predict/whatif.h"

#define JOBS 150

static uint64_t seed;
static bool with_pools;	/* many jobs of the worlds need amounts of a pool */
static char path[] = "/tmp/lxfw-snapshot-XXXXXX";

struct world {
	struct machine machine;
	int64_t ends[JOBS + 1];		/* by id; 0: the job does not run */
	int64_t runs[JOBS + 1];
	bool groups;
	uint64_t submitted;
	uint64_t alias[JOBS + 1];	/* ids in the restored scheduler */
};

static void submit_random(struct world *world)
{
	uint64_t id = ++world->submitted;
	struct lxfw_request job = random_job(&world->machine, id);

	if (draw(&world->machine, 0, 9) == 0)
		job.min_estimate = job.estimate / 2;
	if (with_pools && draw(&world->machine, 0, 2) > 0) {
		job.no_quantum = true;
		job.pool_count = 1;
		job.pools[0].pool = world->machine.hosts;
		job.pools[0].amount = (int32_t)draw(&world->machine, 1, 3);
	}
	/* Some jobs exceed their estimates. */
	world->runs[id] = draw(&world->machine, 1, job.estimate + 100);
	submit_request(&world->machine.scene, &job);
	set_random_priority(&world->machine, id);
}

/* Two jobs that start together, on different hosts. */
static void submit_group(struct world *world)
{
	uint64_t group = world->submitted + 1;

	for (int i = 0; i < 2; i++) {
		uint64_t id = ++world->submitted;
		struct lxfw_request job =
			request(id, world->machine.scene.now, (int32_t)draw(&world->machine, 1, 8),
				draw(&world->machine, 0, 3000), draw(&world->machine, 1, 40) * 60);

		job.group = group;
		job.group_count = 2;
		job.no_quantum = true;
		world->runs[id] = draw(&world->machine, 1, job.estimate);
		submit_request(&world->machine.scene, &job);
	}
}

static void note_starts(struct world *world)
{
	const struct lxfw_decision *decision = &world->machine.scene.decision;

	for (size_t i = 0; i < decision->count; i++) {
		uint64_t id = decision->actions[i].job;

		if (decision->actions[i].type == LXFW_ACTION_START)
			world->ends[id] = world->machine.scene.now + world->runs[id];
	}
}

/* A start that was just decided is refused. */
static void refuse_some(struct world *world)
{
	for (uint64_t id = 1; id <= world->submitted; id++) {
		struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };

		if (world->ends[id] != world->machine.scene.now + world->runs[id] ||
		    draw(&world->machine, 0, 9) > 0)
			continue;
		event.refused.id = id;
		event.refused.until = world->machine.scene.now + draw(&world->machine, 1, 300);
		apply(&world->machine.scene, &event);
		world->ends[id] = 0;
	}
}

static bool ends_at(const struct world *world, uint64_t id)
{
	return world->ends[id] && world->ends[id] <= world->machine.scene.now;
}

static int64_t next_time(const struct world *world)
{
	int64_t next = world->machine.scene.decision.wake;

	for (uint64_t id = 1; id <= JOBS; id++) {
		if (world->ends[id] && world->ends[id] < next)
			next = world->ends[id];
	}
	return next <= world->machine.scene.now ? world->machine.scene.now + 1 : next;
}

/* Advance by at most MOST seconds. OTHER gets the same ends if it is not NULL. */
static void advance(struct world *world, int64_t most, struct scene *other)
{
	int64_t next = next_time(world);

	if (next > world->machine.scene.now + most)
		next = world->machine.scene.now + most;
	world->machine.scene.now = next;
	if (other)
		other->now = next;
	for (uint64_t id = 1; id <= JOBS; id++) {
		if (!ends_at(world, id))
			continue;
		end(&world->machine.scene, id);
		if (other)
			end(other, world->alias[id]);
		world->ends[id] = 0;
	}
}

static void begin_world(struct world *world, const char *params, int hosts, bool groups,
			uint64_t number)
{
	int decisions;

	*world = (struct world){ .machine.random = number, .machine.hosts = hosts, .groups = groups };
	for (uint64_t id = 1; id <= JOBS; id++)
		world->alias[id] = id;
	begin(&world->machine.scene, params);
	world->machine.scene.now = 1000;
	for (int32_t i = 0; i < hosts; i++)
		host_with(&world->machine.scene, i, i < hosts / 2 ? 8 : 16, 8000);
	set_host_sets(&world->machine);
	if (with_pools) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST };

		event.host.index = hosts;
		event.host.up = true;
		event.host.total.extras[0] = 3;
		apply(&world->machine.scene, &event);
	}
	block(&world->machine, 100, 1500, 4000);
	block(&world->machine, 101, 9000, 20000);
	decisions = (int)draw(&world->machine, 5, 60);
	for (int i = 0; i < decisions; i++) {
		int jobs = i == 0 ? 40 : (int)draw(&world->machine, 0, 2);

		for (; jobs > 0 && world->submitted + 2 <= JOBS; jobs--) {
			if (groups && draw(&world->machine, 0, 5) == 0)
				submit_group(world);
			else
				submit_random(world);
		}
		decide(&world->machine.scene, world->machine.scene.now);
		note_starts(world);
		if (i + 1 < decisions) {
			refuse_some(world);
			advance(world, 600, NULL);
		}
	}
}

static bool same_amount(const struct lxfw_resources *a, const struct lxfw_resources *b)
{
	return a->procs == b->procs && a->memory_mb == b->memory_mb;
}

static bool same_action(const struct world *world, const struct lxfw_action *a,
			const struct lxfw_action *b)
{
	bool same = a->type == b->type && a->job == world->alias[b->job] && a->start == b->start &&
		    a->until == b->until && a->limit == b->limit && a->count == b->count;

	for (int32_t i = 0; same && i < a->count; i++)
		same = a->shares[i].host == b->shares[i].host &&
		       same_amount(&a->shares[i].amount, &b->shares[i].amount);
	return same;
}

/* The first action from AT on, or the first start; a null one at the end. */
static const struct lxfw_action *next(const struct lxfw_decision *decision, size_t *at,
				      bool only_starts)
{
	static const struct lxfw_action none = { 0 };

	while (only_starts && *at < decision->count &&
	       decision->actions[*at].type != LXFW_ACTION_START)
		++*at;
	return *at < decision->count ? &decision->actions[(*at)++] : &none;
}

static void compare(const struct world *world, const struct lxfw_decision *ours,
		    const char *what)
{
	const struct lxfw_decision *decision = &world->machine.scene.decision;
	const struct lxfw_action *want, *has;
	int64_t now = world->machine.scene.now;
	/* This policy makes all reservations again in each pass. They are not carried, and told
	   once more. */
	bool only_starts = strstr(what, "lxfw_policy=slurm") != NULL;
	size_t i = 0, j = 0;

	do {
		want = next(decision, &i, only_starts);
		has = next(ours, &j, only_starts);
		if (want->job == 0 && has->job == 0)
			break;
		if (want->job == 0 || has->job == 0 || !same_action(world, has, want))
			fail_msg("%s: at %lld an action differs, expected job %llu type %d "
				 "start %lld, has job %llu type %d start %lld", what,
				 (long long)now, (unsigned long long)want->job,
				 (int)want->type, (long long)want->start,
				 (unsigned long long)has->job, (int)has->type,
				 (long long)has->start);
	} while (true);
	if (ours->wake != decision->wake)
		fail_msg("%s: at %lld the next decision is at %lld, expected %lld", what,
			 (long long)now, (long long)ours->wake, (long long)decision->wake);
}

/* Both continue to the end. Returns the number of starts. */
static int continue_both(struct world *world, struct scene *other, const char *what)
{
	int starts = 0;

	for (int step = 0; step < 5000; step++) {
		if (next_time(world) == LXFW_NEVER)
			return starts;
		advance(world, LXFW_TIME_MAX, other);
		decide(&world->machine.scene, world->machine.scene.now);
		decide(other, world->machine.scene.now);
		compare(world, &other->decision, what);
		note_starts(world);
		for (size_t i = 0; i < world->machine.scene.decision.count; i++)
			starts += world->machine.scene.decision.actions[i].type ==
				  LXFW_ACTION_START;
	}
	return starts;
}

/* The state of SCHED, written to a file and read again. */
static void by_file(struct lxfw_snapshot_file *to, const struct lxfw_sched *sched,
		    bool anonymous)
{
	struct lxfw_snapshot_file from = { 0 };
	struct lxfw_error error;

	*to = (struct lxfw_snapshot_file) { 0 };
	assert_int_equal(lxfw_snapshot_take(&from.state, sched), 0);
	if (anonymous)
		assert_int_equal(lxfw_snapshot_anonymize(&from), 0);
	if (lxfw_snapshot_write(&from, path, &error) ||
	    lxfw_snapshot_read(to, path, &error))
		fail_msg("%s", error.text);
	lxfw_snapshot_file_clear(&from);
}

/* The number of each job in an anonymous snapshot: its rank. */
static void find_aliases(struct world *world)
{
	struct lxfw_snapshot state = { 0 };

	assert_int_equal(lxfw_snapshot_take(&state, world->machine.scene.sched), 0);
	for (size_t i = 0; i < state.job_count; i++)
		world->alias[state.jobs[i].request.id] = i + 1;
	lxfw_snapshot_clear(&state);
}

static bool names(const struct lxfw_snapshot *state, const char *what)
{
	const char *lost;

	for (int i = 0; (lost = lxfw_snapshot_lost(state, i)); i++) {
		if (strstr(lost, what))
			return true;
	}
	return false;
}

/* Returns the number of starts after the snapshot. With GROUPS, those that have
   reservations are named as lost. */
static int check_world(const char *params, int hosts, bool groups, bool anonymous,
		       uint64_t number)
{
	struct lxfw_snapshot_file file;
	struct lxfw_error error;
	struct scene other;
	struct world world;
	char what[200];
	int starts = 0;

	snprintf(what, sizeof(what), "%s, %d hosts, world %llu", params, hosts,
		 (unsigned long long)number);
	begin_world(&world, params, hosts, groups, number);
	by_file(&file, world.machine.scene.sched, anonymous);
	if (anonymous)
		find_aliases(&world);
	other = world.machine.scene;
	other.sched = lxfw_snapshot_restore(&file.state, NULL, &error);
	if (!other.sched)
		fail_msg("%s: %s", what, error.text);
	if (file.state.disturbed && !strstr(params, "lxfw_policy=slurm")) {
		assert_true(groups);
		assert_true(names(&file.state, "heterogeneous"));
		starts = -1;
	} else {
		starts = continue_both(&world, &other, what);
	}
	lxfw_snapshot_file_clear(&file);
	finish(&other);
	finish(&world.machine.scene);
	return starts;
}

static void test_continues(void **state)
{
	static const char *const params[] = {
		"lxfw_policy=fcfs",
		"lxfw_policy=easy",
		"lxfw_policy=easy,lxfw_reservations=3",
		"lxfw_policy=conservative",
		"lxfw_policy=lxfw",
		"lxfw_policy=lxfw,lxfw_wsite=1",
		"lxfw_policy=lxfw,lxfw_wbypass=0.5,lxfw_reservations=4",
		"lxfw_policy=site",
		"lxfw_policy=sjf",
		"lxfw_policy=priority",
		"lxfw_policy=list",
		"lxfw_policy=smart_ffia",
		"lxfw_policy=smart_nfiw",
		"lxfw_policy=psrs",
		"lxfw_policy=slurm,lxfw_reservations=1000",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
		int starts = 0;

		for (uint64_t number = 0; number < 60; number++)
			starts += check_world(params[i], number % 3 ? HOSTS_MAX : 1, false,
					      number % 2, seed + number);
		printf("# %s: %d starts\n", params[i], starts);
		assert_true(starts > 500);
	}
}

static void test_pools(void **state)
{
	static const char *const params[] = {
		"lxfw_policy=easy",
		"lxfw_policy=easy,lxfw_reservation_mode=compress",
		"lxfw_policy=lxfw",
		"lxfw_policy=site,lxfw_reservations=3",
		"lxfw_policy=sjf",
	};

	(void)state;
	with_pools = true;
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
		int starts = 0;

		for (uint64_t number = 0; number < 60; number++)
			starts += check_world(params[i], number % 3 ? HOSTS_MAX : 1, false,
					      number % 2, seed + number);
		printf("# pools, %s: %d starts\n", params[i], starts);
		assert_true(starts > 500);
	}
	with_pools = false;
}

static int64_t known_run(const void *context, uint64_t id)
{
	return ((const struct world *)context)->runs[id];
}

/* Jobs that wait in a snapshot start in a simulation when they start in the world, which
   decides when the scheduler wanted to, and not at the moment of the snapshot. */
static int check_starts(const char *params, uint64_t number)
{
	struct lxfw_whatif whatif = {
		.run_times = LXFW_RUN_TIMES_KNOWN, .ran = known_run, .futures = 1,
		.threads = 1, .horizon = 100 * 86400,
	};
	struct lxfw_whatif_result result;
	struct lxfw_snapshot_file file;
	struct lxfw_error error;
	struct world world;
	int differ = 0;

	begin_world(&world, params, HOSTS_MAX, false, number);
	by_file(&file, world.machine.scene.sched, false);
	/* by_file() knows no wake. */
	file.state.wake = world.machine.scene.decision.wake;
	whatif.file = &file;
	whatif.context = &world;
	if (lxfw_whatif_run(&whatif, &result, &error))
		fail_msg("%s", error.text);
	for (int step = 0; step < 5000 && next_time(&world) != LXFW_NEVER; step++) {
		advance(&world, LXFW_TIME_MAX, NULL);
		decide(&world.machine.scene, world.machine.scene.now);
		note_starts(&world);
		for (size_t i = 0; i < result.count; i++) {
			uint64_t id = file.state.jobs[result.jobs[i].index].request.id;

			differ += starts(&world.machine.scene, id) &&
				  result.jobs[i].now[0] != world.machine.scene.now;
		}
	}
	if (differ > 0)
		fail_msg("%s, world %llu: %d starts differ", params,
			 (unsigned long long)number, differ);
	differ = (int)result.count;
	lxfw_whatif_clear(&result);
	lxfw_snapshot_file_clear(&file);
	finish(&world.machine.scene);
	return differ;
}

static void test_starts(void **state)
{
	int jobs = 0;

	(void)state;
	for (uint64_t number = 0; number < 300; number++)
		jobs += check_starts(number % 3 == 0 ? "lxfw_policy=lxfw" :
				     "lxfw_policy=conservative", seed + number);
	printf("# %d starts\n", jobs);
	assert_true(jobs > 1000);
}

/* Groups are carried; their reservations are not. */
static void test_groups(void **state)
{
	int starts = 0, lost = 0;

	(void)state;
	for (uint64_t number = 0; number < 200; number++) {
		int one = check_world(number % 2 ? "lxfw_policy=fcfs" : "lxfw_policy=lxfw",
				      HOSTS_MAX, true, false, seed + number);

		starts += one > 0 ? one : 0;
		lost += one < 0;
	}
	printf("# groups: %d starts, reservations lost in %d worlds\n", starts, lost);
	assert_true(starts > 100);
	assert_true(lost > 0);
}

/* Under other parameters the jobs, the machine and the blocks are the same, and the first
   decision makes all reservations. */
static void test_other_params(void **state)
{
	struct lxfw_snapshot_file file;
	struct lxfw_sched_state before, after;
	struct lxfw_decision decision;
	struct lxfw_params params;
	struct lxfw_sched *sched;
	struct world world;
	int reserved = 0;

	(void)state;
	begin_world(&world, "lxfw_policy=lxfw", HOSTS_MAX, false, seed);
	by_file(&file, world.machine.scene.sched, false);
	lxfw_params_preset(&params, LXFW_POLICY_CONSERVATIVE);
	sched = lxfw_snapshot_restore(&file.state, &params, NULL);
	assert_non_null(sched);
	lxfw_sched_state(world.machine.scene.sched, &before);
	lxfw_sched_state(sched, &after);
	assert_int_equal(before.waiting, after.waiting);
	assert_int_equal(before.running, after.running);
	assert_int_equal(before.procs, after.procs);
	assert_int_equal(before.waiting_work, after.waiting_work);
	assert_int_equal(lxfw_sched_decide(sched, world.machine.scene.now, &decision), 0);
	for (size_t i = 0; i < decision.count; i++)
		reserved += decision.actions[i].type == LXFW_ACTION_RESERVE;
	lxfw_sched_state(sched, &after);
	assert_true(reserved > 0 || after.waiting == 0);
	lxfw_sched_destroy(sched);
	lxfw_snapshot_file_clear(&file);
	finish(&world.machine.scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_continues),
		cmocka_unit_test(test_pools),
		cmocka_unit_test(test_starts),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_other_params),
	};

	int result, file = mkstemp(path);

	if (file < 0) {
		perror(path);
		return 99;
	}
	close(file);
	seed = unit_seed("snapshots");
	result = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return result;
}
