/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selection of adaptive jobs of a trace. */
#include <string.h>

#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/trace/adaptive.h"
#include "tests/unit/file.h"

/* Three queues with names, a fourth without; users 1 and 2, groups 5 and 6. Each job
   has as many processors as its number. */
static const char log_text[] =
	"; MaxProcs: 16\n"
	"; Queues: 4\n"
	"; Queue: 0  interactive\n"
	"; Queue: 1 short of one hour\n"
	"; Queue: 2 shortest\n"
	"; User: 2 ann\n"
	"; Group: 6 physics\n"
	"1 0 -1 10 1 -1 -1 1 20 -1 1 1 5 -1 0 -1 -1 -1\n"
	"2 1 -1 10 2 -1 -1 2 20 -1 1 2 5 -1 1 -1 -1 -1\n"
	"3 2 -1 10 3 -1 -1 3 20 -1 1 1 6 -1 2 -1 -1 -1\n"
	"4 3 -1 10 4 -1 -1 4 20 -1 1 2 6 -1 3 -1 -1 -1\n"
	"5 4 -1 10 5 -1 -1 5 20 -1 1 1 5 -1 -1 -1 -1 -1\n"
	"5 5 -1 10 6 -1 -1 6 20 -1 1 1 5 -1 1 -1 -1 -1\n";

static struct lxfw_error error;

/* Parse TEXT with a minimum of one processor and seed 1. */
static struct lxfw_adaptive meant(const char *text)
{
	struct lxfw_adaptive adaptive = { .min_procs = 1, .seed = 1 };

	if (lxfw_adaptive_parse(&adaptive, text))
		fail_msg("'%s' is not taken", text);
	return adaptive;
}

static struct lxfw_trace read_log(const char *text)
{
	struct lxfw_trace trace;

	if (lxfw_trace_read_owners(&trace, unit_file("log", text),
				   LXFW_MEMORY_KB_PER_PROC, &error))
		fail_msg("%s", error.text);
	return trace;
}

/* Select adaptive jobs, and compare `least` of the six jobs. */
static struct lxfw_adaptive_result
expect(const struct lxfw_adaptive *adaptive, const char *least)
{
	struct lxfw_trace trace = read_log(log_text);
	struct lxfw_adaptive_result result;
	size_t chosen = 0;
	char is[7] = "";

	if (lxfw_adaptive_choose(adaptive, &trace, &result, &error))
		fail_msg("%s", error.text);
	assert_int_equal(trace.count, 6);
	for (int i = 0; i < 6; i++) {
		is[i] = (char)('0' + trace.jobs[i].min_procs);
		chosen += trace.jobs[i].min_procs > 0;
	}
	assert_string_equal(is, least);
	assert_int_equal(result.chosen, chosen);
	lxfw_trace_clear(&trace);
	return result;
}

static void expect_meant(const char *text, const char *least)
{
	struct lxfw_adaptive adaptive = meant(text);

	expect(&adaptive, least);
}

static void takes_words(void **state)
{
	static const char *const bad[] = {
		"", "-0.1", "1.01", "2", "25", "nan", "inf", "queue:", "queue::",
		"queue:a:", "queue::a", "user:", "group:a::b",
	};
	struct lxfw_adaptive adaptive;

	(void)state;
	assert_int_equal(meant("all").kind, LXFW_ADAPTIVE_ALL);
	assert_int_equal(meant("0.25").kind, LXFW_ADAPTIVE_SHARE);
	assert_true(meant("0.25").share == 0.25);
	assert_true(meant("1").share == 1);
	assert_true(meant("0").share == 0);
	assert_int_equal(meant("queue:a:b").kind, LXFW_ADAPTIVE_QUEUE);
	assert_string_equal(meant("queue:a:b").text, "a:b");
	assert_int_equal(meant("user:7").kind, LXFW_ADAPTIVE_USER);
	assert_int_equal(meant("group:x").kind, LXFW_ADAPTIVE_GROUP);
	assert_int_equal(meant("./0.25").kind, LXFW_ADAPTIVE_FILE);
	assert_int_equal(meant("queues").kind, LXFW_ADAPTIVE_FILE);
	assert_string_equal(meant("0.25x").text, "0.25x");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		if (lxfw_adaptive_parse(&adaptive, bad[i]) == 0)
			fail_msg("'%s' is taken", bad[i]);
	}
	assert_false(lxfw_adaptive_needs_owners(&(struct lxfw_adaptive) {
		.kind = LXFW_ADAPTIVE_FILE }));
	assert_true(lxfw_adaptive_needs_owners(&(struct lxfw_adaptive) {
		.kind = LXFW_ADAPTIVE_USER }));
	assert_true(lxfw_adaptive_needs_owners(&(struct lxfw_adaptive) {
		.kind = LXFW_ADAPTIVE_ALL, .partitions = "a",
		.partitions_length = 1 }));
}

