/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/confirm.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim-frontend/experiment/pool.h"
#include "sim-frontend/metrics/groups.h"
#include "sim-frontend/util/text.h"

#define DAY 86400

/* ---- the jobs of the weeks not seen ---------------------------------------------- */

static int count_unseen_weeks(const struct lxfw_tune_weeks *weeks)
{
	int count = 0;

	for (int i = 0; i < weeks->count; i++)
		count += !lxfw_tune_week_trains(weeks, i);
	return count;
}

static bool is_unseen(const struct lxfw_trials *trials, size_t job)
{
	int32_t week = trials->week[job];

	return week >= 0 && !lxfw_tune_week_trains(&trials->weeks, week);
}

/* Number the clusters that have jobs from 0 on, in their order. */
static int number_clusters(int32_t *clusters, size_t count)
{
	int32_t most = 0, *numbers, next = 0;

	for (size_t i = 0; i < count; i++)
		most = clusters[i] > most ? clusters[i] : most;
	numbers = calloc((size_t)most + 2, sizeof(*numbers));
	if (!numbers)
		return -1;
	for (size_t i = 0; i < count; i++)
		numbers[clusters[i]] = 1;
	for (int32_t i = 0; i <= most; i++) {
		int32_t used = numbers[i];

		numbers[i] = next;
		next += used;
	}
	for (size_t i = 0; i < count; i++)
		clusters[i] = numbers[clusters[i]];
	free(numbers);
	return next;
}

static int find_unseen(struct lxfw_confirmation *confirmation)
{
	const struct lxfw_trials *trials = confirmation->trials;
	const struct lxfw_tune_weeks *weeks = &trials->weeks;
	size_t all = trials->trace->count, count = 0;

	confirmation->by_day = weeks->length > DAY &&
			       count_unseen_weeks(weeks) < LXFW_CLUSTERS_LEAST;
	confirmation->positions = malloc((all + 1) *
					 sizeof(*confirmation->positions));
	confirmation->clusters = malloc((all + 1) *
					sizeof(*confirmation->clusters));
	confirmation->weeks = malloc((all + 1) * sizeof(*confirmation->weeks));
	if (!confirmation->positions || !confirmation->clusters ||
	    !confirmation->weeks)
		return -1;
	for (size_t i = 0; i < all; i++) {
		int64_t since = trials->trace->jobs[i].submit - weeks->begin;

		if (!is_unseen(trials, i))
			continue;
		confirmation->positions[count] = i;
		confirmation->weeks[count] = trials->week[i];
		confirmation->clusters[count++] = confirmation->by_day ?
			(int32_t)(since / DAY) : trials->week[i];
	}
	confirmation->jobs = count;
	confirmation->cluster_count = number_clusters(confirmation->clusters,
						      count);
	return confirmation->cluster_count < 0 ? -1 : 0;
}

/* ---- choices --------------------------------------------------------------------- */

static double score(const struct lxfw_confirmation *confirmation,
		    const struct lxfw_setting *setting)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	const struct lxfw_setting *now = &confirmation->search->settings[0];
	double sum = 0;

	/* a second, or one of a number, so that 0 has a logarithm */
	for (int i = 0; i < goals->objective_count; i++)
		sum += log((setting->values[i] + 1) / (now->values[i] + 1));
	return sum / goals->objective_count;
}

static int choose(struct lxfw_confirmation *confirmation, int most)
{
	const struct lxfw_search *search = confirmation->search;
	size_t *front = malloc((search->count + 1) * sizeof(*front)), count;

	confirmation->choices = calloc((size_t)most + 1,
				       sizeof(*confirmation->choices));
	if (!front || !confirmation->choices) {
		free(front);
		return -1;
	}
	confirmation->choices[confirmation->count++].setting =
		&search->settings[0];
	count = confirmation->front = lxfw_search_front(search, front);
	count = lxfw_search_spread(search, front, count, (size_t)most);
	for (size_t i = 0; i < count; i++) {
		struct lxfw_choice *choice =
			&confirmation->choices[confirmation->count];

		if (front[i] == 0)
			continue;	/* what the site has */
		confirmation->count++;
		choice->setting = &search->settings[front[i]];
		choice->score = score(confirmation, choice->setting);
	}
	free(front);
	return 0;
}

