/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which setting is chosen, and how settings are ranked: small cases made by hand. */
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#include "sim-frontend/tune/choose.h"
#include "sim-frontend/tune/rank.h"

#define BLOCKS 8
#define FOLDS 4		/* of two blocks each */
#define GOALS 4		/* two objectives, a limit, one to be kept */
#define SETTINGS 8
#define NUMBERS ((1 + FOLDS + BLOCKS) * GOALS)

enum { MEAN, LONGEST, LIMIT, KEPT };

struct world {
	struct lxfw_goals goals;
	struct lxfw_trials trials;
	struct lxfw_search search;
	struct lxfw_setting settings[SETTINGS];
	double values[SETTINGS][NUMBERS];
	size_t jobs[BLOCKS * GOALS];
};

static double *block_value(struct world *world, size_t setting, int block, int goal)
{
	return &world->values[setting][lxfw_trials_week_view(&world->trials, block) *
				       GOALS + (size_t)goal];
}

static double *fold_value(struct world *world, size_t setting, int fold, int goal)
{
	return &world->values[setting][lxfw_trials_fold_view(fold) * GOALS +
				       (size_t)goal];
}

/* A goal of a setting, over all blocks as in each. */
static void set_goal(struct world *world, size_t setting, int goal, double value)
{
	for (int i = -1; i < FOLDS; i++)
		*fold_value(world, setting, i, goal) = value;
	for (int i = 0; i < BLOCKS; i++)
		*block_value(world, setting, i, goal) = value;
}

/* COUNT settings whose goals are all 100 in all blocks. */
static void begin(struct world *world, size_t count)
{
	memset(world, 0, sizeof(*world));
	world->goals = (struct lxfw_goals) {
		.objectives = {
			{ .measure = LXFW_TUNE_MEAN_WAIT },
			{ .measure = LXFW_TUNE_MEAN_SLOWDOWN },
		},
		.limits = { { .measure = LXFW_TUNE_AWRT, .most = 100 } },
		.kept = { { .measure = LXFW_TUNE_MAX_WAIT } },
		.objective_count = 2, .limit_count = 1, .kept_count = 1,
	};
	world->trials = (struct lxfw_trials) {
		.goals = &world->goals, .jobs = world->jobs,
		.weeks = { .length = 1, .count = BLOCKS, .folds = FOLDS },
	};
	world->search = (struct lxfw_search) {
		.goals = &world->goals, .settings = world->settings, .count = count,
		.size = SETTINGS, .numbers = NUMBERS, .margin = 0.05,
	};
	for (size_t i = 0; i < BLOCKS * GOALS; i++)
		world->jobs[i] = 10;
	for (size_t i = 0; i < count; i++) {
		world->settings[i] = (struct lxfw_setting) {
			.values = world->values[i], .known = true, .fold = -1,
		};
		for (int goal = 0; goal < GOALS; goal++)
			set_goal(world, i, goal, 100);
	}
}

static size_t chosen(const struct world *world, int fold)
{
	return lxfw_choose(&world->trials, &world->search, fold);
}

/*
 * The first objective of a setting falls in each block, by logarithms that are GAIN in the
 * mean and ERRORS standard errors above 0; a tenth of 100 is added to both values before
 * they are compared. Over all blocks it is ALL.
 */
static void make_gain(struct world *world, size_t setting, double gain, double errors,
		      double all)
{
	double spread = gain * sqrt(BLOCKS - 1) / errors;

	set_goal(world, setting, MEAN, all);
	for (int i = 0; i < BLOCKS; i++)
		*block_value(world, setting, i, MEAN) =
			110 / exp(gain + (i % 2 ? spread : -spread)) - 10;
}

static void test_weights(void **state)
{
	struct world world;

	(void)state;
	begin(&world, 1);
	world.jobs[3 * GOALS + MEAN] = 7;
	world.jobs[3 * GOALS + KEPT] = 5;
	world.jobs[4 * GOALS + KEPT] = 0;
	assert_true(lxfw_choose_weight(&world.trials, 3, MEAN) == 7);
	/* a maximum counts as one, however many jobs it is of */
	assert_true(lxfw_choose_weight(&world.trials, 3, KEPT) == 1);
	assert_true(lxfw_choose_weight(&world.trials, 4, KEPT) == 0);
	for (int i = LXFW_TUNE_PREEMPTIONS; i < LXFW_TUNE_MEASURES; i++) {
		world.goals.objectives[MEAN].measure = (enum lxfw_tune_measure)i;
		assert_true(lxfw_choose_weight(&world.trials, 3, MEAN) == 1);
	}
}

