/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/confirm.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim-frontend/metrics/groups.h"
#include "sim-frontend/tune/choose.h"
#include "sim-frontend/util/pool.h"
#include "sim-frontend/util/text.h"

/* ---- the jobs of the blocks ------------------------------------------------------ */

/* Returns the number of copies over which values are averaged. Without copies, the log
   counts as one. */
static size_t copies_of(const struct lxfw_confirmation *confirmation)
{
	return confirmation->copies > 0 ? confirmation->copies : 1;
}

static int find_jobs(struct lxfw_confirmation *confirmation)
{
	const struct lxfw_trials *trials = confirmation->trials;
	size_t all = trials->trace->count, count = 0;

	confirmation->positions = malloc((all + 1) *
					 sizeof(*confirmation->positions));
	confirmation->weeks = malloc((all + 1) * sizeof(*confirmation->weeks));
	if (!confirmation->positions || !confirmation->weeks)
		return -1;
	for (size_t i = 0; i < all; i++) {
		if (trials->week[i] < 0)
			continue;
		confirmation->positions[count] = i;
		confirmation->weeks[count++] = trials->week[i];
	}
	confirmation->jobs = count;
	confirmation->outcomes = count * copies_of(confirmation);
	return 0;
}

/* ---- choices --------------------------------------------------------------------- */

/* Returns the index of the choice for the setting POSITION, which is added if it is
   new. */
static int add_choice(struct lxfw_confirmation *confirmation, size_t position)
{
	const struct lxfw_setting *setting =
		&confirmation->search->settings[position];
	int i = 0;

	while (i < confirmation->all &&
	       confirmation->choices[i].setting != setting)
		i++;
	if (i == confirmation->all)
		confirmation->choices[confirmation->all++].setting = setting;
	return i;
}

/* Selects the setting for FOLD by its values on the copies. */
static int choose_for(struct lxfw_confirmation *confirmation, int fold)
{
	const struct lxfw_finals *finals = &confirmation->finals;
	size_t best = lxfw_choose(confirmation->trials, &finals->best, fold);

	return add_choice(confirmation, finals->positions[best]);
}

static int choose(struct lxfw_confirmation *confirmation, int most)
{
	const struct lxfw_trials *trials = confirmation->trials;
	const struct lxfw_search *search = confirmation->search;
	size_t *front = malloc((search->count + 1) * sizeof(*front)), count;

	confirmation->choices = calloc(LXFW_CHOICES_MOST, sizeof(*confirmation->choices));
	if (!front || !confirmation->choices) {
		free(front);
		return -1;
	}
	add_choice(confirmation, 0);
	count = confirmation->front = lxfw_search_front(search, front);
	count = lxfw_search_spread(search, front, count, (size_t)most);
	for (size_t i = 0; i < count; i++)
		add_choice(confirmation, front[i]);
	free(front);
	confirmation->candidate = choose_for(confirmation, -1);
	confirmation->count = confirmation->all;
	for (int i = 0; i < trials->weeks.folds; i++)
		confirmation->folds[i] = choose_for(confirmation, i);
	return 0;
}

static size_t position_of(const struct lxfw_confirmation *confirmation, int choice)
{
	return (size_t)(confirmation->choices[choice].setting -
			confirmation->search->settings);
}

/* Adds the best setting on rearranged copies to the choices that are shown. It takes the
   place of the first one that is not. */
static void choose_trial(struct lxfw_confirmation *confirmation)
{
	const struct lxfw_prospects *prospects = &confirmation->prospects;
	int at, place = confirmation->count;
	struct lxfw_choice other;

	if (prospects->best == 0)
		return;
	at = add_choice(confirmation, prospects->positions[prospects->best]);
	if (at >= place) {
		other = confirmation->choices[place];
		confirmation->choices[place] = confirmation->choices[at];
		confirmation->choices[at] = other;
		for (int i = 0; i < confirmation->trials->weeks.folds; i++)
			confirmation->folds[i] = confirmation->folds[i] == place ? at :
						 confirmation->folds[i] == at ? place :
						 confirmation->folds[i];
		at = confirmation->count++;
	}
	confirmation->trial = at;
	confirmation->worth_trial = lxfw_prospects_worth(prospects, prospects->best);
}

