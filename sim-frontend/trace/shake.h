/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Perturbed copies of a log (Tsafrir, Ouaknine and Feitelson 2007): the same jobs with a
 * little noise. They show whether the effect of a policy on a log also occurs on similar
 * logs. A schedule is chaotic: one job that arrives a second later may change all later
 * starts.
 *
 * Each job is changed independently. Its submission moves by a whole number of seconds,
 * uniform from -ARRIVALS to ARRIVALS, but not before the first submission of the log. Its
 * run time is multiplied by a factor, uniform from 1 - RUNS to 1 + RUNS, and rounded to
 * the nearest second, at least 1. A run time within the requested time remains within it.
 * All else is unchanged, including the requested time.
 */
#ifndef LXFW_TRACE_SHAKE_H
#define LXFW_TRACE_SHAKE_H

#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/random.h"

struct lxfw_shake {
	uint64_t seed;
	int64_t arrivals;	/* seconds */
	double runs;		/* 0 or more, less than 1 */
};

/*
 * Makes *COPY the copy number NUMBER. The same seed and number give the same copy; copies
 * with different numbers are independent. The copy has the jobs of the trace and their
 * order, but no headers or owners. Returns 0, or -1 with errno ENOMEM. Release with
 * lxfw_trace_clear().
 */
int lxfw_shake_copy(const struct lxfw_shake *shake, const struct lxfw_trace *trace,
		    uint64_t number, struct lxfw_trace *copy);

/* The noise of copy number NUMBER, for a caller that has jobs of its own: begins it, and
   changes `submit` and `run` of JOB, whose `limit` is known; FIRST is the first submission of
   the log. The jobs are changed in their order. */
void lxfw_shake_begin(const struct lxfw_shake *shake, uint64_t number,
		      struct lxfw_random *random);
void lxfw_shake_job(const struct lxfw_shake *shake, struct lxfw_random *random,
		    int64_t first, struct lxfw_trace_job *job);

#endif
