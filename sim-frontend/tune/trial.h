/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluates a setting: simulates the trace with its line and computes the values of the
 * goals in several views: over all blocks, over the blocks visible for each fold, and in
 * each block.
 *
 * Of a simulation, only the end of each job of a block and its number of interruptions
 * are needed. A simulation ends early if the setting is certain to be dominated. All its
 * values are then INFINITY, so that it is never selected and has no offspring.
 */
#ifndef LXFW_TUNE_TRIAL_H
#define LXFW_TUNE_TRIAL_H

#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/metrics/goal.h"
#include "sim-frontend/priority/simulated.h"
#include "sim-frontend/tune/weeks.h"

/* Data shared by all trials. It is not modified while they run. */
struct lxfw_trials {
	/* Set by the caller. */
	const struct lxfw_trace *trace;
	const struct lxfw_cluster *cluster;
	const struct lxfw_simulation_options *options;	/* except the parameters */
	const struct lxfw_goals *goals;
	struct lxfw_tune_weeks weeks;
	const struct lxfw_simulated *priorities;	/* of the site, for policy site; NULL:
						   all are 0 */
	int64_t bound;		/* of the bounded slowdown, seconds; 0: the default, 10 */
	bool (*stop)(void);	/* stops a simulation; NULL: never */

	/* Indexed by job of the trace. */
	int32_t *week;		/* -1: none */
	uint32_t *goals_of;	/* bit i: the job is in the class of goal i */
	double mean_memory;	/* of the machine, MB per processor; 0: memory is not
				   simulated */

	size_t *jobs;		/* number of jobs of the class, [block * goals + goal] */
};

/* Views of a setting. The values of a view are contiguous. */
static inline size_t lxfw_trials_fold_view(int fold)
{
	return (size_t)fold + 1;	/* fold -1: all blocks */
}

static inline size_t lxfw_trials_week_view(const struct lxfw_trials *trials, int week)
{
	return (size_t)(1 + trials->weeks.folds + week);
}

/* Returns the number of values of a setting. */
static inline size_t lxfw_trials_numbers(const struct lxfw_trials *trials)
{
	return lxfw_trials_week_view(trials, trials->weeks.count) *
	       (size_t)lxfw_goals_count(trials->goals);
}

/* Determines the block and the goals of each job. Returns 0, or -1 with errno ENOMEM. */
int lxfw_trials_begin(struct lxfw_trials *trials);
void lxfw_trials_clear(struct lxfw_trials *trials);

/* Simulates a setting. The caller clears SIM and keeps OPTIONS. Returns 0, or -1 with
   errno and ERROR set, which names the setting; ECANCELED if it was stopped. */
int lxfw_trial_simulate(const struct lxfw_trials *trials, const char *line,
			struct lxfw_simulation_options *options,
			struct lxfw_simulation *sim, struct lxfw_error *error);

/* Computes the values of the goals, VALUES[view * goals + goal]. Returns as
   lxfw_trial_simulate(). */
int lxfw_trial_values(const struct lxfw_trials *trials, const char *line,
		      double *values, struct lxfw_error *error);

/* Returns the outcome of a job in *OUTCOME. */
void lxfw_trial_outcome(const struct lxfw_simulation *sim, size_t job,
			struct lxfw_outcome *outcome);

#endif
