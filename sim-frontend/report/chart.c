/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim-frontend/util/letters.h"

#define WIDTH 420.0
#define HEIGHT 262.0
#define TICKS 5

/* Height of the area for 0 below a logarithmic axis. */
#define ZERO_ROOM 20.0

/* Height of a number beside an axis. */
#define LABEL_HEIGHT 19.0

/* Approximate width of a letter of the small size. */
#define LETTER 6.2

const struct lxfw_unit *lxfw_unit_for(double most)
{
	static const struct lxfw_unit units[] = {
		{ 1, "s" }, { 60, "min" }, { 3600, "h" }, { 86400, "days" },
	};
	int i = 0;

	while (i < 3 && most > 2 * units[i + 1].seconds &&
	       (i < 2 || most > 4 * units[i + 1].seconds))
		i++;
	return &units[i];
}

const char *lxfw_short_number(double value, char *text, size_t size)
{
	if (fabs(value) >= 1e6)
		snprintf(text, size, "%.3gM", value / 1e6);
	else if (fabs(value) >= 1e4 || (fabs(value) >= 1e3 &&
					fmod(value, 100) == 0))
		snprintf(text, size, "%.3gk", value / 1e3);
	else
		snprintf(text, size, "%.4g", value);
	return text;
}

/* --- the figure ----------------------------------------------------------------- */

static void series_class(char *text, size_t size, const char *what, int series)
{
	snprintf(text, size, "%s s%d", what, series % LXFW_CHART_SERIES);
}

static void put_key(struct lxfw_output *output, int series, bool bars)
{
	const struct lxfw_svg_point line[2] = { { 0, 5 }, { 30, 5 } };
	char class[24];

	lxfw_output_text(output, "<svg viewBox=\"0 0 30 10\">");
	if (bars) {
		series_class(class, sizeof(class), "bar", series);
		lxfw_svg_box(output, 8, 0, 12, 10, class);
	} else {
		series_class(class, sizeof(class), "curve", series);
		lxfw_svg_curve(output, line, 2, class);
		lxfw_chart_mark(output, 15, 5, series);
	}
	lxfw_output_text(output, "</svg>");
}

void lxfw_chart_begin(struct lxfw_chart *chart, struct lxfw_output *output,
		      const char *caption, const char *const *names, int series)
{
	bool bars = chart->bars;

	*chart = (struct lxfw_chart) {
		.output = output, .width = WIDTH, .height = HEIGHT, .left = 50,
		.right = WIDTH - 14, .top = 26, .bottom = HEIGHT - 44,
		.series = series, .bars = bars,
	};
	lxfw_output_format(output, "<figure>\n<figcaption>%s</figcaption>\n",
			   caption);
	if (names) {
		lxfw_output_text(output, "<p class=\"keys\">");
		for (int i = 0; i < series; i++) {
			lxfw_output_text(output, "<span>");
			put_key(output, i, bars);
			lxfw_html_text(output, names[i]);
			lxfw_output_text(output, "</span>\n");
		}
		lxfw_output_text(output, "</p>\n");
	}
	lxfw_svg_begin(output, chart->width, chart->height, caption);
}

void lxfw_chart_end(struct lxfw_chart *chart)
{
	lxfw_svg_end(chart->output);
	lxfw_output_text(chart->output, "</figure>\n");
}

/* --- axes ----------------------------------------------------------------------- */

double lxfw_chart_x_at(const struct lxfw_chart *chart, double value)
{
	return lxfw_axis_at(&chart->x, value);
}

double lxfw_chart_y_at(const struct lxfw_chart *chart, double value)
{
	if (chart->zero_apart && !(value > 0))
		return chart->bottom;
	return lxfw_axis_at(&chart->y, value);
}

static void y_tick(struct lxfw_chart *chart, double y, const char *label)
{
	lxfw_svg_line(chart->output, chart->left, y, chart->right, y,
		      y < chart->bottom - 0.05 ? "grid" : "axis");
	lxfw_svg_text(chart->output, chart->left - 6, y + 4, "end", "", label);
}

