/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics of schedules small enough to be computed by hand. */
#include <math.h>

#include "sim-frontend/metrics/groups.h"
#include "sim-frontend/metrics/metrics.h"
#include "tests/unit/unit.h"

static void assert_near(double value, double expected)
{
	if (fabs(value - expected) > 1e-9)
		fail_msg("%.12g is not %.12g", value, expected);
}

static void ranks(void **state)
{
	int64_t values[] = { 15, 20, 35, 40, 50 };
	int64_t hundred[100];

	(void)state;
	assert_int_equal(lxfw_percentile(values, 5, 50), 35);
	assert_int_equal(lxfw_percentile(values, 5, 95), 50);
	assert_int_equal(lxfw_percentile(values, 5, 20), 15);
	assert_int_equal(lxfw_percentile(values, 5, 21), 20);
	assert_int_equal(lxfw_percentile(values, 5, 100), 50);
	assert_int_equal(lxfw_percentile(values, 4, 50), 20);
	assert_int_equal(lxfw_percentile(values, 1, 95), 15);
	assert_int_equal(lxfw_percentile(values, 0, 95), 0);
	for (int i = 0; i < 100; i++)
		hundred[i] = (i * 37) % 100 + 1;
	assert_int_equal(lxfw_percentile(hundred, 100, 95), 95);
	assert_int_equal(lxfw_percentile(hundred, 100, 50), 50);
}

