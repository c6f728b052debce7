/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of workload logs, and the meaning of the fields. */
#include <errno.h>

#include "sim-frontend/trace/swf.h"
#include "sim-frontend/trace/trace.h"
#include "tests/unit/file.h"

#define JOB(n, submit, run, procs) \
	n " " submit " 7 " run " " procs " -1 -1 " procs " 60 -1 1 1 1 1 1 1 -1 -1\n"

static struct lxfw_error error;

static struct lxfw_trace read_trace(const char *path)
{
	struct lxfw_trace trace;

	assert_int_equal(lxfw_trace_read(&trace, path, LXFW_MEMORY_KB_PER_PROC,
					 &error), 0);
	return trace;
}

static void expect_error(const char *path, const char *message)
{
	struct lxfw_trace trace;

	assert_int_equal(lxfw_trace_read(&trace, path, LXFW_MEMORY_KB_PER_PROC,
					 &error), -1);
	assert_string_equal(unit_message(error.text), message);
	assert_null(trace.jobs);
}

static void reads_all_fields(void **state)
{
	const char *path = unit_file("all.swf",
		"1 2 3 4 5 6.25 7 8 9 10 11 12 13 14 15 16 17 18\n");
	struct lxfw_input *input = lxfw_input_open(path, &error);
	struct lxfw_swf_record r;
	struct lxfw_odd odd = { 0 };

	(void)state;
	assert_non_null(input);
	assert_int_equal(lxfw_swf_next(input, &r, NULL, NULL, &odd, &error), 1);
	assert_int_equal(r.number, 1);
	assert_int_equal(r.submit, 2);
	assert_int_equal(r.wait, 3);
	assert_int_equal(r.run, 4);
	assert_int_equal(r.used_procs, 5);
	assert_true(r.cpu_time == 6.25);
	assert_int_equal(r.used_memory, 7);
	assert_int_equal(r.requested_procs, 8);
	assert_int_equal(r.requested_time, 9);
	assert_int_equal(r.requested_memory, 10);
	assert_int_equal(r.status, 11);
	assert_int_equal(r.user, 12);
	assert_int_equal(r.group, 13);
	assert_int_equal(r.executable, 14);
	assert_int_equal(r.queue, 15);
	assert_int_equal(r.partition, 16);
	assert_int_equal(r.preceding_job, 17);
	assert_int_equal(r.think_time, 18);
	assert_int_equal(lxfw_swf_next(input, &r, NULL, NULL, &odd, &error), 0);
	lxfw_input_close(input);
}

static void rounds_fractions(void **state)
{
	struct lxfw_trace trace = read_trace(unit_file("fractions.swf",
		"1 2.9 3.9 0.1 4.9 1 -1 -1 59.01 1.5 1 1 1 1 1 1 -1 -1\n"));

	(void)state;
	assert_int_equal(trace.count, 1);
	assert_int_equal(trace.jobs[0].submit, 2);
	assert_int_equal(trace.jobs[0].wait, 3);
	assert_int_equal(trace.jobs[0].run, 1);
	assert_int_equal(trace.jobs[0].procs, 4);
	assert_int_equal(trace.jobs[0].limit, 60);
	assert_int_equal(trace.jobs[0].memory_kb, 4);
	lxfw_trace_clear(&trace);
}

