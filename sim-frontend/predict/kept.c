/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/kept.h"

#include <math.h>
#include <stdlib.h>

#include "common/model/time.h"
#include "sim-frontend/predict/elsewhere.h"
#include "sim-frontend/util/statistics.h"

#define OFFSET 60.0	/* of the ratios, seconds */

static const int64_t classes[LXFW_KEPT_KINDS][LXFW_KEPT_CLASSES] = {
	[LXFW_KEPT_EXPECTED] = { 0, 600, 3600, 4 * 3600, 12 * 3600 },
	[LXFW_KEPT_AGE] = { 0, 3600, 6 * 3600, 24 * 3600, -1 },
	[LXFW_KEPT_LIMIT] = { 0, 3601, 4 * 3600 + 1, 12 * 3600 + 1, -1 },
};

struct judge {
	const struct lxfw_promises *promises;
	int64_t horizon;
	bool look;
	struct lxfw_kept *kept;
	struct lxfw_bounds *ratio;	/* by prediction */
	struct ratio {
		double ratio, weight;
	} *ratios;
	double *widths;
};

int64_t lxfw_kept_class(int kind, int number)
{
	return classes[kind][number];
}

static int64_t value_of(const struct lxfw_promise *promise, int kind)
{
	return kind == LXFW_KEPT_EXPECTED ? promise->said.standing.expected :
	       kind == LXFW_KEPT_AGE ? promise->said.standing.age : promise->said.standing.limit;
}

static bool is_in(const struct lxfw_promise *promise, int kind, int number)
{
	int64_t value = value_of(promise, kind), begin = classes[kind][number];

	return begin >= 0 && value >= begin &&
	       (number + 1 == LXFW_KEPT_CLASSES || classes[kind][number + 1] < 0 ||
		value < classes[kind][number + 1]);
}

/* Returns the index behind the predictions of the same moment. */
static size_t end_of(const struct lxfw_promises *promises, size_t at)
{
	size_t end = at;

	while (end < promises->count && promises->list[end].time == promises->list[at].time)
		end++;
	return end;
}

/* --- naive split conformal ---------------------------------------------------------- */

static int ascending(const void *left, const void *right)
{
	const struct ratio *a = left, *b = right;

	return (a->ratio > b->ratio) - (a->ratio < b->ratio);
}

/* Collects the ratios of the moments before COUNT whose truth is known at NOW. Each moment has
   the same weight. Returns their number. */
static size_t collect(const struct judge *judge, size_t count, int64_t now)
{
	const struct lxfw_promise *list = judge->promises->list;
	size_t found = 0;

	for (size_t i = 0; i < count;) {
		size_t end = end_of(judge->promises, i), first = found;

		for (; i < end; i++) {
			if (list[i].start > now)
				continue;
			judge->ratios[found++].ratio =
				((double)(list[i].start - list[i].time) + OFFSET) /
				((double)list[i].said.standing.expected + OFFSET);
		}
		for (size_t j = first; j < found; j++)
			judge->ratios[j].weight = 1.0 / (double)(found - first);
	}
	qsort(judge->ratios, found, sizeof(*judge->ratios), ascending);
	return found;
}

static double quantile(const struct judge *judge, size_t count, double share)
{
	double all = 0, sum = 0;
	size_t i = 0;

	for (size_t j = 0; j < count; j++)
		all += judge->ratios[j].weight;
	while (i + 1 < count && sum + judge->ratios[i].weight < share * all)
		sum += judge->ratios[i++].weight;
	return count > 0 ? judge->ratios[i].ratio : 1;
}

static void predict_by_ratios(struct judge *judge, size_t begin, size_t end)
{
	static const double shares[] = { 0.25, 0.75, 0.05, 0.95 };
	size_t count = collect(judge, begin, judge->promises->list[begin].time);
	double bounds[4];

	for (int i = 0; i < 4; i++)
		bounds[i] = quantile(judge, count, shares[i]);
	for (size_t i = begin; i < end; i++) {
		double expected = (double)judge->promises->list[i].said.standing.expected + OFFSET;

		for (int j = 0; j < LXFW_STATED; j++)
			judge->ratio[i].of[j] = (struct lxfw_interval) {
				fmax(0, expected * bounds[2 * j] - OFFSET),
				fmax(0, expected * bounds[2 * j + 1] - OFFSET),
			};
	}
}

/* --- corrected ---------------------------------------------------------------------- */

