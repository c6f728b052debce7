/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/value_figures.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim-frontend/report/report.h"

/* Curves with more points have no marks. */
#define MARKED_MOST 20

/* --- groups --------------------------------------------------------------------- */

/* Computes the smallest value above 0 and the maximum; both are 1 if there is none. */
static void range_of(const struct lxfw_value_figure *figure, double *least,
		     double *most)
{
	size_t all = (size_t)figure->series * figure->count;

	*least = INFINITY;
	*most = 0;
	for (size_t i = 0; i < all; i++) {
		*most = fmax(*most, figure->values[i]);
		if (figure->values[i] > 0)
			*least = fmin(*least, figure->values[i]);
	}
	if (!isfinite(*least))
		*least = 1;
	*most = fmax(*most, *least);
}

/* Draws the y axis: logarithmic, or linear from 0 for bars. Returns the unit. */
static double value_axis(const struct lxfw_value_figure *figure,
			 struct lxfw_chart *chart)
{
	const struct lxfw_unit *unit;
	double least, most;
	char title[40];

	range_of(figure, &least, &most);
	unit = lxfw_unit_for(most);
	if (chart->bars && figure->slowdowns) {
		lxfw_chart_y_linear(chart, most, "bounded slowdown");
	} else if (chart->bars) {
		snprintf(title, sizeof(title), "wait, %s", unit->name);
		lxfw_chart_y_linear(chart, most / unit->seconds, title);
		return unit->seconds;
	} else if (figure->slowdowns) {
		lxfw_chart_y_logarithmic(chart, least, most, "bounded slowdown");
	} else {
		lxfw_chart_y_times(chart, least, most, "wait");
	}
	return 1;
}

static void time_axis(const struct lxfw_figure_time *time, struct lxfw_chart *chart)
{
	lxfw_chart_x_time(chart, time->calendar, time->begin, time->end);
	for (size_t i = 0; i < time->away_count; i++)
		lxfw_chart_shade(chart, (double)time->away[i].from,
				 (double)time->away[i].until);
}

static void draw_bars(const struct lxfw_value_figure *figure,
		      struct lxfw_chart *chart, double scale)
{
	for (size_t i = 0; i < figure->count; i++) {
		for (int k = 0; k < figure->series; k++) {
			double value = figure->values[(size_t)k * figure->count + i];
			char text[32];

			if (isnan(value))
				continue;
			if (figure->slowdowns)
				snprintf(text, sizeof(text), "%.1f", value);
			else
				lxfw_format_span(value, text, sizeof(text));
			lxfw_chart_bar(chart, i, figure->count, k, value / scale,
				       text);
		}
	}
}

/* Returns the x coordinate of a group; over time, the middle of its period. */
static double place_of(const struct lxfw_value_figure *figure,
		       const struct lxfw_chart *chart, size_t i)
{
	double begin, middle;

	if (!figure->time)
		return lxfw_chart_name_at(chart, i, figure->count);
	begin = (double)figure->begins[i];
	middle = begin + (double)figure->width / 2;
	if (middle > chart->x.high)
		middle = (begin + chart->x.high) / 2;
	return lxfw_chart_x_at(chart, middle);
}

static void draw_curves(const struct lxfw_value_figure *figure,
			struct lxfw_chart *chart, struct lxfw_svg_point *points)
{
	bool marked = !figure->time || figure->count < MARKED_MOST;

	for (int k = figure->series - 1; k >= 0; k--) {
		size_t count = 0;

		for (size_t i = 0; i < figure->count; i++) {
			double value = figure->values[(size_t)k * figure->count + i];

			if (isnan(value))
				continue;
			points[count].x = place_of(figure, chart, i);
			points[count++].y = lxfw_chart_y_at(chart, value);
		}
		lxfw_chart_curve(chart, points, count, k, marked);
	}
}

int lxfw_value_figure(const struct lxfw_value_figure *figure,
		      struct lxfw_output *output)
{
	struct lxfw_svg_point *points = calloc(figure->count + 1, sizeof(*points));
	struct lxfw_chart chart = {
		.bars = figure->count < LXFW_CHART_CURVE_LEAST,
	};
	double scale;

	if (!points) {
		errno = ENOMEM;
		return -1;
	}
	if (figure->count == 0) {
		free(points);
		return 0;
	}
	lxfw_chart_begin(&chart, output, figure->caption, figure->series_names,
			 figure->series);
	scale = value_axis(figure, &chart);
	if (figure->time && !chart.bars)
		time_axis(figure->time, &chart);
	else
		lxfw_chart_x_names(&chart, figure->names, figure->count,
				   figure->below);
	if (chart.bars)
		draw_bars(figure, &chart, scale);
	else
		draw_curves(figure, &chart, points);
	lxfw_chart_end(&chart);
	free(points);
	return 0;
}

/* --- the distribution of waits -------------------------------------------------- */

int lxfw_share_figure(const char *const *series_names, int series,
		      const double *waits, const double *shares, size_t points,
		      struct lxfw_output *output)
{
	struct lxfw_svg_point *at = calloc(points + 1, sizeof(*at));
	struct lxfw_chart chart = { .bars = false };

