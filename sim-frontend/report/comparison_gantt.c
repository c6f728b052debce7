/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A window of both schedules: time to the right, processors upwards. A log does not
 * tell which processors a job had; each gets the lowest that are free when it starts,
 * together where there is such a place.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/report/comparison_page.h"
#include "sim-frontend/report/svg.h"

#define WIDTH 960.0
#define LEFT 52.0
#define RIGHT (WIDTH - 24)
#define PANEL 250.0
#define BETWEEN 58.0
#define TOP 30.0

/* Above so many jobs each is drawn without words of its own. */
#define TOLD_MOST 1500

/* Rows at most: of a larger machine each is several processors. */
#define ROWS_MOST 20000

/* Lower boxes have no border, which would hide them. */
#define THIN 3

/* By wait: 10 min, 4 h, 24 h, more. */
#define SHADES 4

struct bar {
	const struct lxfw_recorded_job *job;
	int64_t start, end, wait;
	int64_t procs;
};

struct panel {
	struct bar *bars;	/* by start */
	size_t count;
	int32_t *rows;		/* which bar has it; -1 = free */
	int64_t row_count;
	int64_t unit;		/* processors of a row */
	struct lxfw_axis x, y;
};

static int shade_of(int64_t wait)
{
	return wait <= 600 ? 0 : wait <= 4 * 3600 ? 1 : wait <= 86400 ? 2 : 3;
}

static int by_start(const void *left, const void *right)
{
	const struct bar *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

static int list_bars(const struct lxfw_comparison_report *report,
		     const struct lxfw_window *window, int side,
		     struct panel *panel)
{
	const struct lxfw_recorded *recorded = report->recorded;

	panel->bars = calloc(recorded->count + 1, sizeof(*panel->bars));
	if (!panel->bars)
		return -1;
	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];
		int64_t start = side == LXFW_MEASURED ? job->start :
							job->simulated;
		int64_t run = lxfw_recorded_job_run(job);

		if (start == LXFW_UNKNOWN || run == 0 ||
		    start >= window->until || start + run <= window->from)
			continue;
		panel->bars[panel->count++] = (struct bar) {
			.job = job, .start = start, .end = start + run,
			.wait = start - job->request.submit,
			.procs = (int64_t)job->request.unit.procs *
				 job->request.count,
		};
	}
	qsort(panel->bars, panel->count, sizeof(*panel->bars), by_start);
	return 0;
}

/* The first of LENGTH free rows together, or -1. */
static int64_t place(const struct panel *panel, int64_t length)
{
	int64_t vacant = 0;

	for (int64_t row = 0; row < panel->row_count; row++) {
		vacant = panel->rows[row] < 0 ? vacant + 1 : 0;
		if (vacant == length)
			return row - length + 1;
	}
	return -1;
}

static void draw_rows(const struct panel *panel, const struct bar *bar,
		      int64_t row, int64_t length, struct lxfw_output *output)
{
	double from = lxfw_axis_at(&panel->x, (double)bar->start);
	double to = lxfw_axis_at(&panel->x, (double)bar->end);
	double top = lxfw_axis_at(&panel->y, (double)((row + length) *
						      panel->unit));
	double bottom = lxfw_axis_at(&panel->y, (double)(row * panel->unit));
	char number[24];

	from = from < panel->x.from ? panel->x.from : from;
	to = to > panel->x.to ? panel->x.to : to;
	lxfw_svg_box(output, from, top, to - from, bottom - top,
		     bottom - top < THIN ? "n" : "");
	snprintf(number, sizeof(number), "%lld", (long long)bar->job->number);
	if (bottom - top >= 13 && to - from > 9 + 7 * (double)strlen(number))
		lxfw_svg_text(output, (from + to) / 2, (top + bottom) / 2 + 4,
			      "middle", "", number);
}

static void tell(const struct panel *panel, const struct bar *bar,
		 struct lxfw_output *output)
{
	const struct lxfw_recorded_job *job = bar->job;
	char run[32], measured[32], simulated[32];

	if (panel->count > TOLD_MOST)
		return;
	lxfw_report_span((double)(bar->end - bar->start), run, sizeof(run));
	snprintf(measured, sizeof(measured), "-");
	snprintf(simulated, sizeof(simulated), "-");
	if (job->start != LXFW_UNKNOWN)
		lxfw_report_span((double)(job->start - job->request.submit),
				 measured, sizeof(measured));
	if (job->simulated != LXFW_UNKNOWN)
		lxfw_report_span((double)(job->simulated - job->request.submit),
				 simulated, sizeof(simulated));
	lxfw_output_format(output, "<title>job %lld: %lld processor%s, ran %s; "
		"waited %s measured, %s simulated</title>",
		(long long)job->number, (long long)bar->procs,
		bar->procs == 1 ? "" : "s", run, measured, simulated);
}

/* Give BAR its rows and draw it; rows beyond the last are made. */
static int draw_bar(struct panel *panel, int32_t index,
		    struct lxfw_output *output)
{
	struct bar *bar = &panel->bars[index];
	int64_t left = bar->procs > panel->unit ?
		       (bar->procs + panel->unit / 2) / panel->unit : 1;
	int64_t row = place(panel, left), vacant = 0;

