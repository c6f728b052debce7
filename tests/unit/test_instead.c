/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparison of two simulations of the same jobs, and what is concluded from it. */
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#include "sim-frontend/metrics/resample.h"
#include "sim-frontend/report/instead.h"

#define DAY 86400
#define EACH 10		/* jobs a day */
#define DAYS_MOST 60
#define JOBS_MOST (EACH * DAYS_MOST)

/* One job every 2.4 hours, each for 100 s. */
struct scene {
	struct lxfw_recorded_job jobs[JOBS_MOST];
	int64_t starts[JOBS_MOST];
	struct lxfw_recorded recorded;
	struct lxfw_verdict verdict;
	struct lxfw_instead instead;
};

/* Waits under the present scheduler differ from job to job, the mean of a day does not. */
static int64_t present_wait(int i)
{
	return 1000 + 100 * (i % EACH);
}

static void set_waits(struct scene *scene, int i, int64_t present, int64_t instead)
{
	scene->jobs[i].simulated = scene->jobs[i].request.submit + present;
	scene->starts[i] = scene->jobs[i].request.submit + instead;
}

static void set_scene(struct scene *scene, int days)
{
	memset(scene, 0, sizeof(*scene));
	for (int i = 0; i < EACH * days; i++) {
		struct lxfw_recorded_job *job = &scene->jobs[i];

		job->request.submit = (int64_t)i * (DAY / EACH);
		job->request.count = 1;
		job->request.unit.procs = 2;
		job->number = i + 1;
		job->start = job->request.submit + 77;
		job->end = job->start + 100;
		set_waits(scene, i, present_wait(i), present_wait(i));
	}
	scene->recorded.jobs = scene->jobs;
	scene->recorded.count = (size_t)(EACH * days);
	scene->recorded.procs = 16;
	scene->verdict.level = LXFW_VERDICT_GOOD;
	scene->instead = (struct lxfw_instead) {
		.recorded = &scene->recorded, .starts = scene->starts,
		.verdict = &scene->verdict, .params = "lxfw_policy=easy",
	};
}

/* Multiply the waits of each day by one of COUNT factors. */
static void set_factors(struct scene *scene, const double *factors, int count)
{
	for (int i = 0; i < (int)scene->recorded.count; i++) {
		double factor = factors[i / EACH % count];

		set_waits(scene, i, present_wait(i),
			  (int64_t)(factor * (double)present_wait(i)));
	}
}

static void measure(struct scene *scene)
{
	assert_int_equal(lxfw_instead_measure(&scene->instead), 0);
}

static void assert_concludes(const struct scene *scene, const char *begin)
{
	char text[400];

	lxfw_instead_conclusion(&scene->instead, text, sizeof(text));
	if (strncmp(text, begin, strlen(begin)) != 0)
		fail_msg("'%s', expected '%s...'", text, begin);
}

static void assert_shown(const struct scene *scene, int wait, int slowdown)
{
	assert_int_equal(scene->instead.changes[LXFW_INSTEAD_WAIT].shown, wait);
	assert_int_equal(scene->instead.changes[LXFW_INSTEAD_SLOWDOWN].shown, slowdown);
}

/* Both directions, with the means of all jobs. */
static void test_directions(void **state)
{
	static const double lower[] = { 0.4, 0.4, 0.6, 0.6, 0.5, 0.5 };
	static const double higher[] = { 2.5, 2.5, 1.5, 1.5, 2, 2 };
	static struct scene scene;
	struct lxfw_instead_change *wait = &scene.instead.changes[LXFW_INSTEAD_WAIT];

	(void)state;
	set_scene(&scene, 30);
	set_factors(&scene, lower, 6);
	measure(&scene);
	assert_int_equal(scene.instead.jobs, 300);
	assert_int_equal(scene.instead.earlier, 300);
	assert_int_equal(scene.instead.later, 0);
	assert_shown(&scene, -1, -1);
	assert_true(wait->now == 1450 && wait->then == 725);
	assert_true(wait->interval && wait->low > -0.6 && wait->low < -0.5 &&
		    wait->high > -0.5 && wait->high < -0.4);
	assert_concludes(&scene, "The mean wait would be 50 % lower (90 % interval: -");

	set_scene(&scene, 30);
	set_factors(&scene, higher, 6);
	measure(&scene);
	assert_int_equal(scene.instead.later, 300);
	assert_shown(&scene, 1, 1);
	assert_concludes(&scene, "The mean wait would be 100 % higher (90 % interval: +");
}

