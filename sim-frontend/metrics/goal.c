/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/goal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/metrics/groups.h"
#include "sim-frontend/util/text.h"

#define HOUR 3600
#define WIDE_PART 8		/* wide: more than 1/8 of the machine */

#define FIRST_RUN_BIN LXFW_TUNE_NAMED
#define FIRST_SIZE (FIRST_RUN_BIN + LXFW_RUN_BINS)
#define CLASSES (FIRST_SIZE + LXFW_SIZE_CLASSES)

static const char *const named[LXFW_TUNE_NAMED] = {
	"all", "short", "long", "narrow", "wide", "big-memory",
};

const char *lxfw_tune_class_name(int class)
{
	if (class < FIRST_RUN_BIN)
		return named[class];
	if (class < FIRST_SIZE)
		return lxfw_run_bin_key(class - FIRST_RUN_BIN);
	return lxfw_size_class_name(class - FIRST_SIZE);
}

double lxfw_tune_mean_memory(const struct lxfw_cluster *cluster)
{
	double memory = 0;

	if (!cluster->memory_bound)
		return 0;
	for (int32_t i = 0; i < cluster->count; i++)
		memory += (double)cluster->hosts[i].total.memory_mb;
	return memory / (double)cluster->procs;
}

bool lxfw_tune_class_has(int class, int64_t procs, double mean_memory,
			 const struct lxfw_trace_job *job, int64_t run)
{
	switch (class) {
	case LXFW_TUNE_ALL:
		return true;
	case LXFW_TUNE_SHORT:
		return run <= HOUR;
	case LXFW_TUNE_LONG:
		return run > 4 * HOUR;
	case LXFW_TUNE_NARROW:
		return (int64_t)job->procs * WIDE_PART <= procs;
	case LXFW_TUNE_WIDE:
		return (int64_t)job->procs * WIDE_PART > procs;
	case LXFW_TUNE_BIG_MEMORY:
		return mean_memory > 0 &&
		       (double)lxfw_job_memory_mb(job) >
		       mean_memory * (double)job->procs;
	}
	if (class < FIRST_SIZE)
		return lxfw_run_bin(run) == class - FIRST_RUN_BIN;
	return lxfw_size_class(job->procs) == class - FIRST_SIZE;
}

/* --- parsing ---------------------------------------------------------------------- */

static bool same(const char *text, size_t length, const char *name)
{
	return strlen(name) == length && memcmp(text, name, length) == 0;
}

/* Lists the measures that can be goals: "mean_wait, median_wait". */
static void list_measures(char *names, size_t size)
{
	size_t used = 0;

	for (int i = 0; i < LXFW_TUNE_MEASURES && used < size; i++) {
		enum lxfw_tune_measure measure = (enum lxfw_tune_measure)i;

		if (lxfw_metric_of_jobs(measure))
			used += (size_t)snprintf(names + used, size - used, "%s%s",
				used ? ", " : "", lxfw_tune_measure_name(measure));
	}
}

static int read_measure(const char *text, size_t length,
			struct lxfw_goal *goal, struct lxfw_error *error)
{
	char quoted[40], names[512];

	for (int i = 0; i < LXFW_TUNE_MEASURES; i++) {
		enum lxfw_tune_measure measure = (enum lxfw_tune_measure)i;

		if (lxfw_metric_of_jobs(measure) &&
		    same(text, length, lxfw_tune_measure_name(measure))) {
			goal->measure = measure;
			return 0;
		}
	}
	list_measures(names, sizeof(names));
	return lxfw_error_format(error, "no measure '%s', expected one of %s",
				 lxfw_text_quote(quoted, sizeof(quoted), text,
						 length), names);
}

static int read_class(const char *text, size_t length, struct lxfw_goal *goal,
		      struct lxfw_error *error)
{
	char quoted[40];

	for (int i = 0; i < CLASSES; i++) {
		if (same(text, length, lxfw_tune_class_name(i))) {
			goal->class = i;
			return 0;
		}
	}
	return lxfw_error_format(error, "no class of jobs '%s', expected short, "
		"long, narrow, wide, big-memory, a bin of run times such as %s, "
		"or of processors such as %s", lxfw_text_quote(quoted,
		sizeof(quoted), text, length), lxfw_run_bin_key(1),
		lxfw_size_class_name(2));
}

/* Parses MEASURE or MEASURE:CLASS. */
static int read_goal(const char *text, size_t length, struct lxfw_goal *goal,
		     struct lxfw_error *error)
{
	const char *colon = memchr(text, ':', length);
	size_t measure = colon ? (size_t)(colon - text) : length;