static int by_value(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* Compare the selection with sorting, with many equal values. */
static void ranks_as_sorted(void **state)
{
	uint64_t random = unit_seed("percentiles");

	(void)state;
	for (int round = 0; round < 500; round++) {
		int64_t values[200], sorted[200];
		size_t count = (size_t)unit_between(&random, 1, 200);
		int percent = (int)unit_between(&random, 1, 100);

		for (size_t i = 0; i < count; i++)
			values[i] = sorted[i] = unit_between(&random, 0, 20);
		qsort(sorted, count, sizeof(*sorted), by_value);
		assert_int_equal(lxfw_percentile(values, count, percent),
			sorted[(count * (size_t)percent + 99) / 100 - 1]);
	}
}

/*
 * Two processors. A: submitted 0, runs 0-20 on 1. B: submitted 0, 5 s on 2,
 * runs 20-25. C: submitted 10, 10 s on 1, runs 10-20.
 */
static const struct lxfw_outcome outcomes[] = {
	{ .submit = 0, .end = 20, .run = 20, .procs = 1 },
	{ .submit = 0, .end = 25, .run = 5, .procs = 2 },
	{ .submit = 10, .end = 20, .run = 10, .procs = 1 },
};

static struct lxfw_metrics measure(int64_t begin)
{
	struct lxfw_measure collected;
	struct lxfw_metrics metrics;

	lxfw_measure_begin(&collected, begin);
	for (int i = 0; i < 3; i++)
		assert_int_equal(lxfw_measure_add(&collected, &outcomes[i]), 0);
	lxfw_measure_end(&collected, 2, &metrics);
	return metrics;
}

static void measures(void **state)
{
	struct lxfw_metrics m = measure(0);

	(void)state;
	assert_int_equal(m.jobs, 3);
	assert_near(m.mean_wait, 20.0 / 3);
	assert_int_equal(m.median_wait, 0);
	assert_int_equal(m.p95_wait, 20);
	assert_int_equal(m.max_wait, 20);
	assert_near(m.mean_response, (20.0 + 25 + 10) / 3);
	assert_near(m.mean_slowdown, (1.0 + 5 + 1) / 3);
	/* B: 25 s / max(5 s, 10 s) */
	assert_near(m.mean_bounded_slowdown, (1.0 + 2.5 + 1) / 3);
	assert_near(m.awrt, (20.0 * 20 + 10 * 25 + 10 * 10) / (20 + 10 + 10));
	assert_near(m.utilization, 40.0 / (2 * 25));
	assert_int_equal(m.makespan, 25);
}

/* Only C counts. Processors used by A and B from 10 on count too. */
static void leaves_out_warmup(void **state)
{
	struct lxfw_metrics m = measure(10);

	(void)state;
	assert_int_equal(m.jobs, 1);
	assert_near(m.mean_wait, 0);
	assert_near(m.mean_response, 10);
	assert_int_equal(m.makespan, 15);
	assert_near(m.utilization, (10.0 + 10 + 10) / (2 * 15));
}

static void measures_nothing(void **state)
{
	struct lxfw_metrics m = measure(1000);

	(void)state;
	assert_int_equal(m.jobs, 0);
	assert_near(m.mean_wait, 0);
	assert_near(m.utilization, 0);
	assert_int_equal(m.makespan, 0);
}

/* A limit belongs to the group below it. The last groups have no limit. */
static void groups_by_limits(void **state)
{
	(void)state;
	assert_int_equal(lxfw_run_bin(0), 0);
	assert_int_equal(lxfw_run_bin(60), 0);
	assert_int_equal(lxfw_run_bin(61), 1);
	assert_int_equal(lxfw_run_bin(86400), LXFW_RUN_BINS - 2);
	assert_int_equal(lxfw_run_bin(INT64_MAX), LXFW_RUN_BINS - 1);
	assert_int_equal(lxfw_size_class(1), 0);
	assert_int_equal(lxfw_size_class(2), 1);
	assert_int_equal(lxfw_size_class(4), 1);
	assert_int_equal(lxfw_size_class(5), 2);
	assert_int_equal(lxfw_size_class(INT32_MAX), LXFW_SIZE_CLASSES - 1);
	assert_int_equal(lxfw_memory_class(0, 4, 1000), 0);
	assert_int_equal(lxfw_memory_class(2000, 4, 0), 0);
	assert_int_equal(lxfw_memory_class(2000, 4, 1000), 1);
	assert_int_equal(lxfw_memory_class(2001, 4, 1000), 2);
	assert_int_equal(lxfw_memory_class(8000, 4, 1000), 3);
	assert_int_equal(lxfw_memory_class(8001, 4, 1000), 4);
	for (int i = 0; i < LXFW_RUN_BINS; i++)
		assert_true(*lxfw_run_bin_name(i) && *lxfw_run_bin_key(i));
	for (int i = 0; i < LXFW_SIZE_CLASSES; i++)
		assert_true(*lxfw_size_class_name(i));
	for (int i = 0; i < LXFW_MEMORY_CLASSES; i++)
		assert_true(*lxfw_memory_class_name(i) &&
			    *lxfw_memory_class_key(i));
}

/* A and C in one group, B in another, with empty groups between and after. */
static void measures_groups(void **state)
{
	struct lxfw_groups groups = { 0 };
	struct lxfw_metrics m[4];

	(void)state;
	assert_int_equal(lxfw_groups_add(&groups, 2, &outcomes[1]), 0);
	assert_int_equal(lxfw_groups_add(&groups, 0, &outcomes[0]), 0);
	assert_int_equal(lxfw_groups_add(&groups, 0, &outcomes[2]), 0);
	lxfw_groups_end(&groups, 4, m);
	assert_int_equal(m[0].jobs, 2);
	assert_near(m[0].mean_wait, 0);
	assert_near(m[0].mean_slowdown, 1);
	assert_int_equal(m[1].jobs, 0);
	assert_int_equal(m[2].jobs, 1);
	assert_int_equal(m[2].max_wait, 20);
	assert_near(m[2].mean_bounded_slowdown, 2.5);
	assert_int_equal(m[2].makespan, 0);
	assert_int_equal(m[3].jobs, 0);
}

/* Job 1 lost 1800 s on 4 processors, job 2 none. The maxima belong to different jobs.
   Jobs of the warm-up do not count. */
static void costs_of_interruptions(void **state)
{
	const struct lxfw_outcome jobs[] = {
		{ .submit = 5, .end = 2000, .run = 100, .procs = 64,
		  .preemptions = 9, .requeues = 9, .lost = 9000, .suspended = 0.9 },
		{ .submit = 10, .end = 2000, .run = 100, .procs = 4,
		  .preemptions = 1, .requeues = 2, .lost = 1800,
		  .suspended = 0.25 },
		{ .submit = 20, .end = 2000, .run = 100, .procs = 1,
		  .preemptions = 3, .suspended = 0.125 },
		{ .submit = 30, .end = 2000, .run = 100, .procs = 1,
		  .requeues = 1, .lost = 3600 },
	};
	struct lxfw_measure measure;
	struct lxfw_metrics metrics;

	(void)state;
	lxfw_measure_begin(&measure, 10);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++)
		assert_int_equal(lxfw_measure_add(&measure, &jobs[i]), 0);
	lxfw_measure_end(&measure, 64, &metrics);
	assert_int_equal(metrics.preemptions, 4);
	assert_int_equal(metrics.requeues, 3);
	assert_int_equal(metrics.most_suspensions, 3);
	assert_near(metrics.most_suspended, 0.25);
	assert_near(metrics.lost_hours, 3);
}

/* --- the definitions, on random schedules ------------------------------------------ */

