/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimates from jobs that have ended (sim-frontend/history), worked by hand; properties of
 * them on random jobs; and how wrong they are.
 */
#include <math.h>

#include "sim-frontend/history/accuracy.h"
#include "sim-frontend/history/estimates.h"
#include "tests/unit/unit.h"

static const struct lxfw_estimate_of ann = {
	.traits = { .user = 1, .account = 1, .partition = 1, .limit = 1000, .procs = 4 },
	.name = 7, .machine = -1, .speed = LXFW_RAN_SPEED,
};

static double expect(const struct lxfw_estimator *estimator, const struct lxfw_estimate_of *of)
{
	struct lxfw_expected_run expected;

	lxfw_estimator_expect(estimator, of, &expected);
	return expected.work;
}

static void learn(struct lxfw_estimator *estimator, const struct lxfw_estimate_of *of,
		  double work, int times)
{
	while (times-- > 0)
		assert_int_equal(lxfw_estimator_learn(estimator, of, work), 0);
}

static void assert_near(double is, double should)
{
	if (fabs(is - should) > 0.01)
		fail_msg("%f, expected %f", is, should);
}

/* What remains of the requested time halves with each group that has one job: six for the same
   class, five without the name, two for another user. */
static void groups(void **state)
{
	struct lxfw_estimator estimator = { 0 };
	struct lxfw_estimate_of other_name = ann, bob = ann, wide = ann, nobody = ann;

	(void)state;
	other_name.name = 8;
	bob.traits.user = 2;
	wide.traits.procs = 5;
	wide.traits.user = 3;
	nobody.traits.user = nobody.name = -1;
	assert_true(expect(&estimator, &ann) == 1000);
	learn(&estimator, &ann, 200, 1);
	assert_near(expect(&estimator, &ann), 200 + 800.0 / 64);
	assert_near(expect(&estimator, &other_name), 200 + 800.0 / 32);
	assert_near(expect(&estimator, &bob), 200 + 800.0 / 4);
	assert_near(expect(&estimator, &nobody), 200 + 800.0 / 4);
	assert_near(expect(&estimator, &wide), 200 + 800.0 / 2);
	/* A shorter limit of the same user: groups of the user and of all. */
	bob = ann;
	bob.traits.limit = 500;
	assert_near(expect(&estimator, &bob), 100 + 400.0 / 4);
	/* Jobs that ran longer than requested do not make it longer. */
	learn(&estimator, &ann, 5000, 10);
	assert_true(expect(&estimator, &ann) == 1000);
	lxfw_estimator_clear(&estimator);
}

/* A machine's own jobs count where there are any: 3/64 of the difference. */
static void machines(void **state)
{
	struct lxfw_estimator estimator = { 0 };
	struct lxfw_estimate_of here = ann, there = ann, new = ann;

	(void)state;
	here.machine = 0;
	there.machine = 1;
	new.machine = 2;
	learn(&estimator, &here, 100, 1);
	learn(&estimator, &there, 300, 1);
	assert_near(expect(&estimator, &here), 100 + 900.0 / 64);
	assert_near(expect(&estimator, &there), 300 + 700.0 / 64);
	assert_near(expect(&estimator, &new), 200 + 800.0 / 729);
	/* Nothing of this class ran here: the class there, then all here. */
	here.traits.user = 2;
	here.name = -1;
	there.traits.user = 2;
	there.name = -1;
	learn(&estimator, &there, 500, 1);
	assert_near(expect(&estimator, &here),
		    /* all and size here: 100; class, limit and user there: 500 */
		    500 + (100 + 900.0 / 4 - 500) / 8);
	/* The requested time is meant at twice the speed. */
	new = ann;
	new.traits.user = 9;
	new.traits.limit = 77;
	new.speed = 2 * LXFW_RAN_SPEED;
	lxfw_estimator_clear(&estimator);
	assert_true(expect(&estimator, &new) == 154);
	assert_int_equal(lxfw_estimate_seconds(154, 2000), 77);
	assert_int_equal(lxfw_estimate_seconds(0.2, 1000), 1);
}

/* A machine of another speed: its own accounting has the requested time divided by the speed and
   rounded up. Users request whole minutes, or anything if the machine is not faster. */