/* Without a credible simulation no change is shown, in any format. */
static void test_not_credible(void **state)
{
	static const enum lxfw_verdict_level levels[] = {
		LXFW_VERDICT_CARE, LXFW_VERDICT_NOT, LXFW_VERDICT_NONE,
	};
	static const double half[] = { 0.5 };
	static struct scene scene;

	(void)state;
	for (int i = 0; i < 3; i++) {
		set_scene(&scene, 30);
		set_factors(&scene, half, 1);
		scene.verdict.level = levels[i];
		measure(&scene);
		assert_shown(&scene, 0, 0);
		assert_false(scene.instead.changes[0].interval);
		assert_concludes(&scene, "No conclusion: the simulation does not");
	}
}

/* Jobs that never start under the other parameters do not improve its mean. */
static void test_never_started(void **state)
{
	static const double half[] = { 0.5 };
	static struct scene scene;

	(void)state;
	for (int never = 3; never <= 4; never++) {
		set_scene(&scene, 30);
		set_factors(&scene, half, 1);
		for (int i = 0; i < never; i++)
			scene.starts[70 * i] = LXFW_UNKNOWN;
		measure(&scene);
		assert_int_equal(scene.instead.only[LXFW_PRESENT], never);
		assert_int_equal(scene.instead.only[LXFW_INSTEAD], 0);
		assert_int_equal(scene.instead.jobs, 300 - never);
		assert_int_equal(scene.instead.changes[0].shown, never == 3 ? -1 : 0);
	}
	assert_concludes(&scene, "No conclusion: 4 jobs start only with the present");

	set_scene(&scene, 30);
	for (int i = 0; i < 9; i++)
		scene.jobs[i].simulated = LXFW_UNKNOWN;
	measure(&scene);
	assert_int_equal(scene.instead.only[LXFW_PRESENT], 0);
	assert_int_equal(scene.instead.only[LXFW_INSTEAD], 9);
	assert_concludes(&scene, "No conclusion: 0 jobs start only with the present");
}

/* Jobs that were cancelled or still ran have no run time. */
static void test_without_run(void **state)
{
	static struct scene scene;

	(void)state;
	set_scene(&scene, 30);
	scene.jobs[3].start = LXFW_UNKNOWN;
	scene.jobs[4].end = LXFW_UNKNOWN;
	scene.starts[3] = scene.starts[4] = LXFW_UNKNOWN;
	measure(&scene);
	assert_int_equal(scene.instead.jobs, 298);
	assert_int_equal(scene.instead.only[LXFW_PRESENT], 0);
	assert_concludes(&scene, "All jobs would start at the same time.");
}

static void test_days(void **state)
{
	static const double half[] = { 0.5 };
	static struct scene scene;

	(void)state;
	set_scene(&scene, 5);
	set_factors(&scene, half, 1);
	measure(&scene);
	assert_int_equal(scene.instead.blocks, 0);
	assert_concludes(&scene, "No conclusion: the log is too short");
	set_scene(&scene, 6);
	set_factors(&scene, half, 1);
	measure(&scene);
	assert_int_equal(scene.instead.blocks, 6);
	assert_int_equal(scene.instead.block_length, DAY);
	assert_shown(&scene, -1, -1);
	set_scene(&scene, 60);
	measure(&scene);
	assert_int_equal(scene.instead.block_length, 4 * DAY);
}

/* The interval is that of the draws, widened for the small number of days, and a change
   is shown only if it excludes 0. */
