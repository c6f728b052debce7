/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data of a page about simulated schedules of one log: statistics of groups of the
 * counted jobs, utilization, and gains and losses relative to the first schedule.
 */
#ifndef LXFW_REPORT_SIMULATION_SCHEDULES_H
#define LXFW_REPORT_SIMULATION_SCHEDULES_H

#include "sim-frontend/experiment/contest.h"
#include "sim-frontend/metrics/groups.h"
#include "sim-frontend/metrics/timeline.h"
#include "sim-frontend/util/calendar.h"
#include "sim-frontend/util/output.h"

/* Number of schedules drawn in charts, the first ones. More could not be
   distinguished. */
#define LXFW_SCHEDULES_SHOWN 8

enum lxfw_schedules_by {
	LXFW_SCHEDULES_RUN,
	LXFW_SCHEDULES_SIZE,
	LXFW_SCHEDULES_WEEK,	/* weeks of submission, from the first submission */
	LXFW_SCHEDULES_BYS,
};

struct lxfw_schedules {
	const struct lxfw_contest *contest;
	struct lxfw_calendar calendar;
	int count;			/* number of schedules shown */
	const char *names[LXFW_SCHEDULES_SHOWN];
	int64_t begin, end;		/* of all schedules, seconds */
	int64_t from, until;		/* jobs submitted in this period count */
	struct lxfw_timeline timelines[LXFW_SCHEDULES_SHOWN];
	size_t groups[LXFW_SCHEDULES_BYS];	/* number of groups */
	/* Indexed by [schedule * groups + group]. A group without jobs has 0 jobs. */
	struct lxfw_metrics *metrics[LXFW_SCHEDULES_BYS];
};

/* Returns 0, or -1 with errno ENOMEM. Call lxfw_schedules_clear() in either case. */
int lxfw_schedules_make(struct lxfw_schedules *schedules,
			const struct lxfw_contest *contest);
void lxfw_schedules_clear(struct lxfw_schedules *schedules);

/* Returns whether the job at POSITION counts and ended in all schedules shown. */
bool lxfw_schedules_count(const struct lxfw_schedules *schedules, size_t position);

/* Returns its wait in seconds. */
double lxfw_schedules_wait(const struct lxfw_schedules *schedules, int schedule,
			   size_t position);

/* Writes the charts. Returns 0, or -1 with errno ENOMEM. */
int lxfw_schedules_figures(const struct lxfw_schedules *schedules,
			   struct lxfw_output *output);
/* Writes gains and losses. Returns 0, or -1 with errno ENOMEM. */
int lxfw_schedules_who(const struct lxfw_schedules *schedules,
		       struct lxfw_output *output);

#endif
