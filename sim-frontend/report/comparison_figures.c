/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The curves of a comparison's page: measured and simulated in each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/report/comparison_page.h"
#include "sim-frontend/report/svg.h"

#define WIDTH 420.0
#define HEIGHT 270.0
#define LEFT 46.0
#define RIGHT (WIDTH - 14)
#define TOP 34.0
#define BOTTOM (HEIGHT - 44)

#define TICKS 5

static const char *const classes[LXFW_SIDES] = { "measured", "simulated" };

/* A unit for waits up to a longest one. */
struct unit {
	double seconds;
	const char *name;
};

static const struct unit *unit_for(double most)
{
	static const struct unit units[] = {
		{ 1, "s" }, { 60, "min" }, { 3600, "h" }, { 86400, "days" },
	};
	int i = 0;

	while (i < 3 && most > 2 * units[i + 1].seconds &&
	       (i < 2 || most > 4 * units[i + 1].seconds))
		i++;
	return &units[i];
}

/* Grid and numbers of a vertical axis from 0 to past MOST; its UNIT stands above. */
static struct lxfw_axis vertical_axis(struct lxfw_output *output, double most,
				      const char *title)
{
	double step = lxfw_axis_step(most > 0 ? most : 1, TICKS);
	int count = (int)ceil(most / step - 1e-9);
	struct lxfw_axis axis = { .from = BOTTOM, .to = TOP };

	if (count < 1)
		count = 1;
	axis.high = step * count;
	for (int i = 0; i <= count; i++) {
		char label[32];
		double y = lxfw_axis_at(&axis, step * i);

		snprintf(label, sizeof(label), "%g", step * i);
		lxfw_svg_line(output, LEFT, y, RIGHT, y, i ? "grid" : "axis");
		lxfw_svg_text(output, LEFT - 6, y + 4, "end", "", label);
	}
	lxfw_svg_text(output, 2, 14, "start", "unit", title);
	return axis;
}

static void begin_figure(struct lxfw_output *output, const char *title)
{
	lxfw_output_text(output, "<figure>\n<figcaption>");
	lxfw_html_text(output, title);
	lxfw_output_text(output, "</figcaption>\n");
	lxfw_svg_begin(output, WIDTH, HEIGHT, title);
}

static void end_figure(struct lxfw_output *output)
{
	lxfw_svg_end(output);
	lxfw_output_text(output, "</figure>\n");
}

/* Which curve is which, in the picture itself. */
static void legend(struct lxfw_output *output)
{
	static const double places[LXFW_SIDES] = { RIGHT - 188, RIGHT - 88 };

	for (int side = 0; side < LXFW_SIDES; side++) {
		double x = places[side];
		const struct lxfw_svg_point line[2] = {
			{ x, 10 }, { x + 22, 10 },
		};
		char class[40];

		snprintf(class, sizeof(class), "curve %s", classes[side]);
		lxfw_svg_curve(output, line, 2, class);
		lxfw_svg_text(output, x + 27, 14, "start", classes[side],
			      classes[side]);
	}
}

/* Points of one side, marked by a disc or a square. */
static void marks(struct lxfw_output *output,
		  const struct lxfw_svg_point *points, size_t count, int side)
{
	for (size_t i = 0; i < count; i++) {
		if (side == LXFW_SIMULATED)
			lxfw_output_format(output, "<rect class=\"mark %s\" "
				"x=\"%.1f\" y=\"%.1f\" width=\"7\" "
				"height=\"7\"/>\n", classes[side],
				points[i].x - 3.5, points[i].y - 3.5);
		else
			lxfw_output_format(output, "<circle class=\"mark %s\" "
				"cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n",
				classes[side], points[i].x, points[i].y);
	}
}

static void curve(struct lxfw_output *output,
		  const struct lxfw_svg_point *points, size_t count, int side,
		  bool marked)
{
	char class[40];

	snprintf(class, sizeof(class), "curve %s", classes[side]);
	if (count > 1)
		lxfw_svg_curve(output, points, count, class);
	if (marked || count == 1)
		marks(output, points, count, side);
}

/* --- waits by group ------------------------------------------------------------- */

enum measure { MEAN, P95, SLOWDOWN };

static double value_of(const struct lxfw_comparison_row *row, int side,
		       enum measure measure)
{
	const struct lxfw_metrics *metrics = &row->side[side];