static void test_few_days(void **state)
{
	static const double factors[] = { 0.99, 0.1, 0.99, 0.99, 0.98, 0.98 };
	static struct scene scene;
	const struct lxfw_instead_change *wait =
		&scene.instead.changes[LXFW_INSTEAD_WAIT];
	struct lxfw_outcome now[60], then[60];
	int32_t clusters[60];
	double draws[LXFW_DRAWS];
	const struct lxfw_sample sample = {
		.clusters = clusters, .count = 60, .cluster_count = 6, .seed = 1,
	};

	(void)state;
	set_scene(&scene, 6);
	set_factors(&scene, factors, 6);
	measure(&scene);
	for (int i = 0; i < 60; i++) {
		now[i] = (struct lxfw_outcome) {
			.submit = scene.jobs[i].request.submit, .run = 100, .procs = 2,
			.end = scene.jobs[i].simulated + 100,
		};
		then[i] = now[i];
		then[i].end = scene.starts[i] + 100;
		clusters[i] = i / EACH;
	}
	assert_int_equal(lxfw_resample(&sample, LXFW_TUNE_MEAN_WAIT, now, then, draws), 0);
	assert_true(wait->interval);
	assert_true(fabs(wait->low - lxfw_resample_widen(
			draws[LXFW_DRAWS / 20 - 1], wait->then / wait->now - 1, 6,
			LXFW_INTERVAL_90)) < 1e-9);
	assert_true(fabs(wait->high - lxfw_resample_widen(
			draws[LXFW_DRAWS - LXFW_DRAWS / 20 - 1],
			wait->then / wait->now - 1, 6,
			LXFW_INTERVAL_90)) < 1e-9);
	assert_true(draws[LXFW_DRAWS - LXFW_DRAWS / 20 - 1] < 0 && wait->high > 0);
	assert_shown(&scene, 0, 0);
	assert_concludes(&scene, "No difference of the mean wait");
}

/* If most days have no wait at present, the interval has no upper end. */
static void test_no_upper_end(void **state)
{
	static struct scene scene;

	(void)state;
	set_scene(&scene, 30);
	for (int i = 0; i < 300; i++)
		set_waits(&scene, i, i < EACH ? 600 : 0, 3000);
	measure(&scene);
	assert_int_equal(scene.instead.changes[LXFW_INSTEAD_WAIT].shown, 1);
	assert_true(isinf(scene.instead.changes[LXFW_INSTEAD_WAIT].high));
	assert_concludes(&scene, "The mean wait would be 14900 % higher (90 % interval: above +");

	/* no wait at all: no percentage */
	set_scene(&scene, 30);
	for (int i = 0; i < 300; i++)
		set_waits(&scene, i, 0, 3000);
	measure(&scene);
	assert_int_equal(scene.instead.changes[LXFW_INSTEAD_WAIT].shown, 0);
}

/* The first difference is the earliest start of either side, and the largest differences
   are sorted. */
static void test_jobs(void **state)
{
	static const struct { int job; int64_t change; } changes[] = {
		{ 100, 10 }, { 20, -30 }, { 21, -4000 }, { 30, 5000 }, { 40, -50 },
		{ 50, 60 }, { 60, 70 }, { 200, -900 },
	};
	static const int64_t largest[] = { 30, 21, 200, 60, 50 };
	static struct scene scene;

	(void)state;
	set_scene(&scene, 30);
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		int job = changes[i].job;

		set_waits(&scene, job, 5000, 5000 + changes[i].change);
	}
	/* submitted later than job 20, but job 21 starts 3999 s earlier than at present */
	set_waits(&scene, 20, 20000, 19970);
	measure(&scene);
	assert_int_equal(scene.instead.earlier, 4);
	assert_int_equal(scene.instead.later, 4);
	assert_int_equal(scene.instead.parted, 21);
	assert_int_equal(scene.instead.largest_count, LXFW_INSTEAD_LARGEST);
	for (int i = 0; i < LXFW_INSTEAD_LARGEST; i++)
		assert_int_equal(scene.instead.largest[i], largest[i]);

	/* job 11 starts first, at present; it is submitted 8640 s after job 10 */
	set_scene(&scene, 30);
	set_waits(&scene, 10, 9000, 9500);
	set_waits(&scene, 11, 100, 5000);
	measure(&scene);
	assert_int_equal(scene.instead.parted, 11);
}

/* The threshold of the bounded slowdown is that of the caller. */
static void test_bound(void **state)
{
	static const double half[] = { 0.5 };
	static struct scene scene;
	const struct lxfw_instead_change *change =
		&scene.instead.changes[LXFW_INSTEAD_SLOWDOWN];

	(void)state;
	set_scene(&scene, 30);
	set_factors(&scene, half, 1);
	scene.instead.bound = 1000;
	measure(&scene);
	assert_true(fabs(change->now - 1.55) < 1e-9);
	/* of the waits of 500 to 950 s, only the last counts */
	assert_true(fabs(change->then - 1.005) < 1e-9);
	assert_true(change->low > -0.37 && change->high < -0.34);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_directions),
		cmocka_unit_test(test_not_credible),
		cmocka_unit_test(test_never_started),
		cmocka_unit_test(test_without_run),
		cmocka_unit_test(test_days),
		cmocka_unit_test(test_few_days),
		cmocka_unit_test(test_no_upper_end),
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
