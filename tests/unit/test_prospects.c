/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is concluded from rearranged copies of a log. */
#include "tests/unit/tune_world.h"

#include "sim-frontend/tune/prospects.h"

/* ---- prospects --------------------------------------------------------------------- */

#define COPIES 4

/* Two goals, the second one only to be kept, of two settings on four copies. The current
   values are 99, so that with 1 added they are 100. */
struct made {
	struct lxfw_goals goals;
	struct lxfw_trials trials;
	struct lxfw_search search;
	struct lxfw_prospects prospects;
	double values[2 * COPIES * 2];
};

/* The changes alternate between CHANGE +- SPREAD, on a logarithmic scale. */
static void make_prospects(struct made *made, double change, double spread, double other)
{
	memset(made, 0, sizeof(*made));
	made->goals.objective_count = 1;
	made->goals.kept_count = 1;
	made->trials.goals = &made->goals;
	made->trials.weeks.count = 13;
	made->trials.weeks.length = 2 * DAY;
	made->search.margin = 0.05;
	made->prospects = (struct lxfw_prospects) {
		.trials = &made->trials, .search = &made->search, .count = 2,
		.copies = COPIES, .values = made->values,
	};
	for (int i = 0; i < COPIES; i++) {
		double sign = i % 2 ? spread : -spread;

		made->values[2 * i] = made->values[2 * i + 1] = 99;
		made->values[2 * (COPIES + i)] = 100 * exp(change + sign) - 1;
		made->values[2 * (COPIES + i) + 1] = 100 * exp(other + sign) - 1;
	}
}

static void test_prospect(void **state)
{
	struct lxfw_prospect of;
	struct made made;
	const size_t at = 1;
	double change, spread = 0.1 * sqrt(4.0 / 3), error = spread * sqrt(3 * (1.0 / 4 + 1.0 / 6));

	(void)state;
	make_prospects(&made, -0.2, 0.1, 0);
	lxfw_prospects_goal(&made.prospects, &at, 1, 0, &of);
	change = -0.2 + log(cosh(0.1));	/* of the means */
	assert_near(of.change, expm1(change));
	assert_near(of.spread, spread);
	assert_near(of.error, error);
	assert_near(of.low, expm1(change - 1.6449 * error));
	assert_near(of.high, expm1(change + 1.6449 * error));
	assert_near(of.worse, erfc(-change / error / sqrt(2)) / 2);
	assert_near(of.beyond, erfc((log(1.05) - change) / error / sqrt(2)) / 2);
	assert_near(of.better, erfc((change + log(1.05)) / error / sqrt(2)) / 2);
	assert_near(of.now, 99);
	assert_int_equal(of.copies, COPIES);
	assert_int_equal(of.lower, 4);
	assert_int_equal(of.higher, 0);
	/* no difference between copies: it is known */
	make_prospects(&made, 0.06, 0, 0);
	lxfw_prospects_goal(&made.prospects, &at, 1, 0, &of);
	assert_near(of.low, of.high);
	assert_true(of.worse == 1 && of.beyond == 1 && of.better == 0);
}

static bool worth(double change, double spread, double other)
{
	struct made made;

	make_prospects(&made, change, spread, other);
	return lxfw_prospects_worth(&made.prospects, 1);
}

static void test_worth(void **state)
{
	struct made made;

	(void)state;
	assert_true(worth(-0.3, 0.1, -0.1));
	/* not surely better by more than the margin */
	assert_false(worth(-0.1, 0.1, -0.1));
	assert_false(worth(-0.04, 0.001, 0));
	/* the other goal may be worse by more than that */
	assert_false(worth(-0.3, 0.1, 0.02));
	assert_true(worth(-0.3, 0.01, 0.02));
	assert_false(worth(-0.3, 0.01, 0.06));
	/* what is only kept need not improve, and its gain does not count */
	assert_false(worth(0, 0.01, -0.5));
	/* a limit */
	make_prospects(&made, -0.3, 0.01, 0);
	made.goals.kept_count = 0;
	made.goals.limit_count = 1;
	made.goals.limits[0].most = 100;
	assert_true(lxfw_prospects_worth(&made.prospects, 1));
	made.goals.limits[0].most = 98;
	assert_false(lxfw_prospects_worth(&made.prospects, 1));
	/* the current setting, and without copies */
	make_prospects(&made, -0.3, 0.01, 0);
	assert_false(lxfw_prospects_worth(&made.prospects, 0));
	made.prospects.copies = 0;
	assert_false(lxfw_prospects_worth(&made.prospects, 1));
}

/* A length such that 2 * 1.6449 standard deviations are the distance to what is shown. */
static void test_length(void **state)
{
	struct made made;
	double spread = 0.1 * sqrt(4.0 / 3), mean = log(cosh(0.1));
	double kept = pow(2 * 1.6449 * spread / (log(1.05) - mean), 2);

	(void)state;
	make_prospects(&made, -0.3, 0.1, 0);
	assert_near(lxfw_prospects_length(&made.prospects, 1), kept * 26 * DAY);
	make_prospects(&made, -0.3, 0.1, -1);
	assert_near(lxfw_prospects_length(&made.prospects, 1),
		    pow(2 * 1.6449 * spread / (0.3 - mean), 2) * 26 * DAY);
	make_prospects(&made, 0.01, 0.001, 0);
	assert_true(isinf(lxfw_prospects_length(&made.prospects, 1)));
	make_prospects(&made, -0.3, 0.001, 0.06);
	assert_true(isinf(lxfw_prospects_length(&made.prospects, 1)));
}