/* Returns 0, 1 if stopped, or -1 with errno and ERROR set. */
static int look_ahead(struct lxfw_confirmation *confirmation, struct lxfw_error *error)
{
	size_t shown[LXFW_CHOICES_MOST];
	int result;

	for (int i = 0; i < confirmation->all; i++)
		shown[i] = position_of(confirmation, i);
	confirmation->prospects = (struct lxfw_prospects) {
		.trials = confirmation->trials, .search = confirmation->search,
		.finals = confirmation->finals.positions,
		.final_count = confirmation->finals.best.count,
		.shown = shown, .shown_count = (size_t)confirmation->all,
		.threads = confirmation->threads, .seed = confirmation->seed,
		.wanted = confirmation->copies, .stop = confirmation->stop,
		.progress = confirmation->progress,
	};
	result = lxfw_prospects_run(&confirmation->prospects, error);
	confirmation->prospects.shown = NULL;
	if (result == 0)
		choose_trial(confirmation);
	return result;
}

static int make_outcomes(struct lxfw_confirmation *confirmation)
{
	for (int i = 0; i < confirmation->all; i++) {
		struct lxfw_choice *choice = &confirmation->choices[i];

		choice->outcomes = malloc((confirmation->outcomes + 1) *
					  sizeof(*choice->outcomes));
		if (!choice->outcomes)
			return -1;
	}
	return 0;
}

/* Stores the results of a simulation: the metrics of the log, and the outcomes of the
   jobs of copy NUMBER, counted from 1. Without copies, the log is the only copy. */
static int keep(struct lxfw_confirmation *confirmation, struct lxfw_choice *choice,
		const struct lxfw_simulation *sim, size_t number)
{
	const struct lxfw_tune_weeks *weeks = &confirmation->trials->weeks;
	const struct lxfw_trace *trace = confirmation->trials->trace;
	struct lxfw_outcome *outcomes = choice->outcomes;

	if (number == 0 && lxfw_simulation_measure(sim, weeks->begin -
			trace->jobs[lxfw_trace_at(trace, 0)].submit,
			&choice->whole))
		return -1;
	if (number == 0 && confirmation->copies > 0)
		return 0;
	if (number > 0)
		outcomes += (number - 1) * confirmation->jobs;
	for (size_t i = 0; i < confirmation->jobs; i++)
		lxfw_trial_outcome(sim, confirmation->positions[i], &outcomes[i]);
	return 0;
}

/* Simulates each choice on the log and on each copy. */
static int simulate(void *context, size_t task, struct lxfw_error *error)
{
	struct lxfw_confirmation *confirmation = context;
	size_t number = task / (size_t)confirmation->all;
	struct lxfw_choice *choice =
		&confirmation->choices[task % (size_t)confirmation->all];
	const struct lxfw_trials *trials = number == 0 ? confirmation->trials :
		&confirmation->finals.copies[number - 1];
	struct lxfw_simulation_options options;
	struct lxfw_simulation sim;
	int result = lxfw_trial_simulate(trials, choice->setting->line, &options,
					 &sim, error);
	int saved = errno;

	if (result == 0 && keep(confirmation, choice, &sim, number)) {
		lxfw_error_set(error, "out of memory");
		saved = ENOMEM;
		result = -1;
	}
	if (number == 0)
		choice->params = options.params;
	lxfw_simulation_clear(&sim);
	errno = saved;
	return result;
}

/* Combines the schedules: each job as under the setting that was selected without its
   fold. */
