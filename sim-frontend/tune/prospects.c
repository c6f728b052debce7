/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/prospects.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim-frontend/tune/finals.h"
#include "sim-frontend/util/pool.h"

/* Number of settings that are examined because they are the first of the search, its
   presets, or look best on the log, and of those that are simulated on all copies. */
#define FIRST 8
#define LOOKS 16
#define MOST 8

/* Evidence beyond this number of standard errors does not count. */
#define ENOUGH 2.5

/* ---- the best setting --------------------------------------------------------------- */

/* A setting with its rating; smaller scores are better. */
struct rated {
	size_t at;
	double sure, score;
};

static double standard(double room, double error)
{
	return error > 0 ? fmin(fmax(room / error, -2 * ENOUGH), ENOUGH) :
	       room > 0 ? ENOUGH : -ENOUGH;
}

/* Rates the evidence that all goals are kept, and one is better by more than the
   margin, and the gain: the mean of the logarithms of the objectives, plus that of the
   goal with the smallest gain. */
static struct rated rate(const struct lxfw_prospects *prospects, size_t at)
{
	const struct lxfw_goals *goals = prospects->trials->goals;
	double margin = log1p(prospects->search->margin);
	double kept = ENOUGH, better = -2 * ENOUGH, sum = 0, least = -INFINITY;

	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		struct lxfw_prospect of;
		double change;

		if (!lxfw_goals_judged(goals, i))
			continue;
		lxfw_prospects_goal(prospects, &at, 1, i, &of);
		change = log1p(of.change);
		kept = fmin(kept, standard(margin - change, of.error));
		least = fmax(least, change);
		if (i >= goals->objective_count)
			continue;
		better = fmax(better, standard(-margin - change, of.error));
		sum += change;
	}
	return (struct rated) {
		.at = at, .sure = fmin(kept, better),
		.score = sum / goals->objective_count + least,
	};
}