static int judge_moment(struct judge *judge, size_t begin, size_t end)
{
	struct lxfw_kept *kept = judge->kept;
	const struct lxfw_promise *list = judge->promises->list;
	const struct lxfw_promises before = {
		.list = judge->promises->list, .count = judge->look ? 0 : begin,
	};
	struct lxfw_remaining *remaining = lxfw_remaining_learn(
		&before, list[begin].time,
		judge->look ? &lxfw_elsewhere_unknown : &lxfw_elsewhere_known);
	bool states = remaining && lxfw_remaining_states(remaining, LXFW_MOST), any = false;
	int result = remaining ? 0 : -1;

	for (size_t i = begin; i < end && result == 0; i++) {
		kept->bounds[i] = list[i].said.raw;
		if (!list[i].said.sure)
			result = lxfw_remaining_correct(remaining, &list[i].said.standing,
							judge->horizon, &kept->bounds[i]);
		kept->judged[i] = states && !list[i].said.sure && list[i].start != LXFW_NEVER;
		any |= kept->judged[i];
		if (list[i].start == LXFW_NEVER)
			kept->unknown++;
		else if (list[i].said.sure)
			kept->sure++;
		else
			kept->too_few += !states;
	}
	if (any && result == 0)
		predict_by_ratios(judge, begin, end);
	kept->judged_moments += any;
	lxfw_remaining_free(remaining);
	return result;
}

/* --- shares ------------------------------------------------------------------------- */

/* Bounds are rounded outwards to seconds when printed; the horizon has no end. */
static bool is_inside(const struct judge *judge, size_t at, const struct lxfw_interval *of)
{
	const struct lxfw_promise *promise = &judge->promises->list[at];
	double wait = (double)(promise->start - promise->time);

	return wait >= floor(of->low) &&
	       (wait <= ceil(of->high) || of->high >= (double)judge->horizon);
}

/* Of the judged predictions, or those of a class. */
static void share_of(struct judge *judge, const struct lxfw_bounds *bounds, int interval,
		     int kind, int number, struct lxfw_kept_share *share)
{
	const struct lxfw_promises *promises = judge->promises;
	size_t all = 0, inside = 0, moments = 0;
	double shares = 0;

	for (size_t i = 0; i < promises->count;) {
		size_t end = end_of(promises, i), here = 0, kept = 0;

		for (; i < end; i++) {
			const struct lxfw_interval *of = &bounds[i].of[interval];

			if (!judge->kept->judged[i] ||
			    (kind >= 0 && !is_in(&promises->list[i], kind, number)))
				continue;
			judge->widths[all + here++] = of->high - of->low;
			kept += is_inside(judge, i, of);
		}
		all += here;
		inside += kept;
		moments += here > 0;
		shares += here > 0 ? (double)kept / (double)here : 0;
	}
	share->jobs = all;
	share->inside[interval] = all > 0 ? (double)inside / (double)all : 0;
	share->by_moment[interval] = moments > 0 ? shares / (double)moments : 0;
	share->width[interval] = lxfw_median(judge->widths, all);
}

static void measure(struct judge *judge, const struct lxfw_bounds *raw)
{
	struct lxfw_kept *kept = judge->kept;

	for (int i = 0; i < LXFW_STATED; i++) {
		share_of(judge, kept->bounds, i, -1, 0, &kept->corrected);
		share_of(judge, raw, i, -1, 0, &kept->raw);
		share_of(judge, judge->ratio, i, -1, 0, &kept->ratio);
		for (int j = 0; j < LXFW_KEPT_KINDS * LXFW_KEPT_CLASSES; j++)
			share_of(judge, kept->bounds, i, j / LXFW_KEPT_CLASSES,
				 j % LXFW_KEPT_CLASSES, &kept->classes[j / LXFW_KEPT_CLASSES]
				 [j % LXFW_KEPT_CLASSES]);
	}
}

int lxfw_kept_judge(const struct lxfw_promises *promises, int64_t horizon,
		    bool look, struct lxfw_kept *kept)
{
	size_t count = promises->count;
	struct lxfw_bounds *raw = calloc(count + 1, sizeof(*raw));
	struct judge judge = {
		.promises = promises, .horizon = horizon, .look = look, .kept = kept,
		.ratio = calloc(count + 1, sizeof(*judge.ratio)),
		.ratios = calloc(count + 1, sizeof(*judge.ratios)),
		.widths = calloc(count + 1, sizeof(*judge.widths)),
	};
	int result = -1;

	*kept = (struct lxfw_kept) {
		.predictions = count,
		.bounds = calloc(count + 1, sizeof(*kept->bounds)),
		.judged = calloc(count + 1, sizeof(*kept->judged)),
	};
	if (raw && judge.ratio && judge.ratios && judge.widths && kept->bounds && kept->judged)
		result = 0;
	for (size_t i = 0; i < count && result == 0; kept->moments++) {
		size_t end = end_of(promises, i);

		result = judge_moment(&judge, i, end);
		for (; i < end; i++)
			raw[i] = promises->list[i].said.raw;
	}
	if (result == 0)
		measure(&judge, raw);
	free(raw);
	free(judge.ratio);
	free(judge.ratios);
	free(judge.widths);
	return result;
}

void lxfw_kept_clear(struct lxfw_kept *kept)
{
	free(kept->bounds);
	free(kept->judged);
	kept->bounds = NULL;
	kept->judged = NULL;
}
