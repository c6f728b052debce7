/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calendar of a trace. The header of a trace may state the Unix time of its second 0
 * (UnixStartTime) and a time zone (TimeZoneString, else TimeZone in seconds east of
 * Greenwich). Without the first, submit times beyond 10^9 s (2001) are taken as Unix
 * times; with smaller ones days are counted from second 0 and have no names.
 */
#ifndef LXFW_TRACE_TRACE_CALENDAR_H
#define LXFW_TRACE_TRACE_CALENDAR_H

#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/calendar.h"

/* Sets the time zone of the process where the header names one that the system has. */
void lxfw_trace_calendar(const struct lxfw_trace *trace,
			 struct lxfw_calendar *calendar);

#endif
