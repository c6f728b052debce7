/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is concluded from a search: every number is counted again here, job by job. */
#include "tests/unit/tune_world.h"

/* Outcomes of the log, or of a copy, under a setting. */
static void simulate(const struct world *world, const struct lxfw_trace *trace,
		     const char *line, struct lxfw_outcome *outcomes)
{
	struct lxfw_trials trials = world->trials;
	struct lxfw_simulation_options options;
	struct lxfw_simulation sim;

	trials.trace = trace;
	assert_int_equal(lxfw_trial_simulate(&trials, line, &options, &sim, NULL), 0);
	for (size_t i = 0; i < JOBS; i++)
		outcomes[i] = lxfw_simulation_outcome(&sim, i);
	lxfw_simulation_clear(&sim);
}

static bool in_class(const struct world *world, size_t job, int class)
{
	const struct lxfw_trace_job *of = &world->jobs[job];

	return class == LXFW_TUNE_ALL ||
	       (class == LXFW_TUNE_SHORT && of->run <= 3600) ||
	       (class == LXFW_TUNE_WIDE && of->procs * 8 > PROCS);
}

static int ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* A measure of the jobs of a class in BLOCK, or in all for -1. */
static double measured(const struct world *world, const struct lxfw_outcome *outcomes,
		       const struct lxfw_goal *goal, int block)
{
	double waits[JOBS], sum = 0, slowdowns = 0, runs = 0, weighted = 0;
	size_t count = 0;

	for (size_t i = 0; i < JOBS; i++) {
		const struct lxfw_outcome *of = &outcomes[i];
		int of_block = (int)(world->jobs[i].submit / DAY) - 1;
		double response = (double)(of->end - of->submit);

		if (of_block < 0 || (block >= 0 && of_block != block) ||
		    !in_class(world, i, goal->class))
			continue;
		waits[count] = response - (double)of->run;
		sum += waits[count++];
		slowdowns += response / (double)of->run;
		runs += (double)of->run * of->procs;
		weighted += (double)of->run * of->procs * response;
	}
	qsort(waits, count, sizeof(*waits), ascending);
	switch (goal->measure) {
	case LXFW_TUNE_MEAN_WAIT:
		return sum / (double)count;
	case LXFW_TUNE_MEAN_SLOWDOWN:
		return slowdowns / (double)count;
	case LXFW_TUNE_P95_WAIT:
		return waits[(count * 95 + 99) / 100 - 1];
	case LXFW_TUNE_MAX_WAIT:
		return waits[count - 1];
	case LXFW_TUNE_AWRT:
		return weighted / runs;
	default:
		fail();
		return 0;
	}
}

/* The means over the copies of outcomes that stand copy by copy. */
static double mean_of(const struct world *world, const struct lxfw_outcome *outcomes,
		      size_t copies, const struct lxfw_goal *goal, int block)
{
	double sum = 0;

	for (size_t i = 0; i < copies; i++)
		sum += measured(world, outcomes + i * JOBS, goal, block);
	return sum / (double)copies;
}

/* A maximum on copies is judged by rearranged ones: the mean of its values under the
   settings AT. */
static void check_maximum(const struct world *world, const struct lxfw_choice *choice,
			  const int *at, int count, int goal)
{
	const struct lxfw_confirmation *of = &world->confirmation;
	const struct lxfw_judgement *change = &choice->changes[goal];
	struct lxfw_judgement expected;
	struct lxfw_prospect prospect;
	size_t settings[FOLDS];

	for (int i = 0; i < count; i++) {
		settings[i] = lxfw_prospects_find(&of->prospects, (size_t)(
			of->choices[at[i]].setting - world->settings));
		assert_ptr_equal(&world->settings[of->prospects.positions[settings[i]]],
				 of->choices[at[i]].setting);
	}
	lxfw_prospects_goal(&of->prospects, settings, (size_t)count, goal, &prospect);
	lxfw_prospects_judge(&of->prospects, &prospect, &expected);
	assert_near(change->then, expected.then);
	assert_near(change->high, expected.high);
	assert_near(change->kept_p, expected.kept_p);
	assert_int_equal(change->blocks, of->prospects.copies);
}

static bool is_rearranged(const struct world *world, size_t copies, int goal)
{
	return copies > 1 && lxfw_goals_at(&world->goals, goal)->measure ==
			     LXFW_TUNE_MAX_WAIT;
}

