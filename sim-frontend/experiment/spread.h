/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The median and range of a few numbers. */
#ifndef LXFW_EXPERIMENT_SPREAD_H
#define LXFW_EXPERIMENT_SPREAD_H

struct lxfw_spread {
	double median, least, most;	/* NAN if there are none */
	int count;			/* number of values that are not NAN */
};

/* Computes the spread of COUNT values; NAN is ignored. Reorders VALUES. */
struct lxfw_spread lxfw_spread_of(double *values, int count);

#endif
