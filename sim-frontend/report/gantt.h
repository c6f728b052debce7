/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A window of one schedule or several, one above another: time to the right, processors
 * upwards. A log does not tell which processors a job had; each gets the lowest that are
 * free when it starts, together where there is such a place.
 */
#ifndef LXFW_REPORT_GANTT_H
#define LXFW_REPORT_GANTT_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/report/window.h"
#include "sim-frontend/util/calendar.h"
#include "sim-frontend/util/output.h"

struct lxfw_gantt_bar {
	int64_t start, end;	/* end above start */
	int64_t wait;		/* s, of which it is shaded */
	int64_t procs;
	int64_t number;		/* what its log calls it */
	const void *job;	/* for `tell` */
};

struct lxfw_gantt_panel {
	const char *name;		/* for people */
	struct lxfw_gantt_bar *bars;	/* those in the window, in any order; are
					   sorted */
	size_t count;
	/* private */
	int32_t *rows;		/* which bar has it; -1 = free */
	size_t rows_size;
	int64_t row_count;
	int64_t unit;		/* processors of a row */
};

struct lxfw_gantt {
	struct lxfw_gantt_panel *panels;
	int count;
	int64_t procs;		/* of the machine */
	struct lxfw_window window;
	const struct lxfw_calendar *calendar;
	/* What is said of a job where one points at it; may be NULL. */
	void (*tell)(const struct lxfw_gantt_bar *bar, struct lxfw_output *output);
};

/* A figure with its key. 0, or -1 with errno ENOMEM. */
int lxfw_gantt_draw(const struct lxfw_gantt *gantt, struct lxfw_output *output);

#endif
