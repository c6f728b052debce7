/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimates the system overhead at the start of a job, which a simulation adds to every
 * start. It is the delay of jobs that had no reason to wait: they arrived at an empty
 * queue, and enough processors were free. If there are too few such jobs, jobs are
 * included that arrived when the free processors sufficed for all waiting jobs.
 *
 * Most of these delays are system overhead, for example the cycle of the scheduler, of
 * which a job waits for a random part. Some have other causes, such as a node that was
 * down or a hold. These are outliers and are excluded: they exceed the upper quartile by
 * more than three times the interquartile range (Tukey, Exploratory Data Analysis, 1977).
 * The result is the mean of the others, so that the mean of the simulated waits is
 * correct. If more than a tenth are outliers, they cannot be distinguished from overhead,
 * and the result is the tenth percentile of all delays, below which hardly any job
 * waited.
 */
#ifndef LXFW_METRICS_START_DELAY_H
#define LXFW_METRICS_START_DELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/metrics/timeline.h"

/* Minimum number of such jobs. A tenth of fewer is only one or two jobs. */
#define LXFW_START_DELAY_LEAST 20
#define LXFW_START_DELAY_PERCENT 10

/* Maximum system overhead, seconds. Longer delays have other causes. */
#define LXFW_START_DELAY_MOST 1800

struct lxfw_start_delay {
	int64_t seconds;	/* 0 if unknown */
	int64_t low, high;	/* if `clean`, a 95 % confidence interval of the mean;
				   otherwise both are `seconds` */
	int64_t longest;	/* if `clean`, the longest system overhead; otherwise
				   `seconds` */
	size_t jobs;		/* number of jobs that had no reason to wait */
	size_t far;		/* those of them that are outliers */
	bool known;		/* there are enough jobs */
	bool clean;		/* few enough outliers */
	bool beside;		/* jobs that arrived at a non-empty queue are included */
};

/* Estimates the overhead from STAYS on a machine of PROCS processors. Returns 0, or -1
   with errno ENOMEM. */
int lxfw_start_delay_find(const struct lxfw_stay *stays, size_t count,
			  int64_t procs, struct lxfw_start_delay *delay);

#endif
