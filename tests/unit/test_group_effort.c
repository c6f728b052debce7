/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of jobs that start late or never: the effort for them is bounded, and they harm
 * no other jobs. */
#include "common/books/books.h"
#include "tests/unit/quantum_scene.h"

static void some_hosts(struct scene *scene, const char *params, int32_t count)
{
	begin(scene, params);
	for (int32_t i = 0; i < count; i++)
		host_with(scene, i, 4, 8192);
}

/* Host set I has only host I. */
static void single_sets(struct scene *scene, int32_t count)
{
	for (int32_t i = 0; i < count; i++) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET };

		event.host_set.id = i;
		event.host_set.count = 1;
		event.host_set.hosts = &i;
		apply(scene, &event);
	}
}

/* A job of a group. It runs on HOST, or anywhere if that is -1. */
static void submit_on(struct scene *scene, uint64_t id, uint64_t group, int32_t count,
		      int32_t procs, int32_t host)
{
	struct lxfw_request job = request(id, scene->now, procs, 1, 100);

	job.group = group;
	job.group_count = count;
	job.no_quantum = true;
	if (host >= 0) {
		job.host_set_count = 1;
		job.host_sets[0] = host;
	}
	submit_request(scene, &job);
}

/* Each job fits on the only host, but not two of them. */
static void never_together(void **state)
{
	struct scene scene;

	(void)state;
	some_hosts(&scene, "lxfw_policy=easy", 3);
	single_sets(&scene, 3);
	submit_on(&scene, 1, 1, 2, 1, 0);
	submit_on(&scene, 2, 1, 2, 1, 0);
	assert_int_equal(lxfw_sched_can_start(scene.sched, 1), 0);
	assert_int_equal(lxfw_sched_can_start(scene.sched, 2), 0);
	submit_on(&scene, 3, 3, 2, 1, 0);
	submit_on(&scene, 4, 3, 2, 1, 1);
	assert_int_equal(lxfw_sched_can_start(scene.sched, 4), 1);
	decide(&scene, 0);
	assert_actions(&scene, "start 3, start 4");
	finish(&scene);
}

/* The first jobs could run on any host, the last ones on one host each. */
static void few_hosts_first(void **state)
{
	struct scene scene;

	(void)state;
	some_hosts(&scene, "lxfw_policy=easy", 4);
	single_sets(&scene, 4);
	submit_on(&scene, 1, 1, 4, 1, -1);
	submit_on(&scene, 2, 1, 4, 1, -1);
	submit_on(&scene, 3, 1, 4, 1, 0);
	submit_on(&scene, 4, 1, 4, 1, 1);
	decide(&scene, 0);
	assert_int_equal(scene.decision.count, 4);
	assert_int_equal(host_of(&scene, 3), 0);
	assert_int_equal(host_of(&scene, 4), 1);
	finish(&scene);
}

/* A suspended job is not requeued for a group that cannot start anyway. */
static void requeues_none(void **state)
{
	struct scene scene;

	(void)state;
	begin_full(&scene, SERVE "lxfw_quantum_end=suspend");
	scene.now = 690;
	submit_on(&scene, 4, 4, 2, 1, -1);
	submit_on(&scene, 5, 4, 2, 1, -1);
	scene.now = 700;
	submit(&scene, 3, 2, 1000, 5000);
	decide(&scene, 700);
	assert_actions(&scene, "reserve 3 at 10000, suspend 1, start 3 until 760");
	decide(&scene, 760);
	assert_actions(&scene, "suspend 3, resume 1, reserve 3 at 10060");
	finish(&scene);
}

static void run_forever(struct scene *scene, uint64_t id, int32_t host)
{
	struct lxfw_share share = { .host = host, .amount = { .procs = 4 } };
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };

	event.run.id = id;
	event.run.expected_end = LXFW_NEVER;
	event.run.count = 1;
	event.run.shares = &share;
	apply(scene, &event);
}

/* Job 8 has no known end, but ends. A new search is made after a while. */
static void searched_again(void **state)
{
	struct scene scene;

	(void)state;
	some_hosts(&scene, "lxfw_policy=easy", 2);
	run_forever(&scene, 8, 1);
	submit(&scene, 9, 4, 1, 10000);
	decide(&scene, 0);
	assert_actions(&scene, "start 9");
	submit_on(&scene, 1, 1, 2, 4, -1);
	submit_on(&scene, 2, 1, 2, 4, -1);
	decide(&scene, 0);
	assert_actions(&scene, "");
	scene.now = 10;
	end(&scene, 8);
	decide(&scene, 310);
	assert_actions(&scene, "reserve 1 at 10000, reserve 2 at 10000");
	finish(&scene);
}

