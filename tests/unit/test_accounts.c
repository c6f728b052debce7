/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of one job, and local times around the changes of clocks. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim-frontend/trace/doubles.h"
#include "sim-frontend/util/zone.h"
#include "tests/unit/unit.h"

static struct lxfw_doubles doubles;
static size_t earlier;

static int forget(void **state)
{
	(void)state;
	lxfw_doubles_clear(&doubles);
	return 0;
}

static struct lxfw_account run(int64_t number, int64_t start, int64_t end)
{
	return (struct lxfw_account) {
		.number = number, .submit = 100, .start = start, .end = end,
		.over = end >= 0,
	};
}

static void sees(enum lxfw_sight sight, struct lxfw_account account, size_t where)
{
	earlier = 999;
	assert_int_equal(lxfw_doubles_look(&doubles, &account, where, &earlier), sight);
}

static void tells_jobs_apart(void **state)
{
	struct lxfw_account account = run(1, 200, 300);

	(void)state;
	sees(LXFW_SIGHT_NEW, account, 7);
	sees(LXFW_SIGHT_DOUBLE, account, 8);
	assert_int_equal(earlier, 7);
	account.submit = 101;
	sees(LXFW_SIGHT_NEW, account, 9);
	account = run(2, 200, 300);
	sees(LXFW_SIGHT_NEW, account, 10);
	account.id = (struct lxfw_slice) { "2_1", 3 };
	sees(LXFW_SIGHT_NEW, account, 11);
	account.cluster = (struct lxfw_slice) { "c", 1 };
	sees(LXFW_SIGHT_NEW, account, 12);
	sees(LXFW_SIGHT_DOUBLE, account, 13);
	assert_int_equal(earlier, 12);
	/* an id is not a cluster */
	account = run(2, 200, 300);
	account.cluster = (struct lxfw_slice) { "2_1", 3 };
	sees(LXFW_SIGHT_NEW, account, 14);
}

/* Each run of a requeued job has a record of its own. */
static void tells_runs_apart(void **state)
{
	(void)state;
	sees(LXFW_SIGHT_NEW, run(1, 200, 300), 0);
	sees(LXFW_SIGHT_NEW, run(1, 400, 500), 1);
	sees(LXFW_SIGHT_NEW, run(1, 200, 301), 2);
	sees(LXFW_SIGHT_NEW, run(1, 201, 300), 3);
	sees(LXFW_SIGHT_DOUBLE, run(1, 400, 500), 4);
	assert_int_equal(earlier, 1);
	sees(LXFW_SIGHT_DOUBLE, run(1, 200, 300), 5);
	assert_int_equal(earlier, 0);
}

/* What ran in one export is over in the next. */
static void sees_later(void **state)
{
	(void)state;
	sees(LXFW_SIGHT_NEW, run(1, -1, -1), 1);	/* waits */
	sees(LXFW_SIGHT_DOUBLE, run(1, -1, -1), 2);
	sees(LXFW_SIGHT_LATER, run(1, 200, -1), 3);	/* runs */
	assert_int_equal(earlier, 1);
	sees(LXFW_SIGHT_DOUBLE, run(1, 200, -1), 4);
	sees(LXFW_SIGHT_LATER, run(1, 200, 300), 5);	/* is over */
	assert_int_equal(earlier, 1);
	sees(LXFW_SIGHT_DOUBLE, run(1, 200, 300), 6);
	/* older records of it come last */
	sees(LXFW_SIGHT_DOUBLE, run(1, 200, -1), 7);
	sees(LXFW_SIGHT_DOUBLE, run(1, -1, -1), 8);
	/* another run of it */
	sees(LXFW_SIGHT_NEW, run(1, 350, -1), 9);
	sees(LXFW_SIGHT_NEW, run(1, 400, 500), 10);
	sees(LXFW_SIGHT_LATER, run(1, 350, 380), 11);
	assert_int_equal(earlier, 9);
}

