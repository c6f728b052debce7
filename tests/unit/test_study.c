/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads, estimates, perturbed copies and fairness, compared with values computed by
 * hand. */
#include <errno.h>
#include <math.h>

#include "sim-frontend/experiment/contest.h"
#include "sim-frontend/metrics/fairness.h"
#include "sim-frontend/metrics/metrics.h"
#include "sim-frontend/workload/estimates.h"
#include "sim-frontend/workload/load.h"
#include "sim-frontend/trace/shake.h"
#include "tests/unit/unit.h"

#define JOBS 10000

static struct lxfw_trace_job jobs[JOBS];

static void assert_near(double value, double expected)
{
	if (fabs(value - expected) > 1e-9)
		fail_msg("%.12g is not %.12g", value, expected);
}

static struct lxfw_trace make_trace(size_t count)
{
	uint64_t random = unit_seed("study");

	for (size_t i = 0; i < count; i++) {
		int64_t run = unit_between(&random, 1, 40000);

		jobs[i] = (struct lxfw_trace_job) {
			.number = (int64_t)i + 1, .submit = 100 + 10 * (int64_t)i,
			.run = run, .procs = 1, .wait = 5,
			.limit = run + unit_between(&random, 0, 1000),
		};
	}
	return (struct lxfw_trace) { .jobs = jobs, .count = count };
}

/* 3 jobs of 1 x 10 s, submitted from 100 to 120 s: 30 of the 40 processor-seconds of
 * two processors. */
static void loads(void **state)
{
	struct lxfw_trace trace = make_trace(3);
	double factor;

	(void)state;
	for (int i = 0; i < 3; i++)
		jobs[i].run = 10;
	assert_near(lxfw_offered_load(&trace, 2), 0.75);
	assert_int_equal(lxfw_load_scale(&trace, 2, 0.25, &factor), 0);
	assert_near(factor, 3);
	assert_near(lxfw_offered_load(&trace, 2), 0.25);
	assert_int_equal(jobs[0].submit, 100);
	assert_int_equal(jobs[1].submit, 130);
	assert_int_equal(jobs[2].submit, 160);
	assert_int_equal(jobs[1].run, 10);
	assert_int_equal(jobs[1].wait, -1);
	assert_int_equal(lxfw_load_scale(&trace, 2, 1.5, &factor), 0);
	assert_near(factor, 1.0 / 6);
	assert_int_equal(jobs[2].submit, 110);
	assert_int_equal(lxfw_load_scale(&trace, 2, 1e-11, &factor), -1);
	assert_int_equal(errno, ERANGE);
	jobs[1].submit = jobs[2].submit = 100;
	assert_near(lxfw_offered_load(&trace, 2), 0);
	assert_int_equal(lxfw_load_scale(&trace, 2, 1, &factor), -1);
}

static void f_model(void **state)
{
	struct lxfw_estimate_model model = { .seed = 3 };
	double sum = 0, most = 0;
	struct lxfw_trace trace;
	size_t longer;

	(void)state;
	assert_int_equal(lxfw_estimate_model_parse(&model, "f=4"), 0);
	trace = make_trace(JOBS);
	assert_int_equal(lxfw_estimate_model_apply(&model, &trace, &longer), 0);
	for (int i = 0; i < JOBS; i++) {
		double ratio = (double)jobs[i].limit / (double)jobs[i].run;

		assert_true(jobs[i].limit >= jobs[i].run);
		assert_true(jobs[i].limit <= 5 * jobs[i].run);
		sum += ratio;
		most = ratio > most ? ratio : most;
	}
	/* uniform on 1 to 5 */
	assert_true(sum / JOBS > 2.95 && sum / JOBS < 3.05);
	assert_true(most > 4.95);
	assert_int_equal(lxfw_estimate_model_parse(&model, "f=0"), 0);
	assert_int_equal(lxfw_estimate_model_apply(&model, &trace, &longer), 0);
	for (int i = 0; i < JOBS; i++)
		assert_int_equal(jobs[i].limit, jobs[i].run);
}

static size_t count_of(const int64_t *values, size_t count, int64_t value)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += values[i] == value;
	return n;
}

static int by_count(const void *left, const void *right)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	return (a < b) - (a > b);
}

/*
 * The most frequent value has 89 per cent minus the sum over x = 2 to 20 of 14.0491
 * exp(-0.177531 x) + 0.462513, which is 21.73; the second 10.31, the twentieth 0.866.
 * 10000 jobs have 90 values.
 */
