/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several policies on one log: the figures of each, the differences from the first one
 * with 95 % confidence intervals by week, and the results on perturbed copies of the log.
 * Output is a table, JSON, or CSV with one row per contender and figure.
 */
#ifndef LXFW_REPORT_SEVERAL_H
#define LXFW_REPORT_SEVERAL_H

#include <stdio.h>

#include "sim-frontend/experiment/contest.h"
#include "sim-frontend/report/report.h"

/* One figure of one contender. Unknown values are NAN. */
struct lxfw_several_figure {
	struct lxfw_report_item item;
	bool compared;			/* a number for which larger or smaller is
					   better */
	double difference;		/* from the first contender's value, */
	double change, low, high;	/* in per cent of it, and its confidence
					   interval by week */
	struct lxfw_contest_range shaken;	/* over the perturbed copies */
	struct lxfw_contest_range shaken_change;	/* per cent; on each copy, from
							   the first contender's value */
};

struct lxfw_several {
	const struct lxfw_contest *contest;
	struct lxfw_several_figure *figures;	/* ordered by contender */
	int each;				/* number of figures per contender */
};

/* Returns 0, or -1 with errno ENOMEM. Call lxfw_several_clear() in either case. */
int lxfw_several_make(struct lxfw_several *several,
		      const struct lxfw_contest *contest);

/* Returns 0, or -1 with errno ENOMEM. The caller checks OUT for write errors. */
int lxfw_several_print(const struct lxfw_several *several, enum lxfw_format format,
		       FILE *out);

void lxfw_several_clear(struct lxfw_several *several);

/* Called by lxfw_several_print(). */
int lxfw_several_json(const struct lxfw_several *several, FILE *out);

/* Fills *REPORT with the report of one contender. */
void lxfw_several_report(const struct lxfw_contest *contest, size_t who,
			 struct lxfw_report *report);

static inline const struct lxfw_several_figure *
lxfw_several_at(const struct lxfw_several *several, size_t who, int figure)
{
	return &several->figures[who * (size_t)several->each + (size_t)figure];
}

#endif
