/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures of `lxfw predict` on random predictions, and the intervals that it corrects by the
 * truths known so far, against their definitions (score.h, calibrate.h). This program evaluates
 * them for each case again, from all cases before it.
 */
#include <math.h>

#include "sim-frontend/predict/score.h"
#include "tests/unit/unit.h"

#define CASES 160
#define FUTURES 25
#define HORIZON 5000

static struct lxfw_case cases[CASES];
static int64_t waits[CASES][FUTURES];
static struct lxfw_walk walk;
static bool corrected[CASES];
static struct lxfw_intervals raw[CASES], intervals[CASES];

static int ascending(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

static int ascending_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static void near(double value, double expected)
{
	if (fabs(value - expected) > 1e-7 * (1 + fabs(expected)))
		fail_msg("%.12g is not %.12g", value, expected);
}

static void make_case(uint64_t *random, struct lxfw_case *at, int64_t *futures)
{
	int64_t scale = unit_between(random, 0, 3) == 0 ? 0 : unit_between(random, 30, 3000);

	for (int i = 0; i < walk.futures; i++)
		futures[i] = unit_between(random, scale / 2, scale) +
			     (unit_between(random, 0, 40) == 0 ? 2 * HORIZON : 0);
	qsort(futures, (size_t)walk.futures, sizeof(*futures), ascending);
	at->waits = futures;
	at->at_once = unit_between(random, 0, 9) == 0;
	at->wait = unit_between(random, 0, 3) == 0 ? unit_between(random, 50, 70) :
		   unit_between(random, scale / 3, scale + scale / 3);
	at->by_limits = at->wait + unit_between(random, -61, 900);
	at->history.median = at->wait + unit_between(random, 0, 2) * 300;
	for (int i = 0; i < 5; i++)
		at->history.quantiles[i] = at->wait + 60 * (i - 2) + unit_between(random, -200, 200);
	qsort(at->history.quantiles, 5, sizeof(*at->history.quantiles), ascending);
}

static void make(uint64_t *random)
{
	int64_t submit = 0;

	walk = (struct lxfw_walk) {
		.cases = cases, .count = (size_t)unit_between(random, 0, CASES),
		.futures = (int)unit_between(random, 1, FUTURES), .horizon = HORIZON,
	};
	for (size_t i = 0; i < walk.count; i++) {
		submit += unit_between(random, 0, 100);
		cases[i] = (struct lxfw_case) { .position = i, .submit = submit };
		make_case(random, &cases[i], waits[i]);
	}
}

/* --- definitions ------------------------------------------------------------------ */

static double misses_of(int coverage)
{
	return (9 - coverage) / 20.0;
}

/* The smallest of the waits that at least that share of them does not exceed. */
static double quantile(const struct lxfw_case *at, double share)
{
	int n = 1;

	while (n < walk.futures && n < share * walk.futures - 1e-6)
		n++;
	return fmin((double)at->waits[n - 1], HORIZON);
}

static bool is_sure(const struct lxfw_case *at)
{
	return at->at_once || at->waits[walk.futures - 1] == 0;
}

/* By how much the bound of a coverage is to be moved outwards for case NOW, from what would have
   been right for earlier ones. Returns the number of these. */
static int correction(size_t now, int coverage, bool low, double *moved)
{
	double scores[CASES], misses = misses_of(coverage);
	int count = 0, rank;

	for (size_t i = 0; i < now; i++) {
		double wait = (double)cases[i].wait;
		double bound = low ? raw[i].of[coverage].low : raw[i].of[coverage].high;
		double told = low ? intervals[i].of[coverage].low : intervals[i].of[coverage].high;
		bool missed = low ? wait < told - 0.5 : wait > told + 0.5;

		if (is_sure(&cases[i]) || cases[i].submit + cases[i].wait > cases[now].submit)
			continue;
		scores[count++] = (low ? 1 : -1) * (log(bound + 60) - log(wait + 60));
		if (corrected[i])
			misses += 0.02 * (misses_of(coverage) - missed);
	}
	qsort(scores, (size_t)count, sizeof(*scores), ascending_doubles);
	rank = (int)ceil((count + 1) * (1 - fmin(1, fmax(0, misses))) - 1e-9);
	if (count > 0)
		*moved = scores[rank < 1 ? 0 : rank > count ? count - 1 : rank - 1];
	return count;
}

static void predict(size_t i)
{
	const struct lxfw_case *at = &cases[i];

	for (int j = 0; j < LXFW_COVERAGES; j++) {
		struct lxfw_interval *of = &intervals[i].of[j];
		double low = 0, high = 0;

		raw[i].of[j].low = quantile(at, misses_of(j));
		raw[i].of[j].high = quantile(at, 1 - misses_of(j));
		*of = raw[i].of[j];
		corrected[i] = correction(i, j, true, &low) >= LXFW_CALIBRATION_LEAST;
		correction(i, j, false, &high);
		if (!corrected[i] || is_sure(at))
			continue;
		/* in this form since a bound may be just half a second from a wait */
		of->low = fmax(0, exp(log(of->low + 60) - low) - 60);
		of->high = fmax(0, exp(log(of->high + 60) + high) - 60);
		if (of->low > of->high)
			of->low = of->high = (of->low + of->high) / 2;
		if (j > 0) {
			of->low = fmin(of->low, of[-1].low);
			of->high = fmax(of->high, of[-1].high);
		}
	}
}

/* --- figures ---------------------------------------------------------------------- */

static void is_median(double *values, int count, double median)
{
	qsort(values, (size_t)count, sizeof(*values), ascending_doubles);
	if (count == 0)
		near(median, 0);
	else
		assert_true(median >= values[(count - 1) / 2] - 1e-6 * median &&
			    median <= values[count / 2] + 1e-6 * fabs(values[count / 2]));
}

static int64_t expected(const struct lxfw_case *at, int predictor)
{
	const int64_t of[LXFW_PREDICTORS] = {
		[LXFW_PREDICTOR_FUTURES] = (int64_t)quantile(at, 0.5),
		[LXFW_PREDICTOR_LIMITS] = at->by_limits,
		[LXFW_PREDICTOR_LAST] = at->history.median,
		[LXFW_PREDICTOR_QBETS] = at->history.quantiles[2],
	};

	return of[predictor] > HORIZON ? HORIZON : of[predictor];
}

static void check_errors(size_t first, int predictor, bool all, const struct lxfw_errors *errors)
{
	double relative[CASES], minute = 0, ten = 0;
	int count = 0;

	for (size_t i = first; i < walk.count; i++) {
		int64_t error = expected(&cases[i], predictor) - cases[i].wait;

		assert_int_equal(lxfw_expected_wait(&walk, &cases[i], predictor),
				 expected(&cases[i], predictor));
		if (!all && is_sure(&cases[i]))
			continue;
		minute += error >= -60 && error <= 60;
		ten += error >= -600 && error <= 600;
		relative[count++] = fabs((double)error) / fmax(60, (double)cases[i].wait);
	}
	near(errors->within_1, count > 0 ? minute / count : 0);
	near(errors->within_10, count > 0 ? ten / count : 0);
	is_median(relative, count, errors->relative);
}

static void check_coverage(size_t first, const struct lxfw_intervals *of, int coverage,
			   const struct lxfw_coverage *result)
{
	double widths[CASES], below = 0, above = 0, inside = 0;
	int count = 0;

	for (size_t i = first; i < walk.count; i++) {
		double wait = (double)cases[i].wait, low = of[i].of[coverage].low,
		       high = of[i].of[coverage].high;

		if (is_sure(&cases[i]))
			continue;
		below += wait < low - 0.5;
		above += wait > high + 0.5;
		inside += wait >= low - 0.5 && wait <= high + 0.5;
		widths[count++] = high - low;
	}
	near(result->below, count > 0 ? below / count : 0);
	near(result->above, count > 0 ? above / count : 0);
	near(result->inside, count > 0 ? inside / count : 0);
	is_median(widths, count, result->width);
}

static void check(const struct lxfw_scores *scores)
{
	struct lxfw_intervals qbets[CASES];
	size_t first = 0, sure = 0, right = 0;

	while (first < walk.count && !corrected[first])
		first++;
	for (size_t i = first; i < walk.count; i++) {
		sure += is_sure(&cases[i]);
		right += is_sure(&cases[i]) && cases[i].wait <= 60;
	}
	assert_int_equal(scores->cases, walk.count);
	assert_int_equal(scores->judged, walk.count - first);
	assert_int_equal(scores->at_once, sure);
	near(scores->at_once_right, sure > 0 ? (double)right / (double)sure : 0);
	for (int i = 0; i < LXFW_PREDICTORS; i++) {
		check_errors(first, i, true, &scores->all[i]);
		check_errors(first, i, false, &scores->waiting[i]);
	}
	for (int i = 0; i < LXFW_COVERAGES; i++) {
		check_coverage(first, raw, i, &scores->raw[i]);
		check_coverage(first, intervals, i, &scores->calibrated[i]);
	}
	for (size_t i = 0; i < walk.count; i++) {
		const int64_t *of = cases[i].history.quantiles;

		qbets[i].of[LXFW_COVERAGE_50] = (struct lxfw_interval) { (double)of[1], (double)of[3] };
		qbets[i].of[LXFW_COVERAGE_90] = (struct lxfw_interval) { (double)of[0], (double)of[4] };
	}
	check_coverage(first, qbets, LXFW_COVERAGE_50, &scores->qbets[0]);
	check_coverage(first, qbets, LXFW_COVERAGE_90, &scores->qbets[1]);
}

static void scores_as_defined(void **state)
{
	uint64_t random = unit_seed("scores_as_defined"), rounds = unit_cases(60, 3000);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		struct lxfw_scores scores;

		make(&random);
		for (size_t i = 0; i < walk.count; i++)
			predict(i);
		assert_int_equal(lxfw_score(&walk, &scores), 0);
		for (size_t i = 0; i < walk.count; i++) {
			assert_int_equal(cases[i].is_corrected, corrected[i]);
			for (int j = 0; j < LXFW_COVERAGES; j++) {
				near(cases[i].corrected.of[j].low, intervals[i].of[j].low);
				near(cases[i].corrected.of[j].high, intervals[i].of[j].high);
			}
		}
		check(&scores);
	}
}