/* Each goal of a choice: its value, and the judgement of its difference from NOW. */
static void check_goals(const struct world *world, const struct lxfw_outcome *now,
			const struct lxfw_outcome *then, size_t copies,
			const struct lxfw_choice *choice, bool is_now)
{
	for (int i = 0; i < lxfw_goals_count(&world->goals); i++) {
		const struct lxfw_goal *goal = lxfw_goals_at(&world->goals, i);
		const struct lxfw_judgement *change = &choice->changes[i];
		double before[DAYS - 1], after[DAYS - 1], weights[DAYS - 1];
		struct lxfw_paired paired = {
			.blocks = DAYS - 1, .now = before, .then = after,
			.weights = weights, .margin = 0.05,
		};
		struct lxfw_judgement expected;

		assert_near(choice->values[i], mean_of(world, then, copies, goal, -1));
		if (is_now || !lxfw_goals_judged(&world->goals, i) ||
		    is_rearranged(world, copies, i))
			continue;
		assert_near(change->now, mean_of(world, now, copies, goal, -1));
		assert_near(change->then, mean_of(world, then, copies, goal, -1));
		for (int j = 0; j < DAYS - 1; j++) {
			before[j] = mean_of(world, now, copies, goal, j);
			after[j] = mean_of(world, then, copies, goal, j);
			weights[j] = 0;
			for (size_t k = 0; k < EACH; k++)
				weights[j] += in_class(world, (size_t)(j + 1) * EACH + k,
						       goal->class);
			if (goal->measure == LXFW_TUNE_MAX_WAIT)
				weights[j] = 1;
		}
		paired.all_now = change->now;
		paired.all_then = change->then;
		assert_int_equal(lxfw_judge(&paired, &expected), 0);
		assert_int_equal(change->blocks, DAYS - 1);
		assert_int_equal(change->better, expected.better);
		assert_int_equal(change->worse, expected.worse);
		assert_near(change->better_p, expected.better_p);
		assert_near(change->kept_p, expected.kept_p);
		assert_true(change->interval);
		assert_true(change->low <= change->high);
	}
}

/* The draws of a goal, from the jobs of the blocks alone. */
static void check_interval(const struct world *world, const struct lxfw_outcome *now,
			   const struct lxfw_outcome *then, size_t copies,
			   const struct lxfw_choice *choice, int goal)
{
	static double draws[LXFW_DRAWS];
	struct lxfw_outcome sides[2][COPIES_MOST * JOBS];
	int32_t clusters[COPIES_MOST * JOBS];
	struct lxfw_sample sample = {
		.clusters = clusters, .cluster_count = DAYS - 1, .seed = 5,
		.copies = copies,
	};

	for (size_t i = 0; i < copies * JOBS; i++) {
		const struct lxfw_goal *of = lxfw_goals_at(&world->goals, goal);
		int64_t day = world->jobs[i % JOBS].submit / DAY;

		if (day < 1 || !in_class(world, i % JOBS, of->class))
			continue;
		clusters[sample.count] = (int32_t)day - 1;
		sides[0][sample.count] = now[i];
		sides[1][sample.count++] = then[i];
	}
	assert_int_equal(lxfw_resample(&sample, lxfw_goals_at(&world->goals, goal)->
				       measure, sides[0], sides[1], draws), 0);
	assert_true(choice->changes[goal].low == draws[LXFW_DRAWS / 20 - 1]);
	assert_true(choice->changes[goal].high == draws[LXFW_DRAWS * 19 / 20 - 1]);
}

static void check_classes(const struct world *world, const struct lxfw_outcome *of,
			  size_t copies, const struct lxfw_choice *choice)
{
	static const int classes[] = { LXFW_TUNE_ALL, LXFW_TUNE_SHORT, LXFW_TUNE_WIDE };
	static const enum lxfw_tune_measure measures[] = {
		LXFW_TUNE_MEAN_WAIT, LXFW_TUNE_P95_WAIT, LXFW_TUNE_MAX_WAIT,
		LXFW_TUNE_MEAN_SLOWDOWN, LXFW_TUNE_AWRT,
	};

	for (size_t i = 0; i < 3; i++) {
		const struct lxfw_class_values *values = &choice->classes[classes[i]];
		size_t jobs = 0;

		for (size_t j = EACH; j < JOBS; j++)
			jobs += in_class(world, j, classes[i]);
		assert_int_equal(values->jobs, jobs);
		for (size_t j = 0; j < 5; j++) {
			const struct lxfw_goal goal = {
				.measure = measures[j], .class = classes[i],
			};

			assert_near(values->of[measures[j]],
				    mean_of(world, of, copies, &goal, -1));
		}
	}
}

