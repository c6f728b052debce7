/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small log that is tuned: its search has been made, its settings have their values. */
#ifndef LXFW_TESTS_TUNE_WORLD_H
#define LXFW_TESTS_TUNE_WORLD_H

#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#include "sim-frontend/trace/shake.h"
#include "sim-frontend/tune/choose.h"
#include "sim-frontend/tune/confirm.h"
#include "sim-frontend/tune/finals.h"

#define DAY 86400
#define DAYS 13		/* the first one only fills the queue */
#define EACH 24		/* jobs a day */
#define JOBS (DAYS * EACH)
#define FOLDS 3
#define PROCS 16
#define SETTINGS 13
#define COPIES_MOST 3

/* What the site has, nine that may be better, three that are the same as it. */
static char lines[SETTINGS][48] = {
	"lxfw_policy=fcfs", "lxfw_policy=sjf", "lxfw_policy=easy",
	"lxfw_policy=lxfw,lxfw_ww=0.01", "lxfw_policy=lxfw,lxfw_ww=0.1",
	"lxfw_policy=lxfw,lxfw_ww=1", "lxfw_policy=lxfw,lxfw_ww=10",
	"lxfw_policy=priority", "lxfw_policy=easy,lxfw_reservations=2",
	"lxfw_policy=easy,lxfw_reservations=4", "lxfw_policy=fcfs",
	"lxfw_policy=fcfs", "lxfw_policy=fcfs",
};

struct world {
	struct lxfw_trace_job jobs[JOBS];
	struct lxfw_trace trace;
	struct lxfw_cluster cluster;
	struct lxfw_simulation_options options;
	struct lxfw_goals goals;
	struct lxfw_trials trials;
	struct lxfw_search search;
	struct lxfw_setting settings[SETTINGS];
	double *values;
	struct lxfw_confirmation confirmation;
};

/* Jobs of LONGEST s at most; COPIES of them. */
static inline void begin(struct world *world, const char *objectives, const char *limit,
		  int64_t longest, size_t copies)
{
	uint64_t seed = 7;
	struct lxfw_error error;
	size_t numbers;

	memset(world, 0, sizeof(*world));
	for (int i = 0; i < JOBS; i++) {
		int64_t run = unit_between(&seed, 10, longest);

		world->jobs[i] = (struct lxfw_trace_job) {
			.number = i + 1, .run = run, .limit = 2 * run, .wait = -1,
			.submit = i / EACH * DAY + i % EACH * 300 +
				  unit_between(&seed, 0, 299),
			.procs = (int32_t)unit_between(&seed, 1, 4),
		};
		world->jobs[i].procs *= world->jobs[i].procs;
	}
	world->jobs[0].submit = 0;
	world->jobs[JOBS - 1].submit = DAYS * DAY - 1;	/* the last day is a whole one */
	world->trace = (struct lxfw_trace) { .jobs = world->jobs, .count = JOBS };
	assert_int_equal(lxfw_cluster_procs(&world->cluster, PROCS, &error), 0);
	assert_int_equal(lxfw_goals_minimize(&world->goals, objectives, NULL), 0);
	if (limit)
		assert_int_equal(lxfw_goals_limit(&world->goals, limit, NULL), 0);
	assert_int_equal(lxfw_goals_keep(&world->goals, "max_wait", NULL), 0);
	world->options.factor = 1;
	world->trials = (struct lxfw_trials) {
		.trace = &world->trace, .cluster = &world->cluster,
		.options = &world->options, .goals = &world->goals,
	};
	assert_int_equal(lxfw_tune_weeks_of(&world->trials.weeks, &world->trace, DAY,
					    DAY, FOLDS, &error), 0);
	assert_int_equal(world->trials.weeks.count, DAYS - 1);
	assert_int_equal(lxfw_trials_begin(&world->trials), 0);
	numbers = lxfw_trials_numbers(&world->trials);
	world->values = calloc(SETTINGS * numbers, sizeof(*world->values));
	world->search = (struct lxfw_search) {
		.goals = &world->goals, .settings = world->settings,
		.count = SETTINGS, .size = SETTINGS, .numbers = numbers,
		.margin = 0.05, .folds = FOLDS,
	};
	for (size_t i = 0; i < SETTINGS; i++) {
		world->settings[i] = (struct lxfw_setting) {
			.line = lines[i], .known = true, .fold = -1,
			.values = world->values + i * numbers,
		};
		if (lxfw_trial_values(&world->trials, lines[i],
				      world->settings[i].values, &error))
			fail_msg("%s", error.text);
	}
	world->confirmation = (struct lxfw_confirmation) {
		.trials = &world->trials, .search = &world->search, .threads = 2,
		.seed = 5, .copies = copies,
	};
}

static inline void end(struct world *world)
{
	lxfw_confirmation_clear(&world->confirmation);
	lxfw_trials_clear(&world->trials);
	lxfw_cluster_clear(&world->cluster);
	free(world->values);
}

/* Copy NUMBER of the log, as the last round has it. */
static inline void make_copy(const struct world *world, int64_t arrivals, size_t number,
		      struct lxfw_trace *copy)
{
	const struct lxfw_shake shake = { .seed = 5, .arrivals = arrivals, .runs = 0.1 };

	assert_int_equal(lxfw_shake_copy(&shake, &world->trace, number, copy), 0);
}

static inline void assert_near(double is, double should)
{
	if (!(fabs(is - should) <= 1e-9 * fmax(1, fabs(should))))
		fail_msg("%.17g, expected %.17g", is, should);
}

static inline struct lxfw_finals finals_of(const struct world *world, size_t wanted)
{
	return (struct lxfw_finals) {
		.trials = &world->trials, .search = &world->search, .threads = 2,
		.seed = 5, .wanted = wanted,
	};
}

#endif