/* HOSTS hosts, each with jobs that end at different times. */
static void busy_hosts(struct scene *scene, const char *params, int32_t hosts)
{
	uint64_t id = 1000000;

	some_hosts(scene, params, hosts);
	for (int32_t i = 0; i < hosts; i++) {
		for (int k = 0; k < 4; k++) {
			struct lxfw_share share = {
				.host = i, .amount = { .procs = 1, .memory_mb = 1 },
			};
			struct lxfw_event run = { .type = LXFW_EVENT_JOB_RUN };

			run.run.id = id++;
			run.run.expected_end = 1000 + 100 * (i * 7919 % hosts) + k;
			run.run.count = 1;
			run.run.shares = &share;
			apply(scene, &run);
		}
	}
}

/* A job on each of the hosts: the group starts when the last of them is free. */
static void late_start(void **state)
{
	struct scene scene;
	int32_t hosts = 64;

	(void)state;
	busy_hosts(&scene, "lxfw_policy=easy", hosts);
	for (int32_t i = 0; i < hosts; i++)
		submit_on(&scene, 1 + (uint64_t)i, 1, hosts, 1 + i % 4, -1);
	decide(&scene, 0);
	/* at most an eighth of the wait after the earliest start */
	assert_in_range(reserved(&scene, 1), 1000 + 100 * (hosts - 1),
			(1000 + 100 * (hosts - 1)) * 9 / 8 + 4);
	assert_in_range(scene.sched->groups.placements, hosts, 20000);
	finish(&scene);
}

/* Under a policy that reserves for all jobs, one decision does not search for all groups,
   but later ones do. */
static void searches_in_turns(void **state)
{
	struct scene scene;
	int32_t hosts = 32, groups = 60, known = 0;
	uint64_t id = 1;

	(void)state;
	busy_hosts(&scene, "lxfw_policy=conservative", hosts);
	for (int32_t g = 0; g < groups; g++) {
		uint64_t group = id;

		for (int32_t i = 0; i < hosts; i++)
			submit_on(&scene, id++, group, hosts, 1 + (i + g) % 4, -1);
	}
	for (int64_t now = 0; now < 10 && known < groups; now++) {
		decide(&scene, now);
		assert_in_range(scene.sched->groups.placements, 0, 100000);
		known = (int32_t)scene.sched->reservation_count;
		assert_true(known > 0);
	}
	assert_int_equal(known, groups);
	finish(&scene);
}

/* Many groups that cannot start, because one of their jobs needs a whole host, do not keep
   a group behind them from starting. */
static void late_group_starts(void **state)
{
	enum { HOSTS = 64, JOBS = 32, GROUPS = 400, DECISIONS = 12 };
	const uint64_t first = HOSTS + DECISIONS + 1, last = first + JOBS * GROUPS;
	struct scene scene;
	uint64_t id = first;
	int64_t now = 0;

	(void)state;
	some_hosts(&scene, "lxfw_policy=easy", HOSTS);
	for (uint64_t i = 1; i <= HOSTS; i++)
		submit(&scene, i, 2, 1000, 100000);
	for (uint64_t i = 1; i <= DECISIONS; i++)
		submit(&scene, HOSTS + i, 1, 1000, 100000);
	decide(&scene, 0);
	for (int g = 0; g < GROUPS; g++) {
		uint64_t group = id;

		for (int i = 0; i < JOBS; i++)
			submit_on(&scene, id++, group, JOBS,
				  i == JOBS - 1 ? 4 : 1 + i % 2, -1);
	}
	assert_int_equal(id, last);
	submit_on(&scene, last, last, 2, 1, -1);
	submit_on(&scene, last + 1, last, 2, 1, -1);
	do {
		/* All groups may be tried again. */
		end(&scene, HOSTS + (uint64_t)++now);
		decide(&scene, now);
		assert_in_range(scene.sched->groups.placements, JOBS, 40000);
	} while (!starts(&scene, last) && now < DECISIONS);
	assert_true(starts(&scene, last));
	assert_true(starts(&scene, last + 1));
	assert_true(now > 1);	/* the limit has been reached */
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(never_together),
		cmocka_unit_test(few_hosts_first),
		cmocka_unit_test(requeues_none),
		cmocka_unit_test(searched_again),
		cmocka_unit_test(late_start),
		cmocka_unit_test(searches_in_turns),
		cmocka_unit_test(late_group_starts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
