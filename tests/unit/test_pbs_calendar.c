/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dedicated time and prime time of an OpenPBS scheduler, from its files. */
#include "tests/unit/unit.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugins/agent/log.h"
#include "plugins/pbs/calendar.h"

static char folder[] = "/tmp/lxfw-calendar-XXXXXX";
static struct lxfw_pbs_calendar calendar;
static char logged[400];

static void keep_log(enum lxfw_log_level level, const char *text)
{
	(void)level;
	snprintf(logged, sizeof(logged), "%s", text);
}

static void write_file(const char *name, const char *text)
{
	char path[200];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	(void)unlink(path);
	if (!text)
		return;
	file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
}

static void read_files(const char *config, const char *dedicated, const char *holidays)
{
	logged[0] = '\0';
	write_file("sched_config", config);
	write_file("dedicated_time", dedicated);
	write_file("holidays", holidays);
	lxfw_pbs_calendar_clear(&calendar);
	assert_true(lxfw_pbs_calendar_read(&calendar, folder) || !config);
}

static int begin(void **state)
{
	(void)state;
	setenv("TZ", "Europe/Berlin", 1);
	tzset();
	lxfw_log_to(keep_log);
	return mkdtemp(folder) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	write_file("sched_config", NULL);
	write_file("dedicated_time", NULL);
	write_file("holidays", NULL);
	lxfw_pbs_calendar_clear(&calendar);
	return rmdir(folder);
}

/* A local time of 2026. */
static int64_t at(int month, int day, int hour, int minute)
{
	struct tm tm = {
		.tm_year = 126, .tm_mon = month - 1, .tm_mday = day, .tm_hour = hour,
		.tm_min = minute, .tm_isdst = -1,
	};

	return mktime(&tm);
}

#define CONFIG "# a comment\n" \
	"dedicated_prefix: ded\nprimetime_prefix:\tp_\nnonprimetime_prefix: \"np_\"\n" \
	"by_queue: True\tprime\nbackfill_prime: true prime\nprime_spill: 0:30:00 NON_PRIME\n"

#define HOLIDAYS "YEAR 2026\nweekday 0600 1730\nsaturday none all\nsunday none all\n" \
	"* 1 Jan 1\n1 Jan 1 New Year's Day\n125 May 5 A day off\n"

static void classes(void **state)
{
	(void)state;
	read_files(NULL, NULL, NULL);
	assert_int_equal(lxfw_pbs_class_of(&calendar, "p_x"), LXFW_PBS_ANYTIME);
	assert_true(lxfw_pbs_is_prime(&calendar, at(1, 1, 0, 0)));
	assert_true(lxfw_pbs_prime_change(&calendar, at(1, 1, 0, 0)) == LXFW_NEVER);
	read_files(CONFIG, NULL, NULL);
	assert_int_equal(lxfw_pbs_class_of(&calendar, "workq"), LXFW_PBS_ANYTIME);
	assert_int_equal(lxfw_pbs_class_of(&calendar, "dedicated"), LXFW_PBS_DEDICATED);
	assert_int_equal(lxfw_pbs_class_of(&calendar, "p_x"), LXFW_PBS_PRIME);
	assert_int_equal(lxfw_pbs_class_of(&calendar, "np_x"), LXFW_PBS_NONPRIME);
	assert_string_equal(logged, "");
	/* Not read again while nothing changes. */
	assert_false(lxfw_pbs_calendar_read(&calendar, folder));
	write_file("holidays", HOLIDAYS);
	assert_true(lxfw_pbs_calendar_read(&calendar, folder));
	assert_int_equal(calendar.year, 2026);
}

static void queue_orders(void **state)
{
	(void)state;
	read_files("# nothing\n", NULL, NULL);
	assert_int_equal(lxfw_pbs_queue_order(&calendar, at(5, 4, 12, 0)),
			 LXFW_PBS_QUEUES_BY_PRIORITY);
	read_files("by_queue: True prime\nby_queue: False non_prime\nround_robin: false all\n",
		   NULL, HOLIDAYS);
	assert_int_equal(lxfw_pbs_queue_order(&calendar, at(5, 4, 12, 0)),
			 LXFW_PBS_QUEUES_IN_TURN);
	assert_int_equal(lxfw_pbs_queue_order(&calendar, at(5, 9, 12, 0)),
			 LXFW_PBS_QUEUES_TOGETHER);
	read_files("by_queue: True\nround_robin: true non_prime\n", NULL, HOLIDAYS);
	assert_int_equal(lxfw_pbs_queue_order(&calendar, at(5, 4, 12, 0)),
			 LXFW_PBS_QUEUES_IN_TURN);
	assert_int_equal(lxfw_pbs_queue_order(&calendar, at(5, 9, 12, 0)),
			 LXFW_PBS_QUEUES_BY_PRIORITY);
	assert_string_equal(logged, "");
	read_files("by_queue: perhaps\n", NULL, NULL);
	assert_string_not_equal(logged, "");
}

