/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a simulation as text, JSON or CSV. */
#ifndef LXFW_REPORT_REPORT_H
#define LXFW_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "sim-frontend/engine/feedback.h"
#include "sim-frontend/history/accuracy.h"
#include "sim-frontend/metrics/fairness.h"
#include "sim-frontend/metrics/metrics.h"
#include "sim-frontend/util/format.h"

struct lxfw_report {
	const char *policy;
	size_t events;
	struct lxfw_metrics metrics;
	bool mixed;			/* some jobs are adaptive, others not */
	struct lxfw_metrics kinds[2];	/* of jobs that are not adaptive, and that are */
	size_t cut_off;			/* number of adaptive jobs that ended before
					   their work was complete */
	const struct lxfw_feedback *feedback;	/* NULL: no jobs follow others */
	const struct lxfw_fairness *fairness;	/* NULL: not reported */
	const struct lxfw_accuracy *accuracy;	/* NULL: estimates are not learned */
	double wall;			/* run time of the simulation in seconds;
					   negative: not reported, since it varies from
					   run to run */
};

/* One figure of a report: an integer, a number or a name. */
struct lxfw_report_item {
	const char *key, *label, *unit;
	enum lxfw_report_kind {
		LXFW_ITEM_NAME, LXFW_ITEM_WHOLE, LXFW_ITEM_FRACTION,
	} kind;
	const char *name;
	int64_t whole;
	double fraction;
};

#define LXFW_REPORT_ITEMS 64

#define LXFW_ACCURACY_ITEMS 16

/* Fills ITEMS with the figures of estimates. Returns their number. */
int lxfw_report_accuracy(const struct lxfw_accuracy *accuracy,
			  struct lxfw_report_item items[LXFW_ACCURACY_ITEMS]);

/* Fills ITEMS with all figures in order. Returns their number. The keys do not depend
   on the values. */
int lxfw_report_items(const struct lxfw_report *report,
		      struct lxfw_report_item items[LXFW_REPORT_ITEMS]);

/* Returns the number of an item, 0 for a name. */
double lxfw_report_item_value(const struct lxfw_report_item *item);

/* Returns 0, or -1 with errno ENOMEM. The caller checks OUT for write errors. */
int lxfw_report_print(const struct lxfw_report *report, enum lxfw_format format,
		      FILE *out);

#endif
