/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forecasts as text, and the admin comments that may be replaced by them. */
#include "tests/unit/unit.h"

#include <string.h>

#include "sim-frontend/predict/comments.h"

#define NOW INT64_C(1795665600)	/* 2026-11-26T04:00:00 UTC */
#define TEXT "lxfw: expected start 2026-11-26T05:00, uncorrected 50 % 2026-11-26T04:40 to " \
	     "2026-11-26T05:10, 90 % 2026-11-26T04:10 to later, forecast of 2026-11-26T04:00"

static struct lxfw_told example(void)
{
	return (struct lxfw_told) {
		.times = { NOW + 3600, NOW + 2400, NOW + 4200, NOW + 600, LXFW_NEVER },
		.at = NOW,
	};
}

static int in_utc(void **state)
{
	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	return 0;
}

static void formats_and_reads(void **state)
{
	struct lxfw_told told = example(), read;
	char text[LXFW_TOLD_SIZE];

	(void)state;
	lxfw_told_format(&told, text);
	assert_string_equal(text, TEXT);
	assert_true(lxfw_told_parse(&read, text));
	assert_memory_equal(read.times, told.times, sizeof(told.times));
	assert_int_equal(read.at, told.at);
	assert_false(read.corrected);
	told.corrected = true;
	lxfw_told_format(&told, text);
	assert_true(lxfw_told_parse(&read, text));
	assert_true(read.corrected);
}

/* Text that a person wrote, or changed, is not ours. */
static void others_are_foreign(void **state)
{
	static const char *const texts[] = {
		"", "lxfw", "lxfw: expected start", "ask Ann", TEXT " (ask Ann)", " " TEXT,
		"lxfw: expected start soon, 50 % ",
		"lxfw: expected start 2026-11-26T05:0, 50 % 2026-11-26T04:40 to "
		"2026-11-26T05:10, 90 % 2026-11-26T04:10 to later, forecast of "
		"2026-11-26T04:00",
		"lxfw: expected start later, 50 % later to later, 90 % later to later",
	};
	struct lxfw_told told;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_false(lxfw_told_parse(&told, texts[i]));
}

static bool differs_by(int which, int64_t seconds)
{
	struct lxfw_told old = example(), new = example();

	new.times[which] += seconds;
	return lxfw_told_differs(&old, &new);
}

static void small_changes_are_kept(void **state)
{
	struct lxfw_told old = example(), new = example();

	(void)state;
	assert_false(lxfw_told_differs(&old, &new));
	/* An hour is left: six minutes. */
	assert_false(differs_by(LXFW_TOLD_START, -240));
	assert_false(differs_by(LXFW_TOLD_START, 360));
	assert_true(differs_by(LXFW_TOLD_START, 420));
	assert_true(differs_by(LXFW_TOLD_START, -360));
	/* Ten minutes are left: two whole minutes, as one may be a second. */
	assert_false(differs_by(LXFW_TOLD_LOW90, 119));
	assert_true(differs_by(LXFW_TOLD_LOW90, 120));
	assert_false(differs_by(LXFW_TOLD_LOW90, -60));
	assert_true(differs_by(LXFW_TOLD_LOW90, -61));
	new.times[LXFW_TOLD_HIGH90] = NOW + 86400;
	assert_true(lxfw_told_differs(&old, &new));
	new = example();
	new.corrected = true;
	assert_true(lxfw_told_differs(&old, &new));
	/* The expected start has passed. */
	new = example();
	new.at = NOW + 3720;
	new.times[LXFW_TOLD_START] = new.at;
	new.times[LXFW_TOLD_LOW90] = new.at;
	assert_true(lxfw_told_differs(&old, &new));
}

static const struct lxfw_comment *find(const struct lxfw_comments *comments, const char *name)
{
	for (size_t i = 0; i < comments->count; i++) {
		if (strcmp(comments->jobs[i].name, name) == 0)
			return &comments->jobs[i];
	}
	return NULL;
}

static void reads_the_list(void **state)
{
	char output[] =
		"slurm: a warning | of something\n"
		"PENDING|17|17||\n"
		"PENDING|18|18|(null)|\n"
		"PENDING|19|19|ask Ann | or Bob|\n"
		"PENDING|20|20|" TEXT "|\n"
		"PENDING|21|21|first line\n"
		"PENDING|17|17||\n"		/* second line of a comment */
		"PENDING|22|15_3||\n"
		"PENDING|15|15_[4-9%2]||\n"
		"PENDING|31|30+1||\n"
		"PENDING|x|x||\n"
		"PENDING|50|x||\n"
		"PENDING|51|||\n"
		"PENDING|52|52 53||\n"
		"PENDING|0|0||\n"
		"RUNNING|40|40||\n"
		"PENDING|41\n";
	struct lxfw_comments comments = { 0 };
	struct lxfw_told told = example();
	const struct lxfw_comment *job;

	(void)state;
	assert_int_equal(lxfw_comments_take(&comments, output), 0);
	assert_int_equal(comments.count, 8);
	assert_true(find(&comments, "17")->twice);
	assert_false(find(&comments, "18")->foreign);
	assert_false(find(&comments, "18")->twice);
	assert_true(find(&comments, "19")->foreign);
	assert_string_equal(find(&comments, "19")->text, "ask Ann | or Bob");
	assert_false(find(&comments, "20")->foreign);
	assert_true(find(&comments, "21")->foreign);

	assert_false(lxfw_comments_expect(&comments, 40, &told));
	assert_true(lxfw_comments_expect(&comments, 31, &told));
	assert_true(find(&comments, "30+1")->expected);
	/* A task with a record of its own, and two tasks of the array's record. */
	assert_true(lxfw_comments_expect(&comments, 15 | UINT64_C(4) << 32, &told));
	assert_true(find(&comments, "15_3")->expected);
	assert_false(find(&comments, "15_[4-9%2]")->expected);
	assert_true(lxfw_comments_expect(&comments, 15 | UINT64_C(7) << 32, &told));
	told.times[LXFW_TOLD_START] -= 60;
	assert_true(lxfw_comments_expect(&comments, 15 | UINT64_C(8) << 32, &told));
	told.times[LXFW_TOLD_START] += 600;
	assert_true(lxfw_comments_expect(&comments, 15 | UINT64_C(9) << 32, &told));
	job = find(&comments, "15_[4-9%2]");
	assert_int_equal(job->told.times[LXFW_TOLD_START], NOW + 3540);
	lxfw_comments_clear(&comments);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_and_reads),
		cmocka_unit_test(others_are_foreign),
		cmocka_unit_test(small_changes_are_kept),
		cmocka_unit_test(reads_the_list),
	};

	return cmocka_run_group_tests(tests, in_utc, NULL);
}
