/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The NCSA Origin 2000 of Chiang and Vernon 2001: its months according to table 4, its
 * job classes according to table 1, and synthetic months with the same characteristics.
 *
 * The logs are not public. A generated month has, for each class, the number of jobs and
 * the processor and memory demand of table 4, and the properties of jobs in section 3:
 * fractions under a minute, requests that would fit a shorter class, used and requested
 * memory, powers of two, serial jobs, and periods of the arrival rate.
 */
#ifndef LXFW_WORKLOAD_NCSA_O2K_H
#define LXFW_WORKLOAD_NCSA_O2K_H

#include <stdbool.h>
#include <stdint.h>

#include "sim-frontend/trace/trace.h"

#define LXFW_NCSA_O2K_MONTHS 6		/* 0: October 1999 to 5: March 2000 */
#define LXFW_NCSA_O2K_CLASSES 12	/* in the order of table 4 */
#define LXFW_NCSA_O2K_PROCS 960		/* table 2 */
#define LXFW_NCSA_O2K_MEMORY_MB (336 * 1024)
/* A trace begins this many seconds before its month. */
#define LXFW_NCSA_O2K_LEAD INT64_C(604800)

/* A month of table 4. Demands are integer percentages of the capacity of the hosts. */
struct lxfw_ncsa_o2k_month {
	const char *name;	/* "1999-10" */
	int days;
	int weekday;		/* of its first day, 0: Sunday */
	int64_t begin;		/* Unix time of its first midnight, CST */
	int jobs, proc_demand, memory_demand;
	struct lxfw_ncsa_o2k_figures {
		int jobs, proc_demand, memory_demand;
	} classes[LXFW_NCSA_O2K_CLASSES];
};

/* MONTH is 0 to LXFW_NCSA_O2K_MONTHS - 1. */
const struct lxfw_ncsa_o2k_month *lxfw_ncsa_o2k_month(int month);
const char *lxfw_ncsa_o2k_month_name(int month);
int64_t lxfw_ncsa_o2k_month_seconds(int month);

/* Returns 5 for "2000-03"; -1 if there is no such month. */
int lxfw_ncsa_o2k_month_by_name(const char *name);

/* Returns "vst_sj" and so on. The number of a class is 4 times that of its size (0 sj,
   1 mj, 2 lj) plus that of its time (0 vst, 1 st, 2 mt, 3 lt). */
const char *lxfw_ncsa_o2k_class_name(int class);
extern const char *const lxfw_ncsa_o2k_class_names[LXFW_NCSA_O2K_CLASSES];

/* Returns the class of a job according to table 1, the smallest that holds its
   request, or -1. */
int lxfw_ncsa_o2k_class_of(const struct lxfw_trace_job *job);

/* Limits of table 1: seconds of a time, processors and MB of a size. */
int64_t lxfw_ncsa_o2k_time_limit(int time);
int32_t lxfw_ncsa_o2k_proc_limit(int size);
int64_t lxfw_ncsa_o2k_memory_limit(int size);

/* Returns whether a demand in per cent agrees with table 4: within 10 % of the figure,
   or, for figures 0 and 1, within the range that is rounded to the figure. */
bool lxfw_ncsa_o2k_demand_met(int figure, double reached);

/*
 * Returns the demand of a generated class as a fraction of the capacity of the hosts: its
 * figure of table 4, adjusted within the rounding so that the sum over all classes is
 * that of the table. A figure of 0 stands for a quarter of a per cent.
 */
double lxfw_ncsa_o2k_proc_target(int month, int class);
double lxfw_ncsa_o2k_memory_target(int month, int class);

/*
 * Numbers of processors of the middle and large jobs, which the paper does not state.
 * LARGE draws the numbers of a list with many at the limit of the class; a draw is repeated
 * with smaller ones if the demands cannot be met. These jobs are then short, and must
 * request much of the memory of their class. SMALL begins with smaller numbers.
 */
enum lxfw_ncsa_o2k_sizes { LXFW_NCSA_O2K_LARGE, LXFW_NCSA_O2K_SMALL };

/*
 * Appends the jobs of MONTH and of the seven days before it. The same SEED gives the same
 * jobs. Times are seconds since the beginning of the seven days, so that the month begins
 * at LXFW_NCSA_O2K_LEAD. Returns 0, or -1 with errno ENOMEM; TRACE then has its original
 * jobs.
 */
int lxfw_ncsa_o2k_generate(struct lxfw_trace *trace, int month,
			   enum lxfw_ncsa_o2k_sizes sizes, uint64_t seed);

#endif