static int by_rating(const void *left, const void *right)
{
	const struct rated *a = left, *b = right;

	if (a->sure != b->sure)
		return a->sure > b->sure ? -1 : 1;
	if (a->score != b->score)
		return a->score < b->score ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Returns the settings that keep the limits, the best one first, and their number, or -1
   with errno ENOMEM. The current setting is not among them. */
static int64_t order(const struct lxfw_prospects *prospects, struct rated **all)
{
	size_t count = 0;

	*all = malloc((prospects->count + 1) * sizeof(**all));
	if (!*all)
		return -1;
	for (size_t i = 1; i < prospects->count; i++) {
		if (lxfw_prospects_keeps_limits(prospects, i))
			(*all)[count++] = rate(prospects, i);
	}
	qsort(*all, count, sizeof(**all), by_rating);
	return (int64_t)count;
}

/* ---- simulations -------------------------------------------------------------------- */

/* Makes the copy NUMBER, with its blocks. */
static int make_copy(const struct lxfw_prospects *prospects, size_t number,
		     struct lxfw_trace *trace, struct lxfw_trials *trials)
{
	const struct lxfw_trace *of = prospects->trials->trace;
	const struct lxfw_shake shake = {
		.seed = prospects->seed, .arrivals = lxfw_finals_arrivals(of),
		.runs = LXFW_FINALS_RUNS,
	};

	*trials = *prospects->trials;
	trials->week = NULL;
	trials->goals_of = NULL;
	trials->jobs = NULL;
	if (lxfw_rearranged_copy(&prospects->sessions, &shake, of, number, trace))
		return -1;
	trials->trace = trace;
	return lxfw_trials_begin(trials);
}

/* Simulates a setting on a copy. */
static int try_copy(void *context, size_t task, struct lxfw_error *error)
{
	struct lxfw_prospects *prospects = context;
	size_t goals = (size_t)lxfw_goals_count(prospects->trials->goals);
	const struct lxfw_setting *setting = &prospects->search->settings[
		prospects->positions[task / prospects->copies]];
	double *values = malloc((lxfw_trials_numbers(prospects->trials) + 1) *
				sizeof(*values));
	struct lxfw_trace trace = { .jobs = NULL };
	struct lxfw_trials trials = { .trace = NULL };
	int result = -1, saved;

	if (!values || make_copy(prospects, prospects->first + task % prospects->copies, &trace,
				 &trials)) {
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
	} else {
		result = lxfw_trial_values(&trials, setting->line, values, error);
	}
	saved = errno;
	for (size_t i = 0; result == 0 && i < goals; i++)
		prospects->values[task * goals + i] = values[i];
	lxfw_trials_clear(&trials);
	lxfw_trace_clear(&trace);
	free(values);
	errno = saved;
	return result;
}

static void tried(void *context, size_t task)
{
	struct lxfw_prospects *prospects = context;

	(void)task;
	prospects->done++;
	if (prospects->progress)
		prospects->progress(prospects->done, prospects->count * prospects->copies);
}

static bool told_to_stop(void *context)
{
	const struct lxfw_prospects *prospects = context;

	return prospects->stop && prospects->stop();
}

/* Simulates all settings on COPIES copies from number FIRST on. */
static int simulate(struct lxfw_prospects *prospects, size_t first, size_t copies,
		    struct lxfw_error *error)
{
	struct lxfw_pool pool = {
		.context = prospects, .threads = prospects->threads, .work = try_copy,
		.over = tried, .stop = told_to_stop, .count = prospects->count * copies,
	};

	size_t goals = (size_t)lxfw_goals_count(prospects->trials->goals);

	prospects->first = first;
	prospects->copies = copies;
	prospects->done = 0;
	free(prospects->values);
	prospects->values = calloc(pool.count * goals + 1,
				 sizeof(*prospects->values));
	if (prospects->values)
		return lxfw_pool_carry_out(&pool, error);
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* ---- settings to examine ------------------------------------------------------------ */

static void add(struct lxfw_prospects *prospects, size_t position)
{
	size_t i = 0;

	while (i < prospects->count && prospects->positions[i] != position)
		i++;
	if (i == prospects->count)
		prospects->positions[prospects->count++] = position;
}

size_t lxfw_prospects_find(const struct lxfw_prospects *prospects, size_t position)
{
	size_t i = 0;

	while (i + 1 < prospects->count && prospects->positions[i] != position)
		i++;
	return i;
}

/* Returns a score by the values on the log, smaller is better, or INFINITY if the setting
   was not simulated to its end. */
static double looks(const struct lxfw_prospects *prospects, const struct lxfw_setting *setting)
{
	const struct lxfw_goals *goals = prospects->trials->goals;
	const double *now = prospects->search->settings[0].values;
	double sum = 0, least = -INFINITY;

	if (!setting->known || !isfinite(setting->values[0]))
		return INFINITY;
	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		double added = lxfw_prospect_least(lxfw_goals_at(goals, i)->measure,
						  now[i], setting->values[i]);
		double gain = log((setting->values[i] + added) / (now[i] + added));

		if (!lxfw_goals_judged(goals, i))
			continue;
		least = fmax(least, gain);
		if (i < goals->objective_count)
			sum += gain;
	}
	return sum / goals->objective_count + least;
}

/* Adds the current setting, presets, those given, and those that look best on the log. */
static int find_settings(struct lxfw_prospects *prospects)
{
	const struct lxfw_search *search = prospects->search;
	struct rated *all = malloc((search->count + 1) * sizeof(*all));
	size_t count = 0;

	prospects->positions = malloc((prospects->final_count + prospects->shown_count + FIRST +
				     LOOKS) * sizeof(*prospects->positions));
	if (!all || !prospects->positions) {
		free(all);
		return -1;
	}
	for (size_t i = 0; i < search->count && i < FIRST; i++)
		add(prospects, i);
	for (size_t i = 0; i < prospects->final_count; i++)
		add(prospects, prospects->finals[i]);
	for (size_t i = 0; i < prospects->shown_count; i++)
		add(prospects, prospects->shown[i]);
	for (size_t i = 1; i < search->count; i++) {
		double score = looks(prospects, &search->settings[i]);

		if (isfinite(score))
			all[count++] = (struct rated) { .at = i, .score = score };
	}
	qsort(all, count, sizeof(*all), by_rating);
	for (size_t i = 0; i < count && i < LOOKS; i++)
		add(prospects, all[i].at);
	free(all);
	return 0;
}

/* Keeps the current setting, those that are shown in any case, and the best ones. */
static int keep_best(struct lxfw_prospects *prospects)
{
	struct rated *all;
	int64_t count = order(prospects, &all);
	size_t kept[MOST] = { 0 };

	if (count < 0)
		return -1;
	for (int64_t i = 0; i < count && i < MOST; i++)
		kept[i] = prospects->positions[all[i].at];
	prospects->count = 1;
	for (size_t i = 0; i < prospects->shown_count; i++)
		add(prospects, prospects->shown[i]);
	for (int64_t i = 0; i < count && i < MOST; i++)
		add(prospects, kept[i]);
	free(all);
	return 0;
}

/* Whether an objective is expected to improve. */
static bool promises(const struct lxfw_prospects *prospects, size_t at)
{
	for (int i = 0; i < prospects->trials->goals->objective_count; i++) {
		struct lxfw_prospect of;

		lxfw_prospects_goal(prospects, &at, 1, i, &of);
		if (of.change < 0)
			return true;
	}
	return false;
}

static int choose_best(struct lxfw_prospects *prospects)
{
	struct rated *all;
	int64_t count = order(prospects, &all);

	prospects->best = count > 0 && promises(prospects, all[0].at) ? all[0].at : 0;
	free(all);
	return count < 0 ? -1 : 0;
}

/* Simulates the current setting and the best one on further copies. */
static int simulate_again(struct lxfw_prospects *prospects, struct lxfw_error *error)
{
	struct lxfw_prospects again = *prospects;
	size_t positions[2] = { 0, prospects->positions[prospects->best] };
	int result;

	if (prospects->best == 0)
		return 0;
	again.positions = positions;
	again.count = 2;
	again.values = NULL;
	result = simulate(&again, prospects->first + prospects->copies, prospects->copies, error);
	prospects->again = again.values;
	return result;
}

int lxfw_prospects_run(struct lxfw_prospects *prospects, struct lxfw_error *error)
{
	size_t wanted = prospects->wanted;
	int result;

	if (wanted == 0)
		return 0;
	if (find_settings(prospects) ||
	    lxfw_sessions_find(&prospects->sessions, prospects->trials->trace))
		goto out_of_memory;
	result = simulate(prospects, 1, wanted, error);
	if (result)
		return result;
	if (keep_best(prospects))
		goto out_of_memory;
	result = simulate(prospects, 1 + wanted, LXFW_PROSPECTS_EACH * wanted, error);
	if (result)
		return result;
	if (choose_best(prospects) == 0)
		return simulate_again(prospects, error);

out_of_memory:
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

void lxfw_prospects_clear(struct lxfw_prospects *prospects)
{
	lxfw_sessions_clear(&prospects->sessions);
	free(prospects->positions);
	free(prospects->values);
	free(prospects->again);
	*prospects = (struct lxfw_prospects) { .positions = NULL };
}
