/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics of a schedule. The wait of a job is its response time minus its run time on the
 * requested processors. The bounded slowdown is max(1, response / max(run, bound)), by
 * default with a bound of 10 s. Percentiles use the nearest-rank method.
 */
#ifndef LXFW_METRICS_METRICS_H
#define LXFW_METRICS_METRICS_H

#include <stddef.h>
#include <stdint.h>

/* The default bound of the bounded slowdown, in seconds. */
#define LXFW_SLOWDOWN_BOUND 10

/* The outcome of a job. Times are in seconds. */
struct lxfw_outcome {
	int64_t submit, end;
	int64_t run;		/* 1 or more */
	int64_t stayed;		/* seconds from the start to the end, with suspensions
				   and at any speed; 0: the same as `run` */
	int32_t procs;
	uint32_t preemptions, requeues;
	int64_t lost;		/* run time lost by requeues */
	double suspended;	/* fraction of the time from start to end that the job
				   was suspended */
};

struct lxfw_metrics {
	size_t jobs;
	double mean_wait, mean_response;
	int64_t median_wait, p95_wait, max_wait;
	double mean_slowdown, mean_bounded_slowdown;
	double awrt;		/* response time weighted by procs x run */
	double utilization;	/* of the processors, over the makespan, or from
				   `begin` to `until` if set; computed from run times
				   on the requested processors, without lost work */
	int64_t makespan;	/* from `begin` to the last end of a job submitted by
				   `until` */
	int64_t preemptions, requeues;
	/* The cost of interruptions. */
	int64_t most_suspensions;	/* maximum per job */
	double most_suspended;	/* maximum fraction of a job's time, 0 to 1 */
	double lost_hours;	/* lost work in processor-hours */
};

/* Collects outcomes. Initialize to {0} and call lxfw_measure_begin(). */
struct lxfw_measure {
	int64_t begin;		/* jobs submitted from this time on count */
	int64_t last_end;
	int64_t *waits;
	size_t count, size;
	int64_t wait_sum, response_sum;
	int64_t preemptions, requeues;
	double slowdown_sum, bounded_sum;
	double area, weighted_sum, busy;
	int64_t most_suspensions;
	double most_suspended, lost_area;
	/* The following may be changed after lxfw_measure_begin(). */
	int64_t until;		/* jobs submitted up to this time count; default
				   INT64_MAX */
	int64_t bound;		/* of the bounded slowdown, seconds, 1 or more */
};

/* Returns the bounded slowdown of a job that ran for RUN seconds and had a response
   time of RESPONSE seconds. */
static inline double lxfw_bounded_slowdown(int64_t response, int64_t run,
					   int64_t bound)
{
	double slowdown = (double)response / (double)(run > bound ? run : bound);

	return slowdown > 1 ? slowdown : 1;
}

/* Jobs submitted before BEGIN do not count, but use processors. */
void lxfw_measure_begin(struct lxfw_measure *measure, int64_t begin);

/* Returns 0, or -1 with errno ENOMEM. */
int lxfw_measure_add(struct lxfw_measure *measure,
		     const struct lxfw_outcome *outcome);

/* As above; SUBMITTED, not the submission of the outcome, decides whether the job counts. */
int lxfw_measure_add_submitted(struct lxfw_measure *measure,
			       const struct lxfw_outcome *outcome, int64_t submitted);

/* Computes the metrics for a machine of PROCS processors and frees the collected data. */
void lxfw_measure_end(struct lxfw_measure *measure, int64_t procs,
		      struct lxfw_metrics *metrics);

/* Nearest rank: returns the smallest value that at least PERCENT per cent of all do
   not exceed. Reorders VALUES. Returns 0 if there are none. */
int64_t lxfw_percentile(int64_t *values, size_t count, int percent);

#endif