void lxfw_chart_y_linear(struct lxfw_chart *chart, double most, const char *title)
{
	double step = lxfw_axis_step(most > 0 ? most : 1, TICKS);
	int count = (int)ceil(most / step - 1e-9);
	char label[24];

	if (count < 1)
		count = 1;
	chart->y = (struct lxfw_axis) {
		.high = step * count, .from = chart->bottom, .to = chart->top,
	};
	for (int i = 0; i <= count; i++)
		y_tick(chart, lxfw_axis_at(&chart->y, step * i),
		       lxfw_short_number(step * i, label, sizeof(label)));
	lxfw_svg_text(chart->output, 2, 12, "start", "unit", title);
}

static const struct mark_of_time {
	double seconds;
	const char *name;
	int coarse;		/* 2: always shown; 1: shown if there is space */
} time_marks[] = {
	{ 1, "1 s", 2 }, { 3, "3 s", 1 }, { 10, "10 s", 2 }, { 30, "30 s", 1 },
	{ 60, "1 min", 2 }, { 180, "3 min", 1 }, { 600, "10 min", 2 },
	{ 1800, "30 min", 1 }, { 3600, "1 h", 2 }, { 3 * 3600, "3 h", 1 },
	{ 10 * 3600, "10 h", 2 }, { 86400, "1 d", 1 }, { 4 * 86400, "4 d", 2 },
	{ 12 * 86400, "12 d", 1 }, { 40 * 86400, "40 d", 2 },
	{ 120 * 86400, "120 d", 1 }, { 365 * 86400., "1 y", 2 },
	{ 10 * 365 * 86400., "10 y", 2 },
};
#define TIMES ((int)(sizeof(time_marks) / sizeof(*time_marks)))

/* Sets the ends of an axis from LEAST to MOST to marks of time. */
static void time_range(double least, double most, int *first, int *last)
{
	*first = 0;
	while (*first + 2 < TIMES && time_marks[*first + 1].seconds <= least)
		++*first;
	*last = *first + 1;
	while (*last + 1 < TIMES && time_marks[*last].seconds < most)
		++*last;
}

void lxfw_chart_y_times(struct lxfw_chart *chart, double least, double most,
			const char *title)
{
	int first, last, step;

	time_range(least, most, &first, &last);
	chart->zero_apart = true;
	chart->y = (struct lxfw_axis) {
		.low = time_marks[first].seconds, .high = time_marks[last].seconds,
		.from = chart->bottom - ZERO_ROOM, .to = chart->top,
		.logarithmic = true,
	};
	step = (last - first) * LABEL_HEIGHT > chart->y.from - chart->y.to ? 2 : 1;
	y_tick(chart, chart->bottom, "0");
	for (int i = first; i <= last; i++) {
		if (time_marks[i].coarse >= step)
			y_tick(chart, lxfw_axis_at(&chart->y, time_marks[i].seconds),
			       time_marks[i].name);
	}
	lxfw_svg_text(chart->output, 2, 12, "start", "unit", title);
}

/* Sets the ends of a logarithmic axis of numbers from LEAST to MOST. */
static void number_range(double least, double most, double *low, double *high)
{
	*low = pow(10, floor(log10(least)));
	*high = *low;
	while (*high < most && *high < 1e15)
		*high *= 10;
	if (*high / 5 >= most && *high / 5 > *low)
		*high /= 5;
	else if (*high / 2 >= most && *high / 2 > *low)
		*high /= 2;
	if (!(*high > *low))
		*high = 10 * *low;
}

/* Draws its ticks: 1, 2 and 5 of each decade, or only 1 if there are many decades. */
static void number_ticks(struct lxfw_chart *chart, const struct lxfw_axis *axis,
			 void (*tick)(struct lxfw_chart *, double, const char *),
			 int decades_most)
{
	static const double of_decade[] = { 1, 2, 5 };
	int decades = (int)ceil(log10(axis->high / axis->low));

	for (int i = 0; i <= decades; i++) {
		for (int k = 0; k < (decades > decades_most ? 1 : 3); k++) {
			double value = axis->low * pow(10, i) * of_decade[k];
			char label[24];

			if (value <= axis->high * 1.0001)
				tick(chart, lxfw_axis_at(axis, value),
				     lxfw_short_number(value, label,
						       sizeof(label)));
		}
	}
}