	switch (measure) {
	case MEAN:
		return metrics->mean_wait;
	case P95:
		return (double)metrics->p95_wait;
	case SLOWDOWN:
		break;
	}
	return metrics->mean_bounded_slowdown;
}

static double most_of(const struct lxfw_comparison_rows *rows,
		      enum measure measure)
{
	double most = 0;

	for (size_t i = 0; i < rows->count; i++) {
		for (int side = 0; side < LXFW_SIDES; side++)
			most = fmax(most, value_of(&rows->rows[i], side,
						   measure));
	}
	return most;
}

/* Short names below the points: "to 1m" for "up to 1 min", "1-4h", ">24h". */
static const char *short_name(const struct lxfw_comparison_row *row, char *text,
			      size_t size)
{
	const char *from = row->name;
	const char *before = "", *blank, *unit = "";

	if (strncmp(from, "up to ", 6) == 0) {
		before = "to ";
		from += 6;
	} else if (strncmp(from, "over ", 5) == 0) {
		before = ">";
		from += 5;
	}
	blank = strchr(from, ' ');
	if (blank)
		unit = blank[1] == 'm' ? "m" : "h";
	snprintf(text, size, "%s%.*s%s", before,
		 blank ? (int)(blank - from) : 20, from, unit);
	return text;
}

static void groups_figure(const struct lxfw_comparison_rows *rows,
			  enum measure measure, const char *title,
			  const char *below, struct lxfw_output *output)
{
	static const struct unit none = { 1, "" };
	double most = most_of(rows, measure), width;
	const struct unit *unit = measure == SLOWDOWN ? &none : unit_for(most);
	struct lxfw_svg_point points[32];
	struct lxfw_axis y;
	size_t count = rows->count > 32 ? 32 : rows->count;
	char text[64];

	begin_figure(output, title);
	snprintf(text, sizeof(text), "wait, %s", unit->name);
	y = vertical_axis(output, most / unit->seconds, measure == SLOWDOWN ?
			  "bounded slowdown" : text);
	width = (RIGHT - LEFT) / (double)(count ? count : 1);
	for (size_t i = 0; i < count; i++)
		lxfw_svg_text(output, LEFT + width * ((double)i + 0.5),
			      BOTTOM + 16, "middle", "small",
			      short_name(&rows->rows[i], text, sizeof(text)));
	lxfw_svg_text(output, (LEFT + RIGHT) / 2, HEIGHT - 8, "middle", "unit",
		      below);
	for (int side = LXFW_SIDES - 1; side >= 0; side--) {
		for (size_t i = 0; i < count; i++)
			points[i] = (struct lxfw_svg_point) {
				LEFT + width * ((double)i + 0.5),
				lxfw_axis_at(&y, value_of(&rows->rows[i], side,
							  measure) /
						 unit->seconds),
			};
		curve(output, points, count, side, true);
	}
	legend(output);
	end_figure(output);
}

/* --- over time ------------------------------------------------------------------ */

static struct lxfw_axis time_axis(const struct lxfw_comparison_report *report,
				  struct lxfw_output *output)
{
	struct lxfw_axis axis = {
		.low = (double)report->begin, .high = (double)report->end,
		.from = LEFT, .to = RIGHT,
	};

	lxfw_svg_time_axis(output, &axis, &report->recorded->calendar, BOTTOM,
			   TOP);
	lxfw_svg_text(output, (LEFT + RIGHT) / 2, HEIGHT - 8, "middle", "unit",
		      report->recorded->calendar.known ? "time" :
						"days from the beginning");
	return axis;
}

static void weeks_figure(const struct lxfw_comparison_report *report,
			 enum measure measure, const char *title,
			 struct lxfw_output *output)
{
	const struct lxfw_comparison_rows *rows = &report->by[LXFW_BY_WEEK];
	double most = most_of(rows, measure);
	const struct unit *unit = unit_for(most);
	struct lxfw_svg_point *points = calloc(rows->count + 1, sizeof(*points));
	struct lxfw_axis x, y;
	char text[64];

