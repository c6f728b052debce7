/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/request_begin.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "sim-frontend/util/text.h"

#define DELAY_MAX (INT64_C(10) * 366 * 86400)

/* What is read so far. */
struct reading {
	const char *at;
	struct tm tm;
	bool dated, timed;
	bool no_year;
};

static bool skip(struct reading *reading, const char *word)
{
	size_t length = strlen(word);

	if (strncasecmp(reading->at, word, length) != 0)
		return false;
	reading->at += length;
	return true;
}

/* Two digits, or one if a separator follows. */
static bool take_number(struct reading *reading, int least, int most, int *to)
{
	size_t length = strspn(reading->at, "0123456789");
	int64_t value;

	length = length > 2 ? 2 : length;
	if (lxfw_text_integer(reading->at, length, least, most, &value))
		return false;
	*to = (int)value;
	reading->at += length;
	return true;
}

/* "+2hours": seconds without a unit. */
static bool take_delay(const char *text, int64_t now, int64_t *begin)
{
	static const struct {
		const char *name;
		int64_t seconds;
	} units[] = {
		{ "", 1 }, { "second", 1 }, { "minute", 60 }, { "hour", 3600 }, { "day", 86400 },
		{ "week", 7 * 86400 },
	};
	size_t length = strspn(text + 1, "0123456789");
	const char *unit = text + 1 + length;
	int64_t count;

	if (*text != '+' || lxfw_text_integer(text + 1, length, 0, DELAY_MAX, &count))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t width = strlen(units[i].name);
		const char *rest = unit + width;

		if (strncasecmp(unit, units[i].name, width) != 0 || count > DELAY_MAX / units[i].seconds ||
		    (*rest && (width == 0 || strcasecmp(rest, "s") != 0)))
			continue;
		*begin = now + count * units[i].seconds;
		return true;
	}
	return false;
}

/* "AM" and "PM" are of a clock of twelve hours. */
static bool take_half(struct reading *reading)
{
	bool after = skip(reading, "pm"), before = !after && skip(reading, "am");

	if (!after && !before)
		return true;
	if (reading->tm.tm_hour > 12)
		return false;
	reading->tm.tm_hour = reading->tm.tm_hour % 12 + (after ? 12 : 0);
	return true;
}

static bool take_clock(struct reading *reading)
{
	static const struct {
		const char *word;
		int hour;
	} words[] = {
		{ "midnight", 0 }, { "elevenses", 11 }, { "noon", 12 }, { "fika", 15 }, { "teatime", 16 },
	};

	reading->timed = true;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		reading->tm.tm_hour = words[i].hour;
		if (skip(reading, words[i].word))
			return true;
	}
	return take_number(reading, 0, 23, &reading->tm.tm_hour) && *reading->at++ == ':' &&
	       take_number(reading, 0, 59, &reading->tm.tm_min) &&
	       (!skip(reading, ":") || take_number(reading, 0, 59, &reading->tm.tm_sec)) &&
	       take_half(reading);
}

static void skip_separator(struct reading *reading)
{
	reading->at += *reading->at == '.' || *reading->at == '/';
}

/* "1224", "12/24", "12.24.26" */
static bool take_month(struct reading *reading)
{
	int month, year;

	if (!take_number(reading, 1, 12, &month))
		return false;
	skip_separator(reading);
	if (!take_number(reading, 1, 31, &reading->tm.tm_mday))
		return false;
	skip_separator(reading);
	reading->tm.tm_mon = month - 1;
	reading->no_year = !isdigit((unsigned char)*reading->at);
	if (reading->no_year)
		return true;
	if (!take_number(reading, 0, 99, &year))
		return false;
	reading->tm.tm_year = 100 + year;
	return true;
}

/* "2026-12-24" */
static bool take_date(struct reading *reading)
{
	int64_t year;
	int month;

	if (lxfw_text_integer(reading->at, 4, 1970, 9999, &year))
		return false;
	reading->at += 5;
	if (!take_number(reading, 1, 12, &month) || *reading->at++ != '-' ||
	    !take_number(reading, 1, 31, &reading->tm.tm_mday))
		return false;
	reading->tm.tm_year = (int)year - 1900;
	reading->tm.tm_mon = month - 1;
	return true;
}

static bool take_day(struct reading *reading)
{
	size_t digits = strspn(reading->at, "0123456789");

	reading->dated = true;
	if (skip(reading, "today"))
		return true;
	if (skip(reading, "tomorrow")) {
		reading->tm.tm_mday++;
		return true;
	}
	if (digits > 0 && reading->at[digits] == ':') {
		reading->dated = false;
		return true;
	}
	if (digits == 4 && reading->at[4] == '-')
		return take_date(reading);
	reading->dated = digits > 0;
	return !reading->dated || take_month(reading);
}

/* A time that has passed, and may be another one. */
static int64_t complete(struct reading *reading, int64_t now)
{
	struct tm tm = reading->tm;
	int64_t begin;

	tm.tm_isdst = -1;
	begin = (int64_t)mktime(&tm);
	if (begin > now || (reading->dated && !reading->no_year))
		return begin;
	reading->tm.tm_mday += !reading->dated;
	reading->tm.tm_year += reading->no_year;
	reading->tm.tm_isdst = -1;
	return (int64_t)mktime(&reading->tm);
}

bool lxfw_request_begin(const char *text, int64_t now, int64_t *begin)
{
	struct reading reading = { .at = text };
	time_t present = (time_t)now;

	if (strncasecmp(text, "now", 3) == 0) {
		*begin = now;
		return !text[3] || take_delay(text + 3, now, begin);
	}
	if (!*text || !localtime_r(&present, &reading.tm))
		return false;
	reading.tm.tm_hour = reading.tm.tm_min = reading.tm.tm_sec = 0;
	if (!take_day(&reading))
		return false;
	if (reading.dated && *reading.at)
		reading.at += *reading.at == 'T' || *reading.at == '-';
	if ((!reading.dated || *reading.at) && !take_clock(&reading))
		return false;
	if (*reading.at)
		return false;
	*begin = complete(&reading, now);
	return *begin >= 0;
}
