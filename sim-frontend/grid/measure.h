/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics of a simulated grid. Weights are processors times run time at the usual speed at
   one site (Yahyapour 2002, 3.3). */
#ifndef LXFW_GRID_MEASURE_H
#define LXFW_GRID_MEASURE_H

#include "sim-frontend/grid/run.h"
#include "sim-frontend/metrics/metrics.h"

struct lxfw_site_metrics {
	size_t submitted;	/* jobs of its users */
	size_t ran;		/* parts of jobs that ran there */
	size_t foreign;		/* of these, of jobs of other sites */
	double mean_wait;	/* of the jobs of its users */
	double awrt;		/* the same */
	double utilization;	/* of its processors, from the first submission to the last
				   end in the grid */
};

struct lxfw_grid_metrics {
	struct lxfw_metrics all;	/* `utilization` counts what jobs occupied */
	double awwt;		/* average weighted wait */
	size_t moved;		/* jobs that ran at another site than theirs, or at several */
	size_t several;		/* jobs that ran at several sites */
	double several_work;	/* share of their weights in all weights */
	struct lxfw_site_metrics *sites;
	int32_t site_count;
	size_t *flows;		/* parts by home and site: flows[home * site_count + site] */
};

/* Returns 0, or -1 with errno ENOMEM. Release with lxfw_grid_metrics_clear(). */
int lxfw_grid_measure(const struct lxfw_grid_run *run, struct lxfw_grid_metrics *metrics);
void lxfw_grid_metrics_clear(struct lxfw_grid_metrics *metrics);

#endif
