/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Goals for a schedule: measures to be minimized, and limits of measures; for all jobs or
 * a class of jobs. Examples: "p95_wait", "mean_slowdown:short", "max_wait:wide<=72h".
 */
#ifndef LXFW_METRICS_GOAL_H
#define LXFW_METRICS_GOAL_H

#include <stdbool.h>

#include "common/util/error.h"
#include "sim-frontend/metrics/table.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/trace.h"

/* Maximum number of objectives, of limits and of constraints each, and of all goals. */
#define LXFW_GOALS_MAX 8
#define LXFW_GOALS_ALL (3 * LXFW_GOALS_MAX)

/* Named classes. The run time and size classes of metrics/groups.h follow them. */
enum {
	LXFW_TUNE_ALL,
	LXFW_TUNE_SHORT,	/* run time up to one hour */
	LXFW_TUNE_LONG,		/* run time above four hours */
	LXFW_TUNE_NARROW,	/* up to an eighth of the machine's processors */
	LXFW_TUNE_WIDE,		/* more than an eighth */
	LXFW_TUNE_BIG_MEMORY,	/* requests more memory than the share of its
				   processors */
	LXFW_TUNE_NAMED,
};

struct lxfw_goal {
	enum lxfw_tune_measure measure;
	int class;
	double most;		/* of a limit */
	char name[48];		/* as given by the user, without the limit */
};

struct lxfw_goals {
	struct lxfw_goal objectives[LXFW_GOALS_MAX], limits[LXFW_GOALS_MAX];
	struct lxfw_goal kept[LXFW_GOALS_MAX];	/* constraints: no worse than now */
	int objective_count, limit_count, kept_count;
};

/* Adds the goals in TEXT, separated by commas. Returns 0, or -1 with errno EINVAL and
   ERROR set. */
int lxfw_goals_minimize(struct lxfw_goals *goals, const char *text,
			struct lxfw_error *error);
int lxfw_goals_limit(struct lxfw_goals *goals, const char *text,
		     struct lxfw_error *error);
/* Goals that are already an objective or a limit are not added. */
int lxfw_goals_keep(struct lxfw_goals *goals, const char *text,
		    struct lxfw_error *error);

/* Returns the number of all goals: the objectives, then the limits, then the
   constraints. */
static inline int lxfw_goals_count(const struct lxfw_goals *goals)
{
	return goals->objective_count + goals->limit_count + goals->kept_count;
}

/* Returns whether changes of goal I are judged: the goal has no limit. */
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

/* Returns the machine's memory per processor in MB; 0 if memory is not simulated. */
double lxfw_tune_mean_memory(const struct lxfw_cluster *cluster);

/* Returns whether a job is in the class, on a machine of PROCS processors with this
   mean memory. */
bool lxfw_tune_class_has(int class, int64_t procs, double mean_memory,
			 const struct lxfw_trace_job *job, int64_t run);

#endif
