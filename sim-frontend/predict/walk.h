/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks through a log and predicts the starts of a sample of its jobs, each at the moment
 * of its submission and from what was known then: the jobs that wait and run, the jobs
 * that had ended, and the submissions so far.
 *
 * The log is walked as simulated under the policy, or as measured: then the jobs that ran
 * and waited are those of the log, and only the futures follow the policy.
 *
 * Of N jobs after the warm-up, which is the first WARMUP of the log's submissions, COUNT
 * are in the sample, at equal distances in the order of submission; the first one depends
 * on the seed.
 */
#ifndef LXFW_PREDICT_WALK_H
#define LXFW_PREDICT_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/predict/baselines.h"
#include "sim-frontend/predict/calibrate.h"
#include "sim-frontend/predict/future.h"

/* The prediction for one job. Waits in seconds. */
struct lxfw_case {
	size_t position;	/* in the trace */
	int64_t submit;
	int64_t wait;		/* as it was; not known to the prediction */
	bool at_once;		/* it started in the decision at its submission */
	int64_t *waits;		/* in the futures, ascending; LXFW_NEVER: beyond the
				   horizon */
	int64_t by_limits;	/* Slurm's rule: all jobs run for their requested times */
	struct lxfw_history_guess history;	/* from the waits of earlier jobs */
	bool is_corrected;	/* by lxfw_score() */
	struct lxfw_intervals corrected;
};

struct lxfw_walk {
	/* Set by the caller. */
	const struct lxfw_trace *trace;		/* with owners */
	const struct lxfw_cluster *cluster;
	const struct lxfw_simulation_options *options;
	bool measured;
	uint64_t seed;
	size_t sample;		/* number of jobs to predict */
	double warmup;		/* share of the submissions before the first of them */
	int futures, threads;
	int64_t horizon;
	void (*progress)(size_t done, size_t all);	/* may be NULL */

	/* Results, in order of submission. */
	struct lxfw_case *cases;
	size_t count;
	size_t not_placed;	/* measured: running jobs for which there was no room, summed
				   over the cases */
};

/* Returns 0, or -1 with errno and ERROR set. */
int lxfw_walk_run(struct lxfw_walk *walk, struct lxfw_error *error);

void lxfw_walk_clear(struct lxfw_walk *walk);

#endif
