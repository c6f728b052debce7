/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simulates one log under one or more policies: the log itself, for which all results are
 * kept, and perturbed copies of it, for which only metrics are kept. Simulations run on
 * several threads; results do not depend on their number.
 */
#ifndef LXFW_EXPERIMENT_CONTEST_H
#define LXFW_EXPERIMENT_CONTEST_H

#include "sim-frontend/engine/series.h"
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/metrics/fairness.h"
#include "sim-frontend/metrics/goal.h"
#include "sim-frontend/trace/shake.h"

#define LXFW_CONTESTANTS_MAX 32

/* Minimum number of periods for a confidence interval. With fewer, the interval would
   contain the true value too rarely. */
#define LXFW_CONTEST_PERIODS 8

/* The mean of the copies' values and the range that contains 95 per cent of them:
   nearest ranks 2.5 and 97.5 per cent, or, with fewer than 40 copies, the minimum and
   the maximum. */
struct lxfw_contest_range {
	double mean, low, high;
};

struct lxfw_contestant {
	/* Set by the caller. */
	const char *name;
	struct lxfw_simulation_options options;
	const struct lxfw_job_classes *classes;	/* NULL unless the policy needs them */
	struct lxfw_journal_writer *journal;	/* may be NULL */

	/* Results. */
	struct lxfw_simulation sim;
	struct lxfw_series series;		/* if requested */
	struct lxfw_metrics metrics;
	struct lxfw_metrics kinds[2];		/* if some jobs are adaptive and others
						   not */
	struct lxfw_fairness fairness;		/* if requested */
	struct lxfw_accuracy accuracy;	/* of estimates that are learned */
	struct lxfw_metrics *copies;		/* of each perturbed copy */
};

struct lxfw_contest {
	/* Set by the caller; not modified during the run. */
	const struct lxfw_trace *trace;
	const struct lxfw_cluster *cluster;
	struct lxfw_counting counting;
	struct lxfw_shake shake;
	size_t copies;			/* 0: none */
	int64_t period;			/* of the intervals by week, seconds */
	bool want_series;
	bool want_fairness;		/* requires a trace with owners */
	int threads;
	/* Numbers of jobs of all simulations, or of submissions if there is only one
	   simulation. May be NULL. */
	void (*progress)(size_t done, size_t all);
	struct lxfw_contestant *contestants;
	size_t count;

	/* Results. */
	int64_t *fair_starts;		/* by index of the trace's jobs */
	int weeks;			/* number of weeks available for intervals */

	/* Private. */
	size_t jobs_done;
};

/* Returns 0, or -1 with errno and ERROR set by the first simulation that failed. */
int lxfw_contest_run(struct lxfw_contest *contest, struct lxfw_error *error);

/* Whether the order of any contestant counts the workload manager's own priority. */
bool lxfw_contest_counts_priority(const struct lxfw_contest *contest);

/*
 * Computes the 95 % confidence interval of the change of MEASURE from the first
 * contestant to contestant WHO, as a fraction of the former. Weeks are drawn with
 * replacement, see metrics/resample.h. Returns 0 with LOW and HIGH set, 1 if there is no
 * interval, or -1 with errno ENOMEM.
 */
int lxfw_contest_interval(const struct lxfw_contest *contest, size_t who,
			  enum lxfw_tune_measure measure, double *low,
			  double *high);

/* Returns the range of COUNT values, 1 or more. Sorts VALUES. */
struct lxfw_contest_range lxfw_contest_range_of(double *values, size_t count);

/* Frees the results, not the members set by the caller. */
void lxfw_contest_clear(struct lxfw_contest *contest);

#endif