static void speeds(void **state)
{
	uint64_t random = unit_seed("speeds");

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct lxfw_estimator estimator = { 0 };
		struct lxfw_estimate_of there = ann, here = ann;
		struct lxfw_expected_run expected;

		there.speed = (int32_t)unit_between(&random, 1, 60 * LXFW_RAN_SPEED);
		here.traits.limit = unit_between(&random, 1, 3000);
		if (there.speed > LXFW_RAN_SPEED)
			here.traits.limit *= 60;
		there.traits.limit = (here.traits.limit * LXFW_RAN_SPEED + there.speed - 1) /
				     there.speed;
		learn(&estimator, &there, 0.5 * (double)there.traits.limit * there.speed /
		      LXFW_RAN_SPEED, 1000);
		lxfw_estimator_expect(&estimator, &here, &expected);
		if (expected.jobs != 1000 ||
		    fabs(expected.work / (double)here.traits.limit - 0.5) > 0.001)
			fail_msg("speed %d, limit %d: %d jobs, %f", (int)there.speed,
				 (int)here.traits.limit, (int)expected.jobs, expected.work);
		lxfw_estimator_clear(&estimator);
	}
}

/* Requested times that differ by a second are different classes at the usual speed. */
static void limits(void **state)
{
	struct lxfw_estimator estimator = { 0 };
	struct lxfw_estimate_of minute = ann, longer = ann;
	struct lxfw_expected_run expected;

	(void)state;
	minute.traits.limit = 60;
	longer.traits.limit = 61;
	learn(&estimator, &minute, 30, 3);
	lxfw_estimator_expect(&estimator, &minute, &expected);
	assert_int_equal(expected.jobs, 3);
	lxfw_estimator_expect(&estimator, &longer, &expected);
	assert_int_equal(expected.jobs, 0);
	lxfw_estimator_clear(&estimator);
}

/* --- jobs that have ended ----------------------------------------------------------------- */

struct seen {
	int64_t numbers[16];
	int count;
};

static int see(void *context, const struct lxfw_ran *job)
{
	struct seen *seen = context;

	assert_true(seen->count < 16);
	seen->numbers[seen->count++] = job->number;
	return 0;
}

static void add_ran(struct lxfw_rans *rans, const struct lxfw_ran *job)
{
	assert_int_equal(lxfw_rans_add(rans, job), 0);
}

/* In the order of their ends, each once. Jobs of a journal count after the end of the log, of
   which only what ended by now counts, too. */
static void each_once(void **state)
{
	static const int64_t expected[] = { 1, 2, 4, 4, 4, 4, 12, 11 };
	struct lxfw_ran job = {
		.number = 1, .end = 50, .ran = 10, .limit = 20, .procs = 4, .machine = -1,
	};
	struct lxfw_rans rans = { 0 };
	struct seen seen = { .count = 0 };

	(void)state;
	/* The same again, and others that differ from job 1 in one respect. */
	add_ran(&rans, &job);
	add_ran(&rans, &job);
	job.number = 2;
	add_ran(&rans, &job);
	job.number = 4;
	job.ran = 11;
	add_ran(&rans, &job);
	for (int i = 0; i < 3; i++) {	/* the same number, other values */
		struct lxfw_ran other = job;

		other.ran += i == 0;
		other.limit += i == 1;
		other.procs += i == 2;
		add_ran(&rans, &other);
	}
	job.number = 8;
	job.end = 150;			/* later */
	add_ran(&rans, &job);
	job.recorded = true;
	job.number = 11;
	job.end = 70;
	add_ran(&rans, &job);
	job.number = 12;
	job.end = 60;
	add_ran(&rans, &job);
	job.number = 13;
	job.end = 50;			/* in the log */
	add_ran(&rans, &job);
	job.number = 14;
	job.end = 101;
	add_ran(&rans, &job);
	assert_int_equal(lxfw_rans_each(&rans, 100, see, &seen), 0);
	assert_int_equal(seen.count, 8);
	for (int i = 0; i < 8; i++)
		assert_int_equal(seen.numbers[i], expected[i]);
	lxfw_rans_clear(&rans);
}

/* A job ends its wait and its run time after its submission; a wait that is unknown is 0. */
static void ends(void **state)
{
	struct lxfw_trace_job jobs[] = {
		{ .number = 1, .submit = 100, .wait = 30, .run = 7, .limit = 9, .procs = 1 },
		{ .number = 2, .submit = 100, .wait = -1, .run = 7, .limit = 9, .procs = 1 },
	};
	struct lxfw_trace_owner owners[2] = {
		{ .user = -1, .group = -1, .request = -1, .queue = -1, .partition = -1 },
		{ .user = -1, .group = -1, .request = -1, .queue = -1, .partition = -1 },
	};
	const struct lxfw_trace trace = { .jobs = jobs, .owners = owners, .count = 2 };
	struct lxfw_rans rans = { 0 };

	(void)state;
	assert_int_equal(lxfw_rans_trace(&rans, &trace), 0);
	assert_int_equal(rans.count, 2);
	assert_int_equal(rans.jobs[0].end - rans.jobs[0].submit, 37);
	assert_int_equal(rans.jobs[1].end - rans.jobs[1].submit, 7);
	assert_int_equal(rans.jobs[0].user, -1);
	lxfw_rans_clear(&rans);
}

