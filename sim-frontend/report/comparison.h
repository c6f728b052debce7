/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares a measured run with its simulation: statistics of all jobs and of groups of
 * jobs, the utilization over time, and what jobs waited for. Output is text, JSON, CSV or
 * an HTML page.
 */
#ifndef LXFW_REPORT_COMPARISON_H
#define LXFW_REPORT_COMPARISON_H

#include <stdio.h>

#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/engine/recorded_shake.h"
#include "sim-frontend/metrics/groups.h"
#include "sim-frontend/metrics/unexplained.h"
#include "sim-frontend/metrics/verdict.h"
#include "sim-frontend/report/inference.h"
#include "sim-frontend/report/instead.h"
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

/* Simulated figures that have a range over perturbed copies: of all jobs, and of a group. */
enum lxfw_comparison_figure {
	LXFW_FIGURE_MEAN, LXFW_FIGURE_MEDIAN, LXFW_FIGURE_P95, LXFW_FIGURE_MAX,
	LXFW_FIGURE_BOUNDED,		/* mean bounded slowdown */
	LXFW_ROW_FIGURES,		/* those of a group are the ones above */
	LXFW_FIGURE_SLOWDOWN = LXFW_ROW_FIGURES, LXFW_FIGURE_UTILIZATION,
	LXFW_FIGURES,
};

/* Statistics of a group of jobs in both runs. */
struct lxfw_comparison_row {
	const char *name;	/* for display */
	const char *key;	/* for JSON */
	int64_t begin;		/* of a week */
	struct lxfw_metrics side[LXFW_SIDES];
	struct lxfw_shaken_range ranges[LXFW_ROW_FIGURES];
	double proc_seconds;
};

enum lxfw_comparison_by {
	LXFW_BY_RUN,		/* run time classes of metrics/groups.h */
	LXFW_BY_SIZE,		/* size classes of metrics/groups.h */
	LXFW_BY_QUEUE,		/* in descending order of processor time, as are owners */
	LXFW_BY_OWNER,		/* groups of users, or users if there are no groups */
	LXFW_BY_WEEK,		/* weeks of submission, from the first submission */
	LXFW_BY_SPAN,		/* periods of several weeks, at most 13 periods */
	LXFW_BYS,
};

/* Groups without jobs are omitted. If one group has all jobs, there is no breakdown:
   COUNT is 0. */
struct lxfw_comparison_rows {
	const char *title, *key;	/* "queue", "by_queue" */
	struct lxfw_comparison_row *rows;
	size_t count;
	char *names;			/* for groups of weeks */
};

/* Fraction of the jobs that wait at most WAIT. */
struct lxfw_comparison_share {
	double wait;			/* seconds */
	double side[LXFW_SIDES];	/* 0 to 1 */
};

#define LXFW_CDF_POINTS 101

/* Utilization, or number of waiting jobs, in a period. */
struct lxfw_comparison_usage {
	int64_t begin;
	double side[LXFW_SIDES];	/* fraction of the processors; 1 may be
					   exceeded */
};

struct lxfw_comparison_report {
	const struct lxfw_recorded *recorded;
	const char *log;		/* name for display; set by the caller */
	const char *policy;
	const char *assumed;		/* origin of policy and machine; set by the
					   caller */
	struct lxfw_overhead overhead;
	int64_t bound;			/* of the bounded slowdown, seconds */
	struct lxfw_verdict verdict;	/* verdict on this simulation, or, set by the
					   caller, on the one that is to be judged */
	bool verdict_of_recorded;	/* set by the caller: the verdict is on the
					   simulation with the recorded parameters */
	size_t jobs;			/* jobs that are compared: see
					   lxfw_recorded_in_both() */
	size_t not_compared;		/* the others */
	size_t cancelled;		/* those of them that ended before they started */
	size_t no_end;			/* those of them that started, without an end in
					   the log */
	struct lxfw_waits measured, simulated;
	/* Of the simulated figures, over the log and its perturbed copies: comparison_copies.h.
	   Parts are mean waits in seconds. */
	struct lxfw_shaken_range ranges[LXFW_FIGURES], part_ranges[LXFW_WAIT_PARTS];
	double mean_difference;		/* simulated minus measured mean, per cent of
					   the measured mean; infinite if that is 0 */
	/* Per job: simulated minus measured wait. */
	double mean_absolute;
	size_t equal;
	const struct lxfw_recorded_job *largest[LXFW_LARGEST];
	int largest_count;

