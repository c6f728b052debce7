/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workload model of Lublin and Feitelson, The Workload on Parallel Supercomputers:
 * Modeling the Characteristics of Rigid Jobs (Journal of Parallel and Distributed
 * Computing 63(11), 2003), fitted to three logs of the 1990s, without a distinction
 * between batch and interactive jobs. It models sizes, run times that are correlated with
 * them, and arrivals with a daily cycle, but not memory or estimates.
 */
#ifndef LXFW_WORKLOAD_LUBLIN_H
#define LXFW_WORKLOAD_LUBLIN_H

#include <stdint.h>

#include "sim-frontend/trace/trace.h"

#define LXFW_LUBLIN_SLOTS 48	/* half hours of a day */

struct lxfw_lublin {
	/* Sizes: serial, otherwise 2 to the power of a two-stage uniform number: low
	   to middle with probability first_stage, otherwise middle to high; rounded to
	   an integer power with probability power_of_two. */
	double serial, power_of_two;
	double low, middle, high, first_stage;
	/* The logarithm of the run time has a gamma distribution: the first with
	   probability slope * processors + intercept, otherwise the second. */
	double shape1, scale1, shape2, scale2;
	double slope, intercept;
	double run_max;		/* of the logarithm */
	/* The logarithm of the time between arrivals has a gamma distribution. The
	   time is scaled by the arrival rate at this time of the day (1 on average). */
	double gap_shape, gap_scale, gap_max;
	double pace[LXFW_LUBLIN_SLOTS];
};

struct lxfw_lublin_options {
	int32_t procs;		/* of the machine, 1 or more */
	size_t jobs;
	double load;		/* processor demand to be reached by scaling the times
				   between arrivals; 0: unchanged */
	double estimate_factor;	/* requested time divided by run time, 1 to 10^6 */
};

/* Sets the model's parameters for a machine of PROCS processors. */
void lxfw_lublin_parameters(struct lxfw_lublin *model, int32_t procs);

/*
 * Appends jobs from time 0, a midnight, on. The same SEED gives the same jobs. Returns 0,
 * or -1 with errno ENOMEM, or ERANGE if the load requires more time than a trace can
 * hold; TRACE then has its original jobs.
 */
int lxfw_lublin_generate(struct lxfw_trace *trace,
			 const struct lxfw_lublin_options *options,
			 uint64_t seed);

#endif