static int64_t lesser(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static struct lxfw_outcome random_outcome(uint64_t *random)
{
	struct lxfw_outcome outcome = {
		.submit = unit_between(random, -20, 40), .run = unit_between(random, 1, 20),
		.procs = (int32_t)unit_between(random, 1, 8),
	};

	/* some are slowed down or suspended, or run faster on more processors */
	if (unit_between(random, 0, 2) == 0)
		outcome.stayed = unit_between(random, 1, 40);
	outcome.end = outcome.submit + unit_between(random, 0, 15) +
		      (outcome.stayed > 0 ? outcome.stayed : outcome.run);
	return outcome;
}

/* Returns the processor-seconds of work from BEGIN to UNTIL, second by second. */
static double work_within(const struct lxfw_outcome *outcome, int64_t begin, int64_t until)
{
	int64_t stayed = outcome->stayed > 0 ? outcome->stayed : outcome->run, seconds = 0;

	for (int64_t at = outcome->end - stayed; at < outcome->end; at++)
		seconds += at >= begin && at < until;
	return (double)(seconds * outcome->procs * outcome->run) / (double)stayed;
}

/* Compares with the definitions. Jobs submitted from BEGIN to UNTIL count. */
static void compare(const struct lxfw_outcome *jobs, size_t count, int64_t begin,
		    int64_t until, int64_t bound, const struct lxfw_metrics *m)
{
	double wait = 0, response = 0, slowdown = 0, bounded = 0, weighted = 0, area = 0, work = 0;
	int64_t waits[50], last = begin, n = 0;

	for (size_t i = 0; i < count; i++) {
		double took = (double)(jobs[i].end - jobs[i].submit), ran = (double)jobs[i].run;

		work += work_within(&jobs[i], begin, until);
		if (jobs[i].submit <= until && jobs[i].end > last)
			last = jobs[i].end;
		if (jobs[i].submit < begin || jobs[i].submit > until)
			continue;
		waits[n++] = jobs[i].end - jobs[i].submit - jobs[i].run;
		wait += took - ran;
		response += took;
		slowdown += took / ran;
		bounded += fmax(1, took / fmax(ran, (double)bound));
		weighted += took * ran * jobs[i].procs;
		area += ran * jobs[i].procs;
	}
	qsort(waits, (size_t)n, sizeof(*waits), by_value);
	assert_int_equal(m->jobs, n);
	assert_int_equal(m->makespan, last - begin);
	last = until < INT64_MAX ? until : last;
	assert_near(m->utilization, last > begin ? work / (5.0 * (double)(last - begin)) : 0);
	if (n == 0)
		return;
	assert_near(m->mean_wait, wait / (double)n);
	assert_near(m->mean_response, response / (double)n);
	assert_near(m->mean_slowdown, slowdown / (double)n);
	assert_near(m->mean_bounded_slowdown, bounded / (double)n);
	assert_near(m->awrt, weighted / area);
	assert_int_equal(m->median_wait, waits[(n - 1) / 2]);
	assert_int_equal(m->p95_wait, waits[lesser(n - 1, (95 * n + 99) / 100 - 1)]);
	assert_int_equal(m->max_wait, waits[n - 1]);
}

static void measures_as_defined(void **state)
{
	uint64_t random = unit_seed("metrics"), cases = unit_cases(300, 20000);

	(void)state;
	for (uint64_t round = 0; round < cases; round++) {
		struct lxfw_outcome jobs[50];
		size_t count = (size_t)unit_between(&random, 0, 50);
		int64_t begin = unit_between(&random, -20, 30);
		struct lxfw_measure measure;
		struct lxfw_metrics metrics;

		lxfw_measure_begin(&measure, begin);
		assert_int_equal(measure.bound, LXFW_SLOWDOWN_BOUND);
		if (unit_between(&random, 0, 1))
			measure.until = begin + unit_between(&random, 0, 40);
		if (unit_between(&random, 0, 1))
			measure.bound = unit_between(&random, 1, 30);
		for (size_t i = 0; i < count; i++) {
			jobs[i] = random_outcome(&random);
			assert_int_equal(lxfw_measure_add(&measure, &jobs[i]), 0);
		}
		lxfw_measure_end(&measure, 5, &metrics);
		compare(jobs, count, begin, measure.until, measure.bound, &metrics);
	}
}

/* With another time of submission, a job counts by that one. Its wait is that of its outcome. */
static void counts_by_submission(void **state)
{
	struct lxfw_measure measure;
	struct lxfw_metrics metrics;

	(void)state;
	lxfw_measure_begin(&measure, 10);
	measure.until = 20;
	assert_int_equal(lxfw_measure_add_submitted(&measure, &outcomes[1], 9), 0);
	assert_int_equal(lxfw_measure_add_submitted(&measure, &outcomes[1], 21), 0);
	assert_int_equal(lxfw_measure_add_submitted(&measure, &outcomes[1], 10), 0);
	assert_int_equal(lxfw_measure_add_submitted(&measure, &outcomes[0], 20), 0);
	lxfw_measure_end(&measure, 2, &metrics);
	assert_int_equal(metrics.jobs, 2);
	assert_near(metrics.mean_wait, 10);
	assert_int_equal(metrics.makespan, 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks),
		cmocka_unit_test(ranks_as_sorted),
		cmocka_unit_test(measures),
		cmocka_unit_test(leaves_out_warmup),
		cmocka_unit_test(measures_nothing),
		cmocka_unit_test(groups_by_limits),
		cmocka_unit_test(measures_groups),
		cmocka_unit_test(costs_of_interruptions),
		cmocka_unit_test(measures_as_defined),
		cmocka_unit_test(counts_by_submission),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
