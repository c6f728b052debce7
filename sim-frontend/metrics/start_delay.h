/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a machine takes to start a job that has nothing to wait for: it came to an empty
 * queue, and there was room for it. This is the machine's own time, which a simulation
 * adds to every start.
 *
 * It is the tenth percentile of these delays. What is added to every start must be what
 * hardly any job waited less than; and whatever else such a job waits for (its user's
 * limit, a node that is down, a hold) makes its delay longer, never shorter, so that
 * the low ones are the machine's. The least alone would be that of the log's rounding.
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

struct lxfw_start_delay {
	int64_t seconds;	/* 0 where it is not known */
	size_t jobs;		/* that had nothing to wait for */
	bool known;		/* there are enough of them */
};

/* Of STAYS on a machine of PROCS processors. 0, or -1 with errno ENOMEM. */
int lxfw_start_delay_find(const struct lxfw_stay *stays, size_t count,
			  int64_t procs, struct lxfw_start_delay *delay);

#endif
