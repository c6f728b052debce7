/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/calendar.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim-frontend/util/zone.h"

#define DAY INT64_C(86400)
#define DAYS_OF_A_MONTH 30	/* if the calendar is unknown */

/* Times counted from the beginning of a log do not reach this value. */
#define UNIX_TIMES INT64_C(1000000000)

bool lxfw_calendar_is_unix(int64_t second)
{
	return second >= UNIX_TIMES;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Returns the months since year 0 of a day since 1970. Years are counted from March,
   so that the leap day is the last one, in cycles of 400 years. */
static int64_t month_of(int64_t day)
{
	int64_t shifted = day + 719468;
	int64_t cycle = floor_div(shifted, 146097);
	int64_t in_cycle = shifted - cycle * 146097;
	int64_t year = (in_cycle - in_cycle / 1460 + in_cycle / 36524 -
			in_cycle / 146096) / 365;
	int64_t in_year = in_cycle - (365 * year + year / 4 - year / 100);

	return (cycle * 400 + year) * 12 + (5 * in_year + 2) / 153 + 2;
}

/* Returns the first day of a month; the inverse of month_of(). */
static int64_t first_day_of(int64_t month)
{
	int64_t from_march = month - 2, year = floor_div(from_march, 12);
	int64_t in_year = (153 * (from_march - year * 12) + 2) / 5;
	int64_t cycle = floor_div(year, 400), in_cycle = year - cycle * 400;

	return cycle * 146097 + in_cycle * 365 + in_cycle / 4 -
	       in_cycle / 100 + in_year - 719468;
}

void lxfw_calendar_moment(const struct lxfw_calendar *calendar, int64_t second,
			  struct lxfw_moment *moment)
{
	int64_t local = calendar->begin + second + calendar->offset;
	struct tm tm;
	time_t time = (time_t)local;

	if (calendar->zone_rules && localtime_r(&time, &tm))
		local += tm.tm_gmtoff;
	moment->day = floor_div(local, DAY);
	moment->second = local - moment->day * DAY;
	if (!calendar->known) {
		moment->weekday = -1;
		moment->month = floor_div(moment->day, DAYS_OF_A_MONTH);
		return;
	}
	/* 1970-01-01 was a Thursday */
	moment->weekday = (int)(moment->day + 4 -
				floor_div(moment->day + 4, 7) * 7);
	moment->month = month_of(moment->day);
}

int64_t lxfw_calendar_first_day(const struct lxfw_calendar *calendar,
				int64_t month)
{
	return calendar->known ? first_day_of(month) :
				 month * DAYS_OF_A_MONTH;
}

const char *lxfw_calendar_month_name(const struct lxfw_calendar *calendar,
				     int64_t month, char *name, size_t size)
{
	if (calendar->known)
		snprintf(name, size, "%04" PRId64 "-%02d", floor_div(month, 12),
			 (int)(month - floor_div(month, 12) * 12) + 1);
	else
		snprintf(name, size, "days %" PRId64 "-%" PRId64,
			 month * DAYS_OF_A_MONTH + 1,
			 (month + 1) * DAYS_OF_A_MONTH);
	return name;
}

const char *lxfw_calendar_day_name(const struct lxfw_calendar *calendar,
				   int64_t day, char *name, size_t size)
{
	if (calendar->known) {
		int64_t month = month_of(day);

		snprintf(name, size, "%04" PRId64 "-%02d-%02d",
			 floor_div(month, 12),
			 (int)(month - floor_div(month, 12) * 12) + 1,
			 (int)(day - first_day_of(month)) + 1);
	} else {
		snprintf(name, size, "day %" PRId64, day + 1);
	}
	return name;
}

bool lxfw_calendar_is_date(int64_t year, int64_t month, int64_t day)
{
	int64_t first = year * 12 + month - 1;

	return month >= 1 && month <= 12 && day >= 1 &&
	       day <= first_day_of(first + 1) - first_day_of(first);
}

int lxfw_calendar_parse(const struct lxfw_calendar *calendar, const char *text,
			int64_t near, int64_t *time)
{
	int year, month, day, hour = 0, minute = 0, second = 0, used = 0;
	struct lxfw_moment moment;
	int64_t wanted;

	if (!calendar->known ||
	    sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &used) != 3 ||
	    !lxfw_calendar_is_date(year, month, day))
		return -1;
	text += used;
	if (*text == 'T') {
		used = 0;
		if (sscanf(text, "T%2d:%2d%n", &hour, &minute, &used) != 2 ||
		    used == 0)
			return -1;
		text += used;
		if (*text == ':') {
			if (sscanf(text, ":%2d%n", &second, &used) != 1)
				return -1;
			text += used;
		}
	}
	if (*text || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
	    second < 0 || second > 59)
		return -1;
	wanted = (lxfw_calendar_first_day(calendar, (int64_t)year * 12 + month -
					  1) + day - 1) * DAY +
		 hour * 3600 + minute * 60 + second;
	/* the second iteration corrects a change of the offset in between */
	*time = near;
	for (int i = 0; i < 2; i++) {
		lxfw_calendar_moment(calendar, *time, &moment);
		*time += wanted - (moment.day * DAY + moment.second);
	}
	return 0;
}
