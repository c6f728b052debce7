/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two synthetic workloads of Yahyapour 2002, section 2.8.3. */
#ifndef LXFW_WORKLOAD_REMADE_H
#define LXFW_WORKLOAD_REMADE_H

#include <stdint.h>

#include "sim-frontend/trace/trace.h"

/*
 * Makes COUNT jobs with the distribution of those of LOG. The times between submissions
 * have a Weibull distribution with the mean and the coefficient of variation of the log.
 * Processors, requested time and run time are drawn together: each combination of a number
 * of processors, a range of requested time and a range of run time has the probability of
 * its jobs in the log. A range is from a power of BASE, 2 to 1000, to the next, in seconds;
 * times within it are uniform, and the run time is at most the requested time. The thesis
 * does not state its ranges. LOG has two jobs or more. The same SEED gives the same jobs. Returns 0, or -1
 * with errno ENOMEM and TRACE empty.
 */
int lxfw_remade_binned(struct lxfw_trace *trace, const struct lxfw_trace *log,
		       int64_t base, size_t count, uint64_t seed);

/*
 * Makes COUNT jobs with the uniform distributions of table 2.3: 1 to 3600 s between
 * submissions, 1 to PROCS processors, a requested time of 300 to 86400 s, and a run time
 * from 1 s to the requested time. Results as above.
 */
int lxfw_remade_uniform(struct lxfw_trace *trace, int32_t procs, size_t count,
			uint64_t seed);

#endif