/* The surer one of two, but beyond 2.5 standard errors the one that gains more. */
static void test_sure(void **state)
{
	struct world world;

	(void)state;
	begin(&world, 3);
	make_gain(&world, 1, 0.5, 2.4, 50);
	make_gain(&world, 2, 0.1, 2.6, 90);
	assert_int_equal(chosen(&world, -1), 2);
	make_gain(&world, 1, 0.5, 2.6, 50);
	assert_int_equal(chosen(&world, -1), 1);
	make_gain(&world, 1, 0.5, 1.5, 50);
	make_gain(&world, 2, 0.1, 1.6, 90);
	assert_int_equal(chosen(&world, -1), 2);
	make_gain(&world, 2, 0.1, 1.4, 90);
	assert_int_equal(chosen(&world, -1), 1);
	/* equal ones: the first */
	make_gain(&world, 2, 0.5, 1.5, 50);
	assert_int_equal(chosen(&world, -1), 1);
}

/* One that was tried after the search: if it is surer, not if it gains more. */
static void test_after(void **state)
{
	struct world world;
	size_t some[2];

	(void)state;
	begin(&world, 3);
	world.settings[2].after = true;
	make_gain(&world, 1, 0.1, 2.6, 90);
	make_gain(&world, 2, 0.5, 2.6, 50);
	assert_int_equal(chosen(&world, -1), 1);
	assert_int_equal(lxfw_choose_some(&world.trials, &world.search, 1, 2, some), 2);
	assert_int_equal(some[0], 1);
	make_gain(&world, 1, 0.1, 2.4, 90);
	assert_int_equal(chosen(&world, -1), 2);
	/* of two, the one that gains more */
	world.settings[1].after = true;
	make_gain(&world, 1, 0.1, 2.6, 90);
	assert_int_equal(chosen(&world, -1), 2);
}

/* One is better in the first objective, surely; in another goal it is worse. */
static void test_kept(void **state)
{
	static const int judged[] = { LONGEST, KEPT };
	struct world world;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		begin(&world, 3);
		make_gain(&world, 1, 0.5, 3, 50);
		make_gain(&world, 2, 0.1, 2, 90);
		/* within the margin, the same in all blocks: as sure as can be asked */
		set_goal(&world, 1, judged[i], 104);
		assert_int_equal(chosen(&world, -1), 1);
		/* within it over all, but not in the blocks */
		for (int block = 0; block < BLOCKS; block++)
			*block_value(&world, 1, block, judged[i]) = 106;
		assert_int_equal(chosen(&world, -1), 2);
		/* in the blocks, but not over all: it is out */
		set_goal(&world, 1, judged[i], 104);
		*fold_value(&world, 1, -1, judged[i]) = 105.01;
		assert_int_equal(chosen(&world, -1), 2);
		world.search.count = 2;
		assert_int_equal(chosen(&world, -1), 0);
		*fold_value(&world, 1, -1, judged[i]) = 105;
		assert_int_equal(chosen(&world, -1), 1);
	}
}

/* A measure with a limit is not judged, but must be within the limit. */
static void test_limit(void **state)
{
	struct world world;

	(void)state;
	begin(&world, 2);
	make_gain(&world, 1, 0.5, 3, 50);
	set_goal(&world, 0, LIMIT, 10);
	assert_int_equal(chosen(&world, -1), 1);	/* ten times what it is now */
	*fold_value(&world, 1, -1, LIMIT) = 100.5;
	assert_int_equal(chosen(&world, -1), 0);
}

/* Better in the second objective alone is enough; in what is only to be kept it is none. */
static void test_better_in_one(void **state)
{
	struct world world;

	(void)state;
	begin(&world, 4);
	make_gain(&world, 1, 0.5, 1, 50);
	set_goal(&world, 2, LONGEST, 90);
	set_goal(&world, 3, KEPT, 10);
	assert_int_equal(chosen(&world, -1), 2);
	set_goal(&world, 2, LONGEST, 100);
	assert_int_equal(chosen(&world, -1), 1);
}

