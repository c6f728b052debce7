/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a page tells of simulated schedules of one log: figures of groups of the jobs that
 * count, how full the machine was, and who gains and loses beside the first schedule.
 */
#ifndef LXFW_REPORT_SIMULATION_SCHEDULES_H
#define LXFW_REPORT_SIMULATION_SCHEDULES_H

#include "sim-frontend/experiment/contest.h"
#include "sim-frontend/metrics/groups.h"
#include "sim-frontend/metrics/timeline.h"
#include "sim-frontend/util/calendar.h"
#include "sim-frontend/util/output.h"

/* Charts of more would not be told apart: so many of the first ones are drawn. */
#define LXFW_SCHEDULES_SHOWN 8

enum lxfw_schedules_by {
	LXFW_SCHEDULES_RUN,
	LXFW_SCHEDULES_SIZE,
	LXFW_SCHEDULES_WEEK,	/* of submission, from the first one */
	LXFW_SCHEDULES_BYS,
};

struct lxfw_schedules {
	const struct lxfw_contest *contest;
	struct lxfw_calendar calendar;
	int count;			/* that are shown */
	const char *names[LXFW_SCHEDULES_SHOWN];
	int64_t begin, end;		/* of all, s */
	int64_t from, until;		/* submissions between count */
	struct lxfw_timeline timelines[LXFW_SCHEDULES_SHOWN];
	size_t groups[LXFW_SCHEDULES_BYS];	/* how many */
	/* [schedule * groups + group]; without jobs: there are none of it */
	struct lxfw_metrics *metrics[LXFW_SCHEDULES_BYS];
};

/* 0, or -1 with errno ENOMEM; lxfw_schedules_clear() in either case. */
int lxfw_schedules_make(struct lxfw_schedules *schedules,
			const struct lxfw_contest *contest);
void lxfw_schedules_clear(struct lxfw_schedules *schedules);

/* Whether the job at POSITION counts, and ended in all that are shown. */
bool lxfw_schedules_count(const struct lxfw_schedules *schedules, size_t position);

/* How long it waited, s. */
double lxfw_schedules_wait(const struct lxfw_schedules *schedules, int schedule,
			   size_t position);

/* Charts. 0, or -1 with errno ENOMEM. */
int lxfw_schedules_figures(const struct lxfw_schedules *schedules,
			   struct lxfw_output *output);
/* Who gains and who loses. Likewise. */
int lxfw_schedules_who(const struct lxfw_schedules *schedules,
		       struct lxfw_output *output);

#endif
