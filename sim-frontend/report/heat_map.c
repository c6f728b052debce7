/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/heat_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim-frontend/report/report.h"
#include "sim-frontend/report/svg.h"

#define WIDTH 420.0
#define LEFT 44.0
#define TOP 8.0
#define CELL 15.2
#define ROW 20.0
#define SCALE 5

static double value_of(const struct lxfw_week_hour *hour, enum lxfw_heat heat)
{
	if (heat == LXFW_HEAT_RATE)
		return hour->hours > 0 ? (double)hour->count /
					 (double)hour->hours : 0;
	return hour->count > 0 ? hour->sum / (double)hour->count : 0;
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

double lxfw_heat_most(const struct lxfw_week_map *map, enum lxfw_heat heat)
{
	double values[LXFW_WEEK_DAYS * LXFW_DAY_HOURS];
	int count = 0;

	for (int day = 0; day < LXFW_WEEK_DAYS; day++) {
		for (int hour = 0; hour < LXFW_DAY_HOURS; hour++) {
			const struct lxfw_week_hour *cell = &map->hours[day][hour];

			if (cell->count > 0)
				values[count++] = value_of(cell, heat);
		}
	}
	if (count == 0)
		return 0;
	qsort(values, (size_t)count, sizeof(*values), by_value);
	return values[(count - 1) * 19 / 20];
}

static const char *told(double value, enum lxfw_heat heat, char *text, size_t size)
{
	if (heat == LXFW_HEAT_MEAN)
		return lxfw_format_span(value, text, size);
	snprintf(text, size, "%.3g an hour", value);
	return text;
}

static void shade(struct lxfw_output *output, double x, double y, double width,
		  double height, double share, int series)
{
	lxfw_output_format(output, "<rect class=\"heat s%d\" fill-opacity=\"%.2f\" "
			   "x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">",
			   series, share, x, y, width, height);
}

static void put_hour(struct lxfw_output *output, const struct lxfw_week_map *map,
		     enum lxfw_heat heat, double most, int series, int day,
		     int hour)
{
	const struct lxfw_week_hour *cell = &map->hours[day][hour];
	double value = value_of(cell, heat);
	char name[16], text[48];

	if (cell->count == 0)
		return;
	shade(output, LEFT + hour * CELL, TOP + day * ROW, CELL, ROW,
	      most > 0 ? fmin(value / most, 1) : 0, series);
	lxfw_output_format(output, "<title>%s %02d-%02d: %s, %zu jobs</title>"
			   "</rect>\n", lxfw_week_map_day(map, day, name,
							  sizeof(name)),
			   hour, hour + 1, told(value, heat, text, sizeof(text)),
			   cell->count);
}

/* Draws the scale of shades. */
static void put_scale(struct lxfw_output *output, enum lxfw_heat heat, double most,
		      int series)
{
	double y = TOP + LXFW_WEEK_DAYS * ROW + 30, width = 30;
	char text[48], more[64];

	lxfw_svg_text(output, LEFT, y + 11, "start", "small", "0");
	for (int i = 0; i <= SCALE; i++) {
		shade(output, LEFT + 14 + i * width, y, width, 13,
		      (double)i / SCALE, series);
		lxfw_output_text(output, "</rect>\n");
	}
	lxfw_svg_box(output, LEFT + 14, y, (SCALE + 1) * width, 13, "cell");
	snprintf(more, sizeof(more), "%s and more",
		 told(most, heat, text, sizeof(text)));
	lxfw_svg_text(output, LEFT + 20 + (SCALE + 1) * width, y + 11, "start",
		      "small", more);
}

void lxfw_heat_map(struct lxfw_output *output, const struct lxfw_week_map *map,
		   enum lxfw_heat heat, double most, int series,
		   const char *caption)
{
	double bottom = TOP + LXFW_WEEK_DAYS * ROW;
	char text[24];

	lxfw_output_format(output, "<figure>\n<figcaption>%s</figcaption>\n",
			   caption);
	lxfw_svg_begin(output, WIDTH, bottom + 50, caption);
	for (int day = 0; day < LXFW_WEEK_DAYS; day++) {
		lxfw_svg_text(output, LEFT - 6, TOP + day * ROW + 14, "end",
			      "small", lxfw_week_map_day(map, day, text,
							 sizeof(text)));
		for (int hour = 0; hour < LXFW_DAY_HOURS; hour++)
			put_hour(output, map, heat, most, series, day, hour);
	}
	lxfw_svg_box(output, LEFT, TOP, LXFW_DAY_HOURS * CELL,
		     LXFW_WEEK_DAYS * ROW, "cell");
	for (int hour = 0; hour <= LXFW_DAY_HOURS; hour += 6) {
		snprintf(text, sizeof(text), "%02d:00", hour);
		lxfw_svg_text(output, LEFT + hour * CELL, bottom + 16, hour == 24 ?
			      "end" : hour ? "middle" : "start", "small", text);
	}
	put_scale(output, heat, most, series);
	lxfw_svg_end(output);
	lxfw_output_text(output, "</figure>\n");
}
