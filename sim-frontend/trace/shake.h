/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shaken copies of a log (after Tsafrir, Ouaknine and Feitelson 2007): the same jobs with
 * a little noise, so that what a policy does to the log itself can be told from what it
 * does to logs like it. A schedule is chaotic: a job that comes a second later may move
 * all that follow.
 *
 * Each job by itself: its submission moves by a whole number of seconds from -ARRIVALS to
 * ARRIVALS, each equally likely, but not before the log's first; its run time is
 * multiplied by a number from 1 - RUNS to 1 + RUNS, uniform, and rounded to the nearest
 * second, 1 or more. A run time that kept the requested time keeps it in the copy; the
 * requested time, and everything else, stays.
 */
#ifndef LXFW_TRACE_SHAKE_H
#define LXFW_TRACE_SHAKE_H

#include "sim-frontend/trace/trace.h"

struct lxfw_shake {
	uint64_t seed;
	int64_t arrivals;	/* s */
	double runs;		/* 0 to below 1 */
};

/*
 * *COPY becomes the copy of that NUMBER; the same seed and number make the same copy, and
 * copies of different numbers are independent. Of the trace it has jobs and their order,
 * not headers and owners. 0, or -1 with errno ENOMEM; lxfw_trace_clear() frees it.
 */
int lxfw_shake_copy(const struct lxfw_shake *shake, const struct lxfw_trace *trace,
		    uint64_t number, struct lxfw_trace *copy);

#endif
