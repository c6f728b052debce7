/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Orders of waiting jobs by priorities that are linear in time, shared by several
   policies (struct lxfw_order). */
#ifndef LXFW_ORDER_ORDER_H
#define LXFW_ORDER_ORDER_H

struct lxfw_class;
struct lxfw_params;
struct lxfw_sched;

/* Shortest requested run time first. */
void lxfw_line_shortest(const struct lxfw_sched *sched,
			const struct lxfw_class *class, double *intercept,
			double *slope);

/* By the weights of the parameters (table 3). */
void lxfw_line_weights(const struct lxfw_sched *sched,
		       const struct lxfw_class *class, double *intercept,
		       double *slope);

/* The weight of a point of the workload manager's priority. `lxfw_wsite` is the weight of
   1000 points. */
double lxfw_site_weight(const struct lxfw_params *params);

/* Set the lines of all classes again after hosts or parameters have changed. */
void lxfw_lines_set(struct lxfw_sched *sched);

#endif
