/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The offered load of a log, and its adjustment. The offered load is the demand of the
 * jobs (processors times run time) divided by the capacity of the machine from the first
 * to the last submission. A job longer than the rest of the log counts in full, so that
 * the offered load of a short log can be far above any possible utilization.
 *
 * The load is adjusted by multiplying the times between submissions by a factor. Run
 * times, sizes and the order of the jobs are unchanged. Days and the daily cycle of the
 * log become shorter or longer accordingly. This is the usual convention; scaling run
 * times instead would preserve days but change the jobs.
 */
#ifndef LXFW_WORKLOAD_LOAD_H
#define LXFW_WORKLOAD_LOAD_H

#include "sim-frontend/trace/trace.h"

/* Returns the offered load on a machine of PROCS processors, 0 if all jobs are
   submitted at the same time. */
double lxfw_offered_load(const struct lxfw_trace *trace, int64_t procs);

/*
 * Moves the submissions of TRACE to first + (submit - first) * *FACTOR, rounded to the
 * nearest second, so that its offered load becomes LOAD, which is above 0. Recorded waits
 * become unknown. Returns 0, or -1 with errno ERANGE if all jobs are submitted at the
 * same time or times would exceed the range of a trace.
 */
int lxfw_load_scale(struct lxfw_trace *trace, int64_t procs, double load,
		    double *factor);

#endif