void lxfw_chart_y_logarithmic(struct lxfw_chart *chart, double least, double most,
			      const char *title)
{
	double low, high;

	number_range(least, most, &low, &high);
	chart->y = (struct lxfw_axis) {
		.low = low, .high = high, .from = chart->bottom,
		.to = chart->top, .logarithmic = true,
	};
	number_ticks(chart, &chart->y, y_tick, 4);
	lxfw_svg_text(chart->output, 2, 12, "start", "unit", title);
}

static void x_title(struct lxfw_chart *chart, const char *title)
{
	lxfw_svg_text(chart->output, (chart->left + chart->right) / 2,
		      chart->height - 8, "middle", "unit", title);
}

void lxfw_chart_x_time(struct lxfw_chart *chart,
		       const struct lxfw_calendar *calendar, int64_t begin,
		       int64_t end)
{
	chart->x = (struct lxfw_axis) {
		.low = (double)begin, .high = (double)end, .from = chart->left,
		.to = chart->right,
	};
	lxfw_svg_time_axis(chart->output, &chart->x, calendar, chart->bottom,
			   chart->top);
	x_title(chart, calendar->known ? "time" : "days from the beginning");
}

static void x_tick(struct lxfw_chart *chart, double x, const char *label)
{
	lxfw_svg_line(chart->output, x, chart->top, x, chart->bottom, "grid");
	if (x > chart->right - 6)
		lxfw_svg_text(chart->output, chart->width - 1, chart->bottom + 16,
			      "end", "small", label);
	else
		lxfw_svg_text(chart->output, x, chart->bottom + 16, "middle",
			      "small", label);
}

void lxfw_chart_x_times(struct lxfw_chart *chart, double least, double most,
			const char *title)
{
	int first, last, step;

	time_range(least, most, &first, &last);
	chart->x = (struct lxfw_axis) {
		.low = time_marks[first].seconds, .high = time_marks[last].seconds,
		.from = chart->left, .to = chart->right, .logarithmic = true,
	};
	step = (last - first) * 7 * LETTER > chart->right - chart->left ? 2 : 1;
	for (int i = first; i <= last; i++) {
		if (time_marks[i].coarse >= step)
			x_tick(chart, lxfw_axis_at(&chart->x, time_marks[i].seconds),
			       time_marks[i].name);
	}
	x_title(chart, title);
}

void lxfw_chart_x_logarithmic(struct lxfw_chart *chart, double least, double most,
			      const char *title)
{
	double low, high;

	number_range(least, most, &low, &high);
	chart->x = (struct lxfw_axis) {
		.low = low, .high = high, .from = chart->left,
		.to = chart->right, .logarithmic = true,
	};
	number_ticks(chart, &chart->x, x_tick, 3);
	x_title(chart, title);
}

void lxfw_chart_x_linear(struct lxfw_chart *chart, double most, const char *title)
{
	double step = lxfw_axis_step(most > 0 ? most : 1, TICKS);
	int count = (int)ceil(most / step - 1e-9);
	char label[24];

	if (count < 1)
		count = 1;
	chart->x = (struct lxfw_axis) {
		.high = step * count, .from = chart->left, .to = chart->right,
	};
	for (int i = 0; i <= count; i++)
		x_tick(chart, lxfw_axis_at(&chart->x, step * i),
		       lxfw_short_number(step * i, label, sizeof(label)));
	x_title(chart, title);
}

double lxfw_chart_name_at(const struct lxfw_chart *chart, size_t i, size_t count)
{
	return chart->left + (chart->right - chart->left) * ((double)i + 0.5) /
			     (double)(count ? count : 1);
}

/* Abbreviates "257-1024" to "257-1k": numbers of 1000 and more in units of 1000, or of
   1024 if they are multiples of it. */
