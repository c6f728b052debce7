/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The offered load of a log, and a log of another load: what its jobs ask for (processors
 * times run time) over what the machine can give from the first submission to the last.
 * A job longer than the rest of the log counts in full, so that a short log's offered
 * load can be far above what is ever used.
 *
 * It is changed by the times between submissions, all by the same factor; run times,
 * sizes and the order of the jobs stay. A day of the log becomes shorter or longer with
 * it, and so does the daily cycle; this is the usual convention (others scale run times,
 * which keeps the days but makes other jobs).
 */
#ifndef LXFW_WORKLOAD_LOAD_H
#define LXFW_WORKLOAD_LOAD_H

#include "sim-frontend/trace/trace.h"

/* On a machine of so many processors; 0 where all jobs are submitted at once. */
double lxfw_offered_load(const struct lxfw_trace *trace, int64_t procs);

/*
 * Move the submissions of TRACE so that its offered load becomes LOAD, above 0: to
 * first + (submit - first) * *FACTOR, rounded to the nearest second. Recorded waits are
 * not known any more. 0, or -1 with errno ERANGE where all jobs are submitted at once or
 * times would be beyond what a trace can hold.
 */
int lxfw_load_scale(struct lxfw_trace *trace, int64_t procs, double load,
		    double *factor);

#endif