/* Confirm, and count everything again. */
static void check(struct world *world, int most)
{
	struct lxfw_confirmation *of = &world->confirmation;
	size_t copies = of->copies > 0 ? of->copies : 1;
	static struct lxfw_outcome all[3 + SETTINGS][COPIES_MOST * JOBS];
	static struct lxfw_outcome crossed[COPIES_MOST * JOBS], whole[JOBS];
	struct lxfw_params params;
	struct lxfw_error error;

	assert_int_equal(lxfw_confirm(of, most, &error), 0);
	assert_ptr_equal(of->choices[0].setting, &world->settings[0]);
	assert_int_equal(of->jobs, JOBS - EACH);
	assert_int_equal(of->outcomes, copies * (JOBS - EACH));
	for (size_t i = 0; i < copies; i++) {
		struct lxfw_trace copy = world->trace;

		if (of->copies > 0)
			make_copy(world, 60, i + 1, &copy);
		for (int j = 0; j < of->all; j++)
			simulate(world, &copy, of->choices[j].setting->line,
				 all[j] + i * JOBS);
		if (of->copies > 0)
			lxfw_trace_clear(&copy);
	}
	for (size_t i = 0; i < copies * JOBS; i++) {
		int64_t block = world->jobs[i % JOBS].submit / DAY - 1;
		int64_t fold = block < 0 ? 0 : block * FOLDS / (DAYS - 1);

		crossed[i] = all[of->folds[fold]][i];
	}
	for (int i = 0; i < of->count; i++) {
		const struct lxfw_choice *choice = &of->choices[i];

		check_goals(world, all[0], all[i], copies, choice, i == 0);
		check_classes(world, all[i], copies, choice);
		for (int j = 0; i > 0 && j < lxfw_goals_count(&world->goals); j++) {
			if (!lxfw_goals_judged(&world->goals, j))
				continue;
			if (is_rearranged(world, copies, j))
				check_maximum(world, choice, &i, 1, j);
			else
				check_interval(world, all[0], all[i], copies, choice, j);
		}
		assert_int_equal(lxfw_tune_read_line(choice->setting->line, &params,
						     NULL), 0);
		assert_int_equal(choice->params.policy, params.policy);
		assert_int_equal(choice->params.reservations, params.reservations);
		simulate(world, &world->trace, choice->setting->line, whole);
		for (int j = 0; j < world->goals.objective_count; j++) {
			const struct lxfw_goal *goal = lxfw_goals_at(&world->goals, j);

			if (goal->class == LXFW_TUNE_ALL)
				assert_near(lxfw_tune_value(&choice->whole,
							    goal->measure),
					    measured(world, whole, goal, -1));
		}
	}
	check_goals(world, all[0], crossed, copies, &of->crossed, false);
	check_interval(world, all[0], crossed, copies, &of->crossed, 0);
	for (int i = 0; i < lxfw_goals_count(&world->goals); i++) {
		if (is_rearranged(world, copies, i))
			check_maximum(world, &of->crossed, of->folds, FOLDS, i);
	}
	assert_true(of->trial < of->count);
	if (of->copies > 0 && of->trial > 0)
		assert_ptr_equal(of->choices[of->trial].setting, &world->settings[
			of->prospects.positions[of->prospects.best]]);
	else
		assert_int_equal(of->trial, 0);
	assert_false(of->choices[0].confirmed);
	assert_int_equal(of->recommended, of->crossed.confirmed &&
			 of->choices[of->candidate].confirmed ? of->candidate : 0);
	assert_true(of->blocks_needed == (of->candidate == 0 ? 0 :
		    fmax(of->crossed.blocks_needed,
			 of->choices[of->candidate].blocks_needed)));
}

/* ---- a choice -------------------------------------------------------------------- */

