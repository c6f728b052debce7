/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calendar of a trace. The header may state the Unix time of second 0 (UnixStartTime)
 * and a time zone (TimeZoneString, otherwise TimeZone in seconds east of Greenwich).
 * Without UnixStartTime, submit times beyond 10^9 s (2001) are Unix times. Otherwise days
 * are counted from second 0 and have no dates.
 */
#ifndef LXFW_TRACE_TRACE_CALENDAR_H
#define LXFW_TRACE_TRACE_CALENDAR_H

#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/calendar.h"

/* Also sets the time zone of the process if the header names one that the system
   knows. */
void lxfw_trace_calendar(const struct lxfw_trace *trace,
			 struct lxfw_calendar *calendar);

#endif