/* Users choose priorities, which have an effect only if sched_config has a key for them. */
static void priority_orders(void **state)
{
	(void)state;
	read_files("# job_sort_key: \"job_priority HIGH\"\n", NULL, HOLIDAYS);
	assert_int_equal(lxfw_pbs_priority_order(&calendar, at(5, 4, 12, 0)), 0);
	read_files("job_sort_key: \"job_priority HIGH\" prime\njob_sort_key: \"ncpus LOW\" all\n",
		   NULL, HOLIDAYS);
	assert_int_equal(lxfw_pbs_priority_order(&calendar, at(5, 4, 12, 0)), 1);
	assert_int_equal(lxfw_pbs_priority_order(&calendar, at(5, 9, 12, 0)), 0);
	read_files("job_sort_key: \"ncpus HIGH\"\tALL\njob_sort_key: \"job_priority HIGH\" ALL\n",
		   NULL, HOLIDAYS);
	assert_int_equal(lxfw_pbs_priority_order(&calendar, at(5, 4, 12, 0)), 0);
	read_files("job_sort_key: \"sort_priority  low\"\n", NULL, HOLIDAYS);
	assert_int_equal(lxfw_pbs_priority_order(&calendar, at(5, 9, 12, 0)), -1);
	assert_string_equal(logged, "");
	read_files("job_sort_key: job_priority\n", NULL, NULL);
	assert_string_not_equal(logged, "");
}

static void prime_times(void **state)
{
	(void)state;
	read_files(CONFIG, NULL, HOLIDAYS);
	assert_string_equal(logged, "");
	/* 4 May 2026 is a Monday. */
	assert_false(lxfw_pbs_is_prime(&calendar, at(5, 4, 5, 59)));
	assert_true(lxfw_pbs_is_prime(&calendar, at(5, 4, 6, 0)));
	assert_true(lxfw_pbs_is_prime(&calendar, at(5, 4, 17, 29)));
	assert_false(lxfw_pbs_is_prime(&calendar, at(5, 4, 17, 30)));
	assert_false(lxfw_pbs_is_prime(&calendar, at(5, 5, 12, 0)));
	assert_false(lxfw_pbs_is_prime(&calendar, at(5, 9, 12, 0)));
	assert_int_equal(lxfw_pbs_prime_change(&calendar, at(5, 4, 12, 0)), at(5, 4, 17, 30));
	assert_int_equal(lxfw_pbs_prime_change(&calendar, at(5, 4, 17, 30)), at(5, 6, 6, 0));
	assert_int_equal(calendar.change[1], at(5, 6, 17, 30));
	assert_int_equal(calendar.changes, LXFW_PBS_CHANGES);
	/* Over the change of summer time, at the same clock time. */
	assert_int_equal(lxfw_pbs_prime_change(&calendar, at(3, 27, 17, 30)), at(3, 30, 6, 0));
	/* Jobs of prime time end 30 minutes later; those of nonprime time are not limited. */
	(void)lxfw_pbs_prime_change(&calendar, at(5, 4, 12, 0));
	assert_int_equal(lxfw_pbs_prime_limit(&calendar, 0), at(5, 4, 18, 0));
	assert_true(lxfw_pbs_prime_limit(&calendar, 1) == LXFW_NEVER);
	read_files(CONFIG, NULL, "YEAR 2026\nmonday 2200 0400\ntuesday all none\n"
				 "wednesday none 1200\nthursday none none\nfriday 0600 none\n");
	assert_true(lxfw_pbs_is_prime(&calendar, at(5, 4, 3, 0)));
	assert_false(lxfw_pbs_is_prime(&calendar, at(5, 4, 4, 0)));
	assert_true(lxfw_pbs_is_prime(&calendar, at(5, 4, 22, 0)));
	assert_true(lxfw_pbs_is_prime(&calendar, at(5, 5, 4, 0)));
	assert_false(lxfw_pbs_is_prime(&calendar, at(5, 6, 4, 0)));
	assert_true(lxfw_pbs_is_prime(&calendar, at(5, 7, 4, 0)));
	assert_true(lxfw_pbs_is_prime(&calendar, at(5, 8, 4, 0)));
	assert_true(lxfw_pbs_is_prime(&calendar, at(5, 9, 4, 0)));	/* not in the file */
}