/* Not proven is not worse. */
static void test_judge(void **state)
{
	static const struct {
		double change, spread;
		enum lxfw_change_verdict verdict;
	} cases[] = {
		{ -0.2, 0.05, LXFW_CHANGE_KEPT }, { 0.02, 0.01, LXFW_CHANGE_KEPT },
		{ -0.1, 0.4, LXFW_CHANGE_UNSURE }, { 0.1, 0.4, LXFW_CHANGE_UNSURE },
		{ 0, 0, LXFW_CHANGE_KEPT }, { 0.2, 0.05, LXFW_CHANGE_WORSE }, { 0.06, 0, LXFW_CHANGE_WORSE },
	};
	const size_t at = 1;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct lxfw_judgement judgement;
		struct lxfw_prospect of;
		struct made made;

		make_prospects(&made, cases[i].change, cases[i].spread, 0);
		lxfw_prospects_goal(&made.prospects, &at, 1, 0, &of);
		lxfw_prospects_judge(&made.prospects, &of, &judgement);
		assert_int_equal(judgement.verdict, cases[i].verdict);
		assert_near(judgement.low, of.low);
		assert_near(judgement.kept_p, of.beyond);
		assert_near(judgement.better_chance, of.change < 0 ? of.worse : 1);
		assert_int_equal(judgement.kept_blocks > 0,
				 cases[i].verdict != LXFW_CHANGE_KEPT);
		assert_int_equal(isinf(judgement.better_blocks), of.change >= 0);
	}
}

/* ---- whole ------------------------------------------------------------------------- */

static void run(struct world *world, struct lxfw_prospects *prospects, int threads)
{
	static const size_t finals[] = { 0, 3, 5 }, shown[] = { 0, 7, 11 };
	struct lxfw_error error;

	*prospects = (struct lxfw_prospects) {
		.trials = &world->trials, .search = &world->search, .threads = threads,
		.seed = 5, .wanted = 2, .finals = finals, .final_count = 3,
		.shown = shown, .shown_count = 3,
	};
	assert_int_equal(lxfw_prospects_run(prospects, &error), 0);
}

/* EXPECTED are the values of the setting POSITION on copy NUMBER. */
static void check_copy(const struct world *world, const struct lxfw_prospects *prospects,
		       size_t position, uint64_t number, const double *expected)
{
	const struct lxfw_shake shake = { .seed = 5, .arrivals = 60, .runs = 0.1 };
	struct lxfw_trials trials = world->trials;
	struct lxfw_error error;
	struct lxfw_trace copy;
	double values[200];

	assert_int_equal(lxfw_rearranged_copy(&prospects->sessions, &shake, &world->trace,
					      number, &copy), 0);
	trials.trace = &copy;
	assert_int_equal(lxfw_trials_begin(&trials), 0);
	assert_true(lxfw_trials_numbers(&trials) <= 200);
	assert_int_equal(lxfw_trial_values(&trials, world->settings[position].line, values,
					   &error), 0);
	for (int i = 0; i < lxfw_goals_count(&world->goals); i++)
		assert_near(expected[i], values[i]);
	lxfw_trials_clear(&trials);
	lxfw_trace_clear(&copy);
}

/* The values are those of the setting on each copy, for any number of threads: two copies
   are for a first look, eight for all settings, eight for the best one. */
static void test_run(void **state)
{
	struct lxfw_prospects prospects, other;
	struct lxfw_prospect of;
	struct world world;
	double sum = 0;
	size_t goals;

	(void)state;
	begin(&world, "mean_wait,mean_slowdown", NULL, 7200, 0);
	goals = (size_t)lxfw_goals_count(&world.goals);
	run(&world, &prospects, 1);
	run(&world, &other, 3);
	assert_int_equal(prospects.copies, 8);
	assert_int_equal(prospects.positions[0], 0);
	assert_int_equal(prospects.positions[lxfw_prospects_find(&prospects, 7)], 7);
	assert_int_equal(prospects.positions[lxfw_prospects_find(&prospects, 11)], 11);
	assert_true(prospects.best > 0);
	assert_true(lxfw_prospects_worth(&prospects, prospects.best));
	assert_int_equal(other.count, prospects.count);
	assert_memory_equal(other.values, prospects.values,
			    prospects.count * 8 * goals * sizeof(*prospects.values));
	assert_memory_equal(other.again, prospects.again,
			    2 * 8 * goals * sizeof(*prospects.again));
	for (size_t i = 0; i < prospects.count; i++)
		check_copy(&world, &prospects, prospects.positions[i], 3 + 2,
			   &prospects.values[(i * 8 + 2) * goals]);
	check_copy(&world, &prospects, 0, 11 + 5, &prospects.again[5 * goals]);
	check_copy(&world, &prospects, prospects.positions[prospects.best], 11 + 5,
		   &prospects.again[(8 + 5) * goals]);
	/* the best one is judged by the last ones */
	lxfw_prospects_goal(&prospects, &prospects.best, 1, 0, &of);
	for (size_t i = 0; i < 8; i++)
		sum += prospects.again[(8 + i) * goals];
	assert_near(of.then, sum / 8);
	lxfw_prospects_clear(&other);
	lxfw_prospects_clear(&prospects);
	end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prospect),
		cmocka_unit_test(test_worth),
		cmocka_unit_test(test_length),
		cmocka_unit_test(test_judge),
		cmocka_unit_test(test_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
