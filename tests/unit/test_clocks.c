/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times of the next events of sites, beside a plain search of an array. */
#include "tests/unit/unit.h"

#include "common/model/event.h"
#include "sim-frontend/grid/clocks.h"

#define SITES_MOST 40
#define CHANGES 200
#define TIMES 12

static int32_t first_due(const int64_t *times, int32_t count, int32_t from, int64_t time)
{
	while (from < count && times[from] > time)
		from++;
	return from < count ? from : -1;
}

static void check(const struct lxfw_grid_clocks *clocks, const int64_t *times, int32_t count)
{
	int64_t least = LXFW_NEVER;

	for (int32_t i = 0; i < count; i++)
		least = times[i] < least ? times[i] : least;
	assert_int_equal(lxfw_grid_clocks_next(clocks), least);
	for (int32_t from = 0; from <= count; from++) {
		for (int64_t time = -1; time <= TIMES; time++)
			assert_int_equal(lxfw_grid_clocks_due(clocks, from, time),
					 first_due(times, count, from, time));
	}
}

static void test_clocks(void **state)
{
	uint64_t random = unit_seed("test_clocks");

	(void)state;
	for (int32_t count = 1; count <= SITES_MOST; count++) {
		struct lxfw_grid_clocks clocks;
		int64_t times[SITES_MOST];

		assert_int_equal(lxfw_grid_clocks_begin(&clocks, count), 0);
		for (int32_t i = 0; i < count; i++)
			times[i] = LXFW_NEVER;
		check(&clocks, times, count);
		for (int change = 0; change < CHANGES; change++) {
			int32_t site = (int32_t)unit_between(&random, 0, count - 1);
			int64_t time = unit_between(&random, 0, TIMES);

			times[site] = time == TIMES ? LXFW_NEVER : time;
			lxfw_grid_clocks_set(&clocks, site, times[site]);
			if (change % 20 == 0)
				check(&clocks, times, count);
		}
		lxfw_grid_clocks_end(&clocks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
