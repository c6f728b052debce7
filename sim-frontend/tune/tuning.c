/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/tuning.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/util/pool.h"

static int try_one(void *context, size_t task, struct lxfw_error *error)
{
	const struct lxfw_tuning *tuning = context;
	struct lxfw_setting *setting =
		&tuning->search->settings[tuning->unknown[task]];

	return lxfw_trial_values(tuning->trials, setting->line, setting->values,
				 error);
}

static void tell(const struct lxfw_tuning *tuning)
{
	if (tuning->progress)
		tuning->progress(tuning->done, tuning->fresh, tuning->most);
}

static void tried(void *context, size_t task)
{
	struct lxfw_tuning *tuning = context;
	struct lxfw_setting *setting =
		&tuning->search->settings[tuning->unknown[task]];

	setting->known = true;
	tuning->done++;
	tuning->fresh++;
	if (tuning->state && !tuning->failed)
		tuning->failed = lxfw_tune_state_keep(tuning->state,
						      setting->line,
						      setting->values,
						      &tuning->error);
	tell(tuning);
}

static bool told_to_stop(void *context)
{
	const struct lxfw_tuning *tuning = context;

	return tuning->failed || (tuning->stop && tuning->stop());
}

static void find_unknown(struct lxfw_tuning *tuning, size_t *count)
{
	struct lxfw_search *search = tuning->search;

	for (size_t i = 0; i < search->count; i++) {
		struct lxfw_setting *setting = &search->settings[i];

		if (setting->known)
			continue;
		if (tuning->state &&
		    lxfw_tune_state_find(tuning->state, setting->line,
					 setting->values)) {
			setting->known = true;
			tuning->done++;
		} else {
			tuning->unknown[(*count)++] = i;
		}
	}
}

static void array_tried(void *context, size_t task)
{
	struct lxfw_tuning *tuning = context;
	size_t numbers = tuning->array->numbers;

	memcpy(tuning->search->settings[tuning->unknown[task]].values,
	       tuning->values + task * numbers, numbers * sizeof(double));
	tried(tuning, task);
}

/* Evaluates by a job array. Returns as lxfw_tuning_run(). */
static int try_elsewhere(struct lxfw_tuning *tuning, size_t count,
			 struct lxfw_error *error)
{
	size_t numbers = tuning->array->numbers;
	const char **lines = calloc(count + 1, sizeof(*lines));
	int result = -1;

	tuning->values = calloc(count * numbers + 1, sizeof(*tuning->values));
	for (size_t i = 0; lines && i < count; i++)
		lines[i] = tuning->search->settings[tuning->unknown[i]].line;
	if (lines && tuning->values)
		result = lxfw_tune_array_try(tuning->array, lines, count,
					     tuning->values, array_tried, tuning,
					     error);
	else
		lxfw_error_set(error, "out of memory");
	free(lines);
	free(tuning->values);
	tuning->values = NULL;
	return result;
}

/* Evaluates the settings without known values. Returns as lxfw_tuning_run(). */
static int try_round(struct lxfw_tuning *tuning, struct lxfw_error *error)
{
	struct lxfw_search *search = tuning->search;
	struct lxfw_pool pool = {
		.context = tuning, .threads = tuning->threads, .work = try_one,
		.over = tried, .stop = told_to_stop,
	};
	int result;

	tuning->unknown = malloc((search->count + 1) * sizeof(*tuning->unknown));
	if (!tuning->unknown) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	find_unknown(tuning, &pool.count);
	result = tuning->array ? try_elsewhere(tuning, pool.count, error) :
		 lxfw_pool_carry_out(&pool, error);
	free(tuning->unknown);
	tuning->unknown = NULL;
	if (tuning->state && !tuning->failed)
		tuning->failed = lxfw_tune_state_flush(tuning->state,
						       &tuning->error);
	if (result < 0 || !tuning->failed)
		return result;
	*error = tuning->error;
	return -1;
}

int lxfw_tuning_run(struct lxfw_tuning *tuning, struct lxfw_error *error)
{
	struct lxfw_search *search = tuning->search;
	bool over = false;
	int result = 0;

	while (result == 0 && !over) {
		size_t left = search->count < tuning->most ? tuning->most - search->count : 0;
		int64_t asked = left > 0 ? lxfw_search_ask(search, left) : 0;

		over = asked == 0;
		if (over)
			asked = lxfw_search_ask_after(search);
		if (asked < 0) {
			lxfw_error_set(error, "out of memory");
			return -1;
		}
		if (search->count > tuning->most)
			tuning->most = search->count;
		if (asked > 0)
			result = try_round(tuning, error);
	}
	return result;
}
