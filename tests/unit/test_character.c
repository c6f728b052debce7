/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Characteristics of a workload: days and months, ranks, demands and shares. */
#include <math.h>
#include <string.h>

#include "sim-frontend/trace/trace_calendar.h"
#include "sim-frontend/util/statistics.h"
#include "sim-frontend/workload/character.h"
#include "tests/unit/file.h"

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

/* --- statistics --------------------------------------------------------- */

static void finds_medians(void **state)
{
	double one[] = { 7 }, odd[] = { 3, 1, 2 }, even[] = { 4, 1, 3, 2 };

	(void)state;
	assert_true(lxfw_median(NULL, 0) == 0);
	assert_true(lxfw_median(one, 1) == 7);
	assert_true(lxfw_median(odd, 3) == 2);
	assert_true(lxfw_median(even, 4) == 2);
}

static void correlates_ranks(void **state)
{
	const double x[] = { 1, 2, 3, 4, 5 }, same[] = { 10, 20, 30, 40, 1000 };
	const double back[] = { 5, 4, 3, 2, 1 }, flat[] = { 2, 2, 2, 2, 2 };
	/* differences of ranks 1, 1, 1, 1, 0: 1 - 6 * 4 / (5 * 24) */
	const double swapped[] = { 2, 1, 4, 3, 5 };
	/* ranks 1.5, 1.5, 3.5, 3.5, 5: covariance 9 / roots of 10 and 9 */
	const double ties[] = { 1, 1, 2, 2, 3 };
	double r;

	(void)state;
	assert_int_equal(lxfw_rank_correlation(x, same, 5, &r), 0);
	assert_true(near(r, 1));
	assert_int_equal(lxfw_rank_correlation(x, back, 5, &r), 0);
	assert_true(near(r, -1));
	assert_int_equal(lxfw_rank_correlation(x, flat, 5, &r), 0);
	assert_true(r == 0);
	assert_int_equal(lxfw_rank_correlation(x, swapped, 5, &r), 0);
	assert_true(near(r, 0.8));
	assert_int_equal(lxfw_rank_correlation(x, ties, 5, &r), 0);
	assert_true(near(r, 9 / sqrt(90)));
	assert_int_equal(lxfw_rank_correlation(x, same, 0, &r), 0);
	assert_true(r == 0);
}

/* --- calendar ----------------------------------------------------------- */

static struct lxfw_trace read_text(const char *text)
{
	struct lxfw_trace trace;
	struct lxfw_error error;

	assert_int_equal(lxfw_trace_read(&trace, unit_file("trace.swf", text),
					 LXFW_MEMORY_KB_PER_JOB, &error), 0);
	return trace;
}

#define ONE_JOB "1 0 -1 1 1 -1 -1 1 1 -1 1 1 1 1 1 1 -1 -1\n"

/* The header, a second of the trace, and the expected date and time. */
static void expect_moment(const char *header, int64_t second, const char *day,
			  int64_t second_of_day, int weekday, const char *month)
{
	char text[512], name[32];
	struct lxfw_calendar calendar;
	struct lxfw_moment moment;
	struct lxfw_trace trace;

	snprintf(text, sizeof(text), "%s%s", header, ONE_JOB);
	trace = read_text(text);
	lxfw_trace_calendar(&trace, &calendar);
	lxfw_calendar_moment(&calendar, second, &moment);
	assert_string_equal(lxfw_calendar_day_name(&calendar, moment.day, name,
						   sizeof(name)), day);
	assert_int_equal(moment.second, second_of_day);
	assert_int_equal(moment.weekday, weekday);
	assert_string_equal(lxfw_calendar_month_name(&calendar, moment.month,
						     name, sizeof(name)),
			    month);
	assert_true(lxfw_calendar_first_day(&calendar, moment.month) <=
		    moment.day);
	assert_true(lxfw_calendar_first_day(&calendar, moment.month + 1) >
		    moment.day);
	lxfw_trace_clear(&trace);
}

