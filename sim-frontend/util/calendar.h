/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Days and hours of times that are counted from a second 0, of which a calendar says when
 * it was and in which time zone. Where that is not known, days are counted from second 0
 * and have no names. A trace's calendar is in trace/trace_calendar.h.
 */
#ifndef LXFW_UTIL_CALENDAR_H
#define LXFW_UTIL_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lxfw_calendar {
	bool known;		/* whether second 0 is a known time */
	int64_t begin;		/* its Unix time; 0 if not */
	bool zone_rules;	/* the zone's own rules, daylight saving included */
	int64_t offset;		/* else seconds east of Greenwich */
	char zone[64];		/* for people: "US/Pacific", "UTC-6", "UTC" */
};

struct lxfw_moment {
	int64_t day;		/* from 1970-01-01, or from second 0 */
	int64_t second;		/* of the day */
	int weekday;		/* 0 = Sunday; -1 = not known */
	int64_t month;		/* months since year 0; 30 days each if not known */
};

/* Whether SECOND, the first of a record, is taken as a Unix time. */
bool lxfw_calendar_is_unix(int64_t second);

void lxfw_calendar_moment(const struct lxfw_calendar *calendar, int64_t second,
			  struct lxfw_moment *moment);

/* "2026-01-31", with "T12:00" or "T12:00:30" behind it, in the trace's own time; NEAR is
   a second of the trace. 0, or -1: it is none, or the calendar is not known. */
int lxfw_calendar_parse(const struct lxfw_calendar *calendar, const char *text,
			int64_t near, int64_t *time);

/* The first day of a month. */
int64_t lxfw_calendar_first_day(const struct lxfw_calendar *calendar,
				int64_t month);

/* "2000-03", or "days 31-60"; "2000-03-31" or "day 90". SIZE 32 is enough. */
const char *lxfw_calendar_month_name(const struct lxfw_calendar *calendar,
				     int64_t month, char *name, size_t size);
const char *lxfw_calendar_day_name(const struct lxfw_calendar *calendar,
				   int64_t day, char *name, size_t size);

#endif
