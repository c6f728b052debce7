/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim-frontend/util/letters.h"

#define DAY INT64_C(86400)

/* Width of a label of the time axis, in units of the picture. */
#define LABEL_WIDTH 62

void lxfw_html_text(struct lxfw_output *output, const char *text)
{
	size_t letter;

	for (; *text; text += letter > 0 ? letter : 1) {
		letter = lxfw_letter(text, strnlen(text, 4));
		switch (*text) {
		case '&':
			lxfw_output_text(output, "&amp;");
			break;
		case '<':
			lxfw_output_text(output, "&lt;");
			break;
		case '>':
			lxfw_output_text(output, "&gt;");
			break;
		case '"':
			lxfw_output_text(output, "&quot;");
			break;
		default:
			lxfw_output_write(output, letter > 0 ? text : "?",
					  letter > 0 ? letter : 1);
		}
	}
}

/* Writes a coordinate with at most one decimal place. */
static void put(struct lxfw_output *output, double value)
{
	char text[32];
	int length = snprintf(text, sizeof(text), "%.1f",
			      isfinite(value) ? value : 0);

	if (length > 2 && strcmp(text + length - 2, ".0") == 0)
		length -= 2;
	lxfw_output_write(output, text, (size_t)length);
}

static void attribute(struct lxfw_output *output, const char *name, double value)
{
	lxfw_output_text(output, " ");
	lxfw_output_text(output, name);
	lxfw_output_text(output, "=\"");
	put(output, value);
	lxfw_output_text(output, "\"");
}

static void put_class(struct lxfw_output *output, const char *class)
{
	if (*class)
		lxfw_output_format(output, " class=\"%s\"", class);
}

void lxfw_svg_begin(struct lxfw_output *output, double width, double height,
		    const char *told)
{
	lxfw_output_format(output, "<svg viewBox=\"0 0 %g %g\" role=\"img\" "
			   "aria-label=\"", width, height);
	lxfw_html_text(output, told);
	lxfw_output_text(output, "\">\n");
}

void lxfw_svg_end(struct lxfw_output *output)
{
	lxfw_output_text(output, "</svg>\n");
}

void lxfw_svg_text(struct lxfw_output *output, double x, double y,
		   const char *anchor, const char *class, const char *text)
{
	lxfw_output_text(output, "<text");
	attribute(output, "x", x);
	attribute(output, "y", y);
	lxfw_output_format(output, " text-anchor=\"%s\"", anchor);
	put_class(output, class);
	lxfw_output_text(output, ">");
	lxfw_html_text(output, text);
	lxfw_output_text(output, "</text>\n");
}

void lxfw_svg_line(struct lxfw_output *output, double x1, double y1, double x2,
		   double y2, const char *class)
{
	lxfw_output_text(output, "<line");
	attribute(output, "x1", x1);
	attribute(output, "y1", y1);
	attribute(output, "x2", x2);
	attribute(output, "y2", y2);
	put_class(output, class);
	lxfw_output_text(output, "/>\n");
}

void lxfw_svg_box(struct lxfw_output *output, double x, double y, double width,
		  double height, const char *class)
{
	lxfw_output_text(output, "<rect");
	attribute(output, "x", x);
	attribute(output, "y", y);
	attribute(output, "width", width);
	attribute(output, "height", height);
	put_class(output, class);
	lxfw_output_text(output, "/>\n");
}

void lxfw_svg_curve(struct lxfw_output *output,
		    const struct lxfw_svg_point *points, size_t count,
		    const char *class)
{
	lxfw_output_text(output, "<polyline points=\"");
	for (size_t i = 0; i < count; i++) {
		put(output, points[i].x);
		lxfw_output_text(output, ",");
		put(output, points[i].y);
		lxfw_output_text(output, i + 1 < count ? " " : "");
	}
	lxfw_output_text(output, "\"");
	put_class(output, class);
	lxfw_output_text(output, "/>\n");
}

double lxfw_axis_at(const struct lxfw_axis *axis, double value)
{
	double low = axis->low, high = axis->high;

	if (axis->logarithmic) {
		low = log(low);
		high = log(high);
		value = log(value > axis->low ? value : axis->low);
	}
	if (!(high > low))
		return axis->from;
	return axis->from + (axis->to - axis->from) * (value - low) /
			    (high - low);
}