/* Two objectives, a limit, and one to be kept; all pass. */
static void make_choice(struct lxfw_goals *goals, struct lxfw_choice *choice)
{
	*goals = (struct lxfw_goals) {
		.objective_count = 2, .limit_count = 1, .kept_count = 1,
		.limits = { { .most = 10 } },
	};
	*choice = (struct lxfw_choice) {
		.values = { 99, 99, 10, 99 },
		.changes = {
			{ .verdict = LXFW_CHANGE_KEPT, .better_chance = 0.01 },
			{ .verdict = LXFW_CHANGE_KEPT, .better_chance = 0.02 },
			/* a limit is not judged, and what is kept need not be better */
			{ .kept_blocks = 99, .better_blocks = 99, .better_chance = 1 },
			{ .verdict = LXFW_CHANGE_KEPT, .better_blocks = 1,
			  .better_chance = 1 },
		},
	};
}

static void test_conclude(void **state)
{
	struct lxfw_choice choice;
	struct lxfw_goals goals;

	(void)state;
	make_choice(&goals, &choice);
	lxfw_confirm_conclude(&goals, &choice);
	assert_true(choice.confirmed && choice.keeps_limits);
	assert_true(choice.blocks_needed == 0);
	assert_int_equal(choice.changes[0].verdict, LXFW_CHANGE_BETTER);
	assert_int_equal(choice.changes[1].verdict, LXFW_CHANGE_BETTER);
	assert_int_equal(choice.changes[3].verdict, LXFW_CHANGE_KEPT);
	assert_true(choice.changes[0].better_chance == 0.02);
	/* the limit */
	make_choice(&goals, &choice);
	choice.values[2] = 10.5;
	lxfw_confirm_conclude(&goals, &choice);
	assert_false(choice.confirmed || choice.keeps_limits);
	assert_true(choice.blocks_needed == 0);
	/* a goal that is not kept, whichever */
	for (int i = 0; i < 4; i++) {
		make_choice(&goals, &choice);
		choice.changes[i].kept_blocks = 30 + i;
		lxfw_confirm_conclude(&goals, &choice);
		assert_int_equal(choice.confirmed, i == 2);
		assert_true(choice.keeps_limits);
		assert_true(choice.blocks_needed == (i == 2 ? 0 : 30 + i));
	}
	/* one objective that is better is enough */
	make_choice(&goals, &choice);
	choice.changes[0].better_chance = 0.5;
	choice.changes[0].better_blocks = INFINITY;
	lxfw_confirm_conclude(&goals, &choice);
	assert_true(choice.confirmed);
	make_choice(&goals, &choice);
	for (int i = 0; i < 2; i++) {
		choice.changes[i].better_chance = 0.06;
		choice.changes[i].better_blocks = 20 + i;
	}
	lxfw_confirm_conclude(&goals, &choice);
	assert_false(choice.confirmed);
	assert_true(choice.blocks_needed == 20);
	choice.changes[1].kept_blocks = 25;
	lxfw_confirm_conclude(&goals, &choice);
	assert_true(choice.blocks_needed == 25);
	choice.changes[1].kept_blocks = 15;
	lxfw_confirm_conclude(&goals, &choice);
	assert_true(choice.blocks_needed == 20);
}

/* The candidate has to pass, and what was chosen without the folds as well. */
static void test_recommend(void **state)
{
	struct lxfw_choice choices[3];
	struct lxfw_goals goals;
	const struct lxfw_trials trials = { .goals = &goals };

	(void)state;
	for (int i = 0; i < 8; i++) {
		struct lxfw_confirmation confirmation = {
			.trials = &trials, .choices = choices, .count = 3,
			.candidate = i & 4 ? 0 : 1,
		};
		bool crossed = i & 1, own = i & 2;

		for (int j = 0; j < 3; j++)
			make_choice(&goals, &choices[j]);
		make_choice(&goals, &confirmation.crossed);
		confirmation.crossed.changes[3].kept_blocks = crossed ? 0 : 20;
		choices[1].changes[3].kept_blocks = own ? 0 : 30;
		lxfw_confirm_recommend(&confirmation);
		assert_int_equal(confirmation.recommended, i == 3 ? 1 : 0);
		assert_true(confirmation.blocks_needed ==
			    (i & 4 || i == 3 ? 0 : own ? 20 : 30));
		assert_false(choices[0].confirmed);
		assert_true(choices[0].keeps_limits && choices[2].confirmed);
		assert_int_equal(choices[1].confirmed, own);
		assert_int_equal(confirmation.crossed.confirmed, crossed);
	}
}

/* ---- whole ----------------------------------------------------------------------- */

static void test_log_itself(void **state)
{
	struct world world;

	(void)state;
	begin(&world, "mean_wait,p95_wait:short", NULL, 7200, 0);
	check(&world, 4);
	assert_true(world.confirmation.recommended > 0);
	assert_true(world.confirmation.blocks_needed == 0);
	end(&world);
}

