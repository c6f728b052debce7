/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A window of one or more schedules, one above another: time to the right, processors
 * upwards. A log does not state which processors a job had. Each job is drawn on the
 * lowest free rows at its start, contiguous if possible.
 */
#ifndef LXFW_REPORT_GANTT_H
#define LXFW_REPORT_GANTT_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/report/window.h"
#include "sim-frontend/util/calendar.h"
#include "sim-frontend/util/output.h"

struct lxfw_gantt_bar {
	int64_t start, end;	/* end > start */
	int64_t wait;		/* seconds; determines the shade */
	int64_t procs;
	int64_t number;		/* job number in the log */
	const void *job;	/* argument for `tell` */
};

struct lxfw_gantt_panel {
	const char *name;		/* for display */
	struct lxfw_gantt_bar *bars;	/* bars in the window, in any order; the
					   drawing sorts them */
	size_t count;
	/* Internal. */
	int32_t *rows;		/* index of the bar in each row; -1: free */
	size_t rows_size;
	int64_t row_count;
	int64_t unit;		/* processors per row */
};

struct lxfw_gantt {
	struct lxfw_gantt_panel *panels;
	int count;
	int64_t procs;		/* of the machine */
	struct lxfw_window window;
	const struct lxfw_calendar *calendar;
	/* Writes the tooltip of a job; may be NULL. */
	void (*tell)(const struct lxfw_gantt_bar *bar, struct lxfw_output *output);
};

/* Writes a figure with its legend. Returns 0, or -1 with errno ENOMEM. */
int lxfw_gantt_draw(const struct lxfw_gantt *gantt, struct lxfw_output *output);

#endif