static void modal_values(void **state)
{
	static int64_t values[JOBS];
	size_t counts[100], used = 0, head = 0;

	(void)state;
	assert_int_equal(lxfw_estimates_modal(36 * 3600, 1, values, JOBS), 0);
	assert_int_equal(values[0], 36 * 3600);
	assert_int_equal(count_of(values, JOBS, 36 * 3600) / 10, 217);
	assert_true(count_of(values, JOBS, 3600) > 80);
	assert_true(count_of(values, JOBS, 18 * 3600) > 80);
	for (size_t i = 0; i < JOBS; i += counts[used++]) {
		assert_true(used < 100);
		assert_true(values[i] > 0 && values[i] <= 36 * 3600);
		counts[used] = count_of(values, JOBS, values[i]);
		for (size_t j = i; j < i + counts[used]; j++)
			assert_int_equal(values[j], values[i]);
	}
	assert_in_range(used, 80, 90);
	qsort(counts, used, sizeof(*counts), by_count);
	assert_in_range(counts[1], 1030, 1032);
	assert_in_range(counts[19], 80, 105);
	for (int i = 0; i < 20; i++)
		head += counts[i];
	assert_in_range(head, 8880, 8960);
}

static void modal_jobs(void **state)
{
	struct lxfw_estimate_model model = { .seed = 3 };
	static int64_t limits[JOBS];
	struct lxfw_trace trace = make_trace(JOBS);
	size_t longer;

	(void)state;
	assert_int_equal(lxfw_estimate_model_parse(&model, "modal:18h"), 0);
	assert_int_equal(model.longest, 18 * 3600);
	assert_int_equal(lxfw_estimate_model_apply(&model, &trace, &longer), 0);
	assert_int_equal(longer, 0);
	for (int i = 0; i < JOBS; i++) {
		assert_in_range(jobs[i].limit, jobs[i].run, 18 * 3600);
		limits[i] = jobs[i].limit;
	}
	assert_int_equal(lxfw_estimate_model_apply(&model, &trace, &longer), 0);
	for (int i = 0; i < JOBS; i++)
		assert_int_equal(jobs[i].limit, limits[i]);
	/* most jobs run longer than an hour */
	assert_int_equal(lxfw_estimate_model_parse(&model, "modal:1h"), 0);
	assert_int_equal(lxfw_estimate_model_apply(&model, &trace, &longer), 0);
	for (int i = 0; i < JOBS; i++) {
		assert_true(jobs[i].limit >= jobs[i].run);
		assert_true(jobs[i].limit <= 3600 || jobs[i].limit == jobs[i].run);
		longer -= jobs[i].run > 3600;
	}
	assert_int_equal(longer, 0);
}

static void invalid_models(void **state)
{
	static const char *const texts[] = {
		"", "f", "f=", "f=-1", "f=x", "f=1x", "f=nan", "f=1e7", "modal:",
		"modal:59m", "modal:x", "modal2", "modals", "F=1",
	};
	struct lxfw_estimate_model model;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_int_equal(lxfw_estimate_model_parse(&model, texts[i]), -1);
}

static void copies(void **state)
{
	const struct lxfw_shake shake = { .seed = 9, .arrivals = 25, .runs = 0.2 };
	struct lxfw_trace trace = make_trace(1000), a, b, again;
	int64_t least = 0, most = 0;
	int differ = 0;

	(void)state;
	for (int i = 0; i < 500; i++)
		jobs[i].limit = jobs[i].run;
	jobs[999].limit = jobs[999].run / 2;
	assert_int_equal(lxfw_shake_copy(&shake, &trace, 1, &a), 0);
	assert_int_equal(lxfw_shake_copy(&shake, &trace, 2, &b), 0);
	assert_int_equal(lxfw_shake_copy(&shake, &trace, 1, &again), 0);
	for (int i = 0; i < 1000; i++) {
		int64_t moved = a.jobs[i].submit - jobs[i].submit;

		assert_true(a.jobs[i].submit >= 100);
		assert_true(moved >= -25 && moved <= 25);
		least = moved < least ? moved : least;
		most = moved > most ? moved : most;
		assert_true(a.jobs[i].run >= 1);
		assert_true(fabs((double)a.jobs[i].run - (double)jobs[i].run) <=
			    0.2 * (double)jobs[i].run + 0.5);
		assert_true(i == 999 || a.jobs[i].run <= a.jobs[i].limit);
		assert_int_equal(a.jobs[i].limit, jobs[i].limit);
		assert_int_equal(a.jobs[i].submit, again.jobs[i].submit);
		assert_int_equal(a.jobs[i].run, again.jobs[i].run);
		differ += a.jobs[i].submit != b.jobs[i].submit;
	}
	for (size_t i = 1; i < 1000; i++)
		assert_true(a.jobs[lxfw_trace_at(&a, i - 1)].submit <=
			    a.jobs[lxfw_trace_at(&a, i)].submit);
	assert_int_equal(least, -25);
	assert_int_equal(most, 25);
	assert_true(differ > 900);
	assert_true(a.jobs[999].run > a.jobs[999].limit);
	lxfw_trace_clear(&a);
	lxfw_trace_clear(&b);
	lxfw_trace_clear(&again);
}

