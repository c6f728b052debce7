/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/tuning.h"

#include <errno.h>
#include <stdlib.h>

#include "sim-frontend/experiment/pool.h"
#include "sim-frontend/util/text.h"

static int try_one(void *context, size_t task, struct lxfw_error *error)
{
	const struct lxfw_tuning *tuning = context;
	struct lxfw_setting *setting =
		&tuning->search->settings[tuning->unknown[task]];
	struct lxfw_error reason;

	if (lxfw_trial_values(tuning->trials, setting->line, setting->values,
			      &reason) == 0)
		return 0;
	lxfw_error_format(error, "%.300s: %.200s", setting->line, reason.text);
	return -1;
}

static void tried(void *context, size_t task)
{
	struct lxfw_tuning *tuning = context;

	tuning->search->settings[tuning->unknown[task]].known = true;
	tuning->done++;
	if (tuning->progress)
		tuning->progress(tuning->done, tuning->most);
}

static bool told_to_stop(void *context)
{
	const struct lxfw_tuning *tuning = context;

	return tuning->stop && tuning->stop();
}

/* Try what is not known. The same as lxfw_tuning_run(). */
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
	for (size_t i = 0; i < search->count; i++) {
		if (!search->settings[i].known)
			tuning->unknown[pool.count++] = i;
	}
	result = lxfw_pool_carry_out(&pool, error);
	free(tuning->unknown);
	tuning->unknown = NULL;
	return result;
}

int lxfw_tuning_run(struct lxfw_tuning *tuning, struct lxfw_error *error)
{
	struct lxfw_search *search = tuning->search;
	int result = 0;

	while (result == 0 && search->count < tuning->most) {
		int64_t asked = lxfw_search_ask(search,
						tuning->most - search->count);

		if (asked < 0) {
			lxfw_error_set(error, "out of memory");
			return -1;
		}
		if (asked == 0)
			break;
		result = try_round(tuning, error);
	}
	return result;
}