/* --- clocks ----------------------------------------------------------------------- */

/* 2024-03-31 02:00 in Berlin becomes 03:00; 2024-10-27 03:00 becomes 02:00. */
#define FORWARD INT64_C(1711846800)	/* UTC */
#define BACK INT64_C(1729990800)
#define HOUR 3600

static void shows(bool set, int64_t local, int64_t first, int64_t second, bool skipped)
{
	struct lxfw_zone_moments moments;

	lxfw_zone_moments(set, local, &moments);
	assert_int_equal(moments.at[0], first);
	assert_int_equal(moments.count, second >= 0 ? 2 : 1);
	if (second >= 0)
		assert_int_equal(moments.at[1], second);
	assert_int_equal(moments.skipped, skipped);
}

static void reads_clocks(void **state)
{
	(void)state;
	if (access("/usr/share/zoneinfo/Europe/Berlin", R_OK))
		skip();
	assert_true(lxfw_zone_set("Europe/Berlin"));
	assert_string_equal(getenv("TZ"), "Europe/Berlin");
	shows(false, FORWARD, FORWARD, -1, false);
	/* winter and summer */
	shows(true, 1704067200, 1704067200 - HOUR, -1, false);
	shows(true, 1719792000, 1719792000 - 2 * HOUR, -1, false);
	/* forward: local times are UTC plus 1 h before, plus 2 h behind */
	shows(true, FORWARD + HOUR - 1, FORWARD - 1, -1, false);
	shows(true, FORWARD + HOUR, FORWARD, -1, true);
	shows(true, FORWARD + 2 * HOUR - 1, FORWARD + HOUR - 1, -1, true);
	shows(true, FORWARD + 2 * HOUR, FORWARD, -1, false);
	/* back: an hour comes twice */
	shows(true, BACK + HOUR - 1, BACK - HOUR - 1, -1, false);
	shows(true, BACK + HOUR, BACK - HOUR, BACK, false);
	shows(true, BACK + 2 * HOUR - 1, BACK - 1, BACK + HOUR - 1, false);
	shows(true, BACK + 2 * HOUR, BACK + HOUR, -1, false);
	/* never before 1970 */
	shows(true, 1800, 0, -1, false);
}

static void takes_the_nearest(void **state)
{
	struct lxfw_zone_moments moments = { .at = { 1000, 4600 }, .count = 2 };

	(void)state;
	assert_int_equal(lxfw_zone_nearest(&moments, 2799), 1000);
	assert_int_equal(lxfw_zone_nearest(&moments, 2800), 1000);
	assert_int_equal(lxfw_zone_nearest(&moments, 2801), 4600);
	assert_int_equal(lxfw_zone_nearest(&moments, 9000), 4600);
	assert_int_equal(lxfw_zone_nearest(&moments, 0), 1000);
	assert_int_equal(lxfw_zone_nearest(&moments, -1), 1000);
	moments.count = 1;
	assert_int_equal(lxfw_zone_nearest(&moments, 9000), 1000);
}

static void knows_zones(void **state)
{
	static const char *const none[] = {
		"", "Europe", "/usr/share/zoneinfo/Europe/Berlin", ":UTC",
		"../zoneinfo/UTC", "Europe/Atlantis",
		"a/very/long/name/that/is/longer/than/the/room/for/the/path/of/its/"
		"file/and/so/is/no/zone/of/this/or/any/other/system",
	};

	(void)state;
	setenv("TZ", "kept", 1);
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_false(lxfw_zone_set(none[i]));
	assert_string_equal(getenv("TZ"), "kept");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(tells_jobs_apart, forget),
		cmocka_unit_test_teardown(tells_runs_apart, forget),
		cmocka_unit_test_teardown(sees_later, forget),
		cmocka_unit_test(reads_clocks),
		cmocka_unit_test(takes_the_nearest),
		cmocka_unit_test(knows_zones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
