/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The placement rule for GPUs. */
#include <stdlib.h>

#include "common/copy.h"
#include "tests/unit/scene.h"

#define GPUS "lxfw_policy=easy,lxfw_placement=gpus"
#define PAPER "lxfw_policy=easy,lxfw_placement=paper"
#define HOSTS 7
#define WORLDS 600

/* A host with FIRST and SECOND GPUs, which are extras 0 and 1. */
static void gpu_host(struct scene *scene, int32_t index, int32_t procs, int32_t first,
		     int32_t second)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };

	event.host.index = index;
	event.host.up = true;
	event.host.total.procs = procs;
	event.host.total.memory_mb = 1000;
	event.host.total.extras[0] = first;
	event.host.total.extras[1] = second;
	event.host.gpus = 3;
	apply(scene, &event);
}

static void submit_gpus(struct scene *scene, uint64_t id, int32_t procs, int32_t gpus)
{
	struct lxfw_request job = request(id, scene->now, procs, 0, 9000);

	job.unit.extras[0] = gpus;
	submit_request(scene, &job);
}

/* Two jobs of one GPU and one without: the job of eight GPUs starts. */
static void test_spread(void **state)
{
	(void)state;
	for (int gpus = 0; gpus < 2; gpus++) {
		struct scene scene;

		begin(&scene, gpus ? GPUS : PAPER);
		gpu_host(&scene, 0, 96, 8, 0);
		gpu_host(&scene, 1, 96, 8, 0);
		submit_gpus(&scene, 1, 8, 1);
		decide(&scene, 0);
		submit_gpus(&scene, 2, 90, 0);
		decide(&scene, 1);
		submit_gpus(&scene, 3, 4, 1);
		decide(&scene, 2);
		submit_gpus(&scene, 4, 2, 8);
		decide(&scene, 3);
		assert_int_equal(starts(&scene, 4), gpus);
		finish(&scene);
	}
	for (int gpus = 0; gpus < 2; gpus++) {
		struct scene scene;

		begin(&scene, gpus ? GPUS : PAPER);
		gpu_host(&scene, 0, 96, 8, 0);
		gpu_host(&scene, 1, 128, 4, 0);
		submit_gpus(&scene, 1, 8, 1);
		decide(&scene, 0);
		assert_int_equal(host_of(&scene, 1), gpus ? 1 : 0);
		submit_gpus(&scene, 2, 8, 8);
		decide(&scene, 1);
		assert_int_equal(starts(&scene, 2), gpus);
		finish(&scene);
	}
}

/* A job without GPUs: hosts without any, then those with the fewest free. */
static void test_without(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, GPUS);
	gpu_host(&scene, 0, 8, 4, 0);
	gpu_host(&scene, 1, 16, 4, 0);
	gpu_host(&scene, 2, 32, 0, 0);
	submit_gpus(&scene, 1, 1, 4);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 0);
	submit_gpus(&scene, 2, 30, 0);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 2), 2);
	submit_gpus(&scene, 3, 2, 0);
	decide(&scene, 2);
	assert_int_equal(host_of(&scene, 3), 2);
	submit_gpus(&scene, 4, 7, 0);
	decide(&scene, 3);
	assert_int_equal(host_of(&scene, 4), 0);
	submit_gpus(&scene, 5, 7, 0);
	decide(&scene, 4);
	assert_int_equal(host_of(&scene, 5), 1);
	finish(&scene);
}

/* GPUs of a type are counted as GPUs as well: the number of the type decides. */
static void test_types(void **state)
{
	struct lxfw_request job = request(1, 0, 1, 0, 100);
	struct scene scene;

	(void)state;
	begin(&scene, GPUS);
	gpu_host(&scene, 0, 16, 6, 6);
	gpu_host(&scene, 1, 16, 8, 4);
	job.unit.extras[0] = job.unit.extras[1] = 1;
	submit_request(&scene, &job);
	job.id = 2;
	job.unit.extras[1] = 0;
	submit_request(&scene, &job);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 1);
	assert_int_equal(host_of(&scene, 2), 0);
	finish(&scene);
}