static int put_together(struct lxfw_confirmation *confirmation)
{
	const struct lxfw_tune_weeks *weeks = &confirmation->trials->weeks;
	struct lxfw_outcome *outcomes = malloc((confirmation->outcomes + 1) *
					       sizeof(*outcomes));

	confirmation->crossed.outcomes = outcomes;
	for (size_t i = 0; outcomes && i < confirmation->outcomes; i++) {
		int fold = lxfw_tune_week_fold(weeks,
			confirmation->weeks[i % confirmation->jobs]);

		outcomes[i] = confirmation->choices[
			confirmation->folds[fold]].outcomes[i];
	}
	return outcomes ? 0 : -1;
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

static int measure_copy(const struct lxfw_confirmation *confirmation,
			const struct lxfw_outcome *outcomes, const bool *is_of_class,
			struct lxfw_metrics *metrics)
{
	struct lxfw_measure measure;
	int result = 0;

	lxfw_measure_begin(&measure, INT64_MIN);
	if (confirmation->trials->bound > 0)
		measure.bound = confirmation->trials->bound;
	for (size_t i = 0; i < confirmation->jobs && result == 0; i++) {
		if (is_of_class[i])
			result = lxfw_measure_add(&measure, &outcomes[i]);
	}
	measure.begin = measure.last_end;
	lxfw_measure_end(&measure, 0, metrics);
	return result;
}

/* Computes all measures as means over the copies. */
static int measure_class(const struct lxfw_confirmation *confirmation,
			 const struct lxfw_choice *choice, const bool *is_of_class,
			 struct lxfw_class_values *values)
{
	size_t copies = copies_of(confirmation);
	struct lxfw_metrics metrics;

	*values = (struct lxfw_class_values) { 0 };
	for (size_t i = 0; i < copies; i++) {
		if (measure_copy(confirmation, choice->outcomes +
				 i * confirmation->jobs, is_of_class, &metrics))
			return -1;
		values->jobs = metrics.jobs;
		for (int j = 0; j < LXFW_TUNE_MEASURES; j++)
			values->of[j] += lxfw_tune_value(&metrics,
				(enum lxfw_tune_measure)j) / (double)copies;
	}
	return 0;
}

/* ---- judgements ------------------------------------------------------------------ */

/* A goal, and the jobs of its class under the current setting. */
struct judged {
	const struct lxfw_confirmation *confirmation;
	int goal;
	const bool *is_of_class;
	struct lxfw_outcome *now, *then;
	int32_t *clusters;
	size_t count;
	double *numbers;	/* by block: current values, new values and weights */
};

static int begin_judged(struct judged *judged)
{
	const struct lxfw_confirmation *confirmation = judged->confirmation;
	size_t all = confirmation->outcomes;
	size_t weeks = (size_t)confirmation->trials->weeks.count;

	judged->now = malloc((all + 1) * sizeof(*judged->now));
	judged->then = malloc((all + 1) * sizeof(*judged->then));
	judged->clusters = malloc((all + 1) * sizeof(*judged->clusters));
	judged->numbers = calloc(3 * weeks + 1, sizeof(*judged->numbers));
	if (!judged->now || !judged->then || !judged->clusters ||
	    !judged->numbers)
		return -1;
	for (size_t i = 0; i < all; i++) {
		if (!judged->is_of_class[i % confirmation->jobs])
			continue;
		judged->now[judged->count] =
			confirmation->choices[0].outcomes[i];
		judged->clusters[judged->count++] =
			confirmation->weeks[i % confirmation->jobs];
	}
	for (size_t i = 0; i < weeks; i++)
		judged->numbers[2 * weeks + i] = lxfw_choose_weight(
			confirmation->trials, (int)i, judged->goal);
	return 0;
}

static void end_judged(struct judged *judged)
{
	free(judged->now);
	free(judged->then);
	free(judged->clusters);
	free(judged->numbers);
}

/* Computes the measure in each block, averaged over the copies. */
static int measure_blocks(const struct judged *judged,
			  const struct lxfw_outcome *outcomes, double *values)
{
	const struct lxfw_trials *trials = judged->confirmation->trials;
	enum lxfw_tune_measure measure =
		lxfw_goals_at(trials->goals, judged->goal)->measure;
	size_t weeks = (size_t)trials->weeks.count;
	size_t copies = copies_of(judged->confirmation);
	struct lxfw_metrics *metrics = calloc(weeks * copies, sizeof(*metrics));
	struct lxfw_groups groups = { .bound = trials->bound };
	int failed = !metrics;

	for (size_t i = 0; i < judged->count && !failed; i++)
		failed = lxfw_groups_add(&groups, (size_t)judged->clusters[i] +
					 i / (judged->count / copies) * weeks,
					 &outcomes[i]);
	if (failed)
		lxfw_groups_clear(&groups);
	else
		lxfw_groups_end(&groups, weeks * copies, metrics);
	for (size_t i = 0; i < weeks && !failed; i++) {
		values[i] = 0;
		for (size_t j = i; j < weeks * copies; j += weeks)
			values[i] += lxfw_tune_value(&metrics[j], measure) /
				     (double)copies;
	}
	free(metrics);
	return failed ? -1 : 0;
}

static int judge_choice(struct judged *judged, struct lxfw_choice *choice)
{
	const struct lxfw_confirmation *confirmation = judged->confirmation;
	const struct lxfw_trials *trials = confirmation->trials;
	size_t weeks = (size_t)trials->weeks.count, at = 0;
	const struct lxfw_sample sample = {
		.clusters = judged->clusters, .count = judged->count,
		.cluster_count = trials->weeks.count, .seed = confirmation->seed,
		.copies = copies_of(confirmation), .bound = trials->bound,
	};
	struct lxfw_paired paired = {
		.blocks = trials->weeks.count, .now = judged->numbers,
		.then = judged->numbers + weeks,
		.weights = judged->numbers + 2 * weeks,
		.all_now = confirmation->choices[0].values[judged->goal],
		.all_then = choice->values[judged->goal],
		.margin = confirmation->search->margin,
	};
	double draws[LXFW_DRAWS];
	int result;

	for (size_t i = 0; i < confirmation->outcomes; i++) {
		if (judged->is_of_class[i % confirmation->jobs])
			judged->then[at++] = choice->outcomes[i];
	}
	result = lxfw_resample(&sample,
		lxfw_goals_at(trials->goals, judged->goal)->measure, judged->now,
		judged->then, draws);
	paired.draws = result == 0 ? draws : NULL;
	if (result < 0 ||
	    measure_blocks(judged, judged->then, judged->numbers + weeks))
		return -1;
	return lxfw_judge(&paired, &choice->changes[judged->goal]);
}

/* Judges a maximum, which depends on single jobs, by its means over rearranged copies:
   of each choice, and of those of the folds. */
static void judge_maximum(struct lxfw_confirmation *confirmation, int goal)
{
	const struct lxfw_prospects *prospects = &confirmation->prospects;
	int folds = confirmation->trials->weeks.folds;
	size_t at[LXFW_TUNE_FOLDS_MOST];
	struct lxfw_prospect prospect;

	for (int i = 1; i < confirmation->count; i++) {
		at[0] = lxfw_prospects_find(prospects, position_of(confirmation, i));
		lxfw_prospects_goal(prospects, at, 1, goal, &prospect);
		lxfw_prospects_judge(prospects, &prospect,
				   &confirmation->choices[i].changes[goal]);
	}
	for (int i = 0; i < folds; i++)
		at[i] = lxfw_prospects_find(prospects, position_of(confirmation,
							       confirmation->folds[i]));
	lxfw_prospects_goal(prospects, at, (size_t)folds, goal, &prospect);
	lxfw_prospects_judge(prospects, &prospect, &confirmation->crossed.changes[goal]);
}

double lxfw_confirmation_expected(const struct lxfw_confirmation *confirmation, int goal)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	int folds = confirmation->trials->weeks.folds;
	size_t at[LXFW_TUNE_FOLDS_MOST];
	struct lxfw_prospect prospect;

	if (confirmation->prospects.copies == 0 ||
	    lxfw_metric(lxfw_goals_at(goals, goal)->measure)->kind != LXFW_METRIC_MOST)
		return NAN;
	for (int i = 0; i < folds; i++)
		at[i] = lxfw_prospects_find(&confirmation->prospects,
					    position_of(confirmation, confirmation->folds[i]));
	lxfw_prospects_goal(&confirmation->prospects, at, (size_t)folds, goal, &prospect);
	return prospect.then;
}