static void means_what_the_design_says(void **state)
{
	struct lxfw_trace trace = read_trace(unit_file("meaning.swf",
		/* requested processors and time precede used ones and run time */
		"1 0 -1 100 4 -1 -1 8 600 1024 1 1 1 1 1 1 -1 -1\n"
		/* both are unknown */
		"2 1 -1 100 4 -1 512 -1 -1 -1 1 1 1 1 1 1 -1 -1\n"
		/* less than half a second; cancelled, or without a processor */
		"3 2 -1 0 4 -1 -1 8 -1 -1 1 1 1 1 1 1 -1 -1\n"
		"7 2 -1 0 4 -1 -1 8 600 -1 5 1 1 1 1 1 -1 -1\n"
		"8 2 -1 0 0 -1 -1 8 600 -1 1 1 1 1 1 1 -1 -1\n"
		/* no run time, no processors */
		"4 2 -1 -1 -1 -1 -1 -1 600 -1 1 1 1 1 1 1 -1 -1\n"
		"5 2 -1 10 0 -1 -1 -1 600 -1 1 1 1 1 1 1 -1 -1\n"
		/* no field is known */
		"6 -1 -1 -1 -1 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n"));

	(void)state;
	assert_int_equal(trace.count, 3);
	assert_int_equal(trace.zero_run, 1);
	assert_int_equal(trace.jobs[2].number, 3);
	assert_int_equal(trace.jobs[2].run, 1);
	assert_int_equal(trace.jobs[2].limit, 1);
	assert_int_equal(trace.no_run_time, 4);
	assert_int_equal(trace.no_procs, 1);
	assert_int_equal(trace.jobs[0].procs, 8);
	assert_int_equal(trace.jobs[0].limit, 600);
	assert_int_equal(trace.jobs[0].memory_kb, 8 * 1024);
	assert_int_equal(trace.jobs[1].procs, 4);
	assert_int_equal(trace.jobs[1].limit, 100);
	assert_int_equal(trace.jobs[1].memory_kb, 0);
	lxfw_trace_clear(&trace);
}

static void knows_columns_of_memory(void **state)
{
	const char *path = unit_file("memory.swf",
		"1 0 -1 9 4 -1 -1 8 60 4096 1 1 1 1 1 1 -1 -1\n");
	static const int64_t kb[] = { 8 * 4096, 4096, 4, 0 };
	struct lxfw_trace trace;

	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		assert_int_equal(lxfw_trace_read(&trace, path,
				 (enum lxfw_trace_memory)kind, &error), 0);
		assert_int_equal(trace.jobs[0].memory_kb, kb[kind]);
		lxfw_trace_clear(&trace);
	}
}

/* Used memory is per processor used, not requested. */
static void knows_used_memory(void **state)
{
	const char *path = unit_file("used.swf",
		"1 0 -1 9 4 -1 2048 8 60 4096 1 1 1 1 1 1 -1 -1\n"
		"2 0 -1 9 -1 -1 2048 8 60 4096 1 1 1 1 1 1 -1 -1\n"
		"3 0 -1 9 4 -1 0 8 60 4096 1 1 1 1 1 1 -1 -1\n"
		"4 0 -1 9 4 -1 -1 8 60 4096 1 1 1 1 1 1 -1 -1\n"
		"5 0 -1 9 2000000000 -1 1000000000000 8 60 -1 1 1 1 1 1 1 -1 -1\n");
	static const int64_t kb[4][5] = {
		{ 4 * 2048, 8 * 2048, 0, -1, INT64_MAX / 2 },
		{ 2048, 2048, 0, -1, INT64_C(1000000000000) },
		{ 2, 2, 0, -1, INT64_C(976562500) },
		{ -1, -1, -1, -1, -1 },
	};
	struct lxfw_trace trace;

	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		assert_int_equal(lxfw_trace_read(&trace, path,
				 (enum lxfw_trace_memory)kind, &error), 0);
		for (int job = 0; job < 5; job++)
			assert_int_equal(trace.jobs[job].used_memory_kb,
					 kb[kind][job]);
		lxfw_trace_clear(&trace);
	}
}

static void reads_headers(void **state)
{
	struct lxfw_trace trace = read_trace(unit_file("headers.swf",
		"; Version: 2.2\n"
		";   MaxNodes: 57\r\n"
		";MaxProcs: 338 (batch partition; 512 total)\n"
		"; no key here\n"
		";\n"
		"; Two words: no key either\n"
		JOB("1", "0", "10", "1")));

	(void)state;
	assert_int_equal(trace.header_count, 3);
	assert_string_equal(lxfw_trace_header(&trace, "version"), "2.2");
	assert_string_equal(lxfw_trace_header(&trace, "MaxNodes"), "57");
	assert_null(lxfw_trace_header(&trace, "UnixStartTime"));
	assert_int_equal(lxfw_trace_procs(&trace), 338);
	lxfw_trace_clear(&trace);
}

