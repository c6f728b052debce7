/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What jobs are charged for fair share, by hand. */
#include "tests/unit/unit.h"

#include "plugins/pbs/charges.h"

static struct lxfw_pbs_charges charges;

static double due(uint64_t id, int64_t started, double used)
{
	return lxfw_pbs_charges_due(&charges, id, started, used);
}

static void begin(int64_t now)
{
	lxfw_pbs_charges_begin(&charges, now);
}

/* The rest of a run is charged when it is over, once. */
static void rest(void **state)
{
	(void)state;
	begin(1000);
	assert_int_equal(charges.last, 0);
	/* What it has used before may have been charged by another scheduler. */
	assert_float_equal(due(1, 500, 40), 0, 0);
	lxfw_pbs_charges_end(&charges);
	begin(1060);
	assert_int_equal(charges.last, 1000);
	assert_float_equal(due(1, 500, 100), 60, 0);
	assert_float_equal(due(2, 1010, 7), 7, 0);	/* all since its start */
	assert_float_equal(due(1, 500, 90), 0, 0);	/* it used to be more */
	lxfw_pbs_charges_end(&charges);
	assert_int_equal(charges.count, 2);
	/* Both are over; and a third one, that was not seen before. */
	begin(1120);
	assert_float_equal(due(1, 500, 120), 20, 0);
	assert_float_equal(due(2, 1010, 9), 2, 0);
	assert_float_equal(due(3, 1070, 5), 5, 0);
	lxfw_pbs_charges_end(&charges);
	/* The server still names one of them, which ended in the last second. */
	begin(1180);
	assert_float_equal(due(3, 1070, 5), 0, 0);
	lxfw_pbs_charges_end(&charges);
	assert_int_equal(charges.count, 1);
	lxfw_pbs_charges_clear(&charges);
}

/* A run that was requeued is another one. */
static void run_again(void **state)
{
	(void)state;
	begin(1000);
	lxfw_pbs_charges_end(&charges);
	begin(1060);
	assert_float_equal(due(1, 1010, 30), 30, 0);
	lxfw_pbs_charges_end(&charges);
	begin(1120);
	assert_float_equal(due(1, 1100, 8), 8, 0);
	lxfw_pbs_charges_end(&charges);
	begin(1180);
	lxfw_pbs_charges_end(&charges);
	assert_int_equal(charges.count, 0);
	lxfw_pbs_charges_clear(&charges);
	/* As if the daemon were new. */
	begin(2000);
	assert_float_equal(due(1, 1100, 8), 0, 0);
	lxfw_pbs_charges_clear(&charges);
}

/* Each of many is the one of its number, also when some are dropped between. */
static void many(void **state)
{
	double sum = 0;

	(void)state;
	begin(1000);
	lxfw_pbs_charges_end(&charges);
	for (int step = 1; step <= 5; step++) {
		begin(1000 + 60 * step);
		for (uint64_t id = 1; id <= 100; id++) {
			if ((id + (uint64_t)step) % 3 || step == 1)
				sum += due(id, 1001, (double)(id * (uint64_t)step));
		}
		/* Those that are not met are met in the same evaluation as ended. */
		for (uint64_t id = 1; id <= 100; id++)
			sum += due(id, 1001, (double)(id * (uint64_t)step));
		lxfw_pbs_charges_end(&charges);
	}
	assert_float_equal(sum, 5 * 5050, 1e-9);
	begin(1400);
	for (uint64_t id = 2; id <= 100; id += 2)
		assert_float_equal(due(id, 1001, (double)id * 6), (double)id, 1e-9);
	lxfw_pbs_charges_end(&charges);
	assert_int_equal(charges.count, 50);
	begin(1460);
	for (uint64_t id = 2; id <= 100; id += 2)
		assert_float_equal(due(id, 1001, (double)id * 8), (double)id * 2, 1e-9);
	lxfw_pbs_charges_clear(&charges);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rest),
		cmocka_unit_test(run_again),
		cmocka_unit_test(many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