static int judge_goal(struct lxfw_confirmation *confirmation, int goal,
		      const bool *is_of_class)
{
	struct judged judged = {
		.confirmation = confirmation, .goal = goal,
		.is_of_class = is_of_class,
	};
	int failed = begin_judged(&judged) ||
		     measure_blocks(&judged, judged.now, judged.numbers);

	for (int i = 1; i < confirmation->count && !failed; i++)
		failed = judge_choice(&judged, &confirmation->choices[i]);
	if (!failed)
		failed = judge_choice(&judged, &confirmation->crossed);
	end_judged(&judged);
	return failed ? -1 : 0;
}

static int measure_value(const struct lxfw_confirmation *confirmation, int goal,
			 const bool *is_of_class, struct lxfw_choice *choice)
{
	struct lxfw_class_values values;

	if (measure_class(confirmation, choice, is_of_class, &values))
		return -1;
	choice->values[goal] = values.of[
		lxfw_goals_at(confirmation->trials->goals, goal)->measure];
	return 0;
}

static int measure_goal(struct lxfw_confirmation *confirmation, int goal,
			bool *is_of_class)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	int class = lxfw_goals_at(goals, goal)->class;

	for (size_t i = 0; i < confirmation->jobs; i++)
		is_of_class[i] = is_of(confirmation, i, class);
	for (int i = 0; i < confirmation->count; i++) {
		if (measure_value(confirmation, goal, is_of_class,
				  &confirmation->choices[i]))
			return -1;
	}
	if (measure_value(confirmation, goal, is_of_class,
			  &confirmation->crossed))
		return -1;
	if (!lxfw_goals_judged(goals, goal))
		return 0;
	if (confirmation->prospects.copies == 0 ||
	    lxfw_metric(lxfw_goals_at(goals, goal)->measure)->kind != LXFW_METRIC_MOST)
		return judge_goal(confirmation, goal, is_of_class);
	judge_maximum(confirmation, goal);
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

