/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `lxfw route --serve` answers (sim-frontend/route/forecast.h): starts computed by hand on two
   nodes of 4 processors and 4 GB. */
#include "sim-frontend/route/forecast.h"

#include "tests/unit/scene.h"

#define NODES 2

struct world {
	struct scene scene;
	struct lxfw_known_hosts hosts;
	struct lxfw_slurm_partitions partitions;
	struct lxfw_route_forecast *forecast;
};

static struct world world;

static int make_world(void **state)
{
	static struct lxfw_slurm_partition list[] = {
		{ .name = "all", .nodes = "n[0-1]", .is_default = true, .max_time = 3600 },
		{ .name = "one", .nodes = "n1,n1,n7", .exclusive = true, .max_time = 600,
		  .default_time = 300 },
		{ .name = "other", .nodes = "n7", .max_time = 600 },
	};

	(void)state;
	world = (struct world) {
		.forecast = lxfw_route_forecast_create(),
		.partitions = { .list = list, .count = sizeof(list) / sizeof(*list) },
	};
	assert_non_null(world.forecast);
	begin(&world.scene, "lxfw_policy=easy");
	for (int32_t i = 0; i < NODES; i++) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_HOST, .host = { .index = i, .up = true, .name = i ? "n1" : "n0" },
		};

		event.host.total.procs = 4;
		event.host.total.memory_mb = 4096;
		apply(&world.scene, &event);
		assert_int_equal(lxfw_known_hosts_see(&world.hosts, &event), 0);
	}
	return 0;
}

static int clear_world(void **state)
{
	(void)state;
	lxfw_route_forecast_destroy(world.forecast);
	lxfw_known_hosts_clear(&world.hosts);
	finish(&world.scene);
	return 0;
}

/* Whether there is more to compute for answers. */
static bool work(int64_t now)
{
	int more = lxfw_route_forecast_work(world.forecast, world.scene.sched, &world.hosts,
					    &world.partitions, now, 0);

	assert_true(more >= 0);
	return more > 0;
}

/* Asks at NOW, with the lines of a question. */
static struct lxfw_route_answer ask(int64_t now, const char *lines)
{
	static struct lxfw_route_question question;
	struct lxfw_route_answer answer;
	struct lxfw_error error;
	char text[400];

	snprintf(text, sizeof(text), "lxfw-route 1\n%s\nend\n", lines);
	if (lxfw_route_question_read(&question, text, &error))
		fail_msg("%s: %s", lines, error.text);
	while (work(now))
		;
	assert_int_equal(lxfw_route_forecast_answer(world.forecast, world.scene.sched, &world.hosts,
						    &world.partitions, now, &question, &answer), 0);
	return answer;
}

static void waits(int64_t now, const char *lines, int64_t expected)
{
	struct lxfw_route_answer answer = ask(now, lines);

	if (!answer.can || answer.wait != expected)
		fail_msg("%s: %s, wait %lld, expected %lld", lines, answer.reason,
			 (long long)answer.wait, (long long)expected);
}

static void refused(int64_t now, const char *lines, const char *expected)
{
	struct lxfw_route_answer answer = ask(now, lines);

	assert_false(answer.can);
	assert_string_equal(answer.reason, expected);
}

/* Jobs 1 and 2 have a node each, until 100 and 200. Job 3, of 50 s, waits for the first, job 4, of
   100 s, for both. */
static void make_queue(void)
{
	submit(&world.scene, 1, 4, 0, 100);
	submit(&world.scene, 2, 4, 0, 200);
	decide(&world.scene, 0);
	submit(&world.scene, 3, 4, 0, 50);
	submit_request(&world.scene, &(struct lxfw_request) {
		.id = 4, .estimate = 100, .shape = LXFW_SHAPE_HOSTS, .count = 2,
		.unit = { .procs = 4 },
	});
	decide(&world.scene, 0);
}

