/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/instead.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/metrics/resample.h"
#include "sim-frontend/tune/weeks.h"

/* The outcomes of the jobs in both simulations, and the periods of their submission. */
struct pairs {
	struct lxfw_outcome *side[LXFW_INSTEAD_SIDES];
	int32_t *blocks;
	size_t *at;		/* positions in the log */
	size_t count;
	size_t only[LXFW_INSTEAD_SIDES];	/* started on this side only */
	int64_t first, last;	/* submissions */
	struct lxfw_tune_weeks weeks;	/* count 0: the log is too short */
};

static const enum lxfw_tune_measure measures[LXFW_INSTEAD_MEASURES] = {
	[LXFW_INSTEAD_WAIT] = LXFW_TUNE_MEAN_WAIT,
	[LXFW_INSTEAD_SLOWDOWN] = LXFW_TUNE_MEAN_BOUNDED_SLOWDOWN,
};

/* --- the jobs --------------------------------------------------------------------- */

static struct lxfw_outcome outcome_of(const struct lxfw_recorded_job *job, int64_t start)
{
	int64_t run = lxfw_recorded_job_run(job);

	return (struct lxfw_outcome) {
		.submit = lxfw_recorded_since(job), .end = start + run, .run = run,
		.procs = lxfw_recorded_job_procs(job),
	};
}

/* Returns whether the job started on both sides; notes if it started on one of them. */
static bool in_both(const struct lxfw_instead *instead, size_t at, struct pairs *pairs)
{
	const struct lxfw_recorded_job *job = &instead->recorded->jobs[at];
	bool present = job->simulated != LXFW_UNKNOWN;
	bool other = instead->starts[at] != LXFW_UNKNOWN;

	if (lxfw_recorded_job_run(job) == 0)	/* cancelled jobs have none */
		return false;
	pairs->only[LXFW_PRESENT] += present && !other;
	pairs->only[LXFW_INSTEAD] += other && !present;
	return present && other;
}

static void divide(struct pairs *pairs)
{
	struct lxfw_error why;

	pairs->first = INT64_MAX;
	pairs->last = INT64_MIN;
	for (size_t i = 0; i < pairs->count; i++) {
		int64_t submit = pairs->side[0][i].submit;

		pairs->first = submit < pairs->first ? submit : pairs->first;
		pairs->last = submit > pairs->last ? submit : pairs->last;
	}
	if (pairs->count == 0 ||
	    lxfw_tune_weeks_between(&pairs->weeks, pairs->first, pairs->last, &why) ||
	    pairs->weeks.count < LXFW_CLUSTERS_LEAST)
		pairs->weeks.count = 0;
}

/* Jobs after the last period are counted in it. */
static int32_t block_of(const struct lxfw_tune_weeks *weeks, int64_t submit)
{
	int at = lxfw_tune_week_at(weeks, submit);

	return at < 0 ? weeks->count - 1 : at;
}

static void free_pairs(struct pairs *pairs)
{
	free(pairs->side[0]);
	free(pairs->side[1]);
	free(pairs->blocks);
	free(pairs->at);
}

static int list_pairs(const struct lxfw_instead *instead, struct pairs *pairs)
{
	size_t size = instead->recorded->count + 1;

	*pairs = (struct pairs) { .count = 0 };
	pairs->side[0] = calloc(size, sizeof(*pairs->side[0]));
	pairs->side[1] = calloc(size, sizeof(*pairs->side[1]));
	pairs->blocks = calloc(size, sizeof(*pairs->blocks));
	pairs->at = calloc(size, sizeof(*pairs->at));
	if (!pairs->side[0] || !pairs->side[1] || !pairs->blocks || !pairs->at)
		return -1;
	for (size_t i = 0; i < instead->recorded->count; i++) {
		const struct lxfw_recorded_job *job = &instead->recorded->jobs[i];

		if (!in_both(instead, i, pairs))
			continue;
		pairs->side[LXFW_PRESENT][pairs->count] =
			outcome_of(job, job->simulated);
		pairs->side[LXFW_INSTEAD][pairs->count] =
			outcome_of(job, instead->starts[i]);
		pairs->at[pairs->count++] = i;
	}
	divide(pairs);
	for (size_t i = 0; i < pairs->count && pairs->weeks.count > 0; i++)
		pairs->blocks[i] = block_of(&pairs->weeks, pairs->side[0][i].submit);
	return 0;
}

