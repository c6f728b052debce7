/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charts of a page: a figure with axes in which several series are drawn, each with a
 * colour, a stroke and a mark of its own. Series are numbered from 0; beyond
 * LXFW_CHART_SERIES they begin again.
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

/* Fewer values in a row than these are bars: a curve of them says nothing. */
#define LXFW_CHART_CURVE_LEAST 3

struct lxfw_chart {
	struct lxfw_output *output;
	double width, height;			/* of the picture */
	double left, right, top, bottom;	/* of the area between the axes */
	struct lxfw_axis x, y;
	bool zero_apart;	/* of a logarithmic y: 0 stands below it */
	int series;		/* how many there are */
	bool bars;		/* drawn as such */
};

/* A unit for times up to a longest one. */
struct lxfw_unit {
	double seconds;
	const char *name;
};

const struct lxfw_unit *lxfw_unit_for(double most);

/* 950, 4k, 93k, 1.5M; SIZE 24 is enough. */
const char *lxfw_short_number(double value, char *text, size_t size);

/* A figure with its caption, both our own words, and a key of NAMES, which may come from
   a log; NULL = none. The picture is open until lxfw_chart_end(). */
void lxfw_chart_begin(struct lxfw_chart *chart, struct lxfw_output *output,
		      const char *caption, const char *const *names, int series);
void lxfw_chart_end(struct lxfw_chart *chart);

/* Grid, numbers and unit of the axes. MOST of a linear one: it goes from 0. */
void lxfw_chart_y_linear(struct lxfw_chart *chart, double most, const char *title);
/* Of times in s, from the LEAST above 0 to the MOST; 0 stands apart below. */
void lxfw_chart_y_times(struct lxfw_chart *chart, double least, double most,
			const char *title);
/* Of numbers, likewise; nothing stands below. */
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
/* Names side by side, COUNT of them; numbers of 1024 and more are written shorter where
   they would overlap. */
void lxfw_chart_x_names(struct lxfw_chart *chart, const char *const *names,
			size_t count, const char *title);

/* Places in the picture. */
double lxfw_chart_x_at(const struct lxfw_chart *chart, double value);
double lxfw_chart_y_at(const struct lxfw_chart *chart, double value);
double lxfw_chart_name_at(const struct lxfw_chart *chart, size_t i, size_t count);

/* Points in places. */
void lxfw_chart_curve(struct lxfw_chart *chart, const struct lxfw_svg_point *points,
		      size_t count, int series, bool marked);
void lxfw_chart_mark(struct lxfw_output *output, double x, double y, int series);

/* A bar of SERIES above the i-th of COUNT names, with what it says on top. */
void lxfw_chart_bar(struct lxfw_chart *chart, size_t i, size_t count, int series,
		    double value, const char *told);

/* A stretch of time in which not all of the machine was there. */
void lxfw_chart_shade(struct lxfw_chart *chart, double from, double until);

/* The key of what is shaded. */
void lxfw_chart_shade_key(struct lxfw_output *output, const char *text);

#endif