	if (!points || rows->count == 0) {
		free(points);
		return;
	}
	begin_figure(output, title);
	snprintf(text, sizeof(text), "wait, %s", unit->name);
	y = vertical_axis(output, most / unit->seconds, text);
	x = time_axis(report, output);
	for (int side = LXFW_SIDES - 1; side >= 0; side--) {
		for (size_t i = 0; i < rows->count; i++) {
			const struct lxfw_comparison_row *row = &rows->rows[i];
			/* in the middle of what is of the week */
			double middle = (double)row->begin + 302400;

			if (middle > x.high)
				middle = ((double)row->begin + x.high) / 2;
			points[i].x = lxfw_axis_at(&x, middle);
			points[i].y = lxfw_axis_at(&y,
				value_of(row, side, measure) / unit->seconds);
		}
		curve(output, points, rows->count, side, rows->count < 20);
	}
	legend(output);
	end_figure(output);
	free(points);
}

static const char *span_name(int64_t seconds, char *text, size_t size)
{
	if (seconds % 604800 == 0)
		snprintf(text, size, "%lld week%s", (long long)seconds / 604800,
			 seconds == 604800 ? "" : "s");
	else if (seconds % 86400 == 0)
		snprintf(text, size, "%lld day%s", (long long)seconds / 86400,
			 seconds == 86400 ? "" : "s");
	else if (seconds % 3600 == 0)
		snprintf(text, size, "%lld hour%s", (long long)seconds / 3600,
			 seconds == 3600 ? "" : "s");
	else
		snprintf(text, size, "%lld min", (long long)seconds / 60);
	return text;
}

static void usage_figure(const struct lxfw_comparison_report *report,
			 struct lxfw_output *output)
{
	size_t count = report->usage_count;
	struct lxfw_svg_point *points = calloc(2 * count + 1, sizeof(*points));
	struct lxfw_axis x, y;
	double most = 100;
	char title[100], text[40];

	if (!points || count == 0) {
		free(points);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		for (int side = 0; side < LXFW_SIDES; side++)
			most = fmax(most, 100 * report->usage[i].side[side]);
	}
	snprintf(title, sizeof(title), "Utilization, means of %s",
		 span_name(report->usage_width, text, sizeof(text)));
	begin_figure(output, title);
	y = vertical_axis(output, most, "processors in use, %");
	x = time_axis(report, output);
	for (int side = LXFW_SIDES - 1; side >= 0; side--) {
		for (size_t i = 0; i < count; i++) {
			double from = (double)report->usage[i].begin;
			double until = from + (double)report->usage_width;
			double at = lxfw_axis_at(&y,
				100 * report->usage[i].side[side]);

			points[2 * i].x = lxfw_axis_at(&x, from);
			points[2 * i + 1].x = lxfw_axis_at(&x,
						fmin(until, x.high));
			points[2 * i].y = points[2 * i + 1].y = at;
		}
		curve(output, points, 2 * count, side, false);
	}
	legend(output);
	end_figure(output);
	free(points);
}

/* --- the distribution of waits -------------------------------------------------- */

static void wait_ticks(struct lxfw_output *output, const struct lxfw_axis *axis)
{
	static const struct {
		double wait;
		const char *name;
	} ticks[] = {
		{ 1, "1 s" }, { 10, "10 s" }, { 60, "1 min" },
		{ 600, "10 min" }, { 3600, "1 h" }, { 36000, "10 h" },
		{ 4 * 86400, "4 d" }, { 40 * 86400, "40 d" },
		{ 365 * 86400, "1 y" },
	};

	for (size_t i = 0; i < sizeof(ticks) / sizeof(*ticks); i++) {
		double x = lxfw_axis_at(axis, ticks[i].wait);

		if (ticks[i].wait > axis->high)
			break;
		lxfw_svg_line(output, x, TOP, x, BOTTOM, "grid");
		lxfw_svg_text(output, x, BOTTOM + 16, "middle", "small",
			      ticks[i].name);
	}
}

static void distribution_figure(const struct lxfw_comparison_report *report,
				struct lxfw_output *output)
{
	struct lxfw_svg_point points[LXFW_CDF_POINTS];
	struct lxfw_axis y, x = {
		.low = 1, .high = report->cdf[LXFW_CDF_POINTS - 1].wait,
		.from = LEFT, .to = RIGHT, .logarithmic = true,
	};