/* --- conclusions ------------------------------------------------------------------ */

void lxfw_confirm_conclude(const struct lxfw_goals *goals, struct lxfw_choice *choice)
{
	double kept = 0, better = INFINITY;

	lxfw_judge_better(choice->changes, goals->objective_count);
	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		const struct lxfw_judgement *change = &choice->changes[i];

		if (!lxfw_goals_judged(goals, i))
			continue;
		kept = fmax(kept, change->kept_blocks);
		if (i < goals->objective_count)
			better = fmin(better, change->better_blocks);
	}
	choice->keeps_limits = true;
	for (int i = 0; i < goals->limit_count; i++)
		choice->keeps_limits &=
			choice->values[goals->objective_count + i] <=
			goals->limits[i].most;
	choice->blocks_needed = fmax(kept, better);
	choice->confirmed = choice->blocks_needed <= 0 && choice->keeps_limits;
}

void lxfw_confirm_recommend(struct lxfw_confirmation *confirmation)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	const struct lxfw_choice *crossed = &confirmation->crossed, *candidate =
		&confirmation->choices[confirmation->candidate];

	lxfw_confirm_conclude(goals, &confirmation->crossed);
	for (int i = 0; i < confirmation->count; i++)
		lxfw_confirm_conclude(goals, &confirmation->choices[i]);
	/* the current setting is not compared with itself */
	confirmation->choices[0].confirmed = false;
	if (confirmation->candidate == 0)
		return;
	confirmation->blocks_needed = fmax(crossed->blocks_needed,
					   candidate->blocks_needed);
	if (crossed->confirmed && candidate->confirmed)
		confirmation->recommended = confirmation->candidate;
}

static void simulated(void *context, size_t task)
{
	struct lxfw_confirmation *confirmation = context;

	(void)task;
	confirmation->done++;
	if (confirmation->progress)
		confirmation->progress(confirmation->done, (size_t)confirmation->all *
				       (1 + confirmation->copies));
}

static bool told_to_stop(void *context)
{
	const struct lxfw_confirmation *confirmation = context;

	return confirmation->stop && confirmation->stop();
}

int lxfw_confirm(struct lxfw_confirmation *confirmation, int most,
		 struct lxfw_error *error)
{
	struct lxfw_pool pool = {
		.context = confirmation, .threads = confirmation->threads,
		.work = simulate, .over = simulated, .stop = told_to_stop,
	};
	int result;

	confirmation->copies = lxfw_finals_copies(confirmation->copies,
				confirmation->trials->trace->count);
	confirmation->finals = (struct lxfw_finals) {
		.trials = confirmation->trials, .search = confirmation->search,
		.threads = confirmation->threads, .seed = confirmation->seed,
		.wanted = confirmation->copies, .stop = confirmation->stop,
		.progress = confirmation->progress,
	};
	result = lxfw_finals_run(&confirmation->finals, error);
	if (result)
		return result;
	if (find_jobs(confirmation) || choose(confirmation, most))
		goto out_of_memory;
	result = look_ahead(confirmation, error);
	if (result)
		return result;
	if (make_outcomes(confirmation))
		goto out_of_memory;
	pool.count = (size_t)confirmation->all * (1 + confirmation->copies);
	result = lxfw_pool_carry_out(&pool, error);
	if (result)
		return result;
	if (put_together(confirmation) || measure_all(confirmation))
		goto out_of_memory;
	lxfw_confirm_recommend(confirmation);
	return 0;

out_of_memory:
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

void lxfw_confirmation_clear(struct lxfw_confirmation *confirmation)
{
	for (int i = 0; i < confirmation->all; i++)
		free(confirmation->choices[i].outcomes);
	lxfw_finals_clear(&confirmation->finals);
	lxfw_prospects_clear(&confirmation->prospects);
	free(confirmation->crossed.outcomes);
	free(confirmation->choices);
	free(confirmation->positions);
	free(confirmation->weeks);
	*confirmation = (struct lxfw_confirmation) { .choices = NULL };
}