/* Of those that are surely better the one with the best mean gain, and the goal that
   gains least counts once more. */
static void test_score(void **state)
{
	struct world world;

	(void)state;
	begin(&world, 3);
	/* means of logarithms: log(.5) / 2 = -.35; log(.7) = -.36 */
	set_goal(&world, 1, MEAN, 50);
	set_goal(&world, 2, MEAN, 70);
	set_goal(&world, 2, LONGEST, 70);
	set_goal(&world, 1, KEPT, 50);
	set_goal(&world, 2, KEPT, 50);
	assert_int_equal(chosen(&world, -1), 2);
	/* -.69 - .05 and -.36 + the least: 0 to -.36 */
	set_goal(&world, 1, MEAN, 22);
	set_goal(&world, 1, LONGEST, 99);
	assert_int_equal(chosen(&world, -1), 1);
	set_goal(&world, 1, MEAN, 29);
	assert_int_equal(chosen(&world, -1), 2);
	/* what is to be kept is among those of which one gains least */
	set_goal(&world, 2, KEPT, 104);
	assert_int_equal(chosen(&world, -1), 1);
	/* a second more or less counts where there is hardly any wait */
	begin(&world, 3);
	set_goal(&world, 0, MEAN, 1);
	set_goal(&world, 1, MEAN, 0);
	set_goal(&world, 2, LONGEST, 20);
	set_goal(&world, 2, MEAN, 1);
	assert_int_equal(chosen(&world, -1), 2);
	begin(&world, 3);
	set_goal(&world, 0, MEAN, 1);
	set_goal(&world, 1, MEAN, 0);
	set_goal(&world, 2, MEAN, 1);
	set_goal(&world, 2, LONGEST, 60);
	assert_int_equal(chosen(&world, -1), 1);
	/* a gain in what is only to be kept is none */
	begin(&world, 3);
	set_goal(&world, 1, MEAN, 90);
	set_goal(&world, 1, KEPT, 50);
	set_goal(&world, 2, MEAN, 85);
	assert_int_equal(chosen(&world, -1), 2);
	/* a fold's choice looks at its own view */
	set_goal(&world, 1, KEPT, 100);
	*fold_value(&world, 1, 1, MEAN) = 60;
	assert_int_equal(chosen(&world, 1), 1);
	assert_int_equal(chosen(&world, 2), 2);
}

/* Of two that are no better the one of which that is less sure. */
static void test_no_better(void **state)
{
	struct world world;

	(void)state;
	begin(&world, 3);
	set_goal(&world, 1, MEAN, 101);
	set_goal(&world, 1, LONGEST, 101);
	make_gain(&world, 2, -0.02, -1, 103);
	set_goal(&world, 2, LONGEST, 102);
	assert_int_equal(chosen(&world, -1), 2);
}

/* Blocks in which hardly anybody waits count little: by a tenth of the mean of the view. */
static void test_level(void **state)
{
	struct world world;

	(void)state;
	begin(&world, 3);
	*fold_value(&world, 0, -1, MEAN) = 0;
	make_gain(&world, 2, 0.2, 2.4, 80);
	set_goal(&world, 1, MEAN, 50);
	*block_value(&world, 0, 3, MEAN) = 0;
	*block_value(&world, 1, 3, MEAN) = 1;
	*block_value(&world, 2, 3, MEAN) = 0;
	assert_int_equal(chosen(&world, 0), 1);
}