	if (!at) {
		errno = ENOMEM;
		return -1;
	}
	lxfw_chart_begin(&chart, output, "Jobs that waited no longer than ...",
			 series_names, series);
	lxfw_chart_y_linear(&chart, 100, "jobs, %");
	lxfw_chart_x_times(&chart, 1, waits[points - 1], "wait");
	for (int k = series - 1; k >= 0; k--) {
		for (size_t i = 0; i < points; i++)
			at[i] = (struct lxfw_svg_point) {
				lxfw_chart_x_at(&chart, waits[i]),
				lxfw_chart_y_at(&chart, 100 *
					shares[(size_t)k * points + i]),
			};
		lxfw_chart_curve(&chart, at, points, k, false);
	}
	lxfw_chart_end(&chart);
	free(at);
	return 0;
}

/* --- the machine ---------------------------------------------------------------- */

#define SPANS_MOST 200
#define WEEK INT64_C(604800)

static const int64_t widths[] = {
	60, 300, 900, 3600, 3 * 3600, 6 * 3600, 86400, 7 * 86400, 28 * 86400,
	364 * 86400,
};

static const char *span_name(int64_t seconds, char *text, size_t size)
{
	static const struct {
		int64_t seconds;
		const char *name;
	} units[] = { { WEEK, "week" }, { 86400, "day" }, { 3600, "hour" } };

	for (size_t i = 0; i < 3; i++) {
		int64_t count = seconds / units[i].seconds;

		if (seconds % units[i].seconds != 0)
			continue;
		snprintf(text, size, "%lld %s%s", (long long)count, units[i].name,
			 count == 1 ? "" : "s");
		return text;
	}
	snprintf(text, size, "%lld min", (long long)seconds / 60);
	return text;
}

struct steps {
	int64_t begin, width;
	size_t count;		/* number of periods */
	double *values;		/* [series * count + period] */
};

static void steps_figure(const struct lxfw_machine_figures *figures,
			 const struct steps *steps, const char *what,
			 const char *axis, double top,
			 struct lxfw_svg_point *points, struct lxfw_output *output)
{
	struct lxfw_chart chart = { .bars = false };
	char caption[100], text[40];

	for (size_t i = 0; i < (size_t)figures->series * steps->count; i++)
		top = fmax(top, steps->values[i]);
	snprintf(caption, sizeof(caption), "%s, means of %s", what,
		 span_name(steps->width, text, sizeof(text)));
	lxfw_chart_begin(&chart, output, caption, figures->series_names,
			 figures->series);
	lxfw_chart_y_linear(&chart, top, axis);
	time_axis(figures->time, &chart);
	for (int k = figures->series - 1; k >= 0; k--) {
		for (size_t i = 0; i < steps->count; i++) {
			int64_t from = steps->begin + (int64_t)i * steps->width;
			double until = (double)(from + steps->width);
			struct lxfw_svg_point *at = &points[2 * i];

			at[0].x = lxfw_chart_x_at(&chart, (double)from);
			at[1].x = lxfw_chart_x_at(&chart, fmin(until, chart.x.high));
			at[0].y = at[1].y = lxfw_chart_y_at(&chart,
				steps->values[(size_t)k * steps->count + i]);
		}
		lxfw_chart_curve(&chart, points, 2 * steps->count, k, false);
	}
	lxfw_chart_end(&chart);
}

/* Converts the sum of each period to a mean over the part of the period before the
   end, times FACTOR. */
static void make_means(const struct steps *steps, int64_t end, int series,
		       double factor)
{
	for (size_t i = 0; i < (size_t)series * steps->count; i++) {
		int64_t begin = steps->begin +
				(int64_t)(i % steps->count) * steps->width;
		int64_t left = end - begin;

		steps->values[i] *= factor / (double)(left < steps->width ? left :
						      steps->width);
	}
}

static void draw_machine(const struct lxfw_machine_figures *figures,
			 const struct steps *steps, struct lxfw_svg_point *points,
			 struct lxfw_output *output)
{
	const struct lxfw_figure_time *time = figures->time;

	for (int k = 0; k < figures->series; k++)
		lxfw_timeline_usage(figures->timelines[k], steps->begin,
				    steps->width, steps->count,
				    steps->values + (size_t)k * steps->count);
	make_means(steps, time->end, figures->series, 100 / (double)figures->procs);
	steps_figure(figures, steps, "Utilization", "processors in use, %", 100,
		     points, output);
	for (int k = 0; k < figures->series; k++)
		lxfw_timeline_waiting(figures->timelines[k], steps->begin,
				      steps->width, steps->count,
				      steps->values + (size_t)k * steps->count);
	make_means(steps, time->end, figures->series, 1);
	steps_figure(figures, steps, "Jobs in the queue", "waiting jobs", 1,
		     points, output);
}

int lxfw_machine_figures(const struct lxfw_machine_figures *figures,
			 struct lxfw_output *output)
{
	int64_t span = figures->time->end - figures->time->begin;
	struct steps steps = { .begin = figures->time->begin };
	struct lxfw_svg_point *points;
	size_t i = 0;
	int result = 0;

	if (span <= 0)
		return 0;
	while (i + 1 < sizeof(widths) / sizeof(*widths) &&
	       span / widths[i] >= SPANS_MOST)
		i++;
	steps.width = widths[i] > span / SPANS_MOST ? widths[i] : span / SPANS_MOST;
	steps.count = (size_t)((span + steps.width - 1) / steps.width);
	steps.values = calloc((size_t)figures->series * steps.count,
			      sizeof(*steps.values));
	points = calloc(2 * steps.count, sizeof(*points));
	if (steps.values && points) {
		draw_machine(figures, &steps, points, output);
	} else {
		errno = ENOMEM;
		result = -1;
	}
	free(steps.values);
	free(points);
	return result;
}