/* Predictions that tell anything are learned from: those of jobs that do not start at once, and
   whose futures differ. */
static void promises_as_defined(void **state)
{
	uint64_t random = unit_seed("promises_as_defined");
	struct lxfw_trace_job jobs[CASES];
	const struct lxfw_trace trace = { .jobs = jobs, .count = CASES };
	const struct lxfw_simulation_options options = { .estimates = LXFW_ESTIMATES_REQUESTED };

	(void)state;
	for (size_t i = 0; i < CASES; i++)
		jobs[i] = (struct lxfw_trace_job) { .limit = 1000 + (int64_t)i };
	for (int round = 0; round < 20; round++) {
		struct lxfw_promises promises = { 0 };
		size_t at = 0;

		make(&random);
		walk.trace = &trace;
		walk.options = &options;
		assert_int_equal(lxfw_score_promises(&walk, &promises), 0);
		for (size_t i = 0; i < walk.count; i++) {
			const struct lxfw_promise *promise = &promises.list[at];
			const struct lxfw_interval *of = promise->view.raw.of;

			if (cases[i].at_once || cases[i].waits[0] == cases[i].waits[walk.futures - 1])
				continue;
			assert_true(at++ < promises.count);
			assert_int_equal(promise->time, cases[i].submit);
			assert_int_equal(promise->start, cases[i].submit + cases[i].wait);
			assert_int_equal(promise->gone, LXFW_NEVER);
			assert_true(promise->weight == 1);
			assert_int_equal(promise->view.standing.limit, 1000 + (int64_t)i);
			assert_int_equal(promise->view.standing.age, 0);
			near((double)promise->view.standing.expected, quantile(&cases[i], 0.5));
			near(of[LXFW_HALF].low, quantile(&cases[i], misses_of(LXFW_COVERAGE_50)));
			near(of[LXFW_HALF].high, quantile(&cases[i], 1 - misses_of(LXFW_COVERAGE_50)));
			near(of[LXFW_MOST].low, quantile(&cases[i], misses_of(LXFW_COVERAGE_90)));
			near(of[LXFW_MOST].high, quantile(&cases[i], 1 - misses_of(LXFW_COVERAGE_90)));
		}
		assert_int_equal(at, promises.count);
		lxfw_promises_clear(&promises);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scores_as_defined),
		cmocka_unit_test(promises_as_defined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
