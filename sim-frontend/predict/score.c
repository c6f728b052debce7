/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/score.h"

#include <math.h>
#include <stdlib.h>

#include "sim-frontend/engine/ends.h"
#include "sim-frontend/util/statistics.h"

struct judged {
	struct lxfw_intervals raw, calibrated;
	bool corrected;
	bool sure;	/* expected to start at once in every future */
};

static bool is_sure(const struct lxfw_walk *walk, const struct lxfw_case *at)
{
	return at->at_once || at->waits[walk->futures - 1] == 0;
}

int64_t lxfw_expected_wait(const struct lxfw_walk *walk, const struct lxfw_case *at,
			   int predictor)
{
	int64_t wait = 0;

	switch (predictor) {
	case LXFW_PREDICTOR_FUTURES:
		wait = at->waits[(walk->futures - 1) / 2];
		break;
	case LXFW_PREDICTOR_LIMITS:
		wait = at->by_limits;
		break;
	case LXFW_PREDICTOR_LAST:
		wait = at->history.median;
		break;
	default:
		wait = at->history.quantiles[2];
		break;
	}
	return wait < walk->horizon ? wait : walk->horizon;
}

/* --- intervals -------------------------------------------------------------------- */

/* Learn from the cases that have started by NOW. */
static void learn(struct lxfw_calibration *calibration, const struct lxfw_walk *walk,
		  const struct judged *judged, struct lxfw_ends *starts, int64_t now)
{
	while (starts->count > 0 && starts->heap[0].time <= now) {
		size_t i = (size_t)lxfw_ends_pop(starts);

		lxfw_calibration_learn(calibration, &judged[i].raw, judged[i].corrected ?
				       &judged[i].calibrated : NULL, walk->cases[i].wait);
	}
}

static int make_intervals(const struct lxfw_walk *walk, struct judged *judged,
			  struct lxfw_calibration *calibration)
{
	struct lxfw_ends starts = { 0 };
	int result = 0;

	for (size_t i = 0; i < walk->count && result == 0; i++) {
		const struct lxfw_case *at = &walk->cases[i];
		struct judged *to = &judged[i];
		struct lxfw_corrections corrections;

		learn(calibration, walk, judged, &starts, at->submit);
		to->corrected = lxfw_calibration_now(calibration, &corrections);
		to->sure = is_sure(walk, at);
		lxfw_intervals_of(at->waits, (size_t)walk->futures, walk->horizon, &to->raw);
		to->calibrated = to->raw;
		if (to->sure)
			continue;
		lxfw_correct(&corrections, &to->calibrated);
		result = lxfw_ends_add(&starts, at->submit + at->wait, i);
	}
	for (size_t i = 0; i < walk->count; i++) {
		walk->cases[i].is_corrected = judged[i].corrected;
		walk->cases[i].corrected = judged[i].calibrated;
	}
	learn(calibration, walk, judged, &starts, INT64_MAX);
	free(starts.heap);
	return result;
}

/* --- figures ---------------------------------------------------------------------- */

static double share(size_t part, size_t all)
{
	return all > 0 ? (double)part / (double)all : 0;
}

static void errors_of(const struct lxfw_walk *walk, const struct judged *judged,
		      size_t first, bool all, int predictor, double *relative,
		      struct lxfw_errors *errors)
{
	size_t count = 0, one = 0, ten = 0;

	for (size_t i = first; i < walk->count; i++) {
		const struct lxfw_case *at = &walk->cases[i];
		double error = fabs((double)(lxfw_expected_wait(walk, at, predictor) -
					     at->wait));

		if (!all && judged[i].sure)
			continue;
		relative[count++] = error / (at->wait > 60 ? (double)at->wait : 60);
		one += error <= 60;
		ten += error <= 600;
	}
	errors->within_1 = share(one, count);
	errors->within_10 = share(ten, count);
	errors->relative = lxfw_median(relative, count);
}

enum kind { RAW, CALIBRATED, QBETS };

static struct lxfw_interval interval_of(const struct lxfw_case *at,
					const struct judged *judged, enum kind kind,
					int coverage)
{
	const int64_t *quantiles = at->history.quantiles;

	switch (kind) {
	case RAW:
		return judged->raw.of[coverage];
	case CALIBRATED:
		return judged->calibrated.of[coverage];
	default:
		return coverage == LXFW_COVERAGE_50 ?
		       (struct lxfw_interval) { (double)quantiles[1], (double)quantiles[3] } :
		       (struct lxfw_interval) { (double)quantiles[0], (double)quantiles[4] };
	}
}