static void names_days(void **state)
{
	/* 951782400 is 2000-02-29 00:00 UTC, a Tuesday */
	const char *leap = "; UnixStartTime: 951782400\n";
	const char *west = "; UnixStartTime: 951782400\n; TimeZone: -21600\n";

	(void)state;
	expect_moment(leap, 0, "2000-02-29", 0, 2, "2000-02");
	expect_moment(leap, 86400, "2000-03-01", 0, 3, "2000-03");
	expect_moment(leap, -86400 * 59 - 1, "1999-12-31", 86399, 5, "1999-12");
	expect_moment(west, 0, "2000-02-28", 64800, 1, "2000-02");
	expect_moment(west, 21600, "2000-02-29", 0, 2, "2000-02");
	/* an unknown time zone: the offset in the header applies */
	expect_moment("; UnixStartTime: 951782400\n; TimeZoneString: No/Such\n"
		      "; TimeZone: 3600 # DEPRECATED\n", 0, "2000-02-29", 3600,
		      2, "2000-02");
	/* no start time: days are counted */
	expect_moment("", 0, "day 1", 0, -1, "days 1-30");
	expect_moment("", 30 * 86400 - 1, "day 30", 86399, -1, "days 1-30");
	expect_moment("", 30 * 86400, "day 31", 0, -1, "days 31-60");
	/* months of other years */
	expect_moment(leap, -951782400, "1970-01-01", 0, 4, "1970-01");
	expect_moment(leap, INT64_C(86400) * 366, "2001-03-01", 0, 4,
		      "2001-03");
	expect_moment(leap, -INT64_C(86400) * (100 * 365 + 25),
		      "1900-02-28", 0, 3, "1900-02");
}

/* The night in which clocks changed from 2 to 3: 2 April 2000, 10:00 UTC. */
static void follows_the_zone(void **state)
{
	const char *header = "; UnixStartTime: 954669600\n"
			     "; TimeZoneString: US/Pacific\n";

	(void)state;
	if (access("/usr/share/zoneinfo/US/Pacific", R_OK)) {
		print_message("no description of US/Pacific here\n");
		skip();
	}
	expect_moment(header, -1, "2000-04-02", 2 * 3600 - 1, 0, "2000-04");
	expect_moment(header, 0, "2000-04-02", 3 * 3600, 0, "2000-04");
}

static void takes_large_times_for_unix_times(void **state)
{
	struct lxfw_trace trace = read_text(
		"1 951782400 -1 1 1 -1 -1 1 1 -1 1 1 1 1 1 1 -1 -1\n");
	struct lxfw_calendar calendar;

	(void)state;
	lxfw_trace_calendar(&trace, &calendar);
	assert_false(calendar.known);
	trace.jobs[0].submit = 1356998400;
	lxfw_trace_calendar(&trace, &calendar);
	assert_true(calendar.known);
	assert_int_equal(calendar.begin, 0);
	lxfw_trace_clear(&trace);
}

/* --- character ---------------------------------------------------------- */

/* Class 0 is serial, 1 parallel; jobs of 7 processors have no class. */
static int by_size(const void *context, const struct lxfw_trace_job *job)
{
	(void)context;
	return job->procs == 7 ? -1 : job->procs > 1;
}

/*
 * From Monday 2000-01-31 00:00 UTC, in January and February:
 *
 *   job  submit            run    procs  request  memory, used (KB)
 *   1    Mon 00:00:00       59    1       7200    1048576   52428  (5 %)
 *   2    Mon 23:59:59      100    4       1000    2048      307    (15 %)
 *   3    Tue 12:00:00     4000    1      36001    409600    -
 *   4    Sat 12:30:00       10    7         10    -         2097152
 *   5    Sun 23:59:59       20    8      40000    819200    8192   (1 %)
 */
static struct lxfw_trace small_trace(void)
{
	return read_text(
	"; UnixStartTime: 949276800\n"
	"1 0      -1 59   1 -1 52428   1 7200  1048576 1 1 1 1 1 1 -1 -1\n"
	"2 86399  -1 100  4 -1 307     4 1000  2048    1 1 1 1 1 1 -1 -1\n"
	"3 129600 -1 4000 1 -1 -1      1 36001 409600  1 1 1 1 1 1 -1 -1\n"
	"4 477000 -1 10   7 -1 2097152 7 10    -1      1 1 1 1 1 1 -1 -1\n"
	"5 604799 -1 20   8 -1 8192    8 40000 819200  1 1 1 1 1 1 -1 -1\n");
}

static void expect_fraction(struct lxfw_fraction is, size_t count, size_t of)
{
	assert_int_equal(is.count, count);
	assert_int_equal(is.of, of);
}

