/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A setting tried: the trace simulated with its line, and the values of the goals in
 * several views of it: over all blocks, over those that a choice for each fold may see,
 * and in each block.
 *
 * Of a simulation nothing is needed but when each job of a block ended, and how often
 * it was interrupted. Where a simulation is ended early, since the setting is beaten
 * whatever else comes, all its values are INFINITY: it is never chosen nor bred from.
 */
#ifndef LXFW_TUNE_TRIAL_H
#define LXFW_TUNE_TRIAL_H

#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/metrics/goal.h"
#include "sim-frontend/tune/weeks.h"

/* What all trials share; not written to while they go on. */
struct lxfw_trials {
	/* given */
	const struct lxfw_trace *trace;
	const struct lxfw_cluster *cluster;
	const struct lxfw_simulation_options *options;	/* but for parameters */
	const struct lxfw_goals *goals;
	struct lxfw_tune_weeks weeks;
	bool (*stop)(void);	/* of a simulation; NULL = it is never stopped */

	/* by position in the trace's jobs */
	int32_t *week;		/* -1 = none */
	uint32_t *goals_of;	/* bit i: the job is of goal i's class */
	double mean_memory;	/* of the machine, MB a processor; 0 = not counted */

	size_t *jobs;		/* [block * goals + goal]: of its class */
};

/* Views of a setting; the values of a view stand together. */
static inline size_t lxfw_trials_fold_view(int fold)
{
	return (size_t)fold + 1;	/* fold -1: all blocks */
}

static inline size_t lxfw_trials_week_view(const struct lxfw_trials *trials, int week)
{
	return (size_t)(1 + trials->weeks.folds + week);
}

/* How many values a setting has. */
static inline size_t lxfw_trials_numbers(const struct lxfw_trials *trials)
{
	return lxfw_trials_week_view(trials, trials->weeks.count) *
	       (size_t)lxfw_goals_count(trials->goals);
}

/* Note of each job where it counts. 0, or -1 with errno ENOMEM. */
int lxfw_trials_begin(struct lxfw_trials *trials);
void lxfw_trials_clear(struct lxfw_trials *trials);

/* A simulation of a setting, to be cleared; OPTIONS are kept by the caller. 0, or -1
   with errno and ERROR set, which names the setting; ECANCELED where it was told to
   stop. */
int lxfw_trial_simulate(const struct lxfw_trials *trials, const char *line,
			struct lxfw_simulation_options *options,
			struct lxfw_simulation *sim, struct lxfw_error *error);

/* The values of the goals, VALUES[view * goals + goal]. The same. */
int lxfw_trial_values(const struct lxfw_trials *trials, const char *line,
		      double *values, struct lxfw_error *error);

/* What became of a job. */
void lxfw_trial_outcome(const struct lxfw_simulation *sim, size_t job,
			struct lxfw_outcome *outcome);

#endif