static void coverage_of(const struct lxfw_walk *walk, const struct judged *judged,
			size_t first, enum kind kind, int coverage, double *widths,
			struct lxfw_coverage *result)
{
	size_t count = 0, below = 0, above = 0;

	for (size_t i = first; i < walk->count; i++) {
		const struct lxfw_case *at = &walk->cases[i];
		struct lxfw_interval interval;

		if (judged[i].sure)
			continue;
		interval = interval_of(at, &judged[i], kind, coverage);
		widths[count++] = interval.high - interval.low;
		/* bounds are rounded to seconds when printed */
		below += (double)at->wait < interval.low - 0.5;
		above += (double)at->wait > interval.high + 0.5;
	}
	result->below = share(below, count);
	result->above = share(above, count);
	result->inside = count > 0 ? 1 - result->below - result->above : 0;
	result->width = lxfw_median(widths, count);
}

static void measure(const struct lxfw_walk *walk, const struct judged *judged,
		    double *scratch, struct lxfw_scores *scores)
{
	size_t first = 0, right = 0;

	while (first < walk->count && !judged[first].corrected)
		first++;
	scores->cases = walk->count;
	scores->judged = walk->count - first;
	for (size_t i = first; i < walk->count; i++) {
		scores->at_once += judged[i].sure;
		right += judged[i].sure && walk->cases[i].wait <= 60;
	}
	scores->at_once_right = share(right, scores->at_once);
	for (int i = 0; i < LXFW_PREDICTORS; i++) {
		errors_of(walk, judged, first, true, i, scratch, &scores->all[i]);
		errors_of(walk, judged, first, false, i, scratch, &scores->waiting[i]);
	}
	for (int i = 0; i < LXFW_COVERAGES; i++) {
		coverage_of(walk, judged, first, RAW, i, scratch, &scores->raw[i]);
		coverage_of(walk, judged, first, CALIBRATED, i, scratch,
			    &scores->calibrated[i]);
	}
	coverage_of(walk, judged, first, QBETS, LXFW_COVERAGE_50, scratch,
		    &scores->qbets[0]);
	coverage_of(walk, judged, first, QBETS, LXFW_COVERAGE_90, scratch,
		    &scores->qbets[1]);
}

int lxfw_score(const struct lxfw_walk *walk, struct lxfw_scores *scores)
{
	struct judged *judged = calloc(walk->count + 1, sizeof(*judged));
	double *scratch = calloc(walk->count + 1, sizeof(*scratch));
	struct lxfw_calibration *calibration = lxfw_calibration_new();
	int result = -1;

	*scores = (struct lxfw_scores) { 0 };
	if (judged && scratch && calibration)
		result = make_intervals(walk, judged, calibration);
	if (result == 0)
		measure(walk, judged, scratch, scores);
	free(judged);
	free(scratch);
	lxfw_calibration_free(calibration);
	return result;
}

int lxfw_score_promises(const struct lxfw_walk *walk, struct lxfw_promises *promises)
{
	for (size_t i = 0; i < walk->count; i++) {
		const struct lxfw_case *at = &walk->cases[i];
		const struct lxfw_trace_job *job = &walk->trace->jobs[at->position];
		struct lxfw_promise promise = {
			.time = at->submit, .start = at->submit + at->wait, .gone = LXFW_NEVER,
			.weight = 1, .view.standing.limit = lxfw_simulation_estimate(walk->options,
										 job),
		};
		struct lxfw_intervals raw;

		if (at->at_once || at->waits[0] == at->waits[walk->futures - 1])
			continue;
		promise.view.standing.expected = lxfw_expected_wait(walk, at, LXFW_PREDICTOR_FUTURES);
		lxfw_intervals_of(at->waits, (size_t)walk->futures, walk->horizon, &raw);
		promise.view.raw.of[LXFW_HALF] = raw.of[LXFW_COVERAGE_50];
		promise.view.raw.of[LXFW_MOST] = raw.of[LXFW_COVERAGE_90];
		if (lxfw_promises_add(promises, &promise))
			return -1;
	}
	return 0;
}
