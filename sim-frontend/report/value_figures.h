/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The charts that several pages have: waits or slowdowns of groups of jobs, side by side
 * or over time; how many jobs waited no longer; the machine in use and the queue. Each has
 * a curve for each schedule, or bars where a curve would have fewer than
 * LXFW_CHART_CURVE_LEAST points. Captions and titles are our own words.
 */
#ifndef LXFW_REPORT_VALUE_FIGURES_H
#define LXFW_REPORT_VALUE_FIGURES_H

#include "sim-frontend/metrics/timeline.h"
#include "sim-frontend/report/chart.h"
#include "sim-frontend/report/window.h"

/* The time that a log covers. */
struct lxfw_figure_time {
	const struct lxfw_calendar *calendar;
	int64_t begin, end;
	const struct lxfw_window *away;	/* when not all of the machine was there */
	size_t away_count;
};

struct lxfw_value_figure {
	const char *caption, *below;
	const char *const *series_names;
	int series;
	const char *const *names;	/* of the groups */
	size_t count;
	const double *values;	/* [series * count + group]: s, or slowdowns; NAN
				   where a group has no jobs */
	bool slowdowns;
	const struct lxfw_figure_time *time;	/* NULL: groups side by side */
	const int64_t *begins;	/* over time: of the groups, each of WIDTH s */
	int64_t width;
};

/* Logarithmic, but for bars. 0, or -1 with errno ENOMEM. */
int lxfw_value_figure(const struct lxfw_value_figure *figure,
		      struct lxfw_output *output);

/* SHARES[series * POINTS + i] of the jobs, 0 to 1, waited no longer than WAITS[i] s. */
int lxfw_share_figure(const char *const *series_names, int series,
		      const double *waits, const double *shares, size_t points,
		      struct lxfw_output *output);

struct lxfw_machine_figures {
	const struct lxfw_figure_time *time;
	const char *const *series_names;
	int series;
	const struct lxfw_timeline *const *timelines;	/* of each */
	int64_t procs;
};

/* Utilization, and the jobs in the queue. 0, or -1 with errno ENOMEM. */
int lxfw_machine_figures(const struct lxfw_machine_figures *figures,
			 struct lxfw_output *output);

#endif
