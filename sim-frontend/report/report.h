/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a simulation as a table, JSON or CSV. */
#ifndef LXFW_REPORT_REPORT_H
#define LXFW_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "sim-frontend/metrics/fairness.h"
#include "sim-frontend/metrics/metrics.h"
#include "sim-frontend/util/format.h"

struct lxfw_report {
	const char *policy;
	size_t events;
	struct lxfw_metrics metrics;
	bool mixed;			/* some jobs are adaptive, others not: */
	struct lxfw_metrics kinds[2];	/* of those that are not, and that are */
	size_t cut_off;			/* adaptive ones ended before they were done */
	const struct lxfw_fairness *fairness;	/* NULL: not told of */
	double wall;			/* s that it took; negative: not told of, since
					   it is never the same twice */
};

/* One figure of a report: a whole number, a fraction or a name. */
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

/* All of them, in order; how many. The keys do not depend on the values. */
int lxfw_report_items(const struct lxfw_report *report,
		      struct lxfw_report_item items[LXFW_REPORT_ITEMS]);

/* Its number, 0 of a name. */
double lxfw_report_item_value(const struct lxfw_report_item *item);

/* 0, or -1 with errno ENOMEM; whether OUT took it is for the caller to see. */
int lxfw_report_print(const struct lxfw_report *report, enum lxfw_format format,
		      FILE *out);

#endif