static void tolerates(void **state)
{
	/* carriage returns, blank lines, tabs, further columns, no newline */
	struct lxfw_trace trace = read_trace(unit_file("tolerates.swf",
		"\n  \r\n"
		"1 0 7 10 2 -1 -1 2 60 -1 1 1 1 1 1 1 -1 -1\r\n"
		"\t2\t5\t7 10 2 -1 -1 2 60 -1 1 1 1 1 1 1 -1 -1 {12,12} q 1:ppn=2\n"
		"+3 006 7 10. 2 -1 -1 2 00000000000000000000060 -1 1 1 1 1 1 1 -1 -1"));

	(void)state;
	assert_int_equal(trace.count, 3);
	assert_int_equal(trace.jobs[1].submit, 5);
	assert_int_equal(trace.jobs[2].submit, 6);
	assert_int_equal(trace.jobs[2].limit, 60);
	assert_null(trace.order);
	lxfw_trace_clear(&trace);
}

static void sorts_stably(void **state)
{
	static const int64_t numbers[] = { 2, 4, 1, 3, 5 };
	struct lxfw_trace trace = read_trace(unit_file("unsorted.swf",
		JOB("1", "9", "1", "1") JOB("2", "5", "1", "1")
		JOB("3", "9", "1", "1") JOB("4", "5", "1", "1")
		JOB("5", "9", "1", "1")));

	(void)state;
	assert_int_equal(trace.out_of_order, 2);
	assert_non_null(trace.order);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(trace.jobs[lxfw_trace_at(&trace, i)].number,
				 numbers[i]);
	assert_int_equal(trace.jobs[0].number, 1);
	lxfw_trace_clear(&trace);
}

static bool keep_odd(void *context, const struct lxfw_trace_job *job)
{
	(void)context;
	return job->number % 2 == 1;
}

static void filters(void **state)
{
	struct lxfw_trace trace = read_trace(unit_file("filter.swf",
		JOB("1", "9", "1", "1") JOB("2", "5", "1", "1")
		JOB("3", "7", "1", "1")));
	size_t left_out;

	(void)state;
	assert_int_equal(lxfw_trace_filter(&trace, keep_odd, NULL, &left_out),
			 0);
	assert_int_equal(left_out, 1);
	assert_int_equal(trace.count, 2);
	assert_int_equal(trace.jobs[lxfw_trace_at(&trace, 0)].number, 3);
	assert_int_equal(trace.jobs[lxfw_trace_at(&trace, 1)].number, 1);
	lxfw_trace_clear(&trace);
}

static void reads_gzip(void **state)
{
	struct lxfw_trace trace = read_trace(unit_gzip_file("packed.swf",
		"; MaxProcs: 4\n" JOB("1", "0", "10", "1"), 0));

	(void)state;
	assert_int_equal(trace.count, 1);
	assert_int_equal(lxfw_trace_procs(&trace), 4);
	lxfw_trace_clear(&trace);
}

/* A trace longer than the reader's buffer, with lines longer than a chunk. */
static void reads_much(void **state)
{
	const char *path = unit_path("long.swf");
	FILE *file = fopen(path, "w");
	struct lxfw_trace trace;

	(void)state;
	assert_non_null(file);
	for (int i = 1; i <= 20000; i++) {
		fprintf(file, "%d %d 7 10 2 -1 -1 2 60 -1 1 1 1 1 1 1 -1 -1 %*s",
			i, i, i % 5000 == 0 ? 700000 : 1, "x\n");
	}
	assert_int_equal(fclose(file), 0);
	trace = read_trace(path);
	assert_int_equal(trace.count, 20000);
	for (size_t i = 0; i < trace.count; i++)
		assert_int_equal(trace.jobs[i].submit, i + 1);
	lxfw_trace_clear(&trace);
}