static int simulate(void *context, size_t task, struct lxfw_error *error)
{
	struct lxfw_confirmation *confirmation = context;
	struct lxfw_choice *choice = &confirmation->choices[task];
	const struct lxfw_tune_weeks *weeks = &confirmation->trials->weeks;
	const struct lxfw_trace *trace = confirmation->trials->trace;
	struct lxfw_error reason;

	if (lxfw_trial_simulate(confirmation->trials, choice->setting->line,
				&choice->options, &choice->sim, &reason)) {
		lxfw_error_format(error, "%.300s: %.200s", choice->setting->line,
				  reason.text);
		return -1;
	}
	choice->outcomes = malloc((confirmation->jobs + 1) *
				  sizeof(*choice->outcomes));
	if (!choice->outcomes ||
	    lxfw_simulation_measure(&choice->sim, weeks->begin -
		trace->jobs[lxfw_trace_at(trace, 0)].submit, &choice->whole)) {
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < confirmation->jobs; i++)
		lxfw_trial_outcome(&choice->sim, confirmation->positions[i],
				   &choice->outcomes[i]);
	lxfw_simulation_clear(&choice->sim);
	return 0;
}

/* ---- measures -------------------------------------------------------------------- */

static bool is_of(const struct lxfw_confirmation *confirmation, size_t job,
		  int class)
{
	const struct lxfw_trials *trials = confirmation->trials;
	const struct lxfw_trace_job *of =
		&trials->trace->jobs[confirmation->positions[job]];

	return lxfw_tune_class_has(class, trials->cluster->procs,
				   trials->mean_memory, of,
				   lxfw_simulation_run_time(trials->options,
							    of));
}

static int measure_class(const struct lxfw_confirmation *confirmation,
			 const struct lxfw_choice *choice, const bool *is_of_class,
			 struct lxfw_metrics *metrics)
{
	struct lxfw_measure measure;
	int result = 0;

	lxfw_measure_begin(&measure, INT64_MIN);
	for (size_t i = 0; i < confirmation->jobs && result == 0; i++) {
		if (is_of_class[i])
			result = lxfw_measure_add(&measure,
						  &choice->outcomes[i]);
	}
	measure.begin = measure.last_end;
	lxfw_measure_end(&measure, 0, metrics);
	return result;
}

/* A measure of each week, to metrics of so many weeks. */
static int measure_weeks(const struct lxfw_confirmation *confirmation,
			 const struct lxfw_choice *choice, const bool *is_of_class,
			 struct lxfw_metrics *metrics)
{
	struct lxfw_groups groups = { .count = 0 };

	for (size_t i = 0; i < confirmation->jobs; i++) {
		if (is_of_class[i] &&
		    lxfw_groups_add(&groups, (size_t)confirmation->weeks[i],
				    &choice->outcomes[i])) {
			lxfw_groups_clear(&groups);
			return -1;
		}
	}
	lxfw_groups_end(&groups, (size_t)confirmation->trials->weeks.count,
			metrics);
	return 0;
}

static int count_weeks(const struct lxfw_confirmation *confirmation,
		       const struct lxfw_choice *choice, const bool *is_of_class,
		       enum lxfw_tune_measure measure,
		       struct lxfw_change *change)
{
	size_t weeks = (size_t)confirmation->trials->weeks.count;
	struct lxfw_metrics *now = calloc(2 * weeks, sizeof(*now)), *then;
	int result = -1;

	if (!now)
		return -1;
	then = now + weeks;
	if (measure_weeks(confirmation, &confirmation->choices[0],
				 is_of_class, now) == 0 &&
	    measure_weeks(confirmation, choice, is_of_class, then) == 0)
		result = 0;
	for (size_t i = 0; result == 0 && i < weeks; i++) {
		double before = lxfw_tune_value(&now[i], measure);
		double after = lxfw_tune_value(&then[i], measure);

		if (now[i].jobs == 0)
			continue;
		change->weeks++;
		change->better += after < before;
		change->worse += after > before;
	}
	free(now);
	return result;
}

/* Draw the jobs of the class only. */
static int find_interval(const struct lxfw_confirmation *confirmation,
			 const struct lxfw_choice *choice, const bool *is_of_class,
			 enum lxfw_tune_measure measure,
			 struct lxfw_change *change)
{
	size_t jobs = confirmation->jobs, count = 0;
	struct lxfw_outcome *now = malloc((jobs + 1) * sizeof(*now));
	struct lxfw_outcome *then = malloc((jobs + 1) * sizeof(*then));
	int32_t *clusters = malloc((jobs + 1) * sizeof(*clusters));
	int result = -1;

	for (size_t i = 0; now && then && clusters && i < jobs; i++) {
		if (!is_of_class[i])
			continue;
		now[count] = confirmation->choices[0].outcomes[i];
		then[count] = choice->outcomes[i];
		clusters[count++] = confirmation->clusters[i];
	}
	if (now && then && clusters) {
		const struct lxfw_sample sample = {
			.clusters = clusters, .count = count,
			.cluster_count = confirmation->cluster_count,
			.seed = confirmation->seed,
		};

		result = lxfw_resample(&sample, measure, now, then, &change->low,
				       &change->high);
	}
	change->interval = result == 0;
	free(now);
	free(then);
	free(clusters);
	return result < 0 ? -1 : 0;
}

