/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of metrics that are printed for a schedule, compared between schedules, and
 * minimized or limited by lxfw tune.
 */
#ifndef LXFW_METRICS_TABLE_H
#define LXFW_METRICS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/metrics/metrics.h"

/* Indices in the table, in the order of printing. */
enum lxfw_tune_measure {
	LXFW_TUNE_MEAN_WAIT,
	LXFW_TUNE_MEDIAN_WAIT,
	LXFW_TUNE_P95_WAIT,
	LXFW_TUNE_MAX_WAIT,
	LXFW_TUNE_MEAN_RESPONSE,
	LXFW_TUNE_MEAN_SLOWDOWN,
	LXFW_TUNE_MEAN_BOUNDED_SLOWDOWN,
	LXFW_TUNE_AWRT,
	LXFW_TUNE_UTILIZATION,
	LXFW_TUNE_MAKESPAN,
	LXFW_TUNE_PREEMPTIONS,
	LXFW_TUNE_REQUEUES,
	LXFW_TUNE_LOST_HOURS,		/* processor-hours lost by requeues */
	LXFW_TUNE_MOST_SUSPENSIONS,	/* maximum per job */
	LXFW_TUNE_MOST_SUSPENDED,	/* fraction of a job's time, 0 to 1 */
	LXFW_TUNE_MEASURES,
};

/* How the metric is computed from the jobs of a schedule. */
enum lxfw_metric_kind {
	LXFW_METRIC_MEAN,	/* sum of the jobs' values divided by the sum of their
				   weights */
	LXFW_METRIC_TOTAL,	/* sum of the jobs' values */
	LXFW_METRIC_MOST,	/* maximum of the jobs' values */
	LXFW_METRIC_PERCENTILE,	/* nearest rank of the jobs' waits */
	LXFW_METRIC_WHOLE,	/* of the schedule as a whole */
};

struct lxfw_metric {
	const char *name;	/* name as a goal: "p95_wait" */
	const char *key;	/* name in JSON and CSV: "p95_wait_s" */
	const char *label;	/* name in tables: "95th percentile wait" */
	const char *unit;	/* "s" for a time, "processor-h", "" */
	size_t at;		/* offset of the value in struct lxfw_metrics */
	bool integer;		/* the value is an int64_t, otherwise a double */
	double least;		/* minimum for any schedule; a limit must be above */
	enum lxfw_metric_kind kind;
	int percent;		/* of a percentile */

	/* For a mean, a total or a maximum: returns the value of a job. *WEIGHT is 1
	   and may be changed. BOUND is that of the bounded slowdown in seconds. NULL
	   for other kinds. */
	double (*of_job)(const struct lxfw_outcome *outcome, int64_t bound,
			 double *weight);
};

/* Returns row MEASURE of the table. */
const struct lxfw_metric *lxfw_metric(enum lxfw_tune_measure measure);

double lxfw_tune_value(const struct lxfw_metrics *metrics,
		       enum lxfw_tune_measure measure);

/* Returns whether the metric can be a goal and have an interval: it is computed from
   jobs and therefore defined for subsets of jobs. */
bool lxfw_metric_of_jobs(enum lxfw_tune_measure measure);

/* Returns whether the metric is a time in seconds. */
bool lxfw_tune_is_time(enum lxfw_tune_measure measure);

const char *lxfw_tune_measure_name(enum lxfw_tune_measure measure);

#endif
