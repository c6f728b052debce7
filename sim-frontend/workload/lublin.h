/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workload model of Lublin and Feitelson, The Workload on Parallel
 * Supercomputers: Modeling the Characteristics of Rigid Jobs (Journal of Parallel
 * and Distributed Computing 63(11), 2003), fitted to three logs of the 1990s and not
 * telling batch from interactive jobs: sizes, run times that grow with them, and
 * arrivals with a daily cycle. It knows no memory and no estimates.
 */
#ifndef LXFW_WORKLOAD_LUBLIN_H
#define LXFW_WORKLOAD_LUBLIN_H

#include <stdint.h>

#include "sim-frontend/trace/trace.h"

#define LXFW_LUBLIN_SLOTS 48	/* half hours of a day */

struct lxfw_lublin {
	/* Sizes: serial, else 2 to the power of a two-stage uniform number: low to
	   middle with probability first_stage, else middle to high; rounded to a
	   whole power with the second probability. */
	double serial, power_of_two;
	double low, middle, high, first_stage;
	/* The logarithm of the run time is gamma: of the first kind with the
	   probability slope * processors + intercept, else of the second. */
	double shape1, scale1, shape2, scale2;
	double slope, intercept;
	double run_max;		/* of the logarithm */
	/* The logarithm of the time between arrivals is gamma, in time that
	   runs as fast as jobs come at this time of the day (1 on average). */
	double gap_shape, gap_scale, gap_max;
	double pace[LXFW_LUBLIN_SLOTS];
};

struct lxfw_lublin_options {
	int32_t procs;		/* of the machine, 1 or more */
	size_t jobs;
	double load;		/* processor demand to reach by moving arrivals
				   apart or together; 0 = as the model has it */
	double estimate_factor;	/* requested over run time, 1 .. 10^6 */
};

/* The model's parameters for a machine of PROCS processors. */
void lxfw_lublin_parameters(struct lxfw_lublin *model, int32_t procs);

/*
 * Append jobs from time 0, a midnight, on; the same for the same SEED. 0, or -1 with
 * errno ENOMEM, or ERANGE where the load would take more time than a trace can
 * hold, and TRACE with the jobs that it had.
 */
int lxfw_lublin_generate(struct lxfw_trace *trace,
			 const struct lxfw_lublin_options *options,
			 uint64_t seed);

#endif
