/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an admin wants of a schedule: measures that are to be small, and measures that
 * must not be above a limit; of all jobs or of a class of them. "p95_wait",
 * "mean_slowdown:short", "max_wait:wide<=72h".
 */
#ifndef LXFW_METRICS_GOAL_H
#define LXFW_METRICS_GOAL_H

#include <stdbool.h>

#include "common/util/error.h"
#include "sim-frontend/metrics/table.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/trace.h"

/* Objectives, limits and what is to be kept, each; and all of them. */
#define LXFW_GOALS_MAX 8
#define LXFW_GOALS_ALL (3 * LXFW_GOALS_MAX)

/* Classes that have a name of their own; the run time bins and the size classes of
   metrics/groups.h come after them. */
enum {
	LXFW_TUNE_ALL,
	LXFW_TUNE_SHORT,	/* run time up to an hour */
	LXFW_TUNE_LONG,		/* above four */
	LXFW_TUNE_NARROW,	/* up to an eighth of the machine's processors */
	LXFW_TUNE_WIDE,		/* more */
	LXFW_TUNE_BIG_MEMORY,	/* asks for more than its processors' share */
	LXFW_TUNE_NAMED,
};

struct lxfw_goal {
	enum lxfw_tune_measure measure;
	int class;
	double most;		/* of a limit */
	char name[48];		/* as the admin wrote it, without the limit */
};

struct lxfw_goals {
	struct lxfw_goal objectives[LXFW_GOALS_MAX], limits[LXFW_GOALS_MAX];
	struct lxfw_goal kept[LXFW_GOALS_MAX];	/* no worse than now */
	int objective_count, limit_count, kept_count;
};

/* Add what a text says, goals with a comma between two. 0, or -1 with errno EINVAL
   and ERROR set. */
int lxfw_goals_minimize(struct lxfw_goals *goals, const char *text,
			struct lxfw_error *error);
int lxfw_goals_limit(struct lxfw_goals *goals, const char *text,
		     struct lxfw_error *error);
/* What an objective or a limit says already is not added. */
int lxfw_goals_keep(struct lxfw_goals *goals, const char *text,
		    struct lxfw_error *error);

/* All goals in a row: the objectives, then the limits, then what is to be kept. */
static inline int lxfw_goals_count(const struct lxfw_goals *goals)
{
	return goals->objective_count + goals->limit_count + goals->kept_count;
}

/* Whether a change of goal I of them is judged: it has no limit of its own. */
static inline bool lxfw_goals_judged(const struct lxfw_goals *goals, int i)
{
	return i < goals->objective_count ||
	       i >= goals->objective_count + goals->limit_count;
}

static inline const struct lxfw_goal *lxfw_goals_at(const struct lxfw_goals *goals,
						    int i)
{
	int limit = i - goals->objective_count;

	return limit < 0 ? &goals->objectives[i] :
	       limit < goals->limit_count ? &goals->limits[limit] :
	       &goals->kept[limit - goals->limit_count];
}

const char *lxfw_tune_class_name(int class);

/* The machine's memory per processor, MB; 0 where it is not counted. */
double lxfw_tune_mean_memory(const struct lxfw_cluster *cluster);

/* Whether a job is of the class, on a machine of so many processors and that mean
   memory. */
bool lxfw_tune_class_has(int class, int64_t procs, double mean_memory,
			 const struct lxfw_trace_job *job, int64_t run);

#endif