static void judge(struct lxfw_change *change)
{
	if (change->interval) {
		if (change->high < 0)
			change->verdict = LXFW_CHANGE_BETTER;
		else if (change->low > 0)
			change->verdict = LXFW_CHANGE_WORSE;
	} else if (lxfw_sign_test(change->better, change->worse)) {
		change->verdict = change->better > change->worse ?
				  LXFW_CHANGE_BETTER : LXFW_CHANGE_WORSE;
	}
}

static int measure_goal(struct lxfw_confirmation *confirmation, int goal,
			bool *is_of_class)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	const struct lxfw_goal *of = lxfw_goals_at(goals, goal);
	double now = 0;

	for (size_t i = 0; i < confirmation->jobs; i++)
		is_of_class[i] = is_of(confirmation, i, of->class);
	for (int i = 0; i < confirmation->count; i++) {
		struct lxfw_choice *choice = &confirmation->choices[i];
		struct lxfw_change *change = &choice->changes[goal];
		struct lxfw_metrics metrics;

		if (measure_class(confirmation, choice, is_of_class, &metrics))
			return -1;
		choice->values[goal] = lxfw_tune_value(&metrics, of->measure);
		now = i == 0 ? choice->values[goal] : now;
		if (goal >= goals->objective_count)
			continue;
		change->now = now;
		change->then = choice->values[goal];
		if (i > 0 &&
		    (count_weeks(confirmation, choice, is_of_class, of->measure,
				 change) ||
		     find_interval(confirmation, choice, is_of_class,
				   of->measure, change)))
			return -1;
		judge(change);
	}
	return 0;
}

static int measure_all(struct lxfw_confirmation *confirmation)
{
	bool *is_of_class = malloc(confirmation->jobs + 1);
	int failed = !is_of_class;

	for (int i = 0; i < lxfw_goals_count(confirmation->trials->goals) &&
			!failed; i++)
		failed = measure_goal(confirmation, i, is_of_class);
	for (int class = 0; class < LXFW_TUNE_NAMED && !failed; class++) {
		for (size_t i = 0; i < confirmation->jobs; i++)
			is_of_class[i] = is_of(confirmation, i, class);
		for (int i = 0; i < confirmation->count && !failed; i++) {
			struct lxfw_choice *choice = &confirmation->choices[i];

			failed = measure_class(confirmation, choice, is_of_class,
					       &choice->classes[class]);
		}
	}
	free(is_of_class);
	return failed ? -1 : 0;
}

static void conclude(struct lxfw_confirmation *confirmation)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;

	for (int i = 0; i < confirmation->count; i++) {
		struct lxfw_choice *choice = &confirmation->choices[i];
		int better = 0, worse = 0;

		for (int j = 0; j < goals->objective_count; j++) {
			better += choice->changes[j].verdict ==
				  LXFW_CHANGE_BETTER;
			worse += choice->changes[j].verdict == LXFW_CHANGE_WORSE;
		}
		choice->keeps_limits = lxfw_search_feasible(confirmation->search,
							    choice->values);
		choice->confirmed = i > 0 && better > 0 && worse == 0 &&
				    choice->keeps_limits;
		if (choice->confirmed && (confirmation->recommended == 0 ||
		    choice->score < confirmation->choices[
				confirmation->recommended].score))
			confirmation->recommended = i;
	}
}

int lxfw_confirm(struct lxfw_confirmation *confirmation, int most,
		 struct lxfw_error *error)
{
	struct lxfw_pool pool = {
		.context = confirmation, .threads = confirmation->threads,
		.work = simulate,
	};

	if (find_unseen(confirmation) || choose(confirmation, most))
		goto out_of_memory;
	pool.count = (size_t)confirmation->count;
	if (lxfw_pool_carry_out(&pool, error))
		return -1;
	if (measure_all(confirmation))
		goto out_of_memory;
	conclude(confirmation);
	return 0;

out_of_memory:
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

void lxfw_confirmation_clear(struct lxfw_confirmation *confirmation)
{
	for (int i = 0; i < confirmation->count; i++) {
		lxfw_simulation_clear(&confirmation->choices[i].sim);
		free(confirmation->choices[i].outcomes);
	}
	free(confirmation->choices);
	free(confirmation->positions);
	free(confirmation->clusters);
	free(confirmation->weeks);
	confirmation->choices = NULL;
	confirmation->positions = NULL;
	confirmation->clusters = confirmation->weeks = NULL;
	confirmation->count = 0;
}
