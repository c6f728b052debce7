/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/resample.h"

#include <math.h>
#include <stdlib.h>

#include "sim-frontend/util/random.h"

/* A job of a percentile. */
struct ranked {
	int64_t value;
	int32_t cluster;
};

/* Data of one schedule for a measure. */
struct side {
	double *sums, *parts;	/* by cluster: numerator and denominator of a mean; for
				   a maximum, the maximum and 1 for each copy with jobs */
	struct ranked *ranked;	/* in ascending order */
};

static int64_t bound_of(const struct lxfw_sample *sample)
{
	return sample->bound > 0 ? sample->bound : LXFW_SLOWDOWN_BOUND;
}

static int percent_of(enum lxfw_tune_measure measure)
{
	return lxfw_metric(measure)->percent;
}

/* Adds up the maxima of each copy's clusters. */
static int add_maxima(struct side *side, const struct lxfw_sample *sample,
		      const struct lxfw_metric *metric,
		      const struct lxfw_outcome *outcomes)
{
	size_t clusters = (size_t)sample->cluster_count;
	size_t copies = sample->copies > 0 ? sample->copies : 1;
	size_t each = sample->count / copies;
	double *most = malloc((clusters + 1) * sizeof(*most));

	for (size_t copy = 0; most && copy < copies; copy++) {
		for (size_t i = 0; i < clusters; i++)
			most[i] = -1;
		for (size_t i = copy * each; i < (copy + 1) * each; i++) {
			double *of = &most[sample->clusters[i]], weight = 1;

			*of = fmax(*of, metric->of_job(&outcomes[i],
						       bound_of(sample), &weight));
		}
		for (size_t i = 0; i < clusters; i++) {
			if (most[i] < 0)
				continue;
			side->sums[i] += most[i];
			side->parts[i]++;
		}
	}
	free(most);
	return most ? 0 : -1;
}

static int by_value(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return (a->cluster > b->cluster) - (a->cluster < b->cluster);
}

static int begin_side(struct side *side, const struct lxfw_sample *sample,
		      enum lxfw_tune_measure measure,
		      const struct lxfw_outcome *outcomes)
{
	const struct lxfw_metric *metric = lxfw_metric(measure);
	int64_t bound = bound_of(sample);
	size_t clusters = (size_t)sample->cluster_count;

	side->sums = calloc(clusters + 1, sizeof(*side->sums));
	side->parts = calloc(clusters + 1, sizeof(*side->parts));
	side->ranked = calloc(sample->count + 1, sizeof(*side->ranked));
	if (!side->sums || !side->parts || !side->ranked)
		return -1;
	if (sample->count > 0 && metric->kind == LXFW_METRIC_MOST)
		return add_maxima(side, sample, metric, outcomes);
	for (size_t i = 0; i < sample->count; i++) {
		int32_t cluster = sample->clusters[i];
		double weight = 1;

		if (metric->of_job)
			side->sums[cluster] += metric->of_job(&outcomes[i], bound,
							      &weight);
		side->parts[cluster] += weight;
		side->ranked[i] = (struct ranked) {
			outcomes[i].end - outcomes[i].submit - outcomes[i].run,
			cluster,
		};
	}
	if (percent_of(measure) > 0)
		qsort(side->ranked, sample->count, sizeof(*side->ranked),
		      by_value);
	return 0;
}

static void end_side(struct side *side)
{
	free(side->sums);
	free(side->parts);
	free(side->ranked);
}

/* Computes the percentile by nearest rank, each job counted as often as its cluster
   was drawn. Searches from above, since percentiles are mostly high. */
static double percentile(const struct side *side,
			 const struct lxfw_sample *sample, const int *drawn,
			 int percent)
{
	int64_t all = 0, above;

	for (int i = 0; i < sample->cluster_count; i++)
		all += (int64_t)side->parts[i] * drawn[i];
	above = all - (all * percent + 99) / 100;
	for (size_t i = sample->count; i > 0; i--) {
		above -= drawn[side->ranked[i - 1].cluster];
		if (above < 0)
			return (double)side->ranked[i - 1].value;
	}
	return 0;
}

static double value_of(const struct side *side, const struct lxfw_sample *sample,
		       enum lxfw_tune_measure measure, const int *drawn)
{
	double sum = 0, part = 0;

