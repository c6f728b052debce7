/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of metrics: the numbers that are printed of a schedule, compared between
 * schedules, and minimized or limited by lxfw tune.
 */
#ifndef LXFW_METRICS_TABLE_H
#define LXFW_METRICS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/metrics/metrics.h"

/* By position in the table, which is the order in which they are printed. */
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
	LXFW_TUNE_LOST_HOURS,		/* processor-hours thrown away by requeues */
	LXFW_TUNE_MOST_SUSPENSIONS,	/* of any one job */
	LXFW_TUNE_MOST_SUSPENDED,	/* share of any job's time, 0 .. 1 */
	LXFW_TUNE_MEASURES,
};

/* How the jobs of a schedule make the number. */
enum lxfw_metric_kind {
	LXFW_METRIC_MEAN,	/* sum of the jobs' values by sum of their weights */
	LXFW_METRIC_TOTAL,	/* sum of the jobs' values */
	LXFW_METRIC_MOST,	/* the largest of the jobs' values */
	LXFW_METRIC_PERCENTILE,	/* nearest rank of the jobs' waits */
	LXFW_METRIC_WHOLE,	/* of the schedule as a whole, not of its jobs */
};

struct lxfw_metric {
	const char *name;	/* of a goal: "p95_wait" */
	const char *key;	/* in JSON and CSV: "p95_wait_s" */
	const char *label;	/* in tables: "95th percentile wait", */
	const char *unit;	/* "s" of a time, "processor-h", "" */
	size_t at;		/* offset in struct lxfw_metrics of the value, */
	bool integer;		/* which is an int64_t, else a double */
	double least;		/* no schedule comes below; a limit must be above */
	enum lxfw_metric_kind kind;
	int percent;		/* of a percentile */

	/* Of a mean, a total, a maximum: the value of a job. *WEIGHT is 1 and may be set.
	   BOUND is that of the bounded slowdown, s. NULL for other kinds. */
	double (*of_job)(const struct lxfw_outcome *outcome, int64_t bound,
			 double *weight);
};

/* Row MEASURE of the table. */
const struct lxfw_metric *lxfw_metric(enum lxfw_tune_measure measure);

double lxfw_tune_value(const struct lxfw_metrics *metrics,
		       enum lxfw_tune_measure measure);

/* Whether it can be a goal, and have an interval: it is made of jobs, so that parts of
   them have one too. */
bool lxfw_metric_of_jobs(enum lxfw_tune_measure measure);

/* Whether it is a time in s. */
bool lxfw_tune_is_time(enum lxfw_tune_measure measure);

const char *lxfw_tune_measure_name(enum lxfw_tune_measure measure);

#endif
