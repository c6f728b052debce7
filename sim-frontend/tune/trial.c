/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/trial.h"

#include <errno.h>
#include <stdlib.h>

#include "sim-frontend/tune/priorities.h"
#include "sim-frontend/tune/space.h"
#include "sim-frontend/util/text.h"

int lxfw_trials_begin(struct lxfw_trials *trials)
{
	const struct lxfw_trace *trace = trials->trace;
	int goals = lxfw_goals_count(trials->goals);

	trials->mean_memory = lxfw_tune_mean_memory(trials->cluster);
	trials->week = malloc((trace->count + 1) * sizeof(*trials->week));
	trials->goals_of = malloc((trace->count + 1) *
				  sizeof(*trials->goals_of));
	trials->jobs = calloc((size_t)trials->weeks.count * (size_t)goals + 1,
			      sizeof(*trials->jobs));
	if (!trials->week || !trials->goals_of || !trials->jobs)
		return -1;
	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_trace_job *job = &trace->jobs[i];
		int64_t run = lxfw_simulation_run_time(trials->options, job);

		trials->week[i] = lxfw_tune_week_at(&trials->weeks, job->submit);
		trials->goals_of[i] = 0;
		for (int j = 0; j < goals; j++) {
			int class = lxfw_goals_at(trials->goals, j)->class;

			if (!lxfw_tune_class_has(class, trials->cluster->procs,
						 trials->mean_memory, job, run))
				continue;
			trials->goals_of[i] |= UINT32_C(1) << j;
			if (trials->week[i] >= 0)
				trials->jobs[trials->week[i] * goals + j]++;
		}
	}
	return 0;
}

void lxfw_trials_clear(struct lxfw_trials *trials)
{
	free(trials->week);
	free(trials->goals_of);
	free(trials->jobs);
	trials->jobs = NULL;
	trials->week = NULL;
	trials->goals_of = NULL;
}

int lxfw_trial_simulate(const struct lxfw_trials *trials, const char *line,
			struct lxfw_simulation_options *options,
			struct lxfw_simulation *sim, struct lxfw_error *error)
{
	struct lxfw_simulated varied;
	struct lxfw_error reason;
	int failed, saved;

	*options = *trials->options;
	*sim = (struct lxfw_simulation) {
		.trace = trials->trace, .cluster = trials->cluster,
		.options = options, .stop = trials->stop,
	};
	failed = lxfw_tune_read_line(line, &options->params, error);
	if (!failed && trials->priorities) {
		failed = lxfw_tune_priority_vary(trials->priorities, line, &varied, error);
		options->priorities = &varied.priorities;
	}
	if (!failed)
		failed = lxfw_simulation_run(sim, NULL, error);
	options->priorities = NULL;
	if (!failed)
		return 0;
	saved = errno;
	reason = *error;
	lxfw_error_format(error, "%.300s: %.200s", line, reason.text);
	errno = saved;
	return -1;
}

void lxfw_trial_outcome(const struct lxfw_simulation *sim, size_t job,
			struct lxfw_outcome *outcome)
{
	*outcome = lxfw_simulation_outcome(sim, job);
}