/* GPUs or processors that may be on any hosts. */
static void test_anywhere(void **state)
{
	struct lxfw_request job = request(1, 0, 1, 0, 100);
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin(&scene, GPUS);
	gpu_host(&scene, 0, 8, 0, 0);
	gpu_host(&scene, 1, 16, 8, 0);
	gpu_host(&scene, 2, 64, 4, 0);
	gpu_host(&scene, 3, 6, 0, 0);
	job.shape = LXFW_SHAPE_ANYWHERE;
	job.unit.extras[0] = 1;
	job.count = 3;
	submit_request(&scene, &job);
	job.id = 2;
	job.count = 6;
	submit_request(&scene, &job);
	/* seven pieces: hosts without GPUs have 14 processors */
	job.id = 3;
	job.unit.extras[0] = 0;
	job.unit.procs = 2;
	job.count = 7;
	submit_request(&scene, &job);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 2);
	assert_int_equal(host_of(&scene, 2), 1);
	action = action_of(&scene, LXFW_ACTION_START, 3);
	assert_non_null(action);
	assert_int_equal(action->count, 2);
	assert_int_equal(action->shares[0].host, 0);
	assert_int_equal(action->shares[1].host, 3);
	finish(&scene);
}

/* --- random worlds ------------------------------------------------------------------- */

struct place {
	int32_t host, level, procs;
	int64_t memory;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	if (x->procs != y->procs)
		return x->procs < y->procs ? -1 : 1;
	if (x->memory != y->memory)
		return x->memory < y->memory ? -1 : 1;
	return (x->host > y->host) - (x->host < y->host);
}

struct world {
	int32_t count;
	bool apart;		/* jobs end at different times: hosts are of several kinds */
	struct lxfw_resources total[HOSTS], used[HOSTS];
};

static void make_world(struct world *world, uint64_t *random)
{
	memset(world, 0, sizeof(*world));
	world->count = (int32_t)unit_between(random, 2, HOSTS);
	world->apart = unit_between(random, 0, 1);
	for (int32_t i = 0; i < world->count; i++) {
		world->total[i].procs = (int32_t)unit_between(random, 2, 4);
		world->total[i].memory_mb = unit_between(random, 2, 3);
		if (unit_between(random, 0, 2))
			world->total[i].extras[0] = (int32_t)unit_between(random, 1, 4);
		world->used[i].procs = (int32_t)unit_between(random, 0, 1);
		world->used[i].extras[0] =
			(int32_t)unit_between(random, 0, world->total[i].extras[0]);
	}
}

/* Enter the world; its jobs end at 50 or later. */
static void enter(struct scene *scene, const struct world *world, const char *params, bool gpus)
{
	begin(scene, params);
	for (int32_t i = 0; i < world->count; i++) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST };

		event.host.index = i;
		event.host.up = true;
		event.host.total = world->total[i];
		event.host.gpus = gpus;
		apply(scene, &event);
	}
	/* Kinds of hosts are made in this order. */
	for (int32_t i = world->count - 1; i >= 0; i--) {
		struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
		struct lxfw_share share = { .host = i, .amount = world->used[i] };
		struct lxfw_request any = request(1, 0, 1, 0, 1);
		const struct lxfw_share *shares;

		event.run.id = 100 + (uint64_t)i;
		event.run.expected_end = world->apart ? 50 + 7 * i % 5 : 50;
		event.run.count = 1;
		event.run.shares = &share;
		apply(scene, &event);
		assert_true(lxfw_sched_place(scene->sched, &any, &shares) >= 0);
	}
}

/* The hosts that the rule chooses now for pieces on a host each, computed in another way. */
static unsigned expected_hosts(const struct world *world, const struct lxfw_request *job)
{
	struct place places[HOSTS];
	unsigned chosen = 0;
	int32_t count = 0;

	for (int32_t i = 0; i < world->count; i++) {
		struct lxfw_resources free = world->total[i];

		lxfw_resources_subtract(&free, &world->used[i]);
		if (!lxfw_resources_fit(&job->unit, &free))
			continue;
		places[count++] = (struct place){
			.host = i, .procs = free.procs, .memory = free.memory_mb,
			.level = free.extras[0] + (!job->unit.extras[0] &&
						   world->total[i].extras[0]),
		};
	}
	if (count < job->count)
		return 0;
	qsort(places, (size_t)count, sizeof(places[0]), by_place);
	for (int32_t i = 0; i < job->count; i++)
		chosen |= 1u << places[i].host;
	return chosen;
}

