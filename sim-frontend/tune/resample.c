/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/resample.h"

#include <math.h>
#include <stdlib.h>

#include "sim-frontend/workload/random.h"

#define DRAWS 1000

/* Ranks of the ends of the 95 % interval. */
#define LOW_RANK (DRAWS * 25 / 1000)
#define HIGH_RANK (DRAWS - LOW_RANK - 1)

/* Runs shorter than this do not count as short in the bounded slowdown, s. */
#define BOUND 10

/* A job of a percentile. */
struct ranked {
	int64_t value;
	int32_t cluster;
};

/* One schedule, as far as a measure needs it. */
struct side {
	double *sums, *parts;	/* by cluster: what a mean divides, by what */
	struct ranked *ranked;	/* ascending */
};

static int percent_of(enum lxfw_tune_measure measure)
{
	return measure == LXFW_TUNE_MEDIAN_WAIT ? 50 :
	       measure == LXFW_TUNE_P95_WAIT ? 95 : 0;
}

static void add_to_mean(enum lxfw_tune_measure measure,
			const struct lxfw_outcome *outcome, double *sum,
			double *part)
{
	double response = (double)(outcome->end - outcome->submit);
	double run = (double)outcome->run, weight = 1;

	switch (measure) {
	case LXFW_TUNE_MEAN_WAIT:
		*sum += response - run;
		break;
	case LXFW_TUNE_MEAN_RESPONSE:
		*sum += response;
		break;
	case LXFW_TUNE_MEAN_SLOWDOWN:
		*sum += response / run;
		break;
	case LXFW_TUNE_MEAN_BOUNDED_SLOWDOWN:
		*sum += fmax(1, response / fmax(run, BOUND));
		break;
	case LXFW_TUNE_AWRT:
		weight = run * outcome->procs;
		*sum += weight * response;
		break;
	case LXFW_TUNE_PREEMPTIONS:
		*sum += outcome->preemptions;
		break;
	case LXFW_TUNE_REQUEUES:
		*sum += outcome->requeues;
		break;
	case LXFW_TUNE_LOST_HOURS:
		*sum += (double)outcome->lost * outcome->procs / 3600;
		break;
	default:
		break;
	}
	*part += weight;
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
	size_t clusters = (size_t)sample->cluster_count;

	side->sums = calloc(clusters + 1, sizeof(*side->sums));
	side->parts = calloc(clusters + 1, sizeof(*side->parts));
	side->ranked = calloc(sample->count + 1, sizeof(*side->ranked));
	if (!side->sums || !side->parts || !side->ranked)
		return -1;
	for (size_t i = 0; i < sample->count; i++) {
		int32_t cluster = sample->clusters[i];

		if (percent_of(measure) == 0)
			add_to_mean(measure, &outcomes[i], &side->sums[cluster],
				    &side->parts[cluster]);
		else
			side->parts[cluster]++;
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

/* Nearest rank, with each job as often as its cluster was drawn; from above, since
   ranks are mostly high. */
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
	/* a number is not divided */
	if (measure == LXFW_TUNE_PREEMPTIONS || measure == LXFW_TUNE_REQUEUES ||
	    measure == LXFW_TUNE_LOST_HOURS)
		return sum;
	return part > 0 ? sum / part : 0;
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static int draw(const struct lxfw_sample *sample, enum lxfw_tune_measure measure,
		const struct side *now, const struct side *then, double *low,
		double *high)
{
	int clusters = sample->cluster_count;
	int *drawn = malloc((size_t)clusters * sizeof(*drawn));
	double *changes = malloc(DRAWS * sizeof(*changes));
	struct lxfw_random random;
	int result = drawn && changes ? 0 : -1;

	lxfw_random_seed(&random, sample->seed, UINT64_C(0x7765656b73));
	for (int i = 0; result == 0 && i < DRAWS; i++) {
		double before;

		for (int j = 0; j < clusters; j++)
			drawn[j] = 0;
		for (int j = 0; j < clusters; j++)
			drawn[lxfw_random_below(&random, (uint64_t)clusters)]++;
		before = value_of(now, sample, measure, drawn);
		if (before > 0)
			changes[i] = value_of(then, sample, measure, drawn) /
				     before - 1;
		else
			result = 1;
	}
	if (result == 0) {
		qsort(changes, DRAWS, sizeof(*changes), compare);
		*low = changes[LOW_RANK];
		*high = changes[HIGH_RANK];
	}
	free(drawn);
	free(changes);
	return result;
}

/* One job decides it. */
static bool is_maximum(enum lxfw_tune_measure measure)
{
	return measure == LXFW_TUNE_MAX_WAIT ||
	       measure == LXFW_TUNE_MOST_SUSPENSIONS ||
	       measure == LXFW_TUNE_MOST_SUSPENDED;
}

int lxfw_resample(const struct lxfw_sample *sample, enum lxfw_tune_measure measure,
		  const struct lxfw_outcome *now, const struct lxfw_outcome *then,
		  double *low, double *high)
{
	struct side sides[2] = { { NULL, NULL, NULL }, { NULL, NULL, NULL } };
	int result = -1;

	if (is_maximum(measure) || sample->count == 0 ||
	    sample->cluster_count < LXFW_CLUSTERS_LEAST)
		return 1;
	if (begin_side(&sides[0], sample, measure, now) == 0 &&
	    begin_side(&sides[1], sample, measure, then) == 0)
		result = draw(sample, measure, &sides[0], &sides[1], low, high);
	end_side(&sides[0]);
	end_side(&sides[1]);
	return result;
}

bool lxfw_sign_test(int less, int more)
{
	int all = less + more, rare = less < more ? less : more;
	double probability = 0, term = pow(0.5, all);

	for (int i = 0; i <= rare; i++) {
		probability += term;
		term = term * (all - i) / (i + 1);
	}
	return 2 * probability <= 0.05;
}