	begin_figure(output, "Jobs that waited no longer than ...");
	y = vertical_axis(output, 100, "jobs, %");
	wait_ticks(output, &x);
	lxfw_svg_text(output, (LEFT + RIGHT) / 2, HEIGHT - 8, "middle", "unit",
		      "wait");
	for (int side = LXFW_SIDES - 1; side >= 0; side--) {
		for (int i = 0; i < LXFW_CDF_POINTS; i++)
			points[i] = (struct lxfw_svg_point) {
				lxfw_axis_at(&x, report->cdf[i].wait),
				lxfw_axis_at(&y, 100 *
					     report->cdf[i].side[side]),
			};
		curve(output, points, LXFW_CDF_POINTS, side, false);
	}
	legend(output);
	end_figure(output);
}

/* --- what jobs wait for --------------------------------------------------------- */

static void part_bar(const struct lxfw_comparison_report *report, int side,
		     const struct lxfw_axis *axis, double y,
		     struct lxfw_output *output)
{
	double before = 0;

	lxfw_svg_text(output, LEFT + 18, y + 22, "end", classes[side],
		      classes[side]);
	for (int i = 0; i < LXFW_WAIT_PARTS; i++) {
		double wait = lxfw_comparison_part(report, (enum lxfw_side)side,
						   (enum lxfw_wait_part)i);
		double from = lxfw_axis_at(axis, before);
		double to = lxfw_axis_at(axis, before + wait);
		char class[32], text[32];

		snprintf(class, sizeof(class), "part p%d", i);
		if (to - from >= 0.1)
			lxfw_svg_box(output, from, y, to - from, 34, class);
		if (to - from > 42) {
			snprintf(class, sizeof(class), "on o%d", i);
			lxfw_svg_text(output, (from + to) / 2, y + 22, "middle",
				      class, lxfw_report_span(wait, text,
							      sizeof(text)));
		}
		before += wait;
	}
}

void lxfw_page_parts(const struct lxfw_comparison_report *report,
		     struct lxfw_output *output)
{
	double most = fmax(report->measured.mean, report->simulated.mean);
	double width = 960, height = 140;
	const struct unit *unit = unit_for(most);
	double step = lxfw_axis_step(most / unit->seconds, 6);
	struct lxfw_axis axis = {
		.high = most > 0 ? most : 1, .from = LEFT + 26, .to = width - 24,
	};
	char text[64];

	lxfw_output_text(output, "<figure class=\"wide\">\n<figcaption>Mean "
			 "wait, by what jobs wait for</figcaption>\n<div "
			 "class=\"scroll\">");
	lxfw_svg_begin(output, width, height,
		       "Mean wait, measured and simulated, by what jobs wait for");
	for (int i = 0; step * i * unit->seconds <= axis.high; i++) {
		double x = lxfw_axis_at(&axis, step * i * unit->seconds);

		snprintf(text, sizeof(text), "%g", step * i);
		lxfw_svg_line(output, x, 8, x, 98, "grid");
		lxfw_svg_text(output, x, 114, "middle", "", text);
	}
	part_bar(report, LXFW_MEASURED, &axis, 12, output);
	part_bar(report, LXFW_SIMULATED, &axis, 56, output);
	snprintf(text, sizeof(text), "mean wait, %s", unit->name);
	lxfw_svg_text(output, (axis.from + axis.to) / 2, height - 6, "middle",
		      "unit", text);
	lxfw_svg_end(output);
	lxfw_output_text(output, "</div>\n</figure>\n");
}

void lxfw_page_figures(const struct lxfw_comparison_report *report,
		       struct lxfw_output *output)
{
	const struct lxfw_comparison_rows *run = &report->by[LXFW_BY_RUN];
	const struct lxfw_comparison_rows *size = &report->by[LXFW_BY_SIZE];

	lxfw_output_text(output, "<div class=\"figures\">\n");
	groups_figure(run, MEAN, "Mean wait by run time", "run time", output);
	groups_figure(run, P95, "95th percentile wait by run time", "run time",
		      output);
	groups_figure(run, SLOWDOWN, "Mean bounded slowdown by run time",
		      "run time", output);
	groups_figure(size, MEAN, "Mean wait by processors", "processors",
		      output);
	groups_figure(size, P95, "95th percentile wait by processors",
		      "processors", output);
	distribution_figure(report, output);
	weeks_figure(report, MEAN, "Mean wait by week", output);
	weeks_figure(report, P95, "95th percentile wait by week", output);
	usage_figure(report, output);
	lxfw_output_text(output, "</div>\n");
}
