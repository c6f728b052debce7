/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/gantt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/report/chart.h"
#include "sim-frontend/report/svg.h"

#define WIDTH 960.0
#define LEFT 52.0
#define RIGHT (WIDTH - 24)
#define PANEL 250.0
#define BETWEEN 58.0
#define TOP 30.0

/* With more jobs than this, jobs have no tooltips of their own. */
#define TOLD_MOST 1500

/* Maximum number of rows. On a larger machine, a row is several processors. */
#define ROWS_MOST 20000

/* Boxes less high than this have no border, which would hide them. */
#define THIN 3

static int shade_of(int64_t wait)
{
	return wait <= 600 ? 0 : wait <= 4 * 3600 ? 1 : wait <= 86400 ? 2 : 3;
}

static int by_start(const void *left, const void *right)
{
	const struct lxfw_gantt_bar *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

/* Returns the first of LENGTH contiguous free rows, or -1. */
static int64_t place(const struct lxfw_gantt_panel *panel, int64_t length)
{
	int64_t vacant = 0;

	for (int64_t row = 0; row < panel->row_count; row++) {
		vacant = panel->rows[row] < 0 ? vacant + 1 : 0;
		if (vacant == length)
			return row - length + 1;
	}
	return -1;
}

/* The area of a panel. With a NULL output, rows are counted only. */
struct canvas {
	const struct lxfw_gantt *gantt;
	struct lxfw_output *output;
	struct lxfw_axis x, y;
};

static void draw_rows(const struct canvas *canvas,
		      const struct lxfw_gantt_panel *panel,
		      const struct lxfw_gantt_bar *bar, int64_t row,
		      int64_t length)
{
	double from = lxfw_axis_at(&canvas->x, (double)bar->start);
	double to = lxfw_axis_at(&canvas->x, (double)bar->end);
	double top = lxfw_axis_at(&canvas->y, (double)((row + length) *
						       panel->unit));
	double bottom = lxfw_axis_at(&canvas->y, (double)(row * panel->unit));
	char number[24];

	from = from < canvas->x.from ? canvas->x.from : from;
	to = to > canvas->x.to ? canvas->x.to : to;
	lxfw_svg_box(canvas->output, from, top, to - from, bottom - top,
		     bottom - top < THIN ? "n" : "");
	snprintf(number, sizeof(number), "%lld", (long long)bar->number);
	if (bottom - top >= 13 && to - from > 9 + 7 * (double)strlen(number))
		lxfw_svg_text(canvas->output, (from + to) / 2,
			      (top + bottom) / 2 + 4, "middle", "", number);
}

static int make_rows(struct lxfw_gantt_panel *panel, int64_t count)
{
	if (LXFW_GROW(panel->rows, panel->rows_size, (size_t)count))
		return -1;
	for (; panel->row_count < count; panel->row_count++)
		panel->rows[panel->row_count] = -1;
	return 0;
}

static void take_rows(const struct canvas *canvas, struct lxfw_gantt_panel *panel,
		      int32_t index, int64_t row, int64_t left)
{
	while (left > 0) {
		int64_t length = 0;

		while (panel->rows[row] >= 0)
			row++;
		while (length < left && row + length < panel->row_count &&
		       panel->rows[row + length] < 0)
			panel->rows[row + length++] = index;
		if (canvas->output)
			draw_rows(canvas, panel, &panel->bars[index], row, length);
		row += length;
		left -= length;
	}
}

/* Assigns rows to a bar and draws it. Rows are added if necessary. */
static int draw_bar(const struct canvas *canvas, struct lxfw_gantt_panel *panel,
		    int32_t index)
{
	const struct lxfw_gantt_bar *bar = &panel->bars[index];
	int64_t left = bar->procs > panel->unit ?
		       (bar->procs + panel->unit / 2) / panel->unit : 1;
	int64_t row = place(panel, left), vacant = 0;
	struct lxfw_output *output = canvas->output;

	for (int64_t i = 0; i < panel->row_count; i++)
		vacant += panel->rows[i] < 0;
	if (row < 0 && vacant < left &&
	    make_rows(panel, panel->row_count + left - vacant))
		return -1;
	if (output) {
		lxfw_output_format(output, "<g class=\"w%d\">",
				   shade_of(bar->wait));
		if (canvas->gantt->tell && panel->count <= TOLD_MOST) {
			lxfw_output_text(output, "<title>");
			canvas->gantt->tell(bar, output);
			lxfw_output_text(output, "</title>");
		}
	}
	take_rows(canvas, panel, index, row < 0 ? 0 : row, left);
	if (output)
		lxfw_output_text(output, "</g>\n");
	return 0;
}

/* Frees the rows of bars that have ended by NOW. */
static void free_rows(struct lxfw_gantt_panel *panel, int64_t now)
{
	for (int64_t row = 0; row < panel->row_count; row++) {
		if (panel->rows[row] >= 0 &&
		    panel->bars[panel->rows[row]].end <= now)
			panel->rows[row] = -1;
	}
}

static int draw_bars(const struct canvas *canvas, struct lxfw_gantt_panel *panel)
{
	int64_t procs = canvas->gantt->procs;
	int result = 0;

	panel->unit = (procs + ROWS_MOST - 1) / ROWS_MOST;
	panel->row_count = 0;
	if (make_rows(panel, (procs + panel->unit - 1) / panel->unit))
		result = -1;
	for (size_t i = 0; i < panel->count && result == 0; i++) {
		free_rows(panel, panel->bars[i].start);
		result = draw_bar(canvas, panel, (int32_t)i);
	}
	free(panel->rows);
	panel->rows = NULL;
	panel->rows_size = 0;
	return result;
}

static void frame(const struct canvas *canvas, const struct lxfw_gantt_panel *panel,
		  int index, double top)
{
	double procs = (double)canvas->gantt->procs;
	double step = lxfw_axis_step(procs, 5), y;
	struct lxfw_output *output = canvas->output;
	char text[64];

	for (int i = 0; step * i <= procs; i++) {
		y = lxfw_axis_at(&canvas->y, step * i);
		lxfw_svg_line(output, LEFT, y, RIGHT, y, "grid");
		lxfw_svg_text(output, LEFT - 6, y + 4, "end", "",
			      lxfw_short_number(step * i, text, sizeof(text)));
	}
	lxfw_svg_time_axis(output, &canvas->x, canvas->gantt->calendar,
			   top + PANEL, top);
	snprintf(text, sizeof(text), "title s%d", index % LXFW_CHART_SERIES);
	lxfw_svg_text(output, LEFT, top - 9, "start", text, panel->name);
	lxfw_svg_text(output, 2, top - 9, "start", "unit", "proc.");
}

/* Determines the number of rows; all panels have the scale of the largest one. */
static int measure_rows(const struct lxfw_gantt *gantt, int64_t *rows)
{
	const struct canvas none = { .gantt = gantt };

	*rows = gantt->procs;
	for (int i = 0; i < gantt->count; i++) {
		struct lxfw_gantt_panel *panel = &gantt->panels[i];

		if (panel->count > 0)
			qsort(panel->bars, panel->count, sizeof(*panel->bars),
			      by_start);
		if (draw_bars(&none, panel))
			return -1;
		if (panel->row_count * panel->unit > *rows)
			*rows = panel->row_count * panel->unit;
	}
	return 0;
}

static int draw_panel(const struct lxfw_gantt *gantt, int index, int64_t rows,
		      struct lxfw_output *output)
{
	double top = TOP + index * (PANEL + BETWEEN), edge;
	struct canvas canvas = {
		.gantt = gantt, .output = output,
		.x = {
			.low = (double)gantt->window.from,
			.high = (double)gantt->window.until,
			.from = LEFT, .to = RIGHT,
		},
		.y = {
			.high = (double)rows, .from = top + PANEL, .to = top,
		},
	};
	int result;

	frame(&canvas, &gantt->panels[index], index, top);
	lxfw_output_text(output, "<g class=\"bars\">\n");
	result = draw_bars(&canvas, &gantt->panels[index]);
	lxfw_output_text(output, "</g>\n");
	edge = lxfw_axis_at(&canvas.y, (double)gantt->procs);
	lxfw_svg_line(output, LEFT, edge, RIGHT, edge, "edge");
	return result;
}

int lxfw_gantt_draw(const struct lxfw_gantt *gantt, struct lxfw_output *output)
{
	int64_t rows;
	int result = measure_rows(gantt, &rows);

	if (result == 0) {
		lxfw_output_text(output, "<figure class=\"wide "
			"gantt\">\n<figcaption>Schedule <small>(horizontal: "
			"time, vertical: processors)</small></figcaption>\n<p "
			"class=\"keys\"><span><i class=\"k w0\"></i>waited up "
			"to 10 min</span><span><i class=\"k w1\"></i>up to 4 "
			"h</span><span><i class=\"k w2\"></i>up to 24 "
			"h</span><span><i class=\"k "
			"w3\"></i>longer</span></p>\n<div class=\"scroll\" "
			"tabindex=\"0\">");
		lxfw_svg_begin(output, WIDTH, TOP + gantt->count *
			       (PANEL + BETWEEN) - BETWEEN + 24,
			       "Schedule");
	}
	for (int i = 0; i < gantt->count && result == 0; i++)
		result = draw_panel(gantt, i, rows, output);
	if (result == 0) {
		lxfw_svg_end(output);
		lxfw_output_text(output, "</div>\n</figure>\n");
	} else {
		errno = ENOMEM;
	}
	return result;
}