/* --- differences of jobs ---------------------------------------------------------- */

static int64_t start_of(const struct pairs *pairs, int side, size_t i)
{
	return pairs->side[side][i].end - pairs->side[side][i].run;
}

static int64_t difference_at(const struct lxfw_instead *instead, int64_t at)
{
	return llabs(instead->recorded->jobs[at].simulated - instead->starts[at]);
}

static void note_largest(struct lxfw_instead *instead, size_t position)
{
	int at = instead->largest_count;
	int64_t difference = difference_at(instead, (int64_t)position);

	if (at < LXFW_INSTEAD_LARGEST)
		instead->largest_count++;
	else if (difference_at(instead, instead->largest[--at]) >= difference)
		return;
	for (; at > 0 && difference_at(instead, instead->largest[at - 1]) < difference;
	     at--)
		instead->largest[at] = instead->largest[at - 1];
	instead->largest[at] = (int64_t)position;
}

static void compare_starts(struct lxfw_instead *instead, const struct pairs *pairs)
{
	int64_t first = INT64_MAX;

	instead->parted = -1;
	for (size_t i = 0; i < pairs->count; i++) {
		int64_t present = start_of(pairs, LXFW_PRESENT, i);
		int64_t other = start_of(pairs, LXFW_INSTEAD, i);
		int64_t earliest = present < other ? present : other;

		instead->earlier += other < present;
		instead->later += other > present;
		if (other == present)
			continue;
		note_largest(instead, pairs->at[i]);
		if (earliest < first) {
			first = earliest;
			instead->parted = (int64_t)pairs->at[i];
		}
	}
}

/* --- measures --------------------------------------------------------------------- */

static int measure_side(struct lxfw_instead *instead, const struct pairs *pairs, int side)
{
	struct lxfw_measure measure = { .begin = 0 };

	lxfw_measure_begin(&measure, pairs->count > 0 ? pairs->first : 0);
	if (instead->bound > 0)
		measure.bound = instead->bound;
	for (size_t i = 0; i < pairs->count; i++) {
		if (lxfw_measure_add(&measure, &pairs->side[side][i])) {
			lxfw_measure_end(&measure, instead->recorded->procs,
					 &instead->side[side]);
			return -1;
		}
	}
	lxfw_measure_end(&measure, instead->recorded->procs, &instead->side[side]);
	return 0;
}

/* Computes the means of the periods and their weights. */
static void block_means(const struct lxfw_instead *instead, const struct pairs *pairs,
			int side, const struct lxfw_metric *metric, double *means,
			double *weights)
{
	int64_t bound = instead->bound > 0 ? instead->bound : LXFW_SLOWDOWN_BOUND;

	for (int i = 0; i < pairs->weeks.count; i++)
		means[i] = weights[i] = 0;
	for (size_t i = 0; i < pairs->count; i++) {
		double weight = 1;

		means[pairs->blocks[i]] += metric->of_job(&pairs->side[side][i], bound,
							  &weight);
		weights[pairs->blocks[i]] += weight;
	}
	for (int i = 0; i < pairs->weeks.count; i++)
		means[i] = weights[i] > 0 ? means[i] / weights[i] : 0;
}