static const char *shorten(const char *name, char *text, size_t size)
{
	size_t used = 0;

	while (*name && used + 12 < size) {
		unsigned number;
		int length;

		if (*name < '0' || *name > '9' ||
		    sscanf(name, "%9u%n", &number, &length) != 1) {
			text[used++] = *name++;
			continue;
		}
		if (number >= 1000)
			used += (size_t)snprintf(text + used, size - used, "%uk",
				number / (number % 1000 == 0 ? 1000 : 1024));
		else
			used += (size_t)snprintf(text + used, size - used, "%u",
						 number);
		name += length;
	}
	text[used] = '\0';
	lxfw_letters_trim(text);
	return text;
}

void lxfw_chart_x_names(struct lxfw_chart *chart, const char *const *names,
			size_t count, const char *title)
{
	double room = (chart->right - chart->left) / (double)(count ? count : 1);
	int longest = 0;
	bool too_long;
	char text[64];

	for (size_t i = 0; i < count; i++)
		longest = lxfw_letters_columns(names[i]) > longest ?
			  lxfw_letters_columns(names[i]) : longest;
	too_long = (double)longest * LETTER > room;
	for (size_t i = 0; i < count; i++)
		lxfw_svg_text(chart->output, lxfw_chart_name_at(chart, i, count),
			      chart->bottom + 16, "middle", "small", too_long ?
			      shorten(names[i], text, sizeof(text)) : names[i]);
	x_title(chart, title);
}

/* --- series ----------------------------------------------------------------------- */

/* Shapes: circle, square, triangle, diamond. They repeat for further series, in other
   colours. */
void lxfw_chart_mark(struct lxfw_output *output, double x, double y, int series)
{
	static const char *const shapes[] = {
		"M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", "M-3.5-3.5h7v7h-7z",
		"M0-4.5L4.3 3.5H-4.3z", "M0-5L5 0L0 5L-5 0z",
	};

	lxfw_output_format(output, "<path class=\"mark s%d\" "
			   "transform=\"translate(%.1f %.1f)\" d=\"%s\"/>\n",
			   series % LXFW_CHART_SERIES, x, y, shapes[series % 4]);
}

void lxfw_chart_curve(struct lxfw_chart *chart, const struct lxfw_svg_point *points,
		      size_t count, int series, bool marked)
{
	char class[24];

	series_class(class, sizeof(class), "curve", series);
	if (count > 1)
		lxfw_svg_curve(chart->output, points, count, class);
	for (size_t i = 0; i < count && (marked || count == 1); i++)
		lxfw_chart_mark(chart->output, points[i].x, points[i].y, series);
}

void lxfw_chart_bar(struct lxfw_chart *chart, size_t i, size_t count, int series,
		    double value, const char *told)
{
	double room = (chart->right - chart->left) / (double)(count ? count : 1);
	double width = room * 0.8 / (double)(chart->series ? chart->series : 1);
	double left, y = lxfw_chart_y_at(chart, value);
	char class[24];

	if (width > 60)
		width = 60;
	left = lxfw_chart_name_at(chart, i, count) +
	       width * ((double)series - (double)chart->series / 2);
	series_class(class, sizeof(class), "bar", series);
	lxfw_svg_box(chart->output, left + 1, y, width - 2, chart->bottom - y,
		     class);
	if (told && (double)strlen(told) * LETTER <= width + 6)
		lxfw_svg_text(chart->output, left + width / 2, y - 4, "middle",
			      "small", told);
}

void lxfw_chart_shade(struct lxfw_chart *chart, double from, double until)
{
	double left = lxfw_axis_at(&chart->x, from);
	double right = lxfw_axis_at(&chart->x, until);

	left = fmax(left, chart->left);
	right = fmin(right, chart->right);
	if (right > left)
		lxfw_svg_box(chart->output, left, chart->top,
			     fmax(right - left, 1), chart->bottom - chart->top,
			     "away");
}

void lxfw_chart_shade_key(struct lxfw_output *output, const char *text)
{
	lxfw_output_format(output, "<p class=\"keys\"><span><i class=\"k away\">"
			   "</i>%s</span></p>\n", text);
}