static void knows_owners(void **state)
{
	(void)state;
	expect_meant("all", "111111");
	expect_meant("0", "000000");
	expect_meant("1", "111111");
	expect_meant("queue:interactive", "100000");
	expect_meant("queue:short", "010001");
	expect_meant("queue:shortest:3", "001100");
	expect_meant("queue:short of one hour:0", "110001");
	expect_meant("user:ann", "010100");
	expect_meant("user:1", "101011");
	expect_meant("group:physics", "001100");
	expect_meant("group:5:6", "111111");
}

/* The minimum of a job is at most its request. */
static void knows_the_fewest(void **state)
{
	struct lxfw_adaptive adaptive = meant("queue:short:3");

	(void)state;
	adaptive.min_procs = 4;
	expect(&adaptive, "020404");
}

static void reads_a_file(void **state)
{
	struct lxfw_adaptive adaptive = meant(unit_file("jobs",
		"# those that were asked\n"
		"1\n"
		"  3 2  # two or more\r\n"
		"\n"
		"4,3\n"
		"4 2\n"		/* the last line applies */
		"5\t9\n"	/* two jobs with that number */
		"0\n77\n"));

	(void)state;
	adaptive.min_procs = 3;
	assert_int_equal(expect(&adaptive, "102256").not_found, 2);
}

static void stays_in_partitions(void **state)
{
	struct lxfw_adaptive adaptive = meant("all");
	struct lxfw_adaptive_result result;

	(void)state;
	adaptive.partitions = "shortest:3:gone,lxfw_wx=1";
	adaptive.partitions_length = (int)strlen("shortest:3:gone");
	result = expect(&adaptive, "001100");
	assert_int_equal(result.elsewhere, 4);
	assert_false(result.no_queues);
	adaptive = meant("queue:0:3");
	adaptive.partitions = "short:3";
	adaptive.partitions_length = 7;
	assert_int_equal(expect(&adaptive, "000100").elsewhere, 1);
}

/* In a log without queues, no job is in an unknown queue. */
static void notes_that_there_are_no_queues(void **state)
{
	struct lxfw_trace trace = read_log(
		"1 0 -1 10 1 -1 -1 1 20 -1 1 1 5 -1 -1 -1 -1 -1\n");
	struct lxfw_adaptive adaptive = meant("all");
	struct lxfw_adaptive_result result;

	(void)state;
	adaptive.partitions = "short";
	adaptive.partitions_length = 5;
	assert_int_equal(lxfw_adaptive_choose(&adaptive, &trace, &result,
					      &error), 0);
	assert_true(result.no_queues);
	assert_int_equal(trace.jobs[0].min_procs, 1);
	lxfw_trace_clear(&trace);
}

static void expect_error(const char *text, const char *message)
{
	struct lxfw_trace trace = read_log(log_text);
	struct lxfw_adaptive adaptive = meant(text);
	struct lxfw_adaptive_result result;

	assert_int_equal(lxfw_adaptive_choose(&adaptive, &trace, &result,
					      &error), -1);
	if (!strstr(error.text, message))
		fail_msg("'%s' is not in '%s'", message, error.text);
	lxfw_trace_clear(&trace);
}

static void refuses(void **state)
{
	static const char *const lines[] = {
		"x\n", "-1\n", "1.5\n", "1 0\n", "1 2 3\n", "1 -1\n",
		"99999999999999999999\n", "1 2147483648\n", "1;2\n",
	};
	char text[64];

	(void)state;
	expect_error("queue:sho", "no Queue 'sho' in the trace, expected a "
		     "name in its header or a number");
	expect_error("queue:short:o", "no Queue 'o'");
	expect_error("user:physics", "no User 'physics'");
	expect_error(unit_path("none"), "none: No such file or directory");
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		snprintf(text, sizeof(text), "1 1\n%s", lines[i]);
		expect_error(unit_file("jobs", text), "jobs:2: expected a job "
			     "number and optionally its minimum number of "
			     "processors");
	}
}