	struct lxfw_metrics side[LXFW_SIDES];
	struct lxfw_comparison_rows by[LXFW_BYS];
	struct lxfw_comparison_share cdf[LXFW_CDF_POINTS];
	int64_t begin, last_submit, end;	/* end: last measured end */
	double utilization[LXFW_SIDES];	/* from the first to the last submission */
	struct lxfw_comparison_usage *usage;
	size_t usage_count;
	int64_t usage_width;		/* seconds */
	struct lxfw_timeline timelines[LXFW_SIDES];
	struct lxfw_unexplained unexplained[LXFW_SIDES];
	const struct lxfw_inference *inference;	/* set by the caller; NULL: inference
						   was not requested */
	const struct lxfw_instead *instead;	/* set by the caller; NULL: no other
						   parameters were given */
};

/* Makes the report of a completed simulation. BOUND is that of the bounded slowdown in
   seconds; 0: the default, 10. Returns 0, or -1 with errno ENOMEM and nothing to release.
   The report refers to RECORDED, which must outlive it. */
int lxfw_comparison_measure(const struct lxfw_recorded *recorded,
			    const struct lxfw_overhead *overhead, int64_t bound,
			    struct lxfw_comparison_report *report);

/* The statistics of jobs only, and what jobs waited for in the simulation only; as above. */
int lxfw_comparison_measure_jobs(const struct lxfw_recorded *recorded, int64_t bound,
				 struct lxfw_comparison_report *report);
int lxfw_comparison_measure_parts(const struct lxfw_recorded *recorded,
				  const struct lxfw_overhead *overhead,
				  struct lxfw_comparison_report *report);

void lxfw_comparison_clear(struct lxfw_comparison_report *report);

/* Judges the simulation, using the rest of the report. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_comparison_judge(const struct lxfw_comparison_report *report,
			  struct lxfw_verdict *verdict);

/* Returns 0, or -1 with errno ENOMEM. */
int lxfw_comparison_print(const struct lxfw_comparison_report *report,
			  enum lxfw_format format, FILE *out);
int lxfw_comparison_print_json(const struct lxfw_comparison_report *report,
			       FILE *out);

/* Writes a CSV file with the columns job_id,submit,measured_start,simulated_start,
   measured_wait,simulated_wait,difference, and instead_start,instead_wait if the report
   has other parameters. */
void lxfw_comparison_jobs(const struct lxfw_comparison_report *report,
			  struct lxfw_output *output);

/* Returns the simulated value of a figure of all jobs, and that of a group. */
double lxfw_comparison_figure(const struct lxfw_comparison_report *report,
			      enum lxfw_comparison_figure figure);
double lxfw_comparison_row_figure(const struct lxfw_comparison_row *row,
				  enum lxfw_comparison_figure figure);

/* Returns "mean_wait_s" and others. */
const char *lxfw_comparison_figure_key(enum lxfw_comparison_figure figure);

/* Returns the fraction of the measured waits that the policy does not explain: the
   parts from LXFW_WAIT_PASSED on, 0 to 1. */
double lxfw_comparison_unexplained(const struct lxfw_comparison_report *report);

/* Returns whether PART has a row: the parts of memory, extras, hosts and reservations have
   one only if jobs waited for them. */
bool lxfw_comparison_shows(const struct lxfw_comparison_report *report,
			   enum lxfw_wait_part part);

/* Returns the mean wait per job that is attributed to PART, in seconds. */
double lxfw_comparison_part(const struct lxfw_comparison_report *report,
			    enum lxfw_side side, enum lxfw_wait_part part);

#endif