	for (int64_t i = 0; i < panel->row_count; i++)
		vacant += panel->rows[i] < 0;
	if (row < 0 && vacant < left) {
		int64_t count = panel->row_count + left - vacant;
		int32_t *rows = realloc(panel->rows,
					(size_t)count * sizeof(*rows));

		if (!rows)
			return -1;
		panel->rows = rows;
		for (; panel->row_count < count; panel->row_count++)
			rows[panel->row_count] = -1;
	}
	if (output) {
		lxfw_output_format(output, "<g class=\"w%d\">",
				   shade_of(bar->wait));
		tell(panel, bar, output);
	}
	for (row = row < 0 ? 0 : row; left > 0; ) {
		int64_t length = 0;

		while (panel->rows[row] >= 0)
			row++;
		while (length < left && row + length < panel->row_count &&
		       panel->rows[row + length] < 0)
			panel->rows[row + length++] = index;
		if (output)
			draw_rows(panel, bar, row, length, output);
		row += length;
		left -= length;
	}
	if (output)
		lxfw_output_text(output, "</g>\n");
	return 0;
}

/* Rows of what has ended by NOW are free. */
static void free_rows(struct panel *panel, int64_t now)
{
	for (int64_t row = 0; row < panel->row_count; row++) {
		if (panel->rows[row] >= 0 &&
		    panel->bars[panel->rows[row]].end <= now)
			panel->rows[row] = -1;
	}
}

static int draw_bars(struct panel *panel, int64_t procs,
		     struct lxfw_output *output)
{
	panel->unit = (procs + ROWS_MOST - 1) / ROWS_MOST;
	panel->row_count = (procs + panel->unit - 1) / panel->unit;
	panel->rows = malloc((size_t)(panel->row_count + 1) * sizeof(*panel->rows));
	if (!panel->rows)
		return -1;
	for (int64_t i = 0; i < panel->row_count; i++)
		panel->rows[i] = -1;
	for (size_t i = 0; i < panel->count; i++) {
		free_rows(panel, panel->bars[i].start);
		if (draw_bar(panel, (int32_t)i, output))
			return -1;
	}
	return 0;
}

static void frame(const struct lxfw_comparison_report *report,
		  const struct panel *panel, int side, double top,
		  struct lxfw_output *output)
{
	int64_t procs = report->recorded->procs;
	double step = lxfw_axis_step((double)procs, 5), y;
	char text[64];

	for (int i = 0; step * i <= (double)procs; i++) {
		y = lxfw_axis_at(&panel->y, step * i);
		snprintf(text, sizeof(text), "%g", step * i);
		lxfw_svg_line(output, LEFT, y, RIGHT, y, "grid");
		lxfw_svg_text(output, LEFT - 6, y + 4, "end", "", text);
	}
	lxfw_svg_time_axis(output, &panel->x, &report->recorded->calendar,
			   top + PANEL, top);
	lxfw_svg_text(output, LEFT, top - 9, "start",
		      side == LXFW_MEASURED ? "title measured" :
					      "title simulated",
		      side == LXFW_MEASURED ? "measured" : "simulated");
	lxfw_svg_text(output, 2, top - 9, "start", "unit", "proc.");
}

/* Both panels have the scale that the fuller one needs. */
static int measure_rows(const struct lxfw_comparison_report *report,
			const struct lxfw_window *window, struct panel *panels,
			int64_t *rows)
{
	*rows = report->recorded->procs;
	for (int side = 0; side < LXFW_SIDES; side++) {
		if (list_bars(report, window, side, &panels[side]) ||
		    draw_bars(&panels[side], report->recorded->procs, NULL))
			return -1;
		if (panels[side].row_count * panels[side].unit > *rows)
			*rows = panels[side].row_count * panels[side].unit;
		free(panels[side].rows);
		panels[side].rows = NULL;
	}
	return 0;
}

static int draw_panel(const struct lxfw_comparison_report *report,
		      const struct lxfw_window *window, struct panel *panel,
		      int side, int64_t rows, struct lxfw_output *output)
{
	double top = TOP + side * (PANEL + BETWEEN), edge;
	int result;

	panel->x = (struct lxfw_axis) {
		.low = (double)window->from, .high = (double)window->until,
		.from = LEFT, .to = RIGHT,
	};
	panel->y = (struct lxfw_axis) {
		.high = (double)rows, .from = top + PANEL, .to = top,
	};
	frame(report, panel, side, top, output);
	lxfw_output_text(output, "<g class=\"bars\">\n");
	result = draw_bars(panel, report->recorded->procs, output);
	lxfw_output_text(output, "</g>\n");
	edge = lxfw_axis_at(&panel->y, (double)report->recorded->procs);
	lxfw_svg_line(output, LEFT, edge, RIGHT, edge, "edge");
	return result;
}

int lxfw_page_gantt(const struct lxfw_comparison_report *report,
		    const struct lxfw_window *window,
		    struct lxfw_output *output)
{
	struct panel panels[LXFW_SIDES] = { { 0 } };
	int64_t rows;
	int result = measure_rows(report, window, panels, &rows);

	if (result == 0) {
		lxfw_output_text(output, "<div class=\"scroll\">");
		lxfw_svg_begin(output, WIDTH,
			       TOP + 2 * PANEL + BETWEEN + 24,
			       "Which jobs ran when, measured above, simulated "
			       "below");
	}
	for (int side = 0; side < LXFW_SIDES && result == 0; side++)
		result = draw_panel(report, window, &panels[side], side, rows,
				    output);
	if (result == 0) {
		lxfw_svg_end(output);
		lxfw_output_text(output, "</div>\n");
	} else {
		errno = ENOMEM;
	}
	for (int side = 0; side < LXFW_SIDES; side++) {
		free(panels[side].bars);
		free(panels[side].rows);
	}
	return result;
}
