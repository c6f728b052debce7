/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures of simulated neighbours. */
#ifndef LXFW_GRID_EXCHANGE_MEASURE_H
#define LXFW_GRID_EXCHANGE_MEASURE_H

#include "sim-frontend/grid/exchange.h"

struct lxfw_exchange_waits {
	double mean, median;
	double longest_tenth;	/* median of the tenth of the jobs that waits longest */
	double tail;		/* the same for the longest 3 per cent */
	int64_t most;
};

struct lxfw_exchange_site {
	size_t submitted;	/* jobs of its users */
	size_t ended;		/* jobs that ended there */
	size_t foreign;		/* of these, of users of other sites */
	double mean_wait;	/* of the jobs of its users */
};

/* Release with lxfw_exchange_metrics_clear(). */
struct lxfw_exchange_metrics {
	size_t jobs, moved;	/* jobs that moved once or more */
	struct lxfw_exchange_waits wait, wait_there;	/* lxfw_exchange_wait(), ..._there() */
	int64_t moves, preemptions, lost;
	int64_t messages[LXFW_MESSAGES];
	int64_t messages_sum;
	int64_t makespan;	/* from the first submission to the last end */
	double utilization;	/* of the processors in that time */
	int32_t site_count;
	struct lxfw_exchange_site *sites;
	/* Jobs by home and the site at which they ended: flows[home * site_count + site]. NULL
	   if there are more than LXFW_EXCHANGE_FLOWS sites. */
	size_t *flows;
};

#define LXFW_EXCHANGE_FLOWS 64

/* Returns 0, or -1 with errno ENOMEM. */
int lxfw_exchange_measure(const struct lxfw_exchange *exchange,
			  struct lxfw_exchange_metrics *metrics);
void lxfw_exchange_metrics_clear(struct lxfw_exchange_metrics *metrics);

#endif
