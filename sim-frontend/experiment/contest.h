/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One log under one policy or several: a simulation each of the log itself, of which
 * everything is kept, and of shaken copies of it, of which the figures are. On several
 * threads; what comes out does not depend on how many.
 */
#ifndef LXFW_EXPERIMENT_CONTEST_H
#define LXFW_EXPERIMENT_CONTEST_H

#include "sim-frontend/engine/series.h"
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/metrics/fairness.h"
#include "sim-frontend/metrics/goal.h"
#include "sim-frontend/trace/shake.h"

#define LXFW_CONTESTANTS_MAX 32

/* Of fewer periods no interval is taken: it would hold the truth too seldom. */
#define LXFW_CONTEST_PERIODS 8

/* The mean of the copies' values, and the range that holds 95 per cent of them: nearest
   ranks 2.5 and 97.5 per cent, with fewer than 40 copies the least and the greatest. */
struct lxfw_contest_range {
	double mean, low, high;
};

struct lxfw_contestant {
	/* given */
	const char *name;
	struct lxfw_simulation_options options;
	const struct lxfw_job_classes *classes;	/* NULL unless the policy has them */
	struct lxfw_journal_writer *journal;	/* may be NULL */

	/* results */
	struct lxfw_simulation sim;
	struct lxfw_series series;		/* where wanted */
	struct lxfw_metrics metrics;
	struct lxfw_metrics kinds[2];		/* where jobs are mixed */
	struct lxfw_fairness fairness;		/* where wanted */
	struct lxfw_metrics *copies;		/* of each shaken copy */
};

struct lxfw_contest {
	/* given; not written to while it goes on */
	const struct lxfw_trace *trace;
	const struct lxfw_cluster *cluster;
	struct lxfw_counting counting;
	struct lxfw_shake shake;
	size_t copies;			/* 0: none */
	int64_t period;			/* of the intervals by week, s */
	bool want_series;
	bool want_fairness;		/* of a trace with owners */
	int threads;
	/* Of the jobs of all simulations, or of the only one's submissions. May be
	   NULL. */
	void (*progress)(size_t done, size_t all);
	struct lxfw_contestant *contestants;
	size_t count;

	/* results */
	int64_t *fair_starts;		/* by position in the trace's jobs */
	int weeks;			/* how many there are to take intervals from */

	/* private */
	size_t jobs_done;
};

/* 0, or -1 with errno and ERROR set by the first simulation that failed. */
int lxfw_contest_run(struct lxfw_contest *contest, struct lxfw_error *error);

/*
 * The 95 % interval of what MEASURE of contestant WHO is beside that of the first, as a
 * part of that: weeks drawn with replacement, see tune/resample.h. 0 with LOW and HIGH
 * set, 1 where there is none, -1 with errno ENOMEM.
 */
int lxfw_contest_interval(const struct lxfw_contest *contest, size_t who,
			  enum lxfw_tune_measure measure, double *low,
			  double *high);

/* The range of VALUES, COUNT of them, 1 or more; puts them in order. */
struct lxfw_contest_range lxfw_contest_range_of(double *values, size_t count);

/* Frees results, nothing that was given. */
void lxfw_contest_clear(struct lxfw_contest *contest);

#endif