/* User 1: 1 and 3, mean 2; user 2: 4. (2 + 4)^2 / (2 (4 + 16)) = 0.9. */
static void users(void **state)
{
	struct lxfw_fair_job list[] = {
		{ .user = 2, .wait = 30, .fair_wait = 24, .slowdown = 6,
		  .bounded_slowdown = 4 },
		{ .user = 1, .wait = 0, .fair_wait = 7, .slowdown = 1,
		  .bounded_slowdown = 1 },
		{ .user = 1, .wait = 10, .fair_wait = 10, .slowdown = 5,
		  .bounded_slowdown = 3 },
	};
	struct lxfw_fairness fairness;

	(void)state;
	assert_int_equal(lxfw_fairness_of(&fairness, list, 3), 0);
	assert_int_equal(fairness.user_count, 2);
	assert_int_equal(fairness.users[0].user, 1);
	assert_int_equal(fairness.users[0].jobs, 2);
	assert_near(fairness.users[0].mean_wait, 5);
	assert_near(fairness.users[0].mean_slowdown, 3);
	assert_near(fairness.users[0].mean_bounded_slowdown, 2);
	assert_near(fairness.users_mean, 3);
	assert_int_equal(fairness.worst, 2);
	assert_near(fairness.worst_mean, 4);
	assert_near(fairness.jain, 0.9);
	assert_near(fairness.late, 1.0 / 3);
	assert_near(fairness.mean_miss, 2);
	assert_int_equal(fairness.max_miss, 6);
	lxfw_fairness_clear(&fairness);
	assert_int_equal(lxfw_fairness_of(&fairness, list, 0), 0);
	assert_near(fairness.jain, 0);
	lxfw_fairness_clear(&fairness);
}

/* Two processors: a job from 0 to 20 on one, one of 5 s on both at 20, and one
   submitted at 10 that runs from 10 to 20. Until 5 s: waits 0 and 20; 5 of 10
   processor-seconds were in use. */
static void cool_down(void **state)
{
	static const struct lxfw_outcome outcomes[] = {
		{ .submit = 0, .end = 20, .run = 20, .procs = 1 },
		{ .submit = 0, .end = 25, .run = 5, .procs = 2 },
		{ .submit = 10, .end = 90, .run = 10, .procs = 1 },
	};
	struct lxfw_measure measure;
	struct lxfw_metrics m;

	(void)state;
	lxfw_measure_begin(&measure, 0);
	measure.until = 5;
	measure.bound = 4;
	for (int i = 0; i < 3; i++)
		assert_int_equal(lxfw_measure_add(&measure, &outcomes[i]), 0);
	lxfw_measure_end(&measure, 2, &m);
	assert_int_equal(m.jobs, 2);
	assert_near(m.mean_wait, 10);
	assert_int_equal(m.makespan, 25);
	assert_near(m.utilization, 0.5);
	/* 25 / 5, since 5 s are above the bound */
	assert_near(m.mean_bounded_slowdown, 3);
}

static void ranges(void **state)
{
	double few[] = { 4, 1, 3 }, many[200];
	struct lxfw_contest_range range = lxfw_contest_range_of(few, 3);

	(void)state;
	assert_near(range.mean, 8.0 / 3);
	assert_near(range.low, 1);
	assert_near(range.high, 4);
	for (int i = 0; i < 200; i++)
		many[i] = (i * 37) % 200 + 1;
	range = lxfw_contest_range_of(many, 200);
	assert_near(range.mean, 100.5);
	assert_near(range.low, 5);
	assert_near(range.high, 195);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads),
		cmocka_unit_test(f_model),
		cmocka_unit_test(modal_values),
		cmocka_unit_test(modal_jobs),
		cmocka_unit_test(invalid_models),
		cmocka_unit_test(copies),
		cmocka_unit_test(users),
		cmocka_unit_test(cool_down),
		cmocka_unit_test(ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