/* The given share of jobs is selected. The same seed selects the same jobs, another
   seed others, and a larger share includes the jobs of a smaller one. */
static void draws(void **state)
{
	enum { COUNT = 20000 };
	static struct lxfw_trace_job jobs[COUNT];
	static bool before[COUNT], first[COUNT];
	struct lxfw_trace trace = { .jobs = jobs, .count = COUNT };
	struct lxfw_adaptive_result result;
	struct lxfw_adaptive adaptive;
	size_t same = 0;

	(void)state;
	for (int percent = 0; percent <= 100; percent += 10) {
		char share[8];

		snprintf(share, sizeof(share), "%.1f", percent / 100.0);
		adaptive = meant(share);
		for (size_t i = 0; i < COUNT; i++)
			jobs[i] = (struct lxfw_trace_job) { .procs = 4 };
		assert_int_equal(lxfw_adaptive_choose(&adaptive, &trace, &result,
						      &error), 0);
		assert_in_range(result.chosen + COUNT / 50,
				COUNT / 100 * (size_t)percent,
				COUNT / 100 * (size_t)percent + COUNT / 25);
		for (size_t i = 0; i < COUNT; i++) {
			assert_true(!before[i] || jobs[i].min_procs == 1);
			before[i] = jobs[i].min_procs > 0;
			if (percent == 50)
				first[i] = before[i];
		}
	}
	adaptive = meant("0.5");
	assert_int_equal(lxfw_adaptive_choose(&adaptive, &trace, &result,
					      &error), 0);
	for (size_t i = 0; i < COUNT; i++)
		assert_int_equal(jobs[i].min_procs > 0, first[i]);
	adaptive.seed = 2;
	assert_int_equal(lxfw_adaptive_choose(&adaptive, &trace, &result,
					      &error), 0);
	for (size_t i = 0; i < COUNT; i++)
		same += (jobs[i].min_procs > 0) == first[i];
	assert_in_range(same, COUNT / 2 - COUNT / 50, COUNT / 2 + COUNT / 50);
}

/* A job that fits on no single host is rigid, or is left out. */
static void needs_one_host(void **state)
{
	struct lxfw_resources four = { .procs = 4 };

	(void)state;
	for (int refuse = 0; refuse <= 1; refuse++) {
		struct lxfw_trace trace = read_log(log_text);
		struct lxfw_adaptive adaptive = meant("all");
		struct lxfw_adaptive_result result;
		struct lxfw_cluster cluster = { 0 };
		size_t wide, too_large;

		assert_int_equal(lxfw_cluster_add(&cluster, "a", &four, NULL), 0);
		assert_int_equal(lxfw_cluster_add(&cluster, "b", &four, NULL), 0);
		assert_int_equal(lxfw_adaptive_choose(&adaptive, &trace, &result,
						      &error), 0);
		assert_int_equal(lxfw_simulation_fit_adaptive(&trace, &cluster,
							      refuse, &wide), 0);
		assert_int_equal(wide, 2);	/* jobs of 5 and 6 processors */
		assert_int_equal(trace.count, refuse ? 4 : 6);
		assert_int_equal(trace.jobs[3].min_procs, 1);
		if (!refuse)
			assert_int_equal(trace.jobs[4].min_procs, 0);
		/* rigid jobs use both hosts */
		assert_int_equal(lxfw_simulation_fit(&trace, &cluster, false,
						     &too_large), 0);
		assert_int_equal(too_large, 0);
		lxfw_cluster_clear(&cluster);
		lxfw_trace_clear(&trace);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_words),
		cmocka_unit_test(knows_owners),
		cmocka_unit_test(knows_the_fewest),
		cmocka_unit_test(reads_a_file),
		cmocka_unit_test(stays_in_partitions),
		cmocka_unit_test(notes_that_there_are_no_queues),
		cmocka_unit_test(refuses),
		cmocka_unit_test(draws),
		cmocka_unit_test(needs_one_host),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