	if (percent_of(measure) > 0)
		return percentile(side, sample, drawn, percent_of(measure));
	for (int i = 0; i < sample->cluster_count; i++) {
		sum += side->sums[i] * drawn[i];
		part += side->parts[i] * drawn[i];
	}
	/* totals are not divided */
	if (lxfw_metric(measure)->kind == LXFW_METRIC_TOTAL)
		return sum;
	return part > 0 ? sum / part : 0;
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Returns the number of consecutive clusters that are drawn together. */
static int run_of(int clusters)
{
	int run = 1;

	while ((run + 1) * (run + 1) * (run + 1) <= clusters)
		run++;
	return run;
}

/* Quantiles of Student's distribution and of the normal one. */
struct quantiles {
	double student[20];	/* for 1, 2, ... degrees of freedom */
	double normal;
	double first;		/* the first term of the expansion of Student's quantile in
				   1 / freedom */
};

static const struct quantiles quantiles[LXFW_INTERVAL_LEVELS] = {
	[LXFW_INTERVAL_90] = {
		{ 6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812,
		  1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.740, 1.734, 1.729, 1.725 },
		1.645, 1.5,
	},
	[LXFW_INTERVAL_95] = {
		{ 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
		  2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086 },
		1.96, 2.4,
	},
};

double lxfw_resample_widening(int clusters, enum lxfw_interval_level level)
{
	const struct quantiles *of = &quantiles[level];
	const int known = (int)(sizeof(of->student) / sizeof(*of->student));
	int freedom = clusters / run_of(clusters) - 1;

	if (freedom < 1)
		freedom = 1;
	return (freedom <= known ? of->student[freedom - 1] :
				   of->normal + of->first / freedom) / of->normal;
}

double lxfw_resample_widen(double end, double whole, int clusters,
			   enum lxfw_interval_level level)
{
	double middle = log1p(whole);

	return isfinite(end) && isfinite(middle) && end > -1 ?
	       expm1(middle + lxfw_resample_widening(clusters, level) *
			      (log1p(end) - middle)) : end;
}

static double change(double before, double after)
{
	if (before > 0)
		return after / before - 1;
	return after > 0 ? INFINITY : 0;
}

static int draw(const struct lxfw_sample *sample, enum lxfw_tune_measure measure,
		const struct side *now, const struct side *then, double *draws)
{
	int clusters = sample->cluster_count, run = run_of(clusters);
	int *drawn = malloc((size_t)clusters * sizeof(*drawn));
	struct lxfw_random random;

	if (!drawn)
		return -1;
	lxfw_random_seed(&random, sample->seed, UINT64_C(0x7765656b73));
	for (int i = 0; i < LXFW_DRAWS; i++) {
		for (int j = 0; j < clusters; j++)
			drawn[j] = 0;
		for (int j = 0; j < clusters / run - 1; j++) {
			int first = (int)lxfw_random_below(&random,
							   (uint64_t)clusters);

			for (int k = 0; k < run; k++)
				drawn[(first + k) % clusters]++;
		}
		draws[i] = change(value_of(now, sample, measure, drawn),
				  value_of(then, sample, measure, drawn));
	}
	qsort(draws, LXFW_DRAWS, sizeof(*draws), compare);
	free(drawn);
	return 0;
}

int lxfw_resample(const struct lxfw_sample *sample, enum lxfw_tune_measure measure,
		  const struct lxfw_outcome *now, const struct lxfw_outcome *then,
		  double *draws)
{
	struct side sides[2] = { { NULL, NULL, NULL }, { NULL, NULL, NULL } };
	int *once = NULL, result = -1;

	if (sample->count == 0 || sample->cluster_count < LXFW_CLUSTERS_LEAST)
		return 1;
	once = malloc((size_t)sample->cluster_count * sizeof(*once));
	for (int i = 0; once && i < sample->cluster_count; i++)
		once[i] = 1;
	if (once && begin_side(&sides[0], sample, measure, now) == 0 &&
	    begin_side(&sides[1], sample, measure, then) == 0)
		result = value_of(&sides[0], sample, measure, once) > 0 ?
			 draw(sample, measure, &sides[0], &sides[1], draws) : 1;
	end_side(&sides[0]);
	end_side(&sides[1]);
	free(once);
	return result;
}
