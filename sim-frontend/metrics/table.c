/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/table.h"

#include <string.h>

static double response_of(const struct lxfw_outcome *outcome, int64_t bound,
			  double *weight)
{
	(void)bound;
	(void)weight;
	return (double)(outcome->end - outcome->submit);
}

static double wait_of(const struct lxfw_outcome *outcome, int64_t bound,
		      double *weight)
{
	return response_of(outcome, bound, weight) - (double)outcome->run;
}

static double slowdown_of(const struct lxfw_outcome *outcome, int64_t bound,
			  double *weight)
{
	return response_of(outcome, bound, weight) / (double)outcome->run;
}

static double bounded_slowdown_of(const struct lxfw_outcome *outcome, int64_t bound,
				  double *weight)
{
	(void)weight;
	return lxfw_bounded_slowdown(outcome->end - outcome->submit, outcome->run,
				     bound);
}

static double weighted_response_of(const struct lxfw_outcome *outcome,
				   int64_t bound, double *weight)
{
	*weight = (double)outcome->run * outcome->procs;
	return *weight * response_of(outcome, bound, weight);
}

static double preemptions_of(const struct lxfw_outcome *outcome, int64_t bound,
			     double *weight)
{
	(void)bound;
	(void)weight;
	return outcome->preemptions;
}

static double requeues_of(const struct lxfw_outcome *outcome, int64_t bound,
			  double *weight)
{
	(void)bound;
	(void)weight;
	return outcome->requeues;
}

static double lost_hours_of(const struct lxfw_outcome *outcome, int64_t bound,
			    double *weight)
{
	(void)bound;
	(void)weight;
	return (double)outcome->lost * outcome->procs / 3600;
}

static double suspended_of(const struct lxfw_outcome *outcome, int64_t bound,
			   double *weight)
{
	(void)bound;
	(void)weight;
	return outcome->suspended;
}

#define AT(member) offsetof(struct lxfw_metrics, member)

static const struct lxfw_metric table[LXFW_TUNE_MEASURES] = {
	[LXFW_TUNE_MEAN_WAIT] = {
		"mean_wait", "mean_wait_s", "mean wait", "s", AT(mean_wait),
		.kind = LXFW_METRIC_MEAN, .of_job = wait_of,
	},
	[LXFW_TUNE_MEDIAN_WAIT] = {
		"median_wait", "median_wait_s", "median wait", "s",
		AT(median_wait), .integer = true,
		.kind = LXFW_METRIC_PERCENTILE, .percent = 50,
	},
	[LXFW_TUNE_P95_WAIT] = {
		"p95_wait", "p95_wait_s", "95th percentile wait", "s",
		AT(p95_wait), .integer = true,
		.kind = LXFW_METRIC_PERCENTILE, .percent = 95,
	},
	[LXFW_TUNE_MAX_WAIT] = {
		"max_wait", "max_wait_s", "maximum wait", "s", AT(max_wait),
		.integer = true, .kind = LXFW_METRIC_MOST, .of_job = wait_of,
	},
	[LXFW_TUNE_MEAN_RESPONSE] = {
		"mean_response", "mean_response_s", "mean response", "s",
		AT(mean_response), .least = 1,
		.kind = LXFW_METRIC_MEAN, .of_job = response_of,
	},
	[LXFW_TUNE_MEAN_SLOWDOWN] = {
		"mean_slowdown", "mean_slowdown", "mean slowdown", "",
		AT(mean_slowdown), .least = 1,
		.kind = LXFW_METRIC_MEAN, .of_job = slowdown_of,
	},
	[LXFW_TUNE_MEAN_BOUNDED_SLOWDOWN] = {
		"mean_bounded_slowdown", "mean_bounded_slowdown",
		"mean bounded slowdown", "", AT(mean_bounded_slowdown),
		.least = 1, .kind = LXFW_METRIC_MEAN,
		.of_job = bounded_slowdown_of,
	},
	[LXFW_TUNE_AWRT] = {
		"awrt", "awrt_s", "weighted response (AWRT)", "s", AT(awrt),
		.least = 1, .kind = LXFW_METRIC_MEAN,
		.of_job = weighted_response_of,
	},
	[LXFW_TUNE_UTILIZATION] = {
		"utilization", "utilization", "utilization", "",
		AT(utilization), .kind = LXFW_METRIC_WHOLE,
	},
	[LXFW_TUNE_MAKESPAN] = {
		"makespan", "makespan_s", "makespan", "s", AT(makespan),
		.integer = true, .kind = LXFW_METRIC_WHOLE,
	},
	[LXFW_TUNE_PREEMPTIONS] = {
		"preemptions", "preemptions", "preemptions", "",
		AT(preemptions), .integer = true,
		.kind = LXFW_METRIC_TOTAL, .of_job = preemptions_of,
	},
	[LXFW_TUNE_REQUEUES] = {
		"requeues", "requeues", "requeues", "", AT(requeues),
		.integer = true, .kind = LXFW_METRIC_TOTAL,
		.of_job = requeues_of,
	},
	[LXFW_TUNE_LOST_HOURS] = {
		"lost_hours", "lost_hours", "work lost by requeues",
		"processor-h", AT(lost_hours), .kind = LXFW_METRIC_TOTAL,
		.of_job = lost_hours_of,
	},
	[LXFW_TUNE_MOST_SUSPENSIONS] = {
		"most_suspensions", "most_suspensions",
		"most suspensions of a job", "", AT(most_suspensions),
		.integer = true, .kind = LXFW_METRIC_MOST,
		.of_job = preemptions_of,
	},
	[LXFW_TUNE_MOST_SUSPENDED] = {
		"most_suspended", "most_suspended",
		"most of its time suspended", "", AT(most_suspended),
		.kind = LXFW_METRIC_MOST, .of_job = suspended_of,
	},
};

const struct lxfw_metric *lxfw_metric(enum lxfw_tune_measure measure)
{
	return &table[measure];
}

double lxfw_tune_value(const struct lxfw_metrics *metrics,
		       enum lxfw_tune_measure measure)
{
	const char *at = (const char *)metrics + table[measure].at;

	return table[measure].integer ? (double)*(const int64_t *)(const void *)at :
					*(const double *)(const void *)at;
}

bool lxfw_metric_of_jobs(enum lxfw_tune_measure measure)
{
	return table[measure].kind != LXFW_METRIC_WHOLE;
}

bool lxfw_tune_is_time(enum lxfw_tune_measure measure)
{
	return strcmp(table[measure].unit, "s") == 0;
}

const char *lxfw_tune_measure_name(enum lxfw_tune_measure measure)
{
	return table[measure].name;
}
