/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window of a schedule that a page shows. */
#ifndef LXFW_REPORT_WINDOW_H
#define LXFW_REPORT_WINDOW_H

#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/metrics/timeline.h"
#include "sim-frontend/util/calendar.h"

/* A period, in the time of the log. */
struct lxfw_window {
	int64_t from, until;
};

/* The schedules of which it is a window. */
struct lxfw_window_of {
	const struct lxfw_calendar *calendar;
	int64_t begin, end;	/* from the first submission to the last end, seconds */
	const struct lxfw_timeline *timeline;
	int64_t procs;		/* of the machine */
};

/*
 * Parses "FROM,TO". Each is a date (2026-01-31, 2026-01-31T12:00 or 2026-01-31T12:00:30)
 * if the calendar is known, or a duration since the first submission ("36h"). Returns 0,
 * or -1 with errno EINVAL and ERROR set.
 */
int lxfw_window_parse(const struct lxfw_window_of *of, const char *text,
		      struct lxfw_window *window, struct lxfw_error *error);

/* Selects a day: of the days with at least 95 % of the utilization of the busiest one,
   the one with the most starts of jobs. */
void lxfw_window_busiest(const struct lxfw_window_of *of, struct lxfw_window *window);

#endif
