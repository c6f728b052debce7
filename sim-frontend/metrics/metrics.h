/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a schedule is worth. Wait is response minus run time on the processors
 * requested; bounded slowdown is max(1, response / max(run, bound)) with a bound of
 * 10 s unless told otherwise; percentiles are nearest-rank.
 */
#ifndef LXFW_METRICS_METRICS_H
#define LXFW_METRICS_METRICS_H

#include <stddef.h>
#include <stdint.h>

/* Runs shorter than this do not count as short in the bounded slowdown, s. */
#define LXFW_SLOWDOWN_BOUND 10

/* One job's outcome; times in s. */
struct lxfw_outcome {
	int64_t submit, end;
	int64_t run;		/* 1 or more */
	int32_t procs;
	uint32_t preemptions, requeues;
	int64_t lost;		/* run time thrown away by requeues */
	double suspended;	/* share of the time from its start to its end
				   that it was suspended */
};

struct lxfw_metrics {
	size_t jobs;
	double mean_wait, mean_response;
	int64_t median_wait, p95_wait, max_wait;
	double mean_slowdown, mean_bounded_slowdown;
	double awrt;		/* response weighted by procs x run */
	double utilization;	/* of the processors, over the makespan, or from
				   `begin` to `until` if that was given; by run
				   time on those requested: work that was lost
				   does not count */
	int64_t makespan;	/* from `begin` to the last end of a job that was
				   submitted by `until` */
	int64_t preemptions, requeues;
	/* What interruptions cost. */
	int64_t most_suspensions;	/* of any one job */
	double most_suspended;	/* largest share of a job's time, 0 .. 1 */
	double lost_hours;	/* processor-hours of work thrown away */
};

/* Collects outcomes; {0} plus lxfw_measure_begin(). */
struct lxfw_measure {
	int64_t begin;		/* submissions from here on count */
	int64_t last_end;
	int64_t *waits;
	size_t count, size;
	int64_t wait_sum, response_sum;
	int64_t preemptions, requeues;
	double slowdown_sum, bounded_sum;
	double area, weighted_sum, busy;
	int64_t most_suspensions;
	double most_suspended, lost_area;
	/* May be changed after lxfw_measure_begin(): */
	int64_t until;		/* submissions up to then count; INT64_MAX */
	int64_t bound;		/* of the bounded slowdown, s, 1 or more */
};

/* bounded slowdown of a job that ran RUN s and was in the system for RESPONSE s */
static inline double lxfw_bounded_slowdown(int64_t response, int64_t run,
					   int64_t bound)
{
	double slowdown = (double)response / (double)(run > bound ? run : bound);

	return slowdown > 1 ? slowdown : 1;
}

/* Jobs submitted before BEGIN are left out (but keep processors busy). */
void lxfw_measure_begin(struct lxfw_measure *measure, int64_t begin);

/* 0, or -1 with errno ENOMEM. */
int lxfw_measure_add(struct lxfw_measure *measure,
		     const struct lxfw_outcome *outcome);

/* The result for a machine of PROCS processors, and free what was collected. */
void lxfw_measure_end(struct lxfw_measure *measure, int64_t procs,
		      struct lxfw_metrics *metrics);

/* Nearest rank: the smallest value such that PERCENT of all are not above it.
   Reorders VALUES. 0 for none. */
int64_t lxfw_percentile(int64_t *values, size_t count, int percent);

#endif