static void starts_of_requests(void **state)
{
	struct lxfw_route_answer answer;

	(void)state;
	make_queue();
	/* Beside the reservation of job 3, from 150 on; behind job 4, which starts at 200. A job of 30 s
	   ends before that. */
	waits(10, "queue no\nstart -n 4 -t 1", 140);
	waits(10, "start -n 4 -t 1", 290);
	waits(10, "start -n 4 -t 0:30", 140);
	answer = ask(10, "start -n 4 -t 1");
	assert_int_equal(answer.free, 0);
	assert_int_equal(answer.procs, 8);
	assert_int_equal(answer.limit, 60);
	assert_int_equal(answer.work, 4 * 50 + 8 * 100);
	/* The second node, as a whole, and its limits. */
	waits(10, "queue no\nstart -n 1 -p one", 190);
	answer = ask(10, "queue no\nstart -n 1 -p one");
	assert_int_equal(answer.procs, 4);
	assert_int_equal(answer.limit, 300);
	assert_int_equal(ask(10, "start -n 1").limit, 3600);
	assert_true(ask(10, "start -n 1 -t 10 -p one").can);
	refused(10, "start -n 1 -t 10:01 -p one",
		"the time limit is not within that of the partition");
	refused(10, "start -n 1 -p other", "no such partition");
	refused(10, "start -n 1 -p none", "no such partition");
	refused(10, "start -n 9 -t 1", "the job fits on no hosts");
}

static void starts_of_jobs(void **state)
{
	(void)state;
	make_queue();
	waits(10, "job 3", 90);
	waits(10, "job 4", 190);
	assert_int_equal(ask(10, "job 4").limit, 100);
	/* Node n1 is free earlier: job 3 starts there, and job 4 when job 1 has ended. */
	world.scene.now = 20;
	end(&world.scene, 2);
	decide(&world.scene, 20);
	lxfw_route_forecast_changed(world.forecast);
	waits(20, "job 4", 80);
	refused(20, "job 3", "no such job waits");
	refused(10, "job 1", "no such job waits");
	refused(10, "job 77", "no such job waits");
}

/* A job that was routed counts once: as itself from the moment on in which the cluster knows a job of
   its size that was submitted at most 2 s earlier than it, by the clock of the cluster. */
static void jobs_that_were_routed(void **state)
{
	(void)state;
	waits(10, "start -n 8 -t 1", 0);
	waits(10, "routed 3 -n 8 -t 2\nstart -n 8 -t 1", 120);
	waits(10, "routed 3 -n 4 -t 2\nstart -n 4 -t 1", 0);
	waits(10, "routed 3 -n 4 -t 2\nrouted 2 -n 4 -t 2\nstart -n 4 -t 1", 120);
	/* One that the cluster refuses does not count. */
	waits(10, "routed 3 -n 8 -t 2 -p other\nstart -n 8 -t 1", 0);
	world.scene.now = 7;
	submit_request(&world.scene, &(struct lxfw_request) {
		.id = 9, .submit = 7, .estimate = 120, .shape = LXFW_SHAPE_HOSTS, .count = 2,
		.unit = { .procs = 4 },
	});
	decide(&world.scene, 7);
	lxfw_route_forecast_changed(world.forecast);
	waits(10, "start -n 8 -t 1", 117);
	waits(10, "routed 3 -n 8 -t 2\nstart -n 8 -t 1", 117);
	waits(10, "routed 1 -n 8 -t 2\nstart -n 8 -t 1", 117);
	waits(10, "routed 0 -n 8 -t 2\nstart -n 8 -t 1", 237);
	waits(10, "routed 3 -n 8 -t 2\nrouted 3 -n 8 -t 2\nstart -n 8 -t 1", 237);
	waits(10, "routed 3 -n 7 -t 2\nstart -n 8 -t 1", 237);
}

/* Answers come from one table, until it is replaced: what is asked leaves nothing in it, in any order. */
static void questions_leave_nothing(void **state)
{
	static const struct {
		const char *lines;
		int64_t wait;
	} cases[] = {
		{ "routed 0 -n 8 -t 2\nrouted 0 -n 4 -t 2\nstart -n 8 -t 1", 530 },
		{ "start -n 8 -t 1", 290 },
		{ "routed 0 -n 8 -t 2\nstart -n 8 -t 1", 410 },
		{ "routed 0 -n 4 -t 2\nrouted 0 -n 8 -t 2\nstart -n 8 -t 1", 530 },
		{ "routed 0 -n 4 -t 2\nrouted 0 -n 8 -t 3\nstart -n 8 -t 1", 590 },
		{ "queue no\nrouted 0 -n 8 -t 2\nstart -n 8 -t 1", 310 },
		{ "queue no\nstart -n 8 -t 1", 190 },
		{ "start -n 8 -t 1", 290 },
	};

	(void)state;
	make_queue();
	for (size_t i = 0; i < 3 * sizeof(cases) / sizeof(*cases); i++) {
		size_t at = i * 5 % (sizeof(cases) / sizeof(*cases));

		waits(10, cases[at].lines, cases[at].wait);
	}
}

