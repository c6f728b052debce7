/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Charts of a comparison's page other than those over time. Each shows measured and
   simulated values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/report/chart.h"
#include "sim-frontend/report/comparison_page.h"
#include "sim-frontend/report/page.h"
#include "sim-frontend/report/value_figures.h"

const char *const lxfw_page_sides[LXFW_SIDES] = { "measured", "simulated" };

#define GROUPS_MOST 32

static double value_of(const struct lxfw_comparison_row *row, int side,
		       enum lxfw_page_measure measure)
{
	const struct lxfw_metrics *metrics = &row->side[side];

	switch (measure) {
	case LXFW_PAGE_MEAN:
		return metrics->mean_wait;
	case LXFW_PAGE_P95:
		return (double)metrics->p95_wait;
	case LXFW_PAGE_SLOWDOWN:
		break;
	}
	return metrics->mean_bounded_slowdown;
}

double *lxfw_page_values(const struct lxfw_comparison_rows *rows,
			 enum lxfw_page_measure measure)
{
	double *values = calloc(LXFW_SIDES * rows->count + 1, sizeof(*values));

	for (size_t i = 0; values && i < rows->count; i++) {
		for (int side = 0; side < LXFW_SIDES; side++)
			values[(size_t)side * rows->count + i] =
				value_of(&rows->rows[i], side, measure);
	}
	return values;
}

/* Returns short labels: "to 1m" for "up to 1 min", "1-4h", ">24h". */
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

static int groups_figure(const struct lxfw_comparison_rows *rows,
			 enum lxfw_page_measure measure, const char *caption,
			 const char *below, struct lxfw_output *output)
{
	char texts[GROUPS_MOST][32];
	const char *names[GROUPS_MOST];
	double *values = lxfw_page_values(rows, measure);
	const struct lxfw_value_figure figure = {
		.caption = caption, .below = below,
		.series_names = lxfw_page_sides, .series = LXFW_SIDES,
		.names = names, .count = rows->count, .values = values,
		.slowdowns = measure == LXFW_PAGE_SLOWDOWN,
	};
	int result;

	if (!values)
		return -1;
	for (size_t i = 0; i < rows->count && i < GROUPS_MOST; i++)
		names[i] = short_name(&rows->rows[i], texts[i], sizeof(texts[i]));
	result = lxfw_value_figure(&figure, output);
	free(values);
	return result;
}

static int distribution_figure(const struct lxfw_comparison_report *report,
			       struct lxfw_output *output)
{
	double waits[LXFW_CDF_POINTS], shares[LXFW_SIDES * LXFW_CDF_POINTS];

	for (int i = 0; i < LXFW_CDF_POINTS; i++) {
		waits[i] = report->cdf[i].wait;
		for (int side = 0; side < LXFW_SIDES; side++)
			shares[side * LXFW_CDF_POINTS + i] =
				report->cdf[i].side[side];
	}
	return lxfw_share_figure(lxfw_page_sides, LXFW_SIDES, waits, shares,
				 LXFW_CDF_POINTS, output);
}

/* --- what jobs wait for --------------------------------------------------------- */

#define PARTS_LEFT 72

int lxfw_page_part_colour(enum lxfw_wait_part part)
{
	static const int colours[LXFW_WAIT_PARTS] = {
		[LXFW_WAIT_FULL] = 0, [LXFW_WAIT_MEMORY] = 7, [LXFW_WAIT_EXTRAS] = 8,
		[LXFW_WAIT_HOSTS] = 9, [LXFW_WAIT_AWAY] = 10, [LXFW_WAIT_CHOICE] = 1,
		[LXFW_WAIT_PASSED] = 2, [LXFW_WAIT_PAUSE] = 3, [LXFW_WAIT_LEVEL] = 4,
		[LXFW_WAIT_CHAIN] = 5, [LXFW_WAIT_OTHER] = 6,
	};

	return colours[part];
}

static void part_bar(const struct lxfw_comparison_report *report, int side,
		     const struct lxfw_axis *axis, double y,
		     struct lxfw_output *output)
{
	double before = 0;

	lxfw_svg_text(output, PARTS_LEFT - 8, y + 22, "end", side ? "s1" : "s0",
		      lxfw_page_sides[side]);
	for (int i = 0; i < LXFW_WAIT_PARTS; i++) {
		double wait = lxfw_comparison_part(report, (enum lxfw_side)side,
						   (enum lxfw_wait_part)i);
		double from = lxfw_axis_at(axis, before);
		double to = lxfw_axis_at(axis, before + wait);
		int colour = lxfw_page_part_colour((enum lxfw_wait_part)i);
		char class[32], text[32];

		snprintf(class, sizeof(class), "part p%d", colour);
		if (to - from >= 0.1)
			lxfw_svg_box(output, from, y, to - from, 34, class);
		if (to - from > 42) {
			snprintf(class, sizeof(class), "on o%d", colour);
			lxfw_svg_text(output, (from + to) / 2, y + 22, "middle",
				      class, lxfw_format_span(wait, text,
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
	const struct lxfw_unit *unit = lxfw_unit_for(most);
	double step = lxfw_axis_step(most / unit->seconds, 6);
	struct lxfw_axis axis = {
		.high = most > 0 ? most : 1, .from = PARTS_LEFT,
		.to = width - 24,
	};
	char text[64];

	lxfw_output_text(output, "<figure class=\"wide\">\n<figcaption>Mean "
			 "wait by cause</figcaption>\n<div class=\"scroll\" "
			 "tabindex=\"0\">");
	lxfw_svg_begin(output, width, height,
		       "Mean wait by cause, measured and simulated");
	for (int i = 0; step * i * unit->seconds <= axis.high; i++) {
		double x = lxfw_axis_at(&axis, step * i * unit->seconds);

		lxfw_svg_line(output, x, 8, x, 98, "grid");
		lxfw_svg_text(output, x, 114, "middle", "",
			      lxfw_short_number(step * i, text, sizeof(text)));
	}
	part_bar(report, LXFW_MEASURED, &axis, 12, output);
	part_bar(report, LXFW_SIMULATED, &axis, 56, output);
	snprintf(text, sizeof(text), "mean wait, %s", unit->name);
	lxfw_svg_text(output, (axis.from + axis.to) / 2, height - 6, "middle",
		      "unit", text);
	lxfw_svg_end(output);
	lxfw_output_text(output, "</div>\n</figure>\n");
}

int lxfw_page_figures(const struct lxfw_comparison_report *report,
		      struct lxfw_output *output)
{
	static const struct {
		enum lxfw_comparison_by by;
		enum lxfw_page_measure measure;
		const char *caption, *below;
	} figures[] = {
		{ LXFW_BY_RUN, LXFW_PAGE_MEAN, "Mean wait by run time", "run time" },
		{ LXFW_BY_RUN, LXFW_PAGE_P95, "95th percentile wait by run time",
		  "run time" },
		{ LXFW_BY_RUN, LXFW_PAGE_SLOWDOWN,
		  "Mean bounded slowdown by run time", "run time" },
		{ LXFW_BY_SIZE, LXFW_PAGE_MEAN, "Mean wait by processors",
		  "processors" },
		{ LXFW_BY_SIZE, LXFW_PAGE_P95, "95th percentile wait by processors",
		  "processors" },
	};
	int result = 0;

	lxfw_page_figures_begin(output);
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures) && !result; i++)
		result = groups_figure(&report->by[figures[i].by],
				       figures[i].measure, figures[i].caption,
				       figures[i].below, output);
	if (!result)
		result = distribution_figure(report, output);
	lxfw_page_figures_end(output);
	return result;
}
