/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charts: figures with axes and several series. Each series has its own colour, stroke
 * and mark. Series are numbered from 0; from LXFW_CHART_SERIES on, the styles repeat.
 */
#ifndef LXFW_REPORT_CHART_H
#define LXFW_REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/report/svg.h"
#include "sim-frontend/util/calendar.h"
#include "sim-frontend/util/output.h"

#define LXFW_CHART_SERIES 8

/* Series with fewer values are drawn as bars instead of curves. */
#define LXFW_CHART_CURVE_LEAST 3

struct lxfw_chart {
	struct lxfw_output *output;
	double width, height;			/* of the picture */
	double left, right, top, bottom;	/* of the area between the axes */
	struct lxfw_axis x, y;
	bool zero_apart;	/* logarithmic y axis with a separate place for 0 below
				   it */
	int series;		/* number of series */
	bool bars;		/* series are drawn as bars */
};

/* A unit for times up to a maximum. */
struct lxfw_unit {
	double seconds;
	const char *name;
};

const struct lxfw_unit *lxfw_unit_for(double most);

/* Formats 950, 4k, 93k, 1.5M. A SIZE of 24 is sufficient. */
const char *lxfw_short_number(double value, char *text, size_t size);

/* Begins a figure with a caption and a legend. CAPTION is written without escaping.
   NAMES are the names of the series, which may come from a log; NULL: no legend.
   lxfw_chart_end() ends the picture. */
void lxfw_chart_begin(struct lxfw_chart *chart, struct lxfw_output *output,
		      const char *caption, const char *const *names, int series);
void lxfw_chart_end(struct lxfw_chart *chart);

/* Draw the grid, numbers and unit of an axis. The linear axis extends from 0 to MOST. */
void lxfw_chart_y_linear(struct lxfw_chart *chart, double most, const char *title);
/* A logarithmic axis of times in seconds from LEAST, greater than 0, to MOST. 0 has a
   separate place below. */
void lxfw_chart_y_times(struct lxfw_chart *chart, double least, double most,
			const char *title);
/* A logarithmic axis of numbers from LEAST, greater than 0, to MOST. */
void lxfw_chart_y_logarithmic(struct lxfw_chart *chart, double least, double most,
			      const char *title);
void lxfw_chart_x_time(struct lxfw_chart *chart,
		       const struct lxfw_calendar *calendar, int64_t begin,
		       int64_t end);
void lxfw_chart_x_times(struct lxfw_chart *chart, double least, double most,
			const char *title);
void lxfw_chart_x_logarithmic(struct lxfw_chart *chart, double least, double most,
			      const char *title);
void lxfw_chart_x_linear(struct lxfw_chart *chart, double most, const char *title);
/* Draws COUNT names side by side. Numbers of 1024 and more are abbreviated if names
   would overlap. */
void lxfw_chart_x_names(struct lxfw_chart *chart, const char *const *names,
			size_t count, const char *title);

/* Convert values to coordinates in the picture. */
double lxfw_chart_x_at(const struct lxfw_chart *chart, double value);
double lxfw_chart_y_at(const struct lxfw_chart *chart, double value);
double lxfw_chart_name_at(const struct lxfw_chart *chart, size_t i, size_t count);

/* Draws a curve. POINTS are coordinates in the picture. */
void lxfw_chart_curve(struct lxfw_chart *chart, const struct lxfw_svg_point *points,
		      size_t count, int series, bool marked);
void lxfw_chart_mark(struct lxfw_output *output, double x, double y, int series);

/* Draws the bar of SERIES above name number I of COUNT. TOLD is written above the bar
   if it fits; it may be NULL. */
void lxfw_chart_bar(struct lxfw_chart *chart, size_t i, size_t count, int series,
		    double value, const char *told);

/* Shades a period in which part of the machine was unavailable. */
void lxfw_chart_shade(struct lxfw_chart *chart, double from, double until);

/* Draws the legend of shaded periods. */
void lxfw_chart_shade_key(struct lxfw_output *output, const char *text);

#endif
