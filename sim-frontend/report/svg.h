/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures as parts of a page (inline SVG): axes, curves, boxes, text. Colours come from
 * the page's style by class, so that a picture is dark where the page is.
 */
#ifndef LXFW_REPORT_SVG_H
#define LXFW_REPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/util/calendar.h"
#include "sim-frontend/util/output.h"

/* From values to places. */
struct lxfw_axis {
	double low, high;	/* values; of a logarithmic axis above 0 */
	double from, to;	/* where they are in the picture */
	bool logarithmic;
};

struct lxfw_svg_point {
	double x, y;
};

/* Text in a page: what could be taken for a mark, and what cannot be printed, is
   written another way. */
void lxfw_html_text(struct lxfw_output *output, const char *text);

/* A picture of WIDTH by HEIGHT units, which is told of to those who cannot see it. */
void lxfw_svg_begin(struct lxfw_output *output, double width, double height,
		    const char *told);
void lxfw_svg_end(struct lxfw_output *output);

/* CLASS is of the page's style; ANCHOR is "start", "middle" or "end". */
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

/* A step of 1, 2 or 5 times a power of ten such that there are about COUNT up to
   HIGH. */
double lxfw_axis_step(double high, int count);

/* An axis of time along the bottom of a picture, at Y, with ticks from TOP to it:
   hours, days, months or years, as many as have room. */
void lxfw_svg_time_axis(struct lxfw_output *output,
			const struct lxfw_axis *axis,
			const struct lxfw_calendar *calendar, double y,
			double top);

#endif
