/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Days and hours of times that are counted from a second 0. A calendar states the date
 * and the time zone of second 0. If they are unknown, days are counted from second 0 and
 * have no dates. trace/trace_calendar.h makes the calendar of a trace.
 */
#ifndef LXFW_UTIL_CALENDAR_H
#define LXFW_UTIL_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lxfw_calendar {
	bool known;		/* whether the Unix time of second 0 is known */
	int64_t begin;		/* Unix time of second 0; 0 if unknown */
	bool zone_rules;	/* use the rules of the zone, including daylight saving
				   time */
	int64_t offset;		/* otherwise: seconds east of Greenwich */
	char zone[64];		/* for display: "US/Pacific", "UTC-6", "UTC" */
};

struct lxfw_moment {
	int64_t day;		/* since 1970-01-01, or since second 0 */
	int64_t second;		/* of the day */
	int weekday;		/* 0: Sunday; -1: unknown */
	int64_t month;		/* months since year 0; periods of 30 days if unknown */
};

/* Returns whether SECOND, the first time of a log, is to be interpreted as a Unix
   time. */
bool lxfw_calendar_is_unix(int64_t second);

void lxfw_calendar_moment(const struct lxfw_calendar *calendar, int64_t second,
			  struct lxfw_moment *moment);

/* Returns whether the date exists in the Gregorian calendar. */
bool lxfw_calendar_is_date(int64_t year, int64_t month, int64_t day);

/* Parses a date "2026-01-31", "2026-01-31T12:00" or "2026-01-31T12:00:30" in local
   time. NEAR is a time of the trace close to it. Returns 0, or -1 if TEXT is not a
   date or the calendar is unknown. */
int lxfw_calendar_parse(const struct lxfw_calendar *calendar, const char *text,
			int64_t near, int64_t *time);

/* Returns the first day of a month. */
int64_t lxfw_calendar_first_day(const struct lxfw_calendar *calendar,
				int64_t month);

/* Formats a month as "2000-03" or "days 31-60", and a day as "2000-03-31" or "day 90".
   A SIZE of 32 is sufficient. */
const char *lxfw_calendar_month_name(const struct lxfw_calendar *calendar,
				     int64_t month, char *name, size_t size);
const char *lxfw_calendar_day_name(const struct lxfw_calendar *calendar,
				   int64_t day, char *name, size_t size);

#endif
