/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Orders of waiting jobs: lines in time that policies share (struct lxfw_order). */
#ifndef LXFW_ORDER_ORDER_H
#define LXFW_ORDER_ORDER_H

struct lxfw_class;
struct lxfw_params;
struct lxfw_sched;

/* The shortest request first. */
void lxfw_line_shortest(const struct lxfw_sched *sched,
			const struct lxfw_class *class, double *intercept,
			double *slope);

/* By the weights of the parameters (table 3). */
void lxfw_line_weights(const struct lxfw_sched *sched,
		       const struct lxfw_class *class, double *intercept,
		       double *slope);

/* The weight of a point of the workload manager's own priority, by the parameters:
   `lxfw_wsite` is that of 1,000 points. */
double lxfw_site_weight(const struct lxfw_params *params);

/* Set the lines of all classes anew: hosts or parameters have changed. */
void lxfw_lines_set(struct lxfw_sched *sched);

#endif
