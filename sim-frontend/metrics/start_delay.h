/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a machine takes to start a job that has nothing to wait for: it came to an empty
 * queue, and there was room for it. Where too few did, a job beside which there was room
 * for all that waited too. This is the machine's own time, which a simulation adds to
 * every start.
 *
 * Most such delays are the machine's: the cycle of its scheduler, say, of which a job
 * waits for no part or all of it. Some are not: a node was down, a user held the job. Those
 * are far beyond the others, and are left out: more than three times the distance between
 * the quartiles beyond the upper one (Tukey, Exploratory Data Analysis, 1977). What is
 * added to every start is the mean of the rest, since then the mean of the waits is
 * right. Where more than a tenth lies out there nobody knows which are the machine's own,
 * and it is the tenth percentile of all: hardly any job waited less.
 */
#ifndef LXFW_METRICS_START_DELAY_H
#define LXFW_METRICS_START_DELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/metrics/timeline.h"

/* With fewer such jobs a tenth of them is one or two, and nothing is known. */
#define LXFW_START_DELAY_LEAST 20
#define LXFW_START_DELAY_PERCENT 10

/* No machine of itself takes longer, s. */
#define LXFW_START_DELAY_MOST 1800

struct lxfw_start_delay {
	int64_t seconds;	/* 0 where it is not known */
	int64_t low, high;	/* where clean, the mean is between these with 95 %
				   confidence; else both are `seconds` */
	int64_t longest;	/* where clean, the machine's longest; else `seconds` */
	size_t jobs;		/* that had nothing to wait for */
	size_t far;		/* of these, waited for something else */
	bool known;		/* there are enough of them */
	bool clean;		/* few enough are far */
	bool beside;		/* others waited, and there was room for all */
};

/* Of STAYS on a machine of PROCS processors. 0, or -1 with errno ENOMEM. */
int lxfw_start_delay_find(const struct lxfw_stay *stays, size_t count,
			  int64_t procs, struct lxfw_start_delay *delay);

#endif