/* Judges the change of the measure. Returns 0, 1 if there is no interval, or -1 with errno ENOMEM. */
static int judge(const struct lxfw_instead *instead, const struct pairs *pairs,
		 enum lxfw_tune_measure measure, struct lxfw_judgement *judgement)
{
	enum lxfw_instead_side now = LXFW_PRESENT, then = LXFW_INSTEAD;
	const struct lxfw_sample sample = {
		.clusters = pairs->blocks, .count = pairs->count,
		.cluster_count = pairs->weeks.count, .seed = 1,
		.bound = instead->bound,
	};
	size_t blocks = (size_t)pairs->weeks.count;
	double *numbers = calloc(3 * blocks + LXFW_DRAWS + 1, sizeof(*numbers));
	struct lxfw_paired paired = {
		.blocks = pairs->weeks.count, .now = numbers, .then = numbers + blocks,
		.weights = numbers + 2 * blocks, .draws = numbers + 3 * blocks,
		.all_now = lxfw_tune_value(&instead->side[now], measure),
		.all_then = lxfw_tune_value(&instead->side[then], measure),
	};
	int result;

	if (!numbers)
		return -1;
	result = lxfw_resample(&sample, measure, pairs->side[now], pairs->side[then],
			       numbers + 3 * blocks);
	if (result == 0) {
		block_means(instead, pairs, now, lxfw_metric(measure), numbers,
			    numbers + 2 * blocks);
		block_means(instead, pairs, then, lxfw_metric(measure),
			    numbers + blocks, numbers + 2 * blocks);
		result = lxfw_judge(&paired, judgement);
	}
	free(numbers);
	return result;
}

/* Sets the interval of the change, which the draws underestimate if there are few periods. A change is
   shown if it excludes 0. */
static void take_interval(const struct lxfw_judgement *judgement, int blocks,
			  struct lxfw_instead_change *change)
{
	double whole = judgement->then / judgement->now - 1;

	change->low = lxfw_resample_widen(judgement->low, whole, blocks, LXFW_INTERVAL_90);
	change->high = lxfw_resample_widen(judgement->high, whole, blocks, LXFW_INTERVAL_90);
	change->interval = isfinite(change->low);
	if (change->interval)
		change->shown = change->high < 0 ? -1 : change->low > 0;
}

/* Judges all measures. Returns 0, or -1 with errno ENOMEM. */
static int judge_all(struct lxfw_instead *instead, const struct pairs *pairs)
{
	for (int i = 0; i < LXFW_INSTEAD_MEASURES; i++) {
		struct lxfw_judgement judgement = { .now = 0 };
		int result = judge(instead, pairs, measures[i], &judgement);

		if (result < 0)
			return -1;
		if (result == 0)
			take_interval(&judgement, pairs->weeks.count, &instead->changes[i]);
	}
	return 0;
}

bool lxfw_instead_credible(const struct lxfw_instead *instead)
{
	return instead->verdict->level == LXFW_VERDICT_GOOD;
}

bool lxfw_instead_same_jobs(const struct lxfw_instead *instead)
{
	size_t only = instead->only[LXFW_PRESENT] + instead->only[LXFW_INSTEAD];

	return only * LXFW_INSTEAD_ONLY_MOST <= instead->jobs + only;
}

int lxfw_instead_measure(struct lxfw_instead *instead)
{
	struct pairs pairs;
	int result = list_pairs(instead, &pairs);

	for (int side = 0; side < LXFW_INSTEAD_SIDES && result == 0; side++)
		result = measure_side(instead, &pairs, side);
	if (result == 0) {
		instead->jobs = pairs.count;
		memcpy(instead->only, pairs.only, sizeof(pairs.only));
		instead->blocks = pairs.weeks.count;
		instead->block_length = pairs.weeks.length;
		compare_starts(instead, &pairs);
		for (int i = 0; i < LXFW_INSTEAD_MEASURES; i++) {
			struct lxfw_instead_change *change = &instead->changes[i];

			change->now = lxfw_tune_value(&instead->side[LXFW_PRESENT],
						      measures[i]);
			change->then = lxfw_tune_value(&instead->side[LXFW_INSTEAD],
						       measures[i]);
		}
	}
	if (result == 0 && pairs.weeks.count > 0 && lxfw_instead_credible(instead) &&
	    lxfw_instead_same_jobs(instead))
		result = judge_all(instead, &pairs);
	free_pairs(&pairs);
	return result;
}
