/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many reservations are made, by the time that decisions take. */
#include "tests/unit/unit.h"

#include "plugins/agent/reach.h"

#define MANY 1000000

/* COUNT decisions of US each, a second apart. Returns the number after the last one. */
static int32_t decided(struct lxfw_reach *reach, int count, uint64_t us, size_t waiting,
		       int64_t *now)
{
	int32_t most = -1;

	for (int i = 0; i < count; i++)
		most = lxfw_reach_decided(reach, us, waiting, ++*now);
	return most;
}

/* No more than the parameter, which is below the least number. */
static void test_few(void **state)
{
	struct lxfw_reach reach = { 0 };
	int64_t now = 0;

	(void)state;
	assert_int_equal(lxfw_reach_set(&reach, 1), 1);
	assert_int_equal(decided(&reach, 1000, 10, MANY, &now), 1);
	assert_int_equal(decided(&reach, 1000, LXFW_REACH_SLOW_US + 1, MANY, &now), 1);
	assert_int_equal(lxfw_reach_set(&reach, LXFW_REACH_FIRST), LXFW_REACH_FIRST);
	assert_int_equal(decided(&reach, 1000, LXFW_REACH_SLOW_US + 1, MANY, &now),
			 LXFW_REACH_FIRST);
}

/* Twice as many after enough fast decisions in a row, up to what is wanted. */
static void test_grows(void **state)
{
	struct lxfw_reach reach = { 0 };
	int64_t now = 0;

	(void)state;
	assert_int_equal(lxfw_reach_set(&reach, 1000), LXFW_REACH_FIRST);
	assert_int_equal(decided(&reach, LXFW_REACH_DECISIONS - 1, 10, MANY, &now), 200);
	assert_int_equal(decided(&reach, 1, LXFW_REACH_FAST_US, MANY, &now), 200);
	assert_int_equal(decided(&reach, LXFW_REACH_DECISIONS - 1, 10, MANY, &now), 200);
	assert_int_equal(decided(&reach, 1, 10, MANY, &now), 400);
	assert_int_equal(decided(&reach, LXFW_REACH_DECISIONS, 10, MANY, &now), 800);
	assert_int_equal(decided(&reach, LXFW_REACH_DECISIONS, 10, MANY, &now), 1000);
	assert_int_equal(decided(&reach, 1000, 10, MANY, &now), 1000);
	/* What was learnt remains. */
	assert_int_equal(lxfw_reach_set(&reach, 1), 1);
	assert_int_equal(lxfw_reach_set(&reach, INT32_MAX), 1600);
	assert_int_equal(decided(&reach, 1000, 10, MANY, &now), LXFW_REACH_MOST);
}

/* More than the jobs that wait are of no use. */
static void test_few_wait(void **state)
{
	struct lxfw_reach reach = { 0 };
	int64_t now = 0;

	(void)state;
	assert_int_equal(lxfw_reach_set(&reach, INT32_MAX), LXFW_REACH_FIRST);
	assert_int_equal(decided(&reach, 1000, 10, LXFW_REACH_FIRST, &now), 200);
	assert_int_equal(decided(&reach, 1, 10, LXFW_REACH_FIRST + 1, &now), 400);
	assert_int_equal(decided(&reach, 1000, 10, 300, &now), 400);
}

/* Half as many after a slow decision, down to the least number, and no more for some time. */
static void test_shrinks(void **state)
{
	struct lxfw_reach reach = { 0 };
	int64_t now = 0;

	(void)state;
	(void)lxfw_reach_set(&reach, 1500);
	assert_int_equal(decided(&reach, 1000, 10, MANY, &now), 1500);
	assert_int_equal(decided(&reach, 1, LXFW_REACH_SLOW_US, MANY, &now), 1500);
	assert_int_equal(decided(&reach, 1, LXFW_REACH_SLOW_US + 1, MANY, &now), 750);
	assert_int_equal(decided(&reach, LXFW_REACH_RETRY - 1, 10, MANY, &now), 750);
	assert_int_equal(decided(&reach, 1, 10, MANY, &now), 1500);
	assert_int_equal(decided(&reach, 9, LXFW_REACH_SLOW_US + 1, MANY, &now), 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_grows),
		cmocka_unit_test(test_few_wait),
		cmocka_unit_test(test_shrinks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
