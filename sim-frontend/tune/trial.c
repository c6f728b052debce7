/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/trial.h"

#include <errno.h>
#include <stdlib.h>

#include "sim-frontend/tune/space.h"

int lxfw_trials_begin(struct lxfw_trials *trials)
{
	const struct lxfw_trace *trace = trials->trace;
	int goals = lxfw_goals_count(trials->goals);

	trials->mean_memory = lxfw_tune_mean_memory(trials->cluster);
	trials->week = malloc((trace->count + 1) * sizeof(*trials->week));
	trials->goals_of = malloc((trace->count + 1) *
				  sizeof(*trials->goals_of));
	if (!trials->week || !trials->goals_of)
		return -1;
	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_trace_job *job = &trace->jobs[i];
		int64_t run = lxfw_simulation_run_time(trials->options, job);

		trials->week[i] = lxfw_tune_week_at(&trials->weeks, job->submit);
		trials->goals_of[i] = 0;
		for (int j = 0; j < goals; j++) {
			int class = lxfw_goals_at(trials->goals, j)->class;

			if (lxfw_tune_class_has(class, trials->cluster->procs,
						trials->mean_memory, job, run))
				trials->goals_of[i] |= UINT32_C(1) << j;
		}
	}
	return 0;
}

void lxfw_trials_clear(struct lxfw_trials *trials)
{
	free(trials->week);
	free(trials->goals_of);
	trials->week = NULL;
	trials->goals_of = NULL;
}

int lxfw_trial_simulate(const struct lxfw_trials *trials, const char *line,
			struct lxfw_simulation_options *options,
			struct lxfw_simulation *sim, struct lxfw_error *error)
{
	*options = *trials->options;
	*sim = (struct lxfw_simulation) {
		.trace = trials->trace, .cluster = trials->cluster,
		.options = options,
	};
	if (lxfw_tune_read_line(line, &options->params, error))
		return -1;
	return lxfw_simulation_run(sim, NULL, error);
}

void lxfw_trial_outcome(const struct lxfw_simulation *sim, size_t job,
			struct lxfw_outcome *outcome)
{
	*outcome = lxfw_simulation_outcome(sim, job);
}

/* Goals of one class share what is collected: the first that has it. */
static int collector(const struct lxfw_goals *goals, int goal)
{
	int first = 0;

	while (lxfw_goals_at(goals, first)->class !=
	       lxfw_goals_at(goals, goal)->class)
		first++;
	return first;
}

static int collect(const struct lxfw_trials *trials,
		   const struct lxfw_simulation *sim,
		   struct lxfw_measure *measures)
{
	int goals = lxfw_goals_count(trials->goals);
	uint32_t collectors = 0;

	for (int i = 0; i < goals; i++)
		collectors |= UINT32_C(1) << collector(trials->goals, i);
	for (size_t i = 0; i < trials->trace->count; i++) {
		uint32_t wanted = trials->goals_of[i] & collectors;
		struct lxfw_outcome outcome;

		if (trials->week[i] < 0 || wanted == 0 ||
		    !lxfw_tune_week_trains(&trials->weeks, trials->week[i]))
			continue;
		lxfw_trial_outcome(sim, i, &outcome);
		for (int j = 0; j < goals; j++) {
			if ((wanted >> j & 1) &&
			    lxfw_measure_add(&measures[j], &outcome))
				return -1;
		}
	}
	return 0;
}

int lxfw_trial_values(const struct lxfw_trials *trials, const char *line,
		      double *values, struct lxfw_error *error)
{
	struct lxfw_measure measures[2 * LXFW_GOALS_MAX];
	struct lxfw_metrics metrics[2 * LXFW_GOALS_MAX];
	struct lxfw_simulation_options options;
	int goals = lxfw_goals_count(trials->goals), failed, saved;
	struct lxfw_simulation sim;

	for (int i = 0; i < goals; i++)
		lxfw_measure_begin(&measures[i], INT64_MIN);
	failed = lxfw_trial_simulate(trials, line, &options, &sim, error);
	if (!failed) {
		failed = collect(trials, &sim, measures);
		if (failed)
			lxfw_error_set(error, "out of memory");
	}
	saved = errno;
	for (int i = 0; i < goals; i++) {
		measures[i].begin = measures[i].last_end;
		lxfw_measure_end(&measures[i], 0, &metrics[i]);
	}
	for (int i = 0; i < goals && !failed; i++)
		values[i] = lxfw_tune_value(
			&metrics[collector(trials->goals, i)],
			lxfw_goals_at(trials->goals, i)->measure);
	lxfw_simulation_clear(&sim);
	errno = saved;
	return failed;
}