static void leaves_out_odd_lines(void **state)
{
	struct lxfw_trace trace = read_trace(unit_file("odd.swf", "; x\n"
		JOB("1", "0", "1", "1") "2 0 7 10 2 -1 -1 2 60 -1 1\n"
		JOB("3", "0", "ten", "1") JOB("4", "0", "1", "1")));

	(void)state;
	assert_int_equal(trace.count, 2);
	assert_int_equal(trace.jobs[1].number, 4);
	assert_int_equal(trace.odd.count, 2);
	assert_int_equal(trace.odd.line, 3);
	assert_string_equal(unit_message(trace.odd.examples[0].text),
			    "odd.swf:3: 11 fields, expected 18");
	assert_string_equal(unit_message(trace.odd.examples[1].text),
			    "odd.swf:4: field 4 (run time) is 'ten', expected a number");
	lxfw_trace_clear(&trace);
}

static void refuses(void **state)
{
	char long_text[8000] = "";
	struct lxfw_trace trace;

	(void)state;
	expect_error(unit_file("a", ""), "a:1: no job in the file, expected "
		     "lines of 18 fields (SWF)");
	expect_error(unit_file("a", "; MaxProcs: 5\n"), "a:2: no job in the "
		     "file, expected lines of 18 fields (SWF)");
	expect_error(unit_file("c", "7\n"), "c:1: 1 field, expected 18");
	expect_error(unit_file("d", JOB("1", "0", "1", "1000000000000000000")),
		     "d:1: field 5 (allocated processors) is "
		     "1000000000000000000, expected at most 2147483647");
	expect_error(unit_file("e", JOB("1", "0", "99999999999999999999", "1")),
		     "e:1: field 4 (run time) is 99999999999999999999, expected "
		     "at most 1000000000000");
	expect_error(unit_file("f", JOB("1", "-5", "10", "1")),
		     "f:1: field 2 (submit time) is negative, expected 0 or "
		     "more");
	expect_error(unit_file("g", JOB("1", "0", "1e9", "1")),
		     "g:1: field 4 (run time) is '1e9', expected a number");
	expect_error(unit_file("h", JOB("1", "0", "-", "1")),
		     "h:1: field 4 (run time) is '-', expected a number");
	expect_error(unit_file("h", JOB("1", "0", ".", "1")),
		     "h:1: field 4 (run time) is '.', expected a number");
	expect_error(unit_file("i", "\x01\x7f not a trace\n"),
		     "i:1: '?" "? not a trace' is in no known format, expected "
		     "swf|table|batsim|philly|jobcomp|slurmrestd|lsf|pbs|htcondor|maui|moab|sge|scontrol|slurm-sim|sacct; nearest guess: none");
	expect_error(unit_path("none"), "none: No such file or directory");
	for (int i = 0; i < 100; i++)
		strcat(long_text, JOB("1", "0", "1", "1"));
	/* zlib determines how much can be read before the end */
	assert_int_equal(lxfw_trace_read(&trace, unit_gzip_file("j", long_text,
			 12), LXFW_MEMORY_KB_PER_PROC, &error), -1);
	assert_memory_equal(unit_message(error.text), "j:", 2);
	assert_non_null(strstr(error.text, ": the gzip data is truncated, "
			       "expected a complete file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_all_fields),
		cmocka_unit_test(rounds_fractions),
		cmocka_unit_test(means_what_the_design_says),
		cmocka_unit_test(knows_columns_of_memory),
		cmocka_unit_test(knows_used_memory),
		cmocka_unit_test(reads_headers),
		cmocka_unit_test(tolerates),
		cmocka_unit_test(sorts_stably),
		cmocka_unit_test(filters),
		cmocka_unit_test(reads_gzip),
		cmocka_unit_test(reads_much),
		cmocka_unit_test(leaves_out_odd_lines),
		cmocka_unit_test(refuses),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
