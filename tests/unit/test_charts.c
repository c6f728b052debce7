/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data of the charts: hours of the week, waiting jobs, abbreviated numbers. */
#include <math.h>
#include <string.h>

#include "sim-frontend/metrics/timeline.h"
#include "sim-frontend/report/chart.h"
#include "sim-frontend/report/heat_map.h"
#include "sim-frontend/report/page.h"
#include "tests/unit/unit.h"

static const struct lxfw_calendar named = { .known = true, .zone = "UTC" };
static const struct lxfw_calendar unnamed = { .known = false };

/* 1970-01-01 was a Thursday. */
static void knows_the_days_of_the_week(void **state)
{
	struct lxfw_week_map map = { false };
	char text[16];

	(void)state;
	lxfw_week_map_add(&map, &named, 3600, 10);
	lxfw_week_map_add(&map, &named, 7 * 86400 + 3600 + 1800, 20);
	lxfw_week_map_add(&map, &named, 4 * 86400, 1);
	assert_true(map.named);
	assert_int_equal(map.hours[3][1].count, 2);
	assert_true(map.hours[3][1].sum == 30);
	assert_int_equal(map.hours[0][0].count, 1);
	assert_string_equal(lxfw_week_map_day(&map, 3, text, sizeof(text)), "Thu");
	lxfw_week_map_span(&map, &named, 0, 14 * 86400);
	for (int day = 0; day < LXFW_WEEK_DAYS; day++) {
		for (int hour = 0; hour < LXFW_DAY_HOURS; hour++)
			assert_int_equal(map.hours[day][hour].hours, 2);
	}
}

static void counts_days_without_names(void **state)
{
	struct lxfw_week_map map = { false };
	char text[16];

	(void)state;
	lxfw_week_map_add(&map, &unnamed, 8 * 86400 + 5 * 3600, 1);
	assert_false(map.named);
	assert_int_equal(map.hours[1][5].count, 1);
	assert_string_equal(lxfw_week_map_day(&map, 1, text, sizeof(text)),
			    "day 2");
}

/* A few extreme hours do not determine the scale of the others. */
static void does_not_scale_by_the_extreme(void **state)
{
	struct lxfw_week_map map = { false };

	(void)state;
	assert_true(lxfw_heat_most(&map, LXFW_HEAT_MEAN) == 0);
	for (int hour = 0; hour < 100; hour++)
		lxfw_week_map_add(&map, &named, hour * 3600, hour < 97 ? 5 : 1000);
	assert_true(lxfw_heat_most(&map, LXFW_HEAT_MEAN) == 5);
}

/* One job waits from 0 to 150 while another runs, a third from 100 to 150. */
static void sums_waiting_jobs(void **state)
{
	const struct lxfw_stay stays[] = {
		{ .submit = 0, .start = 0, .end = 150, .procs = 4 },
		{ .submit = 0, .start = 150, .end = 250, .procs = 2 },
		{ .submit = 100, .start = 150, .end = 200, .procs = 2 },
	};
	struct lxfw_timeline timeline;
	double waiting[3];

	(void)state;
	assert_int_equal(lxfw_timeline_make(&timeline, stays, 3), 0);
	lxfw_timeline_waiting(&timeline, 0, 100, 3, waiting);
	assert_true(waiting[0] == 100);
	assert_true(waiting[1] == 100);
	assert_true(waiting[2] == 0);
	lxfw_timeline_usage(&timeline, 0, 100, 3, waiting);
	assert_true(waiting[0] == 400);
	assert_true(waiting[1] == 400);
	assert_true(waiting[2] == 100);
	lxfw_timeline_clear(&timeline);
}

static void abbreviates_numbers(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{ 0, "0" }, { 0.5, "0.5" }, { 950, "950" }, { 4000, "4k" },
		{ 1250, "1250" }, { 93312, "93.3k" }, { 1e5, "100k" },
		{ 1.5e6, "1.5M" },
	};
	char text[24];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(lxfw_short_number(cases[i].value, text,
						      sizeof(text)),
				    cases[i].text);
}

static void tells_changes(void **state)
{
	(void)state;
	assert_true(lxfw_page_change_of(0, 0) == 0);
	assert_true(lxfw_page_change_of(100, 50) == -50);
	assert_true(isinf(lxfw_page_change_of(0, 1)));
	assert_string_equal(lxfw_page_base_name("/a/b.swf"), "b.swf");
	assert_string_equal(lxfw_page_base_name("b.swf"), "b.swf");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_the_days_of_the_week),
		cmocka_unit_test(counts_days_without_names),
		cmocka_unit_test(does_not_scale_by_the_extreme),
		cmocka_unit_test(sums_waiting_jobs),
		cmocka_unit_test(abbreviates_numbers),
		cmocka_unit_test(tells_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
