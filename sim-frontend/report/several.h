/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several policies on one log, side by side: the figures of each, what each of them is
 * beside the first one's with its 95 % interval by week, and what shaken copies of the log
 * make of both. As a table, JSON, or CSV in long form: a row for each contender and figure.
 */
#ifndef LXFW_REPORT_SEVERAL_H
#define LXFW_REPORT_SEVERAL_H

#include <stdio.h>

#include "sim-frontend/experiment/contest.h"
#include "sim-frontend/report/report.h"

/* One figure of one contender. What is not known is NAN. */
struct lxfw_several_figure {
	struct lxfw_report_item item;
	bool compared;			/* it is a number that is better or worse */
	double difference;		/* to the first contender's, */
	double change, low, high;	/* in per cent of it, and the interval by week */
	struct lxfw_contest_range shaken;	/* of the copies */
	struct lxfw_contest_range shaken_change;	/* per cent, of each copy to
						   the first contender's of it */
};

struct lxfw_several {
	const struct lxfw_contest *contest;
	struct lxfw_several_figure *figures;	/* contender by contender */
	int each;				/* of a contender */
};

/* 0, or -1 with errno ENOMEM; lxfw_several_clear() in either case. */
int lxfw_several_make(struct lxfw_several *several,
		      const struct lxfw_contest *contest);

/* The same; whether OUT took it is for the caller to see. */
int lxfw_several_print(const struct lxfw_several *several, enum lxfw_format format,
		       FILE *out);

void lxfw_several_clear(struct lxfw_several *several);

/* Called by lxfw_several_print(). */
int lxfw_several_json(const struct lxfw_several *several, FILE *out);

/* The report of one contender. */
void lxfw_several_report(const struct lxfw_contest *contest, size_t who,
			 struct lxfw_report *report);

static inline const struct lxfw_several_figure *
lxfw_several_at(const struct lxfw_several *several, size_t who, int figure)
{
	return &several->figures[who * (size_t)several->each + (size_t)figure];
}

#endif