double lxfw_axis_step(double high, int count)
{
	double rough = high / count, power, times;

	if (!(rough > 0) || !isfinite(rough))
		return 1;
	power = pow(10, floor(log10(rough)));
	times = rough / power;
	return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/* --- time ----------------------------------------------------------------------- */

static const struct {
	int64_t hours;		/* between ticks; 0: use `months` */
	int months;
} steps[] = {
	{ 1, 0 }, { 3, 0 }, { 6, 0 }, { 12, 0 }, { 24, 0 }, { 48, 0 },
	{ 7 * 24, 0 }, { 14 * 24, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 6 },
	{ 0, 12 }, { 0, 24 }, { 0, 60 }, { 0, 120 }, { 0, 1200 },
};

static void tick(struct lxfw_output *output, const struct lxfw_axis *axis,
		 double y, double top, int64_t time, const char *label)
{
	double x = lxfw_axis_at(axis, (double)time);

	lxfw_svg_line(output, x, top, x, y, "grid");
	if (x > axis->to - LABEL_WIDTH / 4.)
		lxfw_svg_text(output, axis->to + 12, y + 16, "end", "", label);
	else
		lxfw_svg_text(output, x, y + 16, "middle", "", label);
}

static int64_t month_day(const struct lxfw_calendar *calendar, int64_t month)
{
	return lxfw_calendar_first_day(calendar, month);
}

static void month_ticks(struct lxfw_output *output,
			const struct lxfw_axis *axis,
			const struct lxfw_calendar *calendar, double y,
			double top, int months)
{
	struct lxfw_moment moment;
	int64_t begin = (int64_t)axis->low, time;

	lxfw_calendar_moment(calendar, begin, &moment);
	begin -= moment.day * DAY + moment.second;	/* where day 0 begins */
	for (int64_t month = moment.month; ; month++) {
		char label[32];

		time = begin + month_day(calendar, month) * DAY;
		if ((double)time > axis->high)
			break;
		if ((double)time < axis->low || month % months != 0)
			continue;
		if (calendar->known)
			lxfw_calendar_month_name(calendar, month, label,
						 sizeof(label));
		else
			snprintf(label, sizeof(label), "day %lld",
				 (long long)month_day(calendar, month) + 1);
		tick(output, axis, y, top, time, label);
	}
}

static void hour_ticks(struct lxfw_output *output, const struct lxfw_axis *axis,
		       const struct lxfw_calendar *calendar, double y,
		       double top, int64_t hours)
{
	struct lxfw_moment moment;
	int64_t step = hours * 3600, time;

	lxfw_calendar_moment(calendar, (int64_t)axis->low, &moment);
	time = (int64_t)axis->low -
	       (step > DAY ? moment.second : moment.second % step);
	for (; (double)time <= axis->high; time += step) {
		char label[40];

		if ((double)time < axis->low)
			continue;
		lxfw_calendar_moment(calendar, time, &moment);
		if (hours < 24)
			snprintf(label, sizeof(label), "%02d:%02d",
				 (int)(moment.second / 3600),
				 (int)(moment.second / 60 % 60));
		else
			lxfw_calendar_day_name(calendar, moment.day, label,
					       sizeof(label));
		tick(output, axis, y, top, time,
		     calendar->known && hours >= 24 ? label + 5 : label);
	}
}

void lxfw_svg_time_axis(struct lxfw_output *output,
			const struct lxfw_axis *axis,
			const struct lxfw_calendar *calendar, double y,
			double top)
{
	double room = (axis->to - axis->from) / LABEL_WIDTH;
	size_t count = sizeof(steps) / sizeof(*steps), i = 0;

	for (; i + 1 < count; i++) {
		double seconds = steps[i].hours ?
				 (double)steps[i].hours * 3600 :
				 steps[i].months * 30.4 * (double)DAY;

		if ((axis->high - axis->low) / seconds <= room)
			break;
	}
	if (steps[i].months)
		month_ticks(output, axis, calendar, y, top, steps[i].months);
	else
		hour_ticks(output, axis, calendar, y, top, steps[i].hours);
	lxfw_svg_line(output, axis->from, y, axis->to, y, "axis");
}
