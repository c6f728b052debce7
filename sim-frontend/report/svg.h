/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inline SVG pictures: axes, curves, boxes, text. Colours are set by classes of the
 * page's style, so that pictures follow its light or dark style.
 */
#ifndef LXFW_REPORT_SVG_H
#define LXFW_REPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/util/calendar.h"
#include "sim-frontend/util/output.h"

/* Maps values to coordinates. */
struct lxfw_axis {
	double low, high;	/* values; above 0 for a logarithmic axis */
	double from, to;	/* their coordinates */
	bool logarithmic;
};

struct lxfw_svg_point {
	double x, y;
};

/* Writes text to a page. Characters with a meaning in HTML are escaped, unprintable
   ones replaced. */
void lxfw_html_text(struct lxfw_output *output, const char *text);

/* Begins a picture of WIDTH by HEIGHT units. TOLD is its description for screen
   readers. */
void lxfw_svg_begin(struct lxfw_output *output, double width, double height,
		    const char *told);
void lxfw_svg_end(struct lxfw_output *output);

/* CLASS is a class of the page's style. ANCHOR is "start", "middle" or "end". */
void lxfw_svg_text(struct lxfw_output *output, double x, double y,
		   const char *anchor, const char *class, const char *text);
void lxfw_svg_line(struct lxfw_output *output, double x1, double y1, double x2,
		   double y2, const char *class);
void lxfw_svg_box(struct lxfw_output *output, double x, double y, double width,
		  double height, const char *class);
void lxfw_svg_curve(struct lxfw_output *output,
		    const struct lxfw_svg_point *points, size_t count,
		    const char *class);

double lxfw_axis_at(const struct lxfw_axis *axis, double value);

/* Returns a step of 1, 2 or 5 times a power of ten that gives about COUNT steps up to
   HIGH. */
double lxfw_axis_step(double high, int count);

/* Draws a time axis at Y, with ticks from TOP to it. Ticks are hours, days, months or
   years, as many as fit. */
void lxfw_svg_time_axis(struct lxfw_output *output,
			const struct lxfw_axis *axis,
			const struct lxfw_calendar *calendar, double y,
			double top);

#endif
