/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The NCSA Origin 2000 of Chiang and Vernon 2001: its months by table 4, its job
 * classes by table 1, and synthetic months that have their character.
 *
 * The logs are not public. A generated month has, class by class, the number of
 * jobs and the processor and memory demand of table 4 and what section 3 tells of
 * the jobs: shares under a minute, requests that fit a shorter class, used against
 * requested memory, powers of two, serial jobs, periods of the arrival rate.
 */
#ifndef LXFW_WORKLOAD_NCSA_O2K_H
#define LXFW_WORKLOAD_NCSA_O2K_H

#include <stdbool.h>
#include <stdint.h>

#include "sim-frontend/trace/trace.h"

#define LXFW_NCSA_O2K_MONTHS 6		/* 0 = October 1999 .. 5 = March 2000 */
#define LXFW_NCSA_O2K_CLASSES 12	/* in the order of table 4 */
#define LXFW_NCSA_O2K_PROCS 960		/* table 2 */
#define LXFW_NCSA_O2K_MEMORY_MB (336 * 1024)
/* A trace begins so many seconds before its month. */
#define LXFW_NCSA_O2K_LEAD INT64_C(604800)

/* A month of table 4. Demands are whole per cent of what the hosts offer. */
struct lxfw_ncsa_o2k_month {
	const char *name;	/* "1999-10" */
	int days;
	int weekday;		/* of its first day, 0 = Sunday */
	int64_t begin;		/* Unix time of its first midnight, CST */
	int jobs, proc_demand, memory_demand;
	struct lxfw_ncsa_o2k_figures {
		int jobs, proc_demand, memory_demand;
	} classes[LXFW_NCSA_O2K_CLASSES];
};

/* MONTH is 0 .. LXFW_NCSA_O2K_MONTHS - 1. */
const struct lxfw_ncsa_o2k_month *lxfw_ncsa_o2k_month(int month);
const char *lxfw_ncsa_o2k_month_name(int month);
int64_t lxfw_ncsa_o2k_month_seconds(int month);

/* "2000-03" to 5; -1 if there is no such month. */
int lxfw_ncsa_o2k_month_by_name(const char *name);

/* "vst_sj" and so on; the number of a size (0 sj, 1 mj, 2 lj) times 4 plus that of
   a time (0 vst, 1 st, 2 mt, 3 lt). */
const char *lxfw_ncsa_o2k_class_name(int class);
extern const char *const lxfw_ncsa_o2k_class_names[LXFW_NCSA_O2K_CLASSES];

/* The class of a job by table 1: the smallest that holds its request. -1 if none
   does. */
int lxfw_ncsa_o2k_class_of(const struct lxfw_trace_job *job);

/* Limits of table 1: seconds of a time, processors and MB of a size. */
int64_t lxfw_ncsa_o2k_time_limit(int time);
int32_t lxfw_ncsa_o2k_proc_limit(int size);
int64_t lxfw_ncsa_o2k_memory_limit(int size);

/* Whether a demand in per cent is as table 4 says: within 10 % of the figure, or,
   where that is 0 or 1, within what was rounded to it. */
bool lxfw_ncsa_o2k_demand_met(int figure, double reached);

/*
 * What a generated class demands, as a fraction of what the hosts offer: its figure
 * of table 4, moved within what was rounded to it so that all classes together
 * demand what the table says of them all. A figure of 0 stands for a quarter of a
 * per cent.
 */
double lxfw_ncsa_o2k_proc_target(int month, int class);
double lxfw_ncsa_o2k_memory_target(int month, int class);

/*
 * Append the jobs of MONTH and of the seven days before it, the same for the same
 * SEED. Times are seconds since the beginning of those seven days, so that the
 * month begins at LXFW_NCSA_O2K_LEAD. 0, or -1 with errno ENOMEM and TRACE with
 * the jobs that it had.
 */
int lxfw_ncsa_o2k_generate(struct lxfw_trace *trace, int month, uint64_t seed);

#endif
