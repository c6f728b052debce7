/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which window of a schedule a page shows. */
#ifndef LXFW_REPORT_WINDOW_H
#define LXFW_REPORT_WINDOW_H

#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/metrics/timeline.h"
#include "sim-frontend/util/calendar.h"

/* A window of time, in that of the log. */
struct lxfw_window {
	int64_t from, until;
};

/* What it is a window of. */
struct lxfw_window_of {
	const struct lxfw_calendar *calendar;
	int64_t begin, end;	/* from the first submission to the last end, s */
	const struct lxfw_timeline *timeline;
	int64_t procs;		/* of the machine */
};

/*
 * Read "FROM,TO", each a date (2026-01-31, with T12:00 or T12:00:30 behind it) where the
 * calendar is known, or a span of time from the first submission ("36h"). 0, or -1 with
 * errno EINVAL and ERROR set.
 */
int lxfw_window_parse(const struct lxfw_window_of *of, const char *text,
		      struct lxfw_window *window, struct lxfw_error *error);

/* Of the days on which the machine was as full as on the fullest, or within 5 % of it,
   the one on which most jobs were started. */
void lxfw_window_busiest(const struct lxfw_window_of *of, struct lxfw_window *window);

#endif
