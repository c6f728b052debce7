/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dates of a log's calendar, and times in Slurm's format. */
#include "sim-frontend/util/calendar.h"

#include <errno.h>
#include <string.h>

#include "sim-frontend/trace/slurm_lines.h"
#include "tests/unit/unit.h"

static void knows_dates(void **state)
{
	(void)state;
	assert_true(lxfw_calendar_is_date(2026, 1, 1));
	assert_true(lxfw_calendar_is_date(2026, 12, 31));
	assert_true(lxfw_calendar_is_date(2024, 2, 29));
	assert_true(lxfw_calendar_is_date(2000, 2, 29));
	assert_true(lxfw_calendar_is_date(2026, 4, 30));
	assert_false(lxfw_calendar_is_date(2026, 2, 29));
	assert_false(lxfw_calendar_is_date(2100, 2, 29));
	assert_false(lxfw_calendar_is_date(2024, 2, 30));
	assert_false(lxfw_calendar_is_date(2026, 4, 31));
	assert_false(lxfw_calendar_is_date(2026, 12, 32));
	assert_false(lxfw_calendar_is_date(2026, 1, 0));
	assert_false(lxfw_calendar_is_date(2026, 0, 1));
	assert_false(lxfw_calendar_is_date(2026, 13, 1));
}

static void parses_dates(void **state)
{
	static const struct lxfw_calendar utc = { .known = true, .zone = "UTC" };
	static const struct lxfw_calendar east = {
		.known = true, .begin = 1000, .offset = 7200,
	};
	static const struct lxfw_calendar none;
	static const struct {
		const char *text;
		int64_t time;
	} good[] = {
		{ "1970-01-02", 86400 },
		{ "1970-01-01T00:01", 60 },
		{ "1970-01-01T01:00:05", 3605 },
		{ "2021-01-15T12:34:56", 1610714096 },
		{ "2024-02-29", 1709164800 },
	};
	static const char *const bad[] = {
		"", "1970-01", "1970-02-30", "2026-02-29", "1970-13-01", "1970-01-01 12:00",
		"1970-01-01T24:00", "1970-01-01T12:60", "1970-01-01T12:00:60", "1970-01-01T12",
		"1970-01-01T12:00x",
	};
	int64_t time;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_int_equal(lxfw_calendar_parse(&utc, good[i].text, 0, &time), 0);
		assert_int_equal(time, good[i].time);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		if (lxfw_calendar_parse(&utc, bad[i], 0, &time) == 0)
			fail_msg("'%s' is accepted", bad[i]);
	}
	assert_int_equal(lxfw_calendar_parse(&east, "1970-01-02", 0, &time), 0);
	assert_int_equal(time, 86400 - 7200 - 1000);
	assert_int_equal(lxfw_calendar_parse(&none, "1970-01-02", 0, &time), -1);
}

static struct lxfw_slice slice(const char *text)
{
	return (struct lxfw_slice) { text, strlen(text) };
}

static void parses_times_of_slurm(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds;
	} good[] = {
		{ "0", 0 }, { "60", 3600 }, { "60:30", 3630 }, { "1:00:01", 3601 },
		{ "1-12", 129600 }, { "1-12:30", 131400 }, { "1-12:30:05", 131405 },
		{ "365-0", 31536000 }, { "UNLIMITED", LXFW_SLURM_UNLIMITED },
		{ "infinite", LXFW_SLURM_UNLIMITED }, { "-1", LXFW_SLURM_UNLIMITED },
		{ "2147483647-0", INT64_C(2147483647) * 86400 },
	};
	static const char *const bad[] = {
		"", "x", "1h", "-2", "1:2:3:4", "1-", "1-2:3:4:5", "2147483648", "NONE", " 1",
	};
	int64_t seconds;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_int_equal(lxfw_slurm_time(slice(good[i].text), &seconds), 0);
		assert_int_equal(seconds, good[i].seconds);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		errno = 0;
		if (lxfw_slurm_time(slice(bad[i]), &seconds) == 0)
			fail_msg("'%s' is accepted", bad[i]);
		assert_int_equal(errno, EINVAL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_dates),
		cmocka_unit_test(parses_dates),
		cmocka_unit_test(parses_times_of_slurm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