static unsigned ask(struct scene *scene, const struct lxfw_request *job, int64_t *start)
{
	const struct lxfw_share *shares;
	unsigned chosen = 0;
	int32_t found = start ? lxfw_sched_forecast(scene->sched, job, start, &shares) :
				lxfw_sched_place(scene->sched, job, &shares);

	assert_true(found >= 0);
	for (int32_t i = 0; i < found; i++)
		chosen |= 1u << shares[i].host;
	return chosen;
}

static void any_job(struct lxfw_request *job, uint64_t *random)
{
	*job = request(1, 0, (int32_t)unit_between(random, 1, 2), 0, 100);
	job->unit.extras[0] = (int32_t)unit_between(random, 0, 2);
	job->unit.memory_mb = unit_between(random, 0, 1);
	job->count = (int32_t)unit_between(random, 1, 3);
}

/* Hosts now, and in the future, when all jobs have ended; and in a copy. */
static void test_hosts(void **state)
{
	uint64_t random = unit_seed("hosts");
	int chosen = 0;

	(void)state;
	for (int i = 0; i < WORLDS; i++) {
		struct world world, later;
		struct lxfw_sched *copy;
		struct lxfw_request job;
		struct scene scene;
		int64_t start;
		unsigned now;

		make_world(&world, &random);
		any_job(&job, &random);
		enter(&scene, &world, GPUS, true);
		now = ask(&scene, &job, NULL);
		assert_int_equal(now, expected_hosts(&world, &job));
		chosen += now != 0;
		if (!now && !world.apart) {
			later = world;
			memset(later.used, 0, sizeof(later.used));
			now = ask(&scene, &job, &start);
			assert_int_equal(now, expected_hosts(&later, &job));
		}
		copy = lxfw_sched_copy(scene.sched);
		assert_non_null(copy);
		finish(&scene);
		scene.sched = copy;
		if (now)
			assert_int_equal(ask(&scene, &job, &start), now);
		finish(&scene);
	}
	assert_true(chosen > WORLDS / 4);
}

/* Without GPUs the rule is the paper's, whatever the shape; with them, pieces anywhere fit
   wherever they do under the paper's rule. */
static void test_as_paper(void **state)
{
	uint64_t random = unit_seed("paper");
	int other = 0;

	(void)state;
	for (int i = 0; i < WORLDS; i++) {
		struct scene paper, gpus, none;
		struct lxfw_request job;
		struct world world;
		int64_t start, expected;
		unsigned hosts;

		make_world(&world, &random);
		any_job(&job, &random);
		job.count *= 2;
		job.shape = LXFW_SHAPE_ANYWHERE;
		if (unit_between(&random, 0, 2) == 0)
			job.min_hosts = (int32_t)unit_between(&random, 1, 2);
		if (unit_between(&random, 0, 2) == 0)
			job.max_hosts = job.min_hosts + 1;
		enter(&paper, &world, PAPER, true);
		enter(&gpus, &world, GPUS, true);
		enter(&none, &world, GPUS, false);
		hosts = ask(&paper, &job, NULL);
		assert_int_equal(ask(&none, &job, NULL), hosts);
		assert_int_equal(ask(&gpus, &job, NULL) != 0, hosts != 0);
		other += ask(&gpus, &job, NULL) != hosts;
		hosts = ask(&paper, &job, &expected);
		assert_int_equal(ask(&none, &job, &start), hosts);
		assert_true(start == expected);
		(void)ask(&gpus, &job, &start);
		assert_true(start == expected);
		finish(&paper);
		finish(&gpus);
		finish(&none);
	}
	assert_true(other > WORLDS / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_without),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_anywhere),
		cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_as_paper),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
