/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Corrections of intervals: jobs that still wait, and errors that differ from those of other machines. */
#include "tests/unit/unit.h"

#include <math.h>

#include "common/model/time.h"
#include "sim-frontend/predict/elsewhere.h"
#include "sim-frontend/predict/remaining.h"

#define HOUR 3600
#define DAY (24 * HOUR)
#define ELSEWHERE 60

/* At TIME a job was expected to wait for an hour. */
static void promise(struct lxfw_promises *promises, int64_t time, int64_t start)
{
	struct lxfw_promise one = {
		.time = time, .job = promises->count + 1, .weight = 1, .start = start,
		.gone = LXFW_NEVER,
		.view = {
			.standing = { .age = HOUR, .expected = HOUR, .limit = 2 * HOUR },
			.raw.of = { { 0.8 * HOUR, 1.2 * HOUR }, { 0.5 * HOUR, 1.5 * HOUR } },
		},
	};

	assert_int_equal(lxfw_promises_add(promises, &one), 0);
}

/* The corrected bounds of such a job at NOW. */
static struct lxfw_bounds correct(const struct lxfw_promises *promises, int64_t now,
				  const struct lxfw_elsewhere *elsewhere)
{
	const struct lxfw_standing standing = { .age = HOUR, .expected = HOUR, .limit = 2 * HOUR };
	struct lxfw_bounds bounds = {
		{ { 0.8 * HOUR, 1.2 * HOUR }, { 0.5 * HOUR, 1.5 * HOUR } },
	};
	struct lxfw_remaining *remaining = lxfw_remaining_learn(promises, now, elsewhere);

	assert_non_null(remaining);
	assert_int_equal(lxfw_remaining_correct(remaining, &standing, 14 * DAY, &bounds), 0);
	lxfw_remaining_free(remaining);
	return bounds;
}

/* Errors up to three times of either sign, at 60 moments. */
static void past(struct lxfw_promises *promises)
{
	for (int i = 0; i < 60; i++) {
		double away = (i * 37 % 60 + 0.5) / 30 - 1;

		promise(promises, (int64_t)i * DAY,
			(int64_t)i * DAY + (int64_t)(HOUR * exp(log(3) * away)));
	}
}

static void near(double value, double wanted)
{
	if (fabs(value / wanted - 1) > 0.1)
		fail_msg("%.0f, expected about %.0f", value, wanted);
}

/* Jobs that have waited for seconds so far say nothing. */
static void waiting_since_now(void **state)
{
	struct lxfw_promises promises = { 0 };
	struct lxfw_bounds without, with;

	(void)state;
	past(&promises);
	without = correct(&promises, 60 * DAY, NULL);
	near(without.of[LXFW_HALF].high, HOUR * sqrt(3));
	for (int i = 0; i < 60; i++)
		promise(&promises, 60 * DAY - 70 + i, LXFW_NEVER);
	with = correct(&promises, 60 * DAY, NULL);
	for (int i = 0; i < LXFW_STATED; i++) {
		near(with.of[i].low, without.of[i].low);
		near(with.of[i].high, without.of[i].high);
	}
	lxfw_promises_clear(&promises);
}

/* Those that wait for twice as long as expected so far will wait for as long as others that did so: a third of
   the moments are such, and most of the longest waits. */
static void waiting_for_long(void **state)
{
	struct lxfw_promises promises = { 0 };
	struct lxfw_bounds without, with;

	(void)state;
	past(&promises);
	without = correct(&promises, 60 * DAY, NULL);
	for (int i = 0; i < 30; i++)
		promise(&promises, 60 * DAY - 2 * HOUR - 30 + i, LXFW_NEVER);
	with = correct(&promises, 60 * DAY, NULL);
	assert_true(with.of[LXFW_HALF].high > 1.2 * without.of[LXFW_HALF].high);
	assert_true(with.of[LXFW_HALF].high < 3 * HOUR + 60);
	assert_true(with.of[LXFW_HALF].low > without.of[LXFW_HALF].low);
	lxfw_promises_clear(&promises);
}

/* Other machines have errors up to twice the expected wait; those of this one are all of SIZE times, at ten
   moments. Returns the ratio of the 90 % interval to that of the other machines alone. */
static double ratio_with(double size)
{
	struct lxfw_elsewhere_job jobs[ELSEWHERE];
	const struct lxfw_elsewhere elsewhere = { jobs, ELSEWHERE, ELSEWHERE };
	struct lxfw_promises promises = { 0 };
	struct lxfw_bounds alone, both;

	for (int i = 0; i < ELSEWHERE; i++)
		jobs[i] = (struct lxfw_elsewhere_job) {
			i, HOUR, HOUR, 2 * HOUR, 2880, 4320, 1800, 5400,
			(int32_t)(HOUR * exp(log(2) * ((i + 0.5) / 30 - 1))),
		};
	alone = correct(&promises, 20 * DAY, &elsewhere);
	for (int i = 0; i < 10; i++)
		promise(&promises, (int64_t)i * DAY, (int64_t)i * DAY +
			(int64_t)(HOUR * exp((i % 2 ? 1 : -1) * log(size))));
	both = correct(&promises, 20 * DAY, &elsewhere);
	lxfw_promises_clear(&promises);
	return log(both.of[LXFW_MOST].high / both.of[LXFW_MOST].low) /
	       log(alone.of[LXFW_MOST].high / alone.of[LXFW_MOST].low);
}

/* Ten moments count as much as that errors are as elsewhere: half of the difference is believed. */
static void errors_of_this_size(void **state)
{
	double small = ratio_with(1.02), same = ratio_with(sqrt(2)), large = ratio_with(8);

	(void)state;
	assert_true(small < 0.6 && small > 0.1);
	assert_true(fabs(same - 1) < 0.1);
	assert_true(large > 2);
}

/* Promises of a clock that was wrong by centuries have no weight that is left: bounds are those of other machines, and
   numbers. */
static void wrong_clocks(void **state)
{
	struct lxfw_promises promises = { 0 };
	struct lxfw_bounds bounds, without;

	(void)state;
	without = correct(&promises, 20 * DAY, &lxfw_elsewhere_known);
	promise(&promises, -INT64_C(600) * 365 * DAY, DAY);
	bounds = correct(&promises, 20 * DAY, &lxfw_elsewhere_known);
	for (int i = 0; i < LXFW_STATED; i++) {
		assert_true(bounds.of[i].low >= 0 && bounds.of[i].low <= bounds.of[i].high);
		assert_true(bounds.of[i].high == without.of[i].high);
	}
	lxfw_promises_clear(&promises);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waiting_since_now),
		cmocka_unit_test(waiting_for_long),
		cmocka_unit_test(errors_of_this_size),
		cmocka_unit_test(wrong_clocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
