/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charts that several pages use: waits or slowdowns of groups of jobs, side by side or
 * over time; the distribution of waits; utilization and the queue. Each schedule has a
 * curve, or bars if there are fewer than LXFW_CHART_CURVE_LEAST points. Captions and
 * titles are written without escaping.
 */
#ifndef LXFW_REPORT_VALUE_FIGURES_H
#define LXFW_REPORT_VALUE_FIGURES_H

#include "sim-frontend/metrics/timeline.h"
#include "sim-frontend/report/chart.h"
#include "sim-frontend/report/window.h"

/* The period of a log. */
struct lxfw_figure_time {
	const struct lxfw_calendar *calendar;
	int64_t begin, end;
	const struct lxfw_window *away;	/* when part of the machine was unavailable */
	size_t away_count;
};

struct lxfw_value_figure {
	const char *caption, *below;
	const char *const *series_names;
	int series;
	const char *const *names;	/* of the groups */
	size_t count;
	const double *values;	/* [series * count + group], seconds or slowdowns; NAN
				   for a group without jobs */
	bool slowdowns;
	const struct lxfw_figure_time *time;	/* NULL: groups are side by side */
	const int64_t *begins;	/* over time: beginnings of the groups, each of WIDTH
				   seconds */
	int64_t width;
};

/* Draws a chart with a logarithmic axis, or with bars. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_value_figure(const struct lxfw_value_figure *figure,
		      struct lxfw_output *output);

/* Draws the distribution of waits: the fraction SHARES[series * POINTS + i] of the
   jobs, 0 to 1, waited at most WAITS[i] seconds. */
int lxfw_share_figure(const char *const *series_names, int series,
		      const double *waits, const double *shares, size_t points,
		      struct lxfw_output *output);

struct lxfw_machine_figures {
	const struct lxfw_figure_time *time;
	const char *const *series_names;
	int series;
	const struct lxfw_timeline *const *timelines;	/* one per schedule */
	int64_t procs;
};

/* Draws the utilization and the number of waiting jobs. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_machine_figures(const struct lxfw_machine_figures *figures,
			 struct lxfw_output *output);

#endif