/* Classes: 5 jobs with ratios 1 to 5 tenths. Nearest ranks: 2nd and 4th. */
static void confidence(void **state)
{
	struct lxfw_estimator estimator = { 0 }, copy;
	struct lxfw_expected_run expected;
	struct lxfw_estimate_of of = ann;

	(void)state;
	for (int i = 1; i <= 5; i++)
		learn(&estimator, &ann, 100 * i, 1);
	lxfw_estimator_expect(&estimator, &ann, &expected);
	assert_int_equal(expected.jobs, 5);
	assert_near(expected.low, 200);
	assert_near(expected.high, 400);
	of.name = 8;	/* the class without the name */
	lxfw_estimator_expect(&estimator, &of, &expected);
	assert_int_equal(expected.jobs, 5);
	of.traits.procs = 3;
	lxfw_estimator_expect(&estimator, &of, &expected);
	assert_int_equal(expected.jobs, 0);
	/* What a copy learns is not learned by the original. */
	assert_int_equal(lxfw_estimator_copy(&copy, &estimator), 0);
	learn(&copy, &ann, 900, 100);
	lxfw_estimator_expect(&copy, &ann, &expected);
	assert_int_equal(expected.jobs, 105);
	assert_near(expected.low, 900);
	lxfw_estimator_expect(&estimator, &ann, &expected);
	assert_int_equal(expected.jobs, 5);
	lxfw_estimator_clear(&copy);
	lxfw_estimator_clear(&estimator);
}

/* On random jobs: the estimate is between the smallest ratio and the limit, does not depend on
   machines if there is one, and converges to a run time that is always the same. */
static void properties(void **state)
{
	uint64_t random = unit_seed("estimates");

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct lxfw_estimator estimator = { 0 }, one = { 0 };
		double least = 1, truth = (double)unit_between(&random, 1, 1000);
		struct lxfw_estimate_of of = ann;

		for (int i = 0; i < 60; i++) {
			double work = (double)unit_between(&random, 1, 1000);

			of.traits.user = unit_between(&random, 1, 3);
			of.traits.procs = (int32_t)unit_between(&random, 1, 5);
			of.machine = -1;
			least = work / 1000 < least ? work / 1000 : least;
			learn(&estimator, &of, work, 1);
			of.machine = 3;
			learn(&one, &of, work, 1);
			assert_true(expect(&estimator, &of) == expect(&one, &of));
			assert_true(expect(&one, &of) >= 1000 * least - 0.01);
			assert_true(expect(&one, &of) <= 1000);
		}
		of.name = 99;
		learn(&one, &of, truth, 1000);
		assert_true(fabs(expect(&one, &of) - truth) <= 1);
		lxfw_estimator_clear(&estimator);
		lxfw_estimator_clear(&one);
	}
}

/* Errors 1, 0, 0.5, 3 of the estimates, and 9, 1, 0, 4 of the limits. */
static void accuracy(void **state)
{
	static const struct {
		int64_t estimate, limit, run;
		int32_t jobs;
	} rows[] = { { 20, 100, 10, 0 }, { 50, 100, 50, 2 }, { 5, 10, 10, 3 }, { 80, 100, 20, 16 } };
	struct lxfw_accuracies list = { 0 };
	struct lxfw_accuracy is;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const struct lxfw_expected_run expected = {
			.work = 10, .jobs = rows[i].jobs, .low = 2, .high = 2 + 2.0 * (double)i,
		};

		assert_int_equal(lxfw_accuracies_add(&list, &expected, rows[i].estimate,
						     rows[i].limit, rows[i].run), 0);
	}
	assert_int_equal(lxfw_accuracies_end(&list, &is), 0);
	assert_int_equal(is.jobs, 4);
	assert_true(is.estimates.median == 0.5 && is.estimates.p90 == 3);
	assert_true(is.limits.median == 1 && is.limits.p90 == 9);
	assert_true(is.estimates.under == 0.25 && is.limits.under == 0);
	assert_int_equal(is.classes[0].jobs, 1);
	assert_int_equal(is.classes[1].jobs, 2);
	assert_int_equal(is.classes[2].jobs, 0);
	assert_int_equal(is.classes[3].jobs, 1);
	assert_true(is.classes[1].median == 0 && is.classes[3].median == 3);
	assert_true(is.spread == 0.4);	/* of 0.2, 0.4, 0.6 */
	assert_int_equal(lxfw_accuracies_end(&list, &is), 0);
	assert_true(is.jobs == 0 && is.estimates.median == 0 && is.spread == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups), cmocka_unit_test(machines),
		cmocka_unit_test(speeds), cmocka_unit_test(confidence), cmocka_unit_test(properties),
		cmocka_unit_test(limits), cmocka_unit_test(each_once), cmocka_unit_test(ends),
		cmocka_unit_test(accuracy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