	*goal = (struct lxfw_goal) { .most = INFINITY };
	if (read_measure(text, measure, goal, error))
		return -1;
	if (colon && read_class(colon + 1, length - measure - 1, goal, error))
		return -1;
	memcpy(goal->name, text, length);	/* known words fit */
	return 0;
}

static int too_many(struct lxfw_error *error)
{
	return lxfw_error_format(error, "more than %d of them", LXFW_GOALS_MAX);
}

/* Returns whether one of COUNT goals has this name. */
static bool is_among(const struct lxfw_goal *goals, int count, const char *name)
{
	for (int i = 0; i < count; i++) {
		if (strcmp(goals[i].name, name) == 0)
			return true;
	}
	return false;
}

static int add_objective(struct lxfw_goals *goals, const char *text,
			 size_t length, struct lxfw_error *error)
{
	struct lxfw_goal goal;

	if (read_goal(text, length, &goal, error))
		return -1;
	if (is_among(goals->objectives, goals->objective_count, goal.name))
		return lxfw_error_format(error, "%s twice", goal.name);
	if (goals->objective_count == LXFW_GOALS_MAX)
		return too_many(error);
	goals->objectives[goals->objective_count++] = goal;
	return 0;
}

static int add_kept(struct lxfw_goals *goals, const char *text, size_t length,
		    struct lxfw_error *error)
{
	struct lxfw_goal goal;

	if (read_goal(text, length, &goal, error))
		return -1;
	if (is_among(goals->kept, goals->kept_count, goal.name))
		return lxfw_error_format(error, "%s twice", goal.name);
	if (is_among(goals->objectives, goals->objective_count, goal.name) ||
	    is_among(goals->limits, goals->limit_count, goal.name))
		return 0;
	if (goals->kept_count == LXFW_GOALS_MAX)
		return too_many(error);
	goals->kept[goals->kept_count++] = goal;
	return 0;
}

/* Parses "72h" for a time, a number otherwise. */
static int read_most(const char *text, size_t length, struct lxfw_goal *goal,
		     struct lxfw_error *error)
{
	bool time = lxfw_tune_is_time(goal->measure);
	char quoted[40], copy[40], *end;
	int64_t seconds;

	lxfw_text_quote(quoted, sizeof(quoted), text, length);
	if (time && lxfw_text_span(text, length, &seconds) == 0) {
		goal->most = (double)seconds;
	} else if (!time && length > 0 && length < sizeof(copy)) {
		memcpy(copy, text, length);
		copy[length] = '\0';
		goal->most = strtod(copy, &end);
		if (*end || !isfinite(goal->most) || *copy == ' ')
			goal->most = INFINITY;
	}
	if (!isfinite(goal->most))
		return lxfw_error_format(error, "%s<=%s, expected %s", goal->name,
			quoted, time ? "a number of seconds, or a number with "
			"the suffix s, m, h or d" : "a number");
	if (goal->most < lxfw_metric(goal->measure)->least)
		return lxfw_error_format(error, "%s<=%s is impossible: the "
			"value is never below %g", goal->name, quoted,
			lxfw_metric(goal->measure)->least);
	return 0;
}

static int add_limit(struct lxfw_goals *goals, const char *text, size_t length,
		     struct lxfw_error *error)
{
	size_t name = 0;
	char quoted[60];
	struct lxfw_goal goal;

	while (name < length && !strchr("<>=", text[name]))
		name++;
	if (length - name < 2 || memcmp(text + name, "<=", 2) != 0)
		return lxfw_error_format(error, "'%s', expected "
			"MEASURE<=VALUE such as max_wait<=72h",
			lxfw_text_quote(quoted, sizeof(quoted), text, length));
	if (read_goal(text, name, &goal, error) ||
	    read_most(text + name + 2, length - name - 2, &goal, error))
		return -1;
	if (goals->limit_count == LXFW_GOALS_MAX)
		return too_many(error);
	goals->limits[goals->limit_count++] = goal;
	return 0;
}

static int add_all(struct lxfw_goals *goals, const char *text,
		   int (*add)(struct lxfw_goals *goals, const char *text,
			      size_t length, struct lxfw_error *error),
		   struct lxfw_error *error)
{
	for (;;) {
		size_t length = strcspn(text, ",");

		if (add(goals, text, length, error))
			return -1;
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

int lxfw_goals_minimize(struct lxfw_goals *goals, const char *text,
			struct lxfw_error *error)
{
	return add_all(goals, text, add_objective, error);
}

int lxfw_goals_limit(struct lxfw_goals *goals, const char *text,
		     struct lxfw_error *error)
{
	return add_all(goals, text, add_limit, error);
}

int lxfw_goals_keep(struct lxfw_goals *goals, const char *text,
		    struct lxfw_error *error)
{
	return add_all(goals, text, add_kept, error);
}
