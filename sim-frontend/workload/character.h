/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The character of a workload: what its jobs ask for and use, by class and by month,
 * and when they come. Chiang and Vernon 2001 describe theirs so, in table 4, figures 1
 * and 2 and section 3.
 *
 * Demand is processors (or memory) times run time, for memory that requested.
 */
#ifndef LXFW_WORKLOAD_CHARACTER_H
#define LXFW_WORKLOAD_CHARACTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/calendar.h"

/* Powers of ten of a time, s: group i holds (10^(i-1), 10^i], the first all up to
   1 s; powers of two of processors likewise. */
#define LXFW_TIME_GROUPS 13
#define LXFW_SIZE_GROUPS 32

/* So many of so many. */
struct lxfw_fraction {
	size_t count, of;
};

struct lxfw_job_group {
	size_t jobs;
	double proc_seconds, mb_seconds;
	struct lxfw_fraction under_minute;		/* ran less than 60 s */
	struct lxfw_fraction low_memory;		/* used less than a tenth of the
						   memory requested */
};

/* Classes of jobs; those of no class count in the whole only. */
struct lxfw_class_scheme {
	size_t count;
	const char *const *names;
	int (*class_of)(const void *context, const struct lxfw_trace_job *job);
	const void *context;
};

struct lxfw_workload_month {
	int64_t month;			/* of the calendar */
	int64_t seconds;		/* of it within the trace */
	struct lxfw_job_group all;
	struct lxfw_job_group *classes;	/* NULL in a month without jobs */
};

struct lxfw_arrivals {
	size_t jobs[24];		/* by hour of the day */
	int64_t hours[24];		/* how often this hour came by */
};

struct lxfw_character_options {
	int64_t begin, end;	/* jobs submitted from .. before; both 0 = all */
	struct lxfw_class_scheme classes;	/* may be none */
};

struct lxfw_character {
	struct lxfw_calendar calendar;
	int64_t begin, end;	/* of the submissions looked at, s */
	struct lxfw_job_group all;
	struct lxfw_job_group *classes;
	size_t class_count, no_class;
	struct lxfw_workload_month *months;
	size_t month_count;

	struct lxfw_job_group requests[LXFW_TIME_GROUPS];
	struct lxfw_job_group sizes[LXFW_SIZE_GROUPS];
	struct lxfw_job_group runs[LXFW_TIME_GROUPS];
	/* [0] Monday to Friday, [1] weekends; all in [0] where days have no
	   names */
	struct lxfw_arrivals arrivals[2];

	bool has_requests;	/* some requested time is not the run time */
	size_t with_memory, with_used;
	struct lxfw_fraction over_hour, over_ten_hours;	/* requests over that,
							   run under a minute */
	struct lxfw_fraction tenth;	/* ran less than a tenth of the request */
	struct lxfw_fraction small;	/* under a minute: used less than 1 GB */
	struct lxfw_fraction serial, power_of_two;	/* the latter of the parallel */
	struct lxfw_fraction serial_large;	/* serial: request over 512 MB */

	double median_run, median_request, median_used_of_request;
	double median_memory_mb, median_serial_memory_mb;
	/* rank correlations */
	double run_and_procs;
	double memory_and_procs;	/* requested memory per processor */
	double used_and_run;		/* used memory per processor */
};

/* 0, or -1 with errno ENOMEM and *CHARACTER empty. */
int lxfw_character_of(struct lxfw_character *character,
		      const struct lxfw_trace *trace,
		      const struct lxfw_character_options *options);

void lxfw_character_clear(struct lxfw_character *character);

/* Per cent of nothing is 0. */
double lxfw_fraction_percent(const struct lxfw_fraction *share);

#endif