/* Jobs of a lower tier than that of the partition do not come first. */
static void tiers(void **state)
{
	(void)state;
	make_queue();
	world.partitions.list[0].tier = 1;
	waits(10, "start -n 8 -t 1", 190);
	world.partitions.list[0].tier = 0;
	waits(10, "start -n 8 -t 1", 290);
}

/* While the next table is computed, answers come from the one before. */
static void next_table(void **state)
{
	static struct lxfw_route_question question;
	struct lxfw_route_answer answer;
	struct lxfw_error error;
	char text[] = "lxfw-route 1\nstart -n 8 -t 1\nend\n";

	(void)state;
	make_queue();
	waits(10, "start -n 8 -t 1", 290);
	world.scene.now = 20;
	end(&world.scene, 2);
	decide(&world.scene, 20);
	lxfw_route_forecast_changed(world.forecast);
	assert_int_equal(lxfw_route_question_read(&question, text, &error), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(lxfw_route_forecast_answer(world.forecast, world.scene.sched,
							    &world.hosts, &world.partitions, 20,
							    &question, &answer), 0);
		assert_int_equal(answer.wait, 280);
		assert_true(work(20));
	}
	/* Job 3 has begun, job 4 starts when job 1 has ended. */
	waits(20, "start -n 8 -t 1", 180);
	/* An old one is not used. */
	world.scene.now = 40;
	submit(&world.scene, 5, 4, 0, 1000);
	lxfw_route_forecast_changed(world.forecast);
	assert_int_equal(lxfw_route_forecast_answer(world.forecast, world.scene.sched, &world.hosts,
						    &world.partitions, 40, &question, &answer), 0);
	assert_int_equal(answer.work, 8 * 100 + 4 * 1000);
}

static void set_host(int32_t index, bool up, int64_t memory)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST, .host = { .index = index, .up = up } };

	event.host.total.procs = 4;
	event.host.total.memory_mb = memory;
	apply(&world.scene, &event);
	lxfw_route_forecast_changed(world.forecast);
}

static void nodes(void **state)
{
	(void)state;
	/* Tasks are the same on each node. */
	waits(0, "start -N 2 -n 3 -t 1", 0);
	/* An exclusive partition has whole nodes. */
	submit(&world.scene, 1, 4, 0, 200);
	submit(&world.scene, 2, 1, 0, 100);
	decide(&world.scene, 0);
	lxfw_route_forecast_changed(world.forecast);
	waits(0, "start -n 1 -t 1", 0);
	waits(0, "start -n 1 -t 1 -p one", 100);
	/* Processors of nodes that are up. */
	assert_int_equal(ask(0, "start -n 1 -t 1").procs, 8);
	set_host(1, false, 4096);
	assert_int_equal(ask(0, "start -n 1 -t 1").procs, 4);
}

/* Without a request for memory a job has its part of a node, if memory is counted. */
static void memory(void **state)
{
	(void)state;
	submit(&world.scene, 1, 1, 3000, 100);
	submit(&world.scene, 2, 4, 3000, 50);
	decide(&world.scene, 0);
	waits(10, "start -n 3 -t 1", 0);
	lxfw_route_forecast_changed(world.forecast);
	world.partitions.memory = true;
	waits(10, "start -n 3 -t 1", 40);
	waits(10, "start -n 3 -t 1 --mem-per-cpu 300", 0);
	/* Or that of the partition. */
	lxfw_route_forecast_changed(world.forecast);
	world.partitions.list[0].memory = 300;
	waits(10, "start -n 3 -t 1", 0);
	world.partitions.list[0].memory = 0;
	/* The part of the smaller node. */
	set_host(1, true, 8192);
	waits(10, "start -n 1 -t 1", 0);
}

/* The state is copied again when it has changed, or after 10 s. */
static void copies(void **state)
{
	(void)state;
	waits(0, "start -n 8 -t 1", 0);
	submit(&world.scene, 1, 4, 0, 100);
	decide(&world.scene, 0);
	waits(9, "start -n 8 -t 1", 0);
	waits(10, "start -n 8 -t 1", 90);
	end(&world.scene, 1);
	lxfw_route_forecast_changed(world.forecast);
	waits(11, "start -n 8 -t 1", 0);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make_world, clear_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(starts_of_requests), TEST(starts_of_jobs), TEST(jobs_that_were_routed),
		TEST(questions_leave_nothing), TEST(tiers), TEST(next_table),
		TEST(nodes), TEST(memory), TEST(copies),
	};

	return cmocka_run_group_tests_name("route_forecast", tests, NULL, NULL);
}
