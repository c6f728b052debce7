/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the values of a setting in all views. */
#include <errno.h>
#include <stdlib.h>

#include "sim-frontend/tune/trial.h"

/* Goals of one class share a collector: the index of the first goal of the class. */
static int collector(const struct lxfw_goals *goals, int goal)
{
	int first = 0;

	while (lxfw_goals_at(goals, first)->class !=
	       lxfw_goals_at(goals, goal)->class)
		first++;
	return first;
}

/* The measures of one class in all views. */
struct collection {
	const struct lxfw_trials *trials;
	struct lxfw_measure *measures;
	size_t views;
};

static int add(struct collection *collection, const struct lxfw_outcome *outcome,
	       int week)
{
	const struct lxfw_tune_weeks *weeks = &collection->trials->weeks;
	struct lxfw_measure *measures = collection->measures;

	for (int fold = -1; fold < weeks->folds; fold++) {
		if (lxfw_tune_week_seen(weeks, fold, week) &&
		    lxfw_measure_add(&measures[lxfw_trials_fold_view(fold)],
				     outcome))
			return -1;
	}
	return lxfw_measure_add(&measures[lxfw_trials_week_view(
				collection->trials, week)], outcome);
}

/* Computes the values of all goals that share the collector GOAL. */
static void take_values(struct collection *collection, int goal, double *values)
{
	const struct lxfw_goals *goals = collection->trials->goals;
	int count = lxfw_goals_count(goals);

	for (size_t i = 0; i < collection->views; i++) {
		struct lxfw_measure *measure = &collection->measures[i];
		struct lxfw_metrics metrics;

		measure->begin = measure->last_end;
		lxfw_measure_end(measure, 0, &metrics);
		for (int j = goal; j < count; j++) {
			if (collector(goals, j) == goal)
				values[i * (size_t)count + (size_t)j] =
					lxfw_tune_value(&metrics,
						lxfw_goals_at(goals, j)->measure);
		}
	}
}

static int collect(struct collection *collection,
		   const struct lxfw_simulation *sim, int goal, double *values)
{
	const struct lxfw_trials *trials = collection->trials;
	int result = 0;

	for (size_t i = 0; i < collection->views; i++) {
		lxfw_measure_begin(&collection->measures[i], INT64_MIN);
		if (trials->bound > 0)
			collection->measures[i].bound = trials->bound;
	}
	for (size_t i = 0; i < trials->trace->count && result == 0; i++) {
		struct lxfw_outcome outcome;

		if (trials->week[i] < 0 || !(trials->goals_of[i] >> goal & 1))
			continue;
		lxfw_trial_outcome(sim, i, &outcome);
		result = add(collection, &outcome, trials->week[i]);
	}
	take_values(collection, goal, values);
	return result;
}

int lxfw_trial_values(const struct lxfw_trials *trials, const char *line,
		      double *values, struct lxfw_error *error)
{
	struct collection collection = {
		.trials = trials,
		.views = lxfw_trials_week_view(trials, trials->weeks.count),
	};
	int goals = lxfw_goals_count(trials->goals), failed, saved;
	struct lxfw_simulation_options options;
	struct lxfw_simulation sim;

	failed = lxfw_trial_simulate(trials, line, &options, &sim, error);
	saved = errno;
	collection.measures = calloc(collection.views,
				     sizeof(*collection.measures));
	for (int i = 0; i < goals && !failed; i++) {
		if (collector(trials->goals, i) != i)
			continue;
		failed = !collection.measures ||
			 collect(&collection, &sim, i, values) ? -1 : 0;
		if (failed) {
			lxfw_error_set(error, "out of memory");
			saved = ENOMEM;
		}
	}
	free(collection.measures);
	lxfw_simulation_clear(&sim);
	errno = saved;
	return failed;
}