/* A setting that is judged on a fold is chosen by blocks outside it and not beside it. */
static void test_folds(void **state)
{
	struct world world;

	(void)state;
	for (int fold = 0; fold < FOLDS; fold++) {
		begin(&world, 3);
		set_goal(&world, 1, MEAN, 90);
		set_goal(&world, 2, MEAN, 50);
		for (int i = 0; i < BLOCKS; i++) {
			/* 1 is the better where it may be seen, else the worse */
			bool seen = i < 2 * fold - 1 || i > 2 * fold + 2;

			*block_value(&world, 1, i, MEAN) = seen ? 50 : 1000;
			*block_value(&world, 2, i, MEAN) = seen ? 120 : 1;
		}
		assert_int_equal(chosen(&world, fold), 1);
	}
	/* bred with sight of the fold: out */
	begin(&world, 3);
	set_goal(&world, 1, MEAN, 50);
	set_goal(&world, 2, MEAN, 90);
	world.settings[1].fold = 2;
	assert_int_equal(chosen(&world, 1), 2);
	assert_int_equal(chosen(&world, 2), 1);
	assert_int_equal(chosen(&world, -1), 1);
	/* beyond the margin by its own view: after all others, but not out */
	*fold_value(&world, 1, 2, KEPT) = 106;
	assert_int_equal(chosen(&world, 2), 2);
	assert_int_equal(chosen(&world, -1), 1);
	set_goal(&world, 2, MEAN, 104);
	assert_int_equal(chosen(&world, 2), 2);
	world.settings[2].known = false;
	assert_int_equal(chosen(&world, 2), 1);
	world.settings[1].fold = -1;
	*fold_value(&world, 1, -1, MEAN) = INFINITY;
	assert_int_equal(chosen(&world, 2), 0);
}

/* Blocks without jobs of the class count nothing, and a single block tells nothing. */
static void test_empty_blocks(void **state)
{
	struct world world;

	(void)state;
	begin(&world, 3);
	for (int i = 0; i < BLOCKS; i++) {
		*block_value(&world, 1, i, MEAN) = i < 3 ? 0 : 95;
		*block_value(&world, 2, i, MEAN) = i < 3 ? 100 : 90 - 20 * (i % 2);
	}
	*fold_value(&world, 1, -1, MEAN) = 95;
	*fold_value(&world, 2, -1, MEAN) = 80;
	for (int i = 0; i < 3; i++)
		world.jobs[i * GOALS + MEAN] = 0;
	assert_int_equal(chosen(&world, -1), 2);
	/* of two blocks 1 is the sure one, of one neither */
	for (int i = 3; i < 6; i++)
		world.jobs[i * GOALS + MEAN] = 0;
	*block_value(&world, 2, 6, MEAN) = 90;
	*block_value(&world, 2, 7, MEAN) = 10;
	assert_int_equal(chosen(&world, -1), 1);
	world.jobs[6 * GOALS + MEAN] = 0;
	assert_int_equal(chosen(&world, -1), 2);	/* by its gain */
	/* what it does not tell is no evidence against it either */
	set_goal(&world, 2, LONGEST, 101);
	set_goal(&world, 1, MEAN, 100);
	*fold_value(&world, 2, -1, MEAN) = 50;
	assert_int_equal(chosen(&world, -1), 2);
}

static void test_some(void **state)
{
	struct world world;
	size_t positions[SETTINGS];

	(void)state;
	begin(&world, 6);
	set_goal(&world, 1, MEAN, 90);
	set_goal(&world, 2, MEAN, 60);
	set_goal(&world, 3, KEPT, 120);
	set_goal(&world, 4, MEAN, 75);
	world.settings[5].known = false;
	assert_int_equal(lxfw_choose_some(&world.trials, &world.search, -1, SETTINGS,
					  positions), 3);
	assert_int_equal(positions[0], 2);
	assert_int_equal(positions[1], 4);
	assert_int_equal(positions[2], 1);
	positions[2] = 99;
	assert_int_equal(lxfw_choose_some(&world.trials, &world.search, -1, 2,
					  positions), 2);
	assert_int_equal(positions[1], 4);
	assert_int_equal(positions[2], 99);
	/* a fold has those beyond the margin as well, last */
	assert_int_equal(lxfw_choose_some(&world.trials, &world.search, 0, SETTINGS,
					  positions), 4);
	assert_int_equal(positions[3], 3);
}

/* ---- ranks ----------------------------------------------------------------------- */

static void set_point(struct world *world, size_t setting, double x, double y)
{
	set_goal(world, setting, MEAN, x);
	set_goal(world, setting, LONGEST, y);
}

