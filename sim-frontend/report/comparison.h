/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A measured run beside its simulation: figures of all jobs and of groups of them, the
 * use of the machine over time, what jobs waited for; as text, JSON, CSV or a page.
 */
#ifndef LXFW_REPORT_COMPARISON_H
#define LXFW_REPORT_COMPARISON_H

#include <stdio.h>

#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/metrics/groups.h"
#include "sim-frontend/metrics/unexplained.h"
#include "sim-frontend/metrics/verdict.h"
#include "sim-frontend/report/inference.h"
#include "sim-frontend/report/report.h"
#include "sim-frontend/util/output.h"

#define LXFW_LARGEST 5

enum lxfw_side {
	LXFW_MEASURED,
	LXFW_SIMULATED,
	LXFW_SIDES,
};

struct lxfw_waits {
	double mean;
	int64_t median, p95, max;
};

/* Of a group of jobs, in both. */
struct lxfw_comparison_row {
	const char *name;	/* for people */
	const char *key;	/* for programs */
	int64_t begin;		/* of a week */
	struct lxfw_metrics side[LXFW_SIDES];
	double proc_seconds;
};

enum lxfw_comparison_by {
	LXFW_BY_RUN,		/* the bins of metrics/groups.h */
	LXFW_BY_SIZE,		/* the size classes there */
	LXFW_BY_QUEUE,		/* most processor time first; likewise: */
	LXFW_BY_OWNER,		/* groups of users, or users where there are none */
	LXFW_BY_WEEK,		/* of submission, from the first one */
	LXFW_BY_SPAN,		/* so many weeks that they are 13 at most */
	LXFW_BYS,
};

/* Groups without jobs are left out. One that all jobs are in makes no breakdown:
   COUNT is 0. */
struct lxfw_comparison_rows {
	const char *title, *key;	/* "queue", "by_queue" */
	struct lxfw_comparison_row *rows;
	size_t count;
	char *names;			/* of weeks */
};

/* How many of the jobs wait no longer. */
struct lxfw_comparison_share {
	double wait;			/* s */
	double side[LXFW_SIDES];	/* 0 to 1 */
};

#define LXFW_CDF_POINTS 101

/* The use of the machine, or what waits, in a span of time. */
struct lxfw_comparison_usage {
	int64_t begin;
	double side[LXFW_SIDES];	/* of the processors, 0 to 1 and over */
};

struct lxfw_comparison_report {
	const struct lxfw_recorded *recorded;
	const char *log;		/* its name, for people; given */
	const char *policy;
	const char *assumed;		/* where policy and machine are from; given */
	struct lxfw_overhead overhead;
	struct lxfw_verdict verdict;	/* on this simulation, or given: on the one
					   that is to be judged by */
	bool verdict_of_recorded;	/* given: on the simulation with the
					   recorded parameters */
	size_t jobs;			/* that started in both */
	size_t not_compared;		/* that did not; of these: */
	size_t cancelled;		/* they left before they started */
	struct lxfw_waits measured, simulated;
	double mean_difference;		/* simulated less measured mean, per cent of the
					   measured one; infinite where that is 0 */
	/* per job: simulated minus measured wait */
	double mean_absolute;
	size_t equal;
	const struct lxfw_recorded_job *largest[LXFW_LARGEST];
	int largest_count;

	/* The rest is of the jobs whose end is known too. */
	struct lxfw_metrics side[LXFW_SIDES];
	struct lxfw_comparison_rows by[LXFW_BYS];
	struct lxfw_comparison_share cdf[LXFW_CDF_POINTS];
	int64_t begin, last_submit, end;	/* end: the last measured one */
	double utilization[LXFW_SIDES];	/* from the first submission to the last */
	struct lxfw_comparison_usage *usage;
	size_t usage_count;
	int64_t usage_width;		/* s */
	struct lxfw_timeline timelines[LXFW_SIDES];
	struct lxfw_unexplained unexplained[LXFW_SIDES];
	const struct lxfw_inference *inference;	/* given; NULL: nothing was asked */
};

/* From a run that was simulated. 0, or -1 with errno ENOMEM and nothing to be
   cleared. The report points into RECORDED. */
int lxfw_comparison_measure(const struct lxfw_recorded *recorded,
			    const struct lxfw_overhead *overhead,
			    struct lxfw_comparison_report *report);

void lxfw_comparison_clear(struct lxfw_comparison_report *report);

/* The verdict on the simulation, from the rest of the report. 0, or -1 with errno
   ENOMEM. */
int lxfw_comparison_judge(const struct lxfw_comparison_report *report,
			  struct lxfw_verdict *verdict);

/* 0, or -1 with errno ENOMEM. */
int lxfw_comparison_print(const struct lxfw_comparison_report *report,
			  enum lxfw_format format, FILE *out);
int lxfw_comparison_print_json(const struct lxfw_comparison_report *report,
			       FILE *out);

/* job_id,submit,measured_start,simulated_start,measured_wait,simulated_wait,
   difference */
void lxfw_comparison_jobs(const struct lxfw_recorded *recorded,
			  struct lxfw_output *output);

/* Of the measured waits, what no policy accounts for, the parts from
   LXFW_WAIT_PASSED on: 0 to 1. */
double lxfw_comparison_unexplained(const struct lxfw_comparison_report *report);

/* The mean wait per job that part accounts for, s. */
double lxfw_comparison_part(const struct lxfw_comparison_report *report,
			    enum lxfw_side side, enum lxfw_wait_part part);

#endif