static void measures_by_hand(void **state)
{
	static const char *const names[] = { "serial", "parallel" };
	const struct lxfw_character_options options = {
		.classes = { .count = 2, .names = names, .class_of = by_size },
	};
	struct lxfw_trace trace = small_trace();
	struct lxfw_character c;

	(void)state;
	assert_int_equal(lxfw_character_of(&c, &trace, &options), 0);
	assert_int_equal(c.begin, 0);
	assert_int_equal(c.end, 604800);
	assert_int_equal(c.all.jobs, 5);
	assert_true(near(c.all.proc_seconds, 59 + 400 + 4000 + 70 + 160));
	assert_true(near(c.all.mb_seconds,
			 59 * 1024 + 100 * 2 + 4000 * 400 + 20 * 800));
	expect_fraction(c.all.under_minute, 3, 5);
	expect_fraction(c.all.low_memory, 2, 3);
	/* classes */
	assert_int_equal(c.classes[0].jobs, 2);
	assert_true(near(c.classes[1].proc_seconds, 560));
	assert_int_equal(c.no_class, 1);
	/* the log has one day of January, six of February */
	assert_int_equal(c.month_count, 2);
	assert_int_equal(c.months[0].all.jobs, 2);
	assert_int_equal(c.months[0].seconds, 86400);
	assert_int_equal(c.months[1].all.jobs, 3);
	assert_int_equal(c.months[1].seconds, 6 * 86400);
	assert_int_equal(c.months[1].classes[1].jobs, 1);
	/* groups: 10 s, 1000 s, 7200 s; sizes 1, 3-4, 5-8 */
	assert_int_equal(c.requests[1].jobs, 1);
	assert_int_equal(c.requests[3].jobs, 1);
	assert_int_equal(c.requests[4].jobs, 1);
	assert_int_equal(c.requests[5].jobs, 2);
	assert_int_equal(c.sizes[0].jobs, 2);
	assert_int_equal(c.sizes[2].jobs, 1);
	assert_int_equal(c.sizes[3].jobs, 2);
	assert_int_equal(c.runs[2].jobs, 3);
	/* arrivals */
	assert_int_equal(c.arrivals[0].jobs[0], 1);
	assert_int_equal(c.arrivals[0].jobs[12], 1);
	assert_int_equal(c.arrivals[0].jobs[23], 1);
	assert_int_equal(c.arrivals[1].jobs[12], 1);
	assert_int_equal(c.arrivals[1].jobs[23], 1);
	for (int i = 0; i < 24; i++) {
		assert_int_equal(c.arrivals[0].hours[i], 5);
		assert_int_equal(c.arrivals[1].hours[i], 2);
	}
	/* facts */
	assert_true(c.has_requests);
	expect_fraction(c.over_hour, 2, 3);
	expect_fraction(c.over_ten_hours, 1, 2);
	expect_fraction(c.tenth, 2, 5);
	expect_fraction(c.small, 2, 3);
	expect_fraction(c.serial, 2, 5);
	expect_fraction(c.power_of_two, 2, 3);
	expect_fraction(c.serial_large, 1, 2);
	assert_true(c.median_run == 59);
	assert_true(c.median_request == 7200);
	assert_true(near(c.median_used_of_request, 0.1));
	assert_true(c.median_memory_mb == 400);
	assert_true(c.median_serial_memory_mb == 400);
	/* run 59 100 4000 10 20, processors 1 4 1 7 8: ranks 3 4 5 1 2 and 1.5 3
	   1.5 4 5; sum of products about their means -7, squares 10 and 9.5 */
	assert_true(near(c.run_and_procs, -7 / sqrt(95)));
	lxfw_character_clear(&c);
	lxfw_trace_clear(&trace);
}

static void keeps_to_its_window(void **state)
{
	const struct lxfw_character_options options = {
		.begin = 86400, .end = 604799,
	};
	struct lxfw_trace trace = small_trace();
	struct lxfw_character c;

	(void)state;
	assert_int_equal(lxfw_character_of(&c, &trace, &options), 0);
	assert_int_equal(c.all.jobs, 2);
	assert_int_equal(c.month_count, 1);
	assert_int_equal(c.months[0].seconds, 604799 - 86400);
	lxfw_character_clear(&c);
	lxfw_trace_clear(&trace);
}

/* Two jobs thirty thousand years apart: neither slow nor out of bounds. */
static void bears_long_traces(void **state)
{
	const struct lxfw_character_options options = { .begin = 0 };
	struct lxfw_trace trace = small_trace();
	struct lxfw_character c;

	(void)state;
	trace.jobs[4].submit = INT64_C(1000000000000);
	assert_int_equal(lxfw_character_of(&c, &trace, &options), 0);
	assert_int_equal(c.all.jobs, 5);
	assert_int_equal(c.months[c.month_count - 1].all.jobs, 1);
	assert_true(c.arrivals[0].hours[3] > 0 && c.arrivals[1].hours[3] > 0);
	assert_true(fabs((double)c.arrivals[0].hours[3] /
			 (double)c.arrivals[1].hours[3] - 2.5) < 0.01);
	lxfw_character_clear(&c);
	trace.count = 0;
	assert_int_equal(lxfw_character_of(&c, &trace, &options), 0);
	assert_int_equal(c.all.jobs, 0);
	lxfw_character_clear(&c);
	lxfw_trace_clear(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_medians),
		cmocka_unit_test(correlates_ranks),
		cmocka_unit_test(names_days),
		cmocka_unit_test(follows_the_zone),
		cmocka_unit_test(takes_large_times_for_unix_times),
		cmocka_unit_test(measures_by_hand),
		cmocka_unit_test(keeps_to_its_window),
		cmocka_unit_test(bears_long_traces),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