/* How many beat each, and the room that the unbeaten have. */
static void test_rank(void **state)
{
	static const double points[6][2] = {
		{ 40, 40 }, { 0, 100 }, { 20, 60 }, { 100, 0 }, { 40, 70 }, { 20, 60 },
	};
	static const int ranks[6] = { 0, 0, 0, 0, 2, 1 };
	const struct lxfw_setting *best[6];
	struct world world;

	(void)state;
	begin(&world, 6);
	for (size_t i = 0; i < 6; i++)
		set_point(&world, i, points[i][0], points[i][1]);
	/* the last is as the third, and beats nothing that the third does not */
	world.search.count = 3;
	assert_int_equal(lxfw_rank_all(&world.search), 0);
	world.search.count = 6;
	assert_int_equal(lxfw_rank_all(&world.search), 0);
	/* 4 is beaten by 0, 2 and 5 */
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(world.settings[i].rank, i == 4 ? 3 : ranks[i]);
	assert_true(isinf(world.settings[1].crowding));
	assert_true(isinf(world.settings[3].crowding));
	assert_true(fabs(world.settings[0].crowding - (0.8 + 0.6)) < 1e-12);
	assert_true(fabs(world.settings[2].crowding - (0.4 + 0.6)) < 1e-12);
	assert_true(world.settings[4].crowding == 0);
	assert_int_equal(lxfw_rank_best(world.settings, 6, 5, best), 5);
	assert_int_equal(best[0] - world.settings, 1);
	assert_int_equal(best[1] - world.settings, 3);
	assert_int_equal(best[2] - world.settings, 0);
	assert_int_equal(best[3] - world.settings, 2);
	assert_int_equal(best[4] - world.settings, 5);
	assert_int_equal(lxfw_rank_best(world.settings, 3, 5, best), 3);
}

/* By the values of the view alone that the search looks at. */
static void test_rank_view(void **state)
{
	struct world world;

	(void)state;
	begin(&world, 2);
	*fold_value(&world, 1, 0, MEAN) = 90;
	*fold_value(&world, 1, -1, MEAN) = 110;
	world.search.view = lxfw_trials_fold_view(0) * GOALS;
	assert_int_equal(lxfw_rank_all(&world.search), 0);
	assert_int_equal(world.settings[0].rank, 1);
	assert_int_equal(world.settings[1].rank, 0);
	/* what is to be kept is looked up there, too */
	begin(&world, 2);
	*fold_value(&world, 1, 0, MEAN) = 90;
	*fold_value(&world, 1, 0, KEPT) = 150;
	*fold_value(&world, 0, -1, KEPT) = 200;
	world.search.view = lxfw_trials_fold_view(0) * GOALS;
	assert_int_equal(lxfw_rank_all(&world.search), 0);
	assert_int_equal(world.settings[1].rank, 1);
	/* and so is the room of each */
	begin(&world, 3);
	for (size_t i = 0; i < 3; i++) {
		*fold_value(&world, i, 0, MEAN) = (double)i;
		*fold_value(&world, i, 0, LONGEST) = 2 - (double)i;
	}
	world.search.view = lxfw_trials_fold_view(0) * GOALS;
	assert_int_equal(lxfw_rank_all(&world.search), 0);
	assert_true(world.settings[1].crowding == 2);
}

/* Of three objectives: who has the most of one is an extreme, too. */
static void test_extremes(void **state)
{
	static const double points[4][3] = {
		{ 0, 1, 1 }, { 1, 0, 1 }, { 2, 2, 0 }, { 0.5, 0.5, 2 },
	};
	struct world world;

	(void)state;
	begin(&world, 4);
	world.goals.objectives[2] = world.goals.objectives[0];
	world.goals.objective_count = 3;
	world.goals.limit_count = 0;
	for (size_t i = 0; i < 4; i++) {
		for (int goal = 0; goal < 3; goal++)
			set_goal(&world, i, goal, points[i][goal]);
	}
	assert_int_equal(lxfw_rank_all(&world.search), 0);
	for (size_t i = 0; i < 4; i++)
		assert_true(isinf(world.settings[i].crowding));
}

static void test_dominates(void **state)
{
	struct world world;

	(void)state;
	begin(&world, 1);
	assert_true(lxfw_search_dominates(&world.search, (double[]) { 1, 2 },
					  (double[]) { 1, 2.5 }));
	assert_true(lxfw_search_dominates(&world.search, (double[]) { 1, 2 },
					  (double[]) { 1.5, 2 }));
	assert_false(lxfw_search_dominates(&world.search, (double[]) { 1, 2 },
					   (double[]) { 1, 2 }));
	assert_false(lxfw_search_dominates(&world.search, (double[]) { 1.5, 2 },
					   (double[]) { 1, 9 }));
}

