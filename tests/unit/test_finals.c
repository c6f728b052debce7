/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last round of a search: the best of it on copies of the log, counted again here. */
#include "tests/unit/tune_world.h"

/* Those that some view has among its best eight, and what the site has. */
static void check_best(const struct world *world, const struct lxfw_finals *finals)
{
	bool best[SETTINGS] = { true };
	size_t chosen[SETTINGS], at = 0;

	for (int fold = -1; fold < FOLDS; fold++) {
		int64_t count = lxfw_choose_some(&world->trials, &world->search, fold,
						 LXFW_FINALS_EACH, chosen);

		assert_int_equal(count, LXFW_FINALS_EACH);
		for (int64_t i = 0; i < count; i++)
			best[chosen[i]] = true;
	}
	for (size_t i = 0; i < SETTINGS; i++) {
		if (!best[i])
			continue;
		assert_true(at < finals->best.count);
		assert_int_equal(finals->positions[at], i);
		assert_ptr_equal(finals->best.settings[at++].line, lines[i]);
	}
	assert_int_equal(finals->best.count, at);
	assert_true(at < SETTINGS);	/* some are not */
}

static void check_copies(const struct world *world, const struct lxfw_finals *finals,
			 int64_t arrivals)
{
	size_t numbers = lxfw_trials_numbers(&world->trials);
	double *sums = calloc(finals->best.count * numbers, sizeof(*sums));
	double *values = calloc(numbers, sizeof(*values));

	for (size_t i = 0; i < finals->count; i++) {
		struct lxfw_trials trials = world->trials;
		struct lxfw_trace copy;

		make_copy(world, arrivals, i + 1, &copy);
		trials.trace = &copy;
		for (size_t j = 0; j < JOBS; j++) {
			assert_int_equal(finals->copies[i].trace->jobs[j].submit,
					 copy.jobs[j].submit);
			assert_int_equal(finals->copies[i].trace->jobs[j].run,
					 copy.jobs[j].run);
		}
		for (size_t j = 0; j < finals->best.count; j++) {
			assert_int_equal(lxfw_trial_values(&trials,
				finals->best.settings[j].line, values, NULL), 0);
			for (size_t k = 0; k < numbers; k++)
				sums[j * numbers + k] += values[k];
		}
		lxfw_trace_clear(&copy);
	}
	for (size_t i = 0; i < finals->best.count; i++) {
		for (size_t j = 0; j < numbers; j++)
			assert_near(finals->best.settings[i].values[j],
				    sums[i * numbers + j] / (double)finals->count);
	}
	free(values);
	free(sums);
}

/* Submissions move by a tenth of the mean run time, and by a minute at most. */
static void test_finals(void **state)
{
	static const int64_t longest[] = { 400, 2400 };
	struct lxfw_error error;
	struct world world;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct lxfw_finals finals;
		int64_t sum = 0, arrivals;

		begin(&world, "mean_wait,mean_slowdown", NULL, longest[i], 0);
		for (size_t j = 0; j < JOBS; j++)
			sum += world.jobs[j].run;
		arrivals = i == 0 ? sum / JOBS / 10 : 60;
		assert_true(i == 0 ? arrivals < 30 : sum / JOBS / 10 > 60);
		world.settings[3].fold = 1;
		/* one that no fold has among its best, beyond the margin in what is kept */
		for (int fold = 0; fold < FOLDS; fold++)
			world.settings[1].values[lxfw_trials_fold_view(fold) * 3 + 2] =
				INFINITY;
		finals = finals_of(&world, COPIES_MOST);
		assert_int_equal(lxfw_finals_run(&finals, &error), 0);
		assert_int_equal(finals.count, COPIES_MOST);
		check_best(&world, &finals);
		check_copies(&world, &finals, arrivals);
		for (size_t j = 0; j < finals.best.count; j++)
			assert_int_equal(finals.best.settings[j].fold,
					 finals.positions[j] == 3 ? 1 : -1);
		lxfw_finals_clear(&finals);
		end(&world);
	}
}

/* Without copies the log itself is the only one. */
static void test_no_copies(void **state)
{
	struct lxfw_finals finals;
	struct lxfw_error error;
	struct world world;

	(void)state;
	begin(&world, "mean_wait", NULL, 2400, 0);
	finals = finals_of(&world, 0);
	assert_int_equal(lxfw_finals_run(&finals, &error), 0);
	assert_int_equal(finals.count, 1);
	assert_ptr_equal(finals.copies[0].trace, &world.trace);
	for (size_t i = 0; i < finals.best.count; i++)
		assert_memory_equal(finals.best.settings[i].values,
				    world.settings[finals.positions[i]].values,
				    world.search.numbers * sizeof(double));
	lxfw_finals_clear(&finals);
	end(&world);
}

/* No more than 250,000 jobs in all copies, but two of them. */
static void test_number(void **state)
{
	(void)state;
	assert_int_equal(lxfw_finals_copies(8, 1000), 8);
	assert_int_equal(lxfw_finals_copies(8, 31249), 8);
	assert_int_equal(lxfw_finals_copies(8, 31250), 7);
	assert_int_equal(lxfw_finals_copies(8, 83332), 3);
	assert_int_equal(lxfw_finals_copies(8, 1000000), 2);
	assert_int_equal(lxfw_finals_copies(1, 1000000), 1);
	assert_int_equal(lxfw_finals_copies(0, 10), 0);
}

static bool stopped(void)
{
	return true;
}

static void test_stop(void **state)
{
	struct lxfw_finals finals;
	struct lxfw_error error;
	struct world world;

	(void)state;
	begin(&world, "mean_wait", NULL, 2400, 2);
	finals = finals_of(&world, 2);
	/* A run under way stops, too: threads may be done before `stop` is asked. */
	finals.stop = world.trials.stop = stopped;
	assert_int_equal(lxfw_finals_run(&finals, &error), 1);
	lxfw_finals_clear(&finals);
	end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finals),
		cmocka_unit_test(test_no_copies),
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