static void test_on_copies(void **state)
{
	struct world world;

	(void)state;
	begin(&world, "mean_slowdown,mean_wait:wide", "awrt<=10d", 7200, COPIES_MOST);
	check(&world, 3);
	assert_true(world.confirmation.recommended > 0);
	end(&world);
}

/* No more of the front than are to be shown, and the candidate. */
static void test_shown(void **state)
{
	struct world world;

	(void)state;
	begin(&world, "mean_slowdown,max_wait", NULL, 7200, 0);
	check(&world, 2);
	assert_true(world.confirmation.front > 3);
	assert_true(world.confirmation.count <= 4);
	end(&world);
}

/* The candidate and those of the folds are what the values of the copies say, each of
   them a setting that was bred without the fold. */
static void test_choices(void **state)
{
	const struct lxfw_confirmation *of;
	struct lxfw_finals finals;
	struct lxfw_error error;
	struct world world;
	size_t position;

	(void)state;
	begin(&world, "mean_wait,mean_slowdown", NULL, 2400, 2);
	for (size_t i = 1; i < SETTINGS; i++)
		world.settings[i].fold = (int)(i % FOLDS);
	of = &world.confirmation;
	check(&world, 2);
	finals = finals_of(&world, 2);
	assert_int_equal(lxfw_finals_run(&finals, &error), 0);
	position = finals.positions[lxfw_choose(&world.trials, &finals.best, -1)];
	assert_ptr_equal(of->choices[of->candidate].setting, &world.settings[position]);
	for (int i = 0; i < FOLDS; i++) {
		position = finals.positions[lxfw_choose(&world.trials, &finals.best,
							i)];
		assert_int_equal(world.settings[position].fold, i);
		assert_ptr_equal(of->choices[of->folds[i]].setting,
				 &world.settings[position]);
	}
	/* shown are the front's two, what the site has, the candidate, and the best one on
	   rearranged copies */
	assert_true(of->count >= 3 && of->count <= 5);
	assert_true(of->all >= of->count && of->candidate < of->count);
	for (int i = 0; i < of->all; i++) {
		for (int j = 0; j < i; j++)
			assert_ptr_not_equal(of->choices[i].setting,
					     of->choices[j].setting);
	}
	lxfw_finals_clear(&finals);
	end(&world);
}

/* The candidate passes, but what was found without a fold gains nothing on it. */
static void test_not_crossed(void **state)
{
	const struct lxfw_confirmation *of;
	struct world world;

	(void)state;
	begin(&world, "mean_wait", NULL, 2400, 0);
	of = &world.confirmation;
	for (size_t i = 1; i < 10; i++)
		world.settings[i].fold = 0;	/* the others have what the site has */
	for (size_t i = 10; i < SETTINGS; i++)
		world.settings[i].fold = i == 10 ? 1 : 2;
	check(&world, 4);
	assert_true(of->candidate > 0);
	assert_true(of->choices[of->candidate].confirmed);
	assert_false(of->crossed.confirmed);
	assert_int_equal(of->recommended, 0);
	assert_true(of->blocks_needed > 0);
	end(&world);
}

/* Nothing keeps the limit: there is no candidate. Over all, each of those that do is
   judged, but what the site has beyond it is no reason to keep it. */
static void test_limits(void **state)
{
	const struct lxfw_confirmation *of;
	struct world world;

	(void)state;
	begin(&world, "mean_wait", "max_wait:wide<=1s", 2400, 0);
	of = &world.confirmation;
	check(&world, 4);
	assert_int_equal(of->front, 0);
	assert_int_equal(of->count, 1);
	assert_int_equal(of->candidate, 0);
	assert_int_equal(of->recommended, 0);
	end(&world);
}

static bool stopped(void)
{
	return true;
}

static void test_stop(void **state)
{
	struct lxfw_error error;
	struct world world;

	(void)state;
	begin(&world, "mean_wait", NULL, 2400, 2);
	world.confirmation.stop = stopped;
	assert_int_equal(lxfw_confirm(&world.confirmation, 3, &error), 1);
	end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conclude),
		cmocka_unit_test(test_recommend),
		cmocka_unit_test(test_log_itself),
		cmocka_unit_test(test_on_copies),
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_choices),
		cmocka_unit_test(test_not_crossed),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