/* Beyond a limit: beaten by whatever is less so, however good it is. */
static void test_violation(void **state)
{
	struct world world;

	(void)state;
	begin(&world, 5);
	set_point(&world, 1, 1, 1);
	set_goal(&world, 1, LIMIT, 120);	/* by a fifth */
	set_point(&world, 2, 200, 200);
	set_goal(&world, 2, LIMIT, 110);	/* by a tenth */
	set_point(&world, 3, 2, 2);
	set_goal(&world, 3, KEPT, 105 * 1.15);	/* by .15 of the most */
	set_point(&world, 4, 300, 300);
	set_goal(&world, 4, KEPT, 105);		/* by nothing */
	assert_int_equal(lxfw_rank_all(&world.search), 0);
	assert_true(world.settings[0].violation == 0);
	assert_true(fabs(world.settings[1].violation - 0.2) < 1e-12);
	assert_true(fabs(world.settings[2].violation - 0.1) < 1e-12);
	assert_true(fabs(world.settings[3].violation - 0.15) < 1e-12);
	assert_true(world.settings[4].violation == 0);
	assert_int_equal(world.settings[0].rank, 0);
	assert_int_equal(world.settings[1].rank, 4);
	assert_int_equal(world.settings[2].rank, 2);
	assert_int_equal(world.settings[3].rank, 3);
	assert_int_equal(world.settings[4].rank, 1);
	/* by as much: neither beats the other; all from the start */
	set_goal(&world, 2, LIMIT, 120);
	world.search.ranked = 0;
	assert_int_equal(lxfw_rank_all(&world.search), 0);
	assert_int_equal(world.settings[0].rank, 0);
	assert_int_equal(world.settings[1].rank, 3);
	assert_int_equal(world.settings[2].rank, 3);
	/* a limit below 1 is not what an excess is measured by */
	world.goals.limits[0].most = 0;
	world.search.ranked = 0;
	set_goal(&world, 0, LIMIT, 0.5);
	assert_int_equal(lxfw_rank_all(&world.search), 0);
	assert_true(fabs(world.settings[0].violation - 0.5) < 1e-12);
	/* both count */
	world.goals.limits[0].most = 100;
	world.search.ranked = 0;
	set_goal(&world, 3, LIMIT, 150);
	assert_int_equal(lxfw_rank_all(&world.search), 0);
	assert_true(fabs(world.settings[3].violation - 0.65) < 1e-12);
}

static void test_front(void **state)
{
	static const double points[8][2] = {
		{ 40, 40 }, { 0, 100 }, { 20, 60 }, { 100, 0 }, { 40, 70 }, { 20, 60 },
		{ 1, 1 }, { 2, 2 },
	};
	size_t front[8];
	struct world world;

	(void)state;
	begin(&world, 8);
	for (size_t i = 0; i < 8; i++)
		set_point(&world, i, points[i][0], points[i][1]);
	world.settings[6].known = false;
	set_goal(&world, 7, LIMIT, 101);
	assert_int_equal(lxfw_search_front(&world.search, front), 4);
	assert_int_equal(front[0], 1);
	assert_int_equal(front[1], 2);		/* not 5, which is the same */
	assert_int_equal(front[2], 0);
	assert_int_equal(front[3], 3);
	/* the one with the least room goes first; the extremes stay */
	assert_int_equal(lxfw_search_spread(&world.search, front, 4, 3), 3);
	assert_int_equal(front[0], 1);
	assert_int_equal(front[1], 0);
	assert_int_equal(front[2], 3);
	assert_int_equal(lxfw_search_spread(&world.search, front, 3, 8), 3);
	/* what was given up is on no front */
	set_goal(&world, 1, MEAN, INFINITY);
	assert_int_equal(lxfw_search_front(&world.search, front), 3);
	assert_int_equal(front[0], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_weights),
		cmocka_unit_test(test_sure),
		cmocka_unit_test(test_after),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_better_in_one),
		cmocka_unit_test(test_score),
		cmocka_unit_test(test_no_better),
		cmocka_unit_test(test_level),
		cmocka_unit_test(test_folds),
		cmocka_unit_test(test_empty_blocks),
		cmocka_unit_test(test_some),
		cmocka_unit_test(test_rank),
		cmocka_unit_test(test_rank_view),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_dominates),
		cmocka_unit_test(test_violation),
		cmocka_unit_test(test_front),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
