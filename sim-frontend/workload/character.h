/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The characteristics of a workload: what its jobs request and use, by class and by
 * month, and when they arrive, as in Chiang and Vernon 2001, table 4, figures 1 and 2 and
 * section 3.
 *
 * Demand is processors (or requested memory) times run time.
 */
#ifndef LXFW_WORKLOAD_CHARACTER_H
#define LXFW_WORKLOAD_CHARACTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/calendar.h"

/* Groups by powers of ten of a time in seconds: group i is (10^(i-1), 10^i], the first
   is up to 1 s. Groups by powers of two of processors are analogous. */
#define LXFW_TIME_GROUPS 13
#define LXFW_SIZE_GROUPS 32

/* COUNT of OF. */
struct lxfw_fraction {
	size_t count, of;
};

struct lxfw_job_group {
	size_t jobs;
	double proc_seconds, mb_seconds;
	struct lxfw_fraction under_minute;		/* ran for less than 60 s */
	struct lxfw_fraction low_memory;		/* used less than a tenth of
							   the requested memory */
};

/* Classes of jobs. Jobs without a class count in the total only. */
struct lxfw_class_scheme {
	size_t count;
	const char *const *names;
	int (*class_of)(const void *context, const struct lxfw_trace_job *job);
	const void *context;
};

struct lxfw_workload_month {
	int64_t month;			/* of the calendar */
	int64_t seconds;		/* seconds of the month that the trace covers */
	struct lxfw_job_group all;
	struct lxfw_job_group *classes;	/* NULL for a month without jobs */
};

struct lxfw_arrivals {
	size_t jobs[24];		/* by hour of the day */
	int64_t hours[24];		/* number of occurrences of each hour */
};

struct lxfw_character_options {
	int64_t begin, end;	/* jobs submitted from BEGIN to before END; both 0: all */
	struct lxfw_class_scheme classes;	/* may be empty */
};

struct lxfw_character {
	struct lxfw_calendar calendar;
	int64_t begin, end;	/* of the submissions examined, seconds */
	struct lxfw_job_group all;
	struct lxfw_job_group *classes;
	size_t class_count, no_class;
	struct lxfw_workload_month *months;
	size_t month_count;

	struct lxfw_job_group requests[LXFW_TIME_GROUPS];
	struct lxfw_job_group sizes[LXFW_SIZE_GROUPS];
	struct lxfw_job_group runs[LXFW_TIME_GROUPS];
	/* [0] Monday to Friday, [1] weekends; all days are in [0] if weekdays are
	   unknown */
	struct lxfw_arrivals arrivals[2];

	bool has_requests;	/* some requested time differs from the run time */
	size_t with_memory, with_used;
	struct lxfw_fraction over_hour, over_ten_hours;	/* requested more than that,
							   ran for less than a minute */
	struct lxfw_fraction tenth;	/* ran for less than a tenth of the requested
					   time */
	struct lxfw_fraction small;	/* of those that ran for less than a minute:
					   used less than 1 GB */
	struct lxfw_fraction serial, power_of_two;	/* power_of_two: of the
							   parallel jobs */
	struct lxfw_fraction serial_large;	/* of the serial jobs: requested more
						   than 512 MB */

	double median_run, median_request, median_used_of_request;
	double median_memory_mb, median_serial_memory_mb;
	/* Rank correlations. */
	double run_and_procs;
	double memory_and_procs;	/* requested memory per processor */
	double used_and_run;		/* used memory per processor */
};

/* Returns 0, or -1 with errno ENOMEM and *CHARACTER empty. */
int lxfw_character_of(struct lxfw_character *character,
		      const struct lxfw_trace *trace,
		      const struct lxfw_character_options *options);

void lxfw_character_clear(struct lxfw_character *character);

/* Returns the percentage; 0 if OF is 0. */
double lxfw_fraction_percent(const struct lxfw_fraction *share);

#endif