static void dedicated_times(void **state)
{
	const struct lxfw_pbs_gap *gap;

	(void)state;
	read_files(CONFIG, "\n# from to\n5/6/2026 12:00 5/6/2026 15:30\n"
			   "05/04/26 08:00 05/04/26 09:00\n", NULL);
	assert_int_equal(calendar.gap_count, 2);
	gap = lxfw_pbs_dedicated(&calendar, at(5, 4, 0, 0));
	assert_int_equal(gap->from, at(5, 4, 8, 0));
	assert_int_equal(gap->to, at(5, 4, 9, 0));
	assert_ptr_equal(lxfw_pbs_dedicated(&calendar, at(5, 4, 8, 59)), gap);
	assert_int_equal(lxfw_pbs_dedicated(&calendar, at(5, 4, 9, 0))->from, at(5, 6, 12, 0));
	assert_null(lxfw_pbs_dedicated(&calendar, at(5, 6, 15, 30)));
	assert_true(lxfw_pbs_meets_dedicated(&calendar, at(5, 4, 7, 0), at(5, 4, 8, 1)));
	assert_false(lxfw_pbs_meets_dedicated(&calendar, at(5, 4, 7, 0), at(5, 4, 8, 0)));
	assert_true(lxfw_pbs_meets_dedicated(&calendar, at(5, 4, 8, 30), at(5, 4, 9, 1)));
	assert_false(lxfw_pbs_meets_dedicated(&calendar, at(5, 4, 8, 0), at(5, 4, 9, 0)));
	assert_true(lxfw_pbs_meets_dedicated(&calendar, at(5, 5, 0, 0), at(5, 7, 0, 0)));
	read_files(CONFIG, "5/6/2026 12:00 5/6/2026 11:00\n", NULL);
	assert_int_equal(calendar.gap_count, 0);
	assert_non_null(strstr(logged, "dedicated_time:1: this line is left out"));
	read_files(CONFIG, "13/6/2026 12:00 5/6/2027 11:00\n", NULL);
	assert_int_equal(calendar.gap_count, 0);
}

static const char *closed(const char *queue, int64_t time, int64_t minutes)
{
	const char *why = lxfw_pbs_closed(&calendar, queue, time, minutes * 60);

	return why ? why : "open";
}

static void queues(void **state)
{
	(void)state;
	read_files(CONFIG "prime_exempt_anytime_queues: true\n",
		   "5/4/2026 08:00 5/4/2026 09:00\n", HOLIDAYS);
	assert_string_equal(closed("workq", at(5, 4, 7, 0), 9999), "open");
	assert_string_equal(closed("workq", at(5, 4, 8, 0), 1), "it is dedicated time");
	assert_string_equal(closed("ded", at(5, 4, 7, 0), 1), "its queue waits for dedicated time");
	assert_string_equal(closed("ded", at(5, 4, 8, 0), 60), "open");
	assert_string_equal(closed("ded", at(5, 4, 8, 0), 61),
			    "it would run beyond the dedicated time");
	assert_non_null(strstr(closed("ded", at(5, 4, 9, 0), 1), "none is planned"));
	assert_string_equal(closed("p_x", at(5, 4, 5, 0), 1), "its queue waits for prime time");
	assert_string_equal(closed("p_x", at(5, 4, 12, 0), 360), "open");
	assert_string_equal(closed("p_x", at(5, 4, 12, 0), 361),
			    "it would run across a change of prime time");
	assert_string_equal(closed("np_x", at(5, 4, 12, 0), 1), "its queue waits for nonprime time");
	assert_string_equal(closed("np_x", at(5, 4, 5, 0), 9999), "open");
	assert_int_equal(lxfw_pbs_must_end(&calendar, "p_x", at(5, 4, 12, 0)), at(5, 4, 18, 0));
	assert_int_equal(lxfw_pbs_must_end(&calendar, "ded", at(5, 4, 8, 0)), at(5, 4, 9, 0));
	assert_true(lxfw_pbs_must_end(&calendar, "workq", at(5, 4, 12, 0)) == LXFW_NEVER);
	/* Other queues are planned around the change; a prime queue cannot be behind it. */
	read_files(CONFIG, NULL, HOLIDAYS);
	assert_string_equal(closed("workq", at(5, 4, 12, 0), 361), "open");
	assert_string_equal(closed("p_x", at(5, 4, 12, 0), 360), "open");
	assert_string_equal(closed("p_x", at(5, 4, 12, 0), 361),
			    "it would run across a change of prime time");
	read_files(CONFIG, NULL, NULL);
	assert_non_null(strstr(closed("np_x", at(5, 4, 5, 0), 1), "the holidays file has none"));
}

static void bad_lines(void **state)
{
	static const struct {
		const char *config, *holidays, *where;
	} cases[] = {
		{ "a: b\nbackfill_prime: perhaps\n", NULL, "sched_config:2:" },
		{ "backfill_prime: true sometimes\n", NULL, "sched_config:1:" },
		{ "prime_spill: long\n", NULL, "sched_config:1:" },
		{ "", "YEAR soon\n", "holidays:1:" },
		{ "", "weekday 0600\n", "holidays:1:" },
		{ "", "weekday 0600 1799\n", "holidays:1:" },
		{ "", "\nfunday 0600 1730\n", "holidays:2:" },
		{ "", "367\n", "holidays:1:" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		read_files(cases[i].config, NULL, cases[i].holidays);
		if (!strstr(logged, cases[i].where))
			fail_msg("case %zu: \"%s\"", i, logged);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes),
		cmocka_unit_test(queue_orders),
		cmocka_unit_test(priority_orders),
		cmocka_unit_test(prime_times),
		cmocka_unit_test(dedicated_times),
		cmocka_unit_test(queues),
		cmocka_unit_test(bad_lines),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
