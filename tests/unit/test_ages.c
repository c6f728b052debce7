/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run times where nothing is known but how long the running jobs have run. */
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>

#include "common/books/books.h"
#include "sim-frontend/history/experience.h"
#include "sim-frontend/predict/ages.h"

#define NOW INT64_C(10000000)
#define LIMIT 86400
#define JOBS 40

static struct lxfw_job jobs[JOBS + 1];

/* JOBS jobs run; their ages are all parts of MOST of the limit alike if jobs need that share, or else
   the parts of jobs that need any share up to MOST alike. One job has waited for WAITED. */
static double shape(double most, bool same, int64_t waited)
{
	struct lxfw_sched *sched = calloc(1, sizeof(*sched));
	double found;

	assert_non_null(sched);
	for (int i = 0; i < JOBS; i++) {
		double part = (i + 0.5) / JOBS, age = same ? part : 1 - sqrt(1 - part);

		jobs[i] = (struct lxfw_job) {
			.state = LXFW_JOB_RUNNING, .start = NOW - (int64_t)(age * most * LIMIT),
			.request.estimate = i % 2 ? LIMIT : 0, .due = NOW + LIMIT,
		};
		jobs[i].due = jobs[i].start + LIMIT;
	}
	jobs[JOBS] = (struct lxfw_job) { .state = LXFW_JOB_WAITING, .request.submit = NOW - waited };
	sched->jobs = jobs;
	sched->jobs_used = JOBS + 1;
	found = lxfw_ages_shape(sched, NOW);
	free(sched);
	return found;
}

/* Jobs that have run for any part of what they may need: they need about half of that. */
static void short_jobs_are_seen(void **state)
{
	(void)state;
	assert_true(fabs(1 / (shape(0.1, false, 2 * LIMIT) + 1) - 0.05) < 0.02);
	assert_true(fabs(1 / (shape(0.01, false, 2 * LIMIT) + 1) - 0.005) < 0.002);
}

/* Where jobs need any part of their limits alike, or all of them, nothing else is expected. */
static void usual_limits_stay(void **state)
{
	(void)state;
	assert_true(shape(1, false, 2 * LIMIT) < 1.1);
	assert_true(shape(1, true, 2 * LIMIT) == 1);
}

/* Young jobs mean nothing if the machine was empty before. */
static void a_machine_just_started_teaches_little(void **state)
{
	(void)state;
	assert_true(shape(0.01, true, 0) < 4);
	assert_true(shape(0.01, true, 2 * LIMIT) > 50);
}

static void without_jobs(void **state)
{
	struct lxfw_sched *sched = calloc(1, sizeof(*sched));

	(void)state;
	assert_non_null(sched);
	assert_true(lxfw_ages_shape(sched, NOW) == 1);
	free(sched);
}

/* Run times are drawn by the shape, given the time so far, unless some are known. */
static void draws_follow_the_shape(void **state)
{
	static const struct lxfw_traits traits = { .user = -1, .limit = LIMIT, .procs = 1 };
	struct lxfw_experience experience = { 0 };
	struct lxfw_random random;
	double sum = 0, later = 0;

	(void)state;
	lxfw_random_seed(&random, 1, 1);
	for (int i = 0; i < 10000; i++) {
		sum += (double)lxfw_experience_draw(&experience, &traits, 0, 9, &random);
		later += (double)lxfw_experience_draw(&experience, &traits, LIMIT / 2, 9, &random);
	}
	assert_true(fabs(sum / 10000 / LIMIT - 0.1) < 0.005);
	assert_true(fabs(later / 10000 / LIMIT - 0.55) < 0.005);
	assert_false(lxfw_experience_of_all(&experience));
	assert_int_equal(lxfw_experience_learn(&experience, &traits, LIMIT / 4), 0);
	assert_true(lxfw_experience_of_all(&experience));
	/* none ran for so long: as without ages */
	sum = 0;
	for (int i = 0; i < 10000; i++)
		sum += (double)lxfw_experience_draw(&experience, &traits, LIMIT / 2, 9, &random);
	assert_true(fabs(sum / 10000 / LIMIT - 0.75) < 0.01);
	lxfw_experience_clear(&experience);
}

/* A job without a limit needs any order of magnitude alike, unless such jobs are known: others with a limit
   tell nothing. */
static void draws_without_a_limit(void **state)
{
	static const int64_t bounds[] = { 61, 600, 6000, 60000, 600000, 6000000 };
	static const struct lxfw_traits limited = { .user = 1, .limit = LIMIT, .procs = 1 };
	static const struct lxfw_traits traits = {
		.user = 1, .limit = LXFW_EXPERIENCE_LIMITLESS, .procs = 1,
	};
	struct lxfw_experience experience = { 0 };
	struct lxfw_random random;
	int below[6] = { 0 };

	(void)state;
	lxfw_random_seed(&random, 1, 1);
	for (int i = 0; i < 20; i++)
		assert_int_equal(lxfw_experience_learn(&experience, &limited, LIMIT / 4), 0);
	for (int i = 0; i < 10000; i++) {
		int64_t run = lxfw_experience_draw(&experience, &traits, 5, 1, &random);

		assert_true(run >= 60 && run <= LXFW_EXPERIENCE_LIMITLESS);
		for (int k = 0; k < 6; k++)
			below[k] += run < bounds[k];
	}
	for (int k = 1; k < 6; k++)
		assert_true(abs(below[k] - below[k - 1] - 1749) < 150);
	/* Of those that have run for two hours, as many need twice the time as need four times that. */
	below[0] = below[1] = 0;
	for (int i = 0; i < 10000; i++) {
		int64_t run = lxfw_experience_draw(&experience, &traits, 7200, 1, &random);

		assert_true(run > 7200);
		below[0] += run < 2 * 7200;
		below[1] += run < 4 * 7200;
	}
	assert_true(abs(below[1] - 2 * below[0]) < 150 && below[0] > 700);
	for (int i = 0; i < 20; i++)
		assert_int_equal(lxfw_experience_learn(&experience, &traits, 7200), 0);
	for (int i = 0; i < 100; i++)
		assert_true(llabs(lxfw_experience_draw(&experience, &traits, 5, 1, &random) -
				  7200) < 10);
	lxfw_experience_clear(&experience);
}

/* The limit of a running job may be raised or reduced, also of one that was suspended for a while. */
static void changed_limits_count(void **state)
{
	struct lxfw_job job = { .start = 1000, .due = 1600, .request.estimate = 600 };

	(void)state;
	assert_int_equal(lxfw_ages_limit(&job), 600);
	job.due = 1000 + 18000;
	assert_int_equal(lxfw_ages_limit(&job), 18000);
	job.due = 1000 + 300;
	assert_int_equal(lxfw_ages_limit(&job), 300);
	job.paused = 50;
	job.due = 1000 + 50 + 630;
	assert_int_equal(lxfw_ages_limit(&job), 600);
	job.due = LXFW_NEVER;
	assert_int_equal(lxfw_ages_limit(&job), 600);
	job = (struct lxfw_job) { .start = 1000, .due = 1600 };
	assert_int_equal(lxfw_ages_limit(&job), 600);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changed_limits_count),
		cmocka_unit_test(short_jobs_are_seen),
		cmocka_unit_test(usual_limits_stay),
		cmocka_unit_test(a_machine_just_started_teaches_little),
		cmocka_unit_test(without_jobs),
		cmocka_unit_test(draws_follow_the_shape),
		cmocka_unit_test(draws_without_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
