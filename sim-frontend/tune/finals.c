/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/finals.h"

#include <errno.h>
#include <stdlib.h>

#include "sim-frontend/trace/shake.h"
#include "sim-frontend/tune/choose.h"
#include "sim-frontend/util/pool.h"

/* Defaults of 'lxfw simulate --shake': one minute and one tenth. Less than a minute is
   used if typical jobs run for a few minutes only, since the copy would otherwise
   differ too much from the log. */
#define ARRIVALS 60

size_t lxfw_finals_copies(size_t wanted, size_t jobs)
{
	size_t most = LXFW_FINALS_JOBS / (jobs + 1);

	if (most < 2)
		most = 2;
	return wanted < most ? wanted : most;
}

int64_t lxfw_finals_arrivals(const struct lxfw_trace *trace)
{
	double sum = 0, part;

	for (size_t i = 0; i < trace->count; i++)
		sum += (double)trace->jobs[i].run;
	part = LXFW_FINALS_RUNS * sum / (double)(trace->count > 0 ? trace->count : 1);
	return part < ARRIVALS ? (int64_t)part : ARRIVALS;
}

static int make_copies(struct lxfw_finals *finals)
{
	const struct lxfw_trace *trace = finals->trials->trace;
	const struct lxfw_shake shake = {
		.seed = finals->seed, .arrivals = lxfw_finals_arrivals(trace),
		.runs = LXFW_FINALS_RUNS,
	};

	finals->count = finals->wanted > 0 ? finals->wanted : 1;
	finals->copies = calloc(finals->count, sizeof(*finals->copies));
	finals->traces = calloc(finals->count, sizeof(*finals->traces));
	if (!finals->copies || !finals->traces)
		return -1;
	for (size_t i = 0; i < finals->count; i++) {
		finals->copies[i] = *finals->trials;
		if (finals->wanted == 0)
			continue;
		if (lxfw_shake_copy(&shake, trace, i + 1, &finals->traces[i]))
			return -1;
		finals->copies[i].trace = &finals->traces[i];
	}
	return 0;
}

/* Finds the settings that are among the best in at least one view, in their order. */
static int find_best(struct lxfw_finals *finals)
{
	const struct lxfw_search *search = finals->search;
	size_t most = search->count < LXFW_FINALS_EACH ? search->count :
		      LXFW_FINALS_EACH;
	bool *is_best = calloc(search->count + 1, sizeof(*is_best));
	size_t *chosen = calloc(most + 1, sizeof(*chosen));
	int failed = !is_best || !chosen;

	for (int fold = -1; fold < finals->trials->weeks.folds && !failed; fold++) {
		int64_t count = lxfw_choose_some(finals->trials, search, fold, most,
						 chosen);

		failed = count < 0;
		for (int64_t i = 0; i < count; i++)
			is_best[chosen[i]] = true;
	}
	if (!failed) {
		is_best[0] = true;	/* the current setting */
		for (size_t i = 0; i < search->count; i++) {
			if (is_best[i])
				finals->positions[finals->best.count++] = i;
		}
	}
	free(is_best);
	free(chosen);
	return failed ? -1 : 0;
}

static int begin(struct lxfw_finals *finals)
{
	const struct lxfw_search *search = finals->search;
	size_t numbers = lxfw_trials_numbers(finals->trials);

	finals->best = *search;
	finals->best.count = 0;
	finals->best.settings = calloc(search->count + 1,
				       sizeof(*finals->best.settings));
	finals->positions = calloc(search->count + 1, sizeof(*finals->positions));
	if (!finals->best.settings || !finals->positions || make_copies(finals) ||
	    find_best(finals))
		return -1;
	/* the means, followed by the values on each copy */
	finals->values = calloc(finals->best.count * (1 + finals->count) * numbers +
				1, sizeof(*finals->values));
	if (!finals->values)
		return -1;
	for (size_t i = 0; i < finals->best.count; i++) {
		finals->best.settings[i] = search->settings[finals->positions[i]];
		finals->best.settings[i].values = finals->values + i * numbers;
	}
	return 0;
}

static int try_copy(void *context, size_t task, struct lxfw_error *error)
{
	struct lxfw_finals *finals = context;
	const struct lxfw_setting *setting =
		&finals->best.settings[task / finals->count];
	size_t at = finals->best.count + task;

	return lxfw_trial_values(&finals->copies[task % finals->count], setting->line,
				 finals->values +
				 at * lxfw_trials_numbers(finals->trials), error);
}

static void tried(void *context, size_t task)
{
	struct lxfw_finals *finals = context;

	(void)task;
	finals->done++;
	if (finals->progress)
		finals->progress(finals->done, finals->best.count * finals->count);
}

static void take_means(struct lxfw_finals *finals)
{
	size_t numbers = lxfw_trials_numbers(finals->trials);

	for (size_t i = 0; i < finals->best.count; i++) {
		const double *of = finals->values + (finals->best.count +
						     i * finals->count) * numbers;

		for (size_t j = 0; j < finals->count * numbers; j++)
			finals->best.settings[i].values[j % numbers] +=
				of[j] / (double)finals->count;
	}
}

static bool told_to_stop(void *context)
{
	const struct lxfw_finals *finals = context;

	return finals->stop && finals->stop();
}

int lxfw_finals_run(struct lxfw_finals *finals, struct lxfw_error *error)
{
	struct lxfw_pool pool = {
		.context = finals, .threads = finals->threads, .work = try_copy,
		.over = tried, .stop = told_to_stop,
	};
	int result;

	if (begin(finals)) {
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return -1;
	}
	pool.count = finals->best.count * finals->count;
	result = lxfw_pool_carry_out(&pool, error);
	if (result == 0)
		take_means(finals);
	return result;
}

void lxfw_finals_clear(struct lxfw_finals *finals)
{
	for (size_t i = 0; i < finals->count && finals->traces; i++)
		lxfw_trace_clear(&finals->traces[i]);
	free(finals->traces);
	free(finals->copies);
	free(finals->best.settings);
	free(finals->positions);
	free(finals->values);
	*finals = (struct lxfw_finals) { .traces = NULL };
}
