/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a few numbers lie. */
#ifndef LXFW_EXPERIMENT_SPREAD_H
#define LXFW_EXPERIMENT_SPREAD_H

struct lxfw_spread {
	double median, least, most;	/* NAN of none */
	int count;			/* those that are numbers */
};

/* Of COUNT values, NAN among them passed over. Reorders VALUES. */
struct lxfw_spread lxfw_spread_of(double *values, int count);

#endif
