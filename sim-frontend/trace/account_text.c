/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/account_text.h"

#include <string.h>
#include <strings.h>

#include "sim-frontend/util/text.h"

/* Number of decimal places of a size that are evaluated. */
#define FRACTION_DIGITS 6

bool lxfw_slice_is(struct lxfw_slice slice, const char *text)
{
	return slice.at && slice.length == strlen(text) &&
	       memcmp(slice.at, text, slice.length) == 0;
}

bool lxfw_slice_begins(struct lxfw_slice slice, const char *text)
{
	size_t length = strlen(text);

	return slice.at && slice.length >= length &&
	       strncasecmp(slice.at, text, length) == 0;
}

bool lxfw_slice_numbers(struct lxfw_slice slice, const char *format,
			int64_t *numbers)
{
	const char *at = slice.at, *end;
	int count = 0;

	if (!at)
		return false;
	end = at + slice.length;
	for (; *format; format++) {
		const char *digits = at;

		if (*format != '0') {
			if (at == end || *at++ != *format)
				return false;
			continue;
		}
		while (at < end && *at >= '0' && *at <= '9')
			at++;
		if (lxfw_text_integer(digits, (size_t)(at - digits), 0,
				      INT32_MAX, &numbers[count++]))
			return false;
	}
	return at == end;
}

bool lxfw_slice_integer(struct lxfw_slice slice, int64_t min, int64_t max,
			int64_t *value)
{
	return slice.at && !lxfw_text_integer(slice.at, slice.length, min, max,
					      value);
}

/* Days since 1970-01-01 (the proleptic Gregorian calendar). */
static int64_t days(int64_t year, int month, int day)
{
	int64_t era, of_era;
	int of_year;

	year -= month <= 2;
	era = (year >= 0 ? year : year - 399) / 400;
	of_era = year - era * 400;
	of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 +
	       of_year - 719468;
}

int64_t lxfw_account_moment(int64_t year, int month, int day, int64_t hour,
			    int64_t minute, int64_t second)
{
	return days(year, month, day) * 86400 + hour * 3600 + minute * 60 +
	       second;
}

bool lxfw_slice_span(struct lxfw_slice slice, int64_t *seconds)
{
	const char *point = slice.at ? memchr(slice.at, '.', slice.length) : NULL;
	int64_t n[4];

	if (point)
		slice.length = (size_t)(point - slice.at);
	if (lxfw_slice_numbers(slice, "0-0:0:0", n))
		*seconds = n[0] * 86400 + n[1] * 3600 + n[2] * 60 + n[3];
	else if (lxfw_slice_numbers(slice, "0:0:0", n))
		*seconds = n[0] * 3600 + n[1] * 60 + n[2];
	else if (lxfw_slice_numbers(slice, "0:0", n))
		*seconds = n[0] * 60 + n[1];
	else
		return false;
	return *seconds <= LXFW_ACCOUNT_TIME_MAX;
}

/* Returns the number of bytes of a unit, or 0 if the unit is unknown. */
static int64_t unit_bytes(const char *unit, size_t length, int64_t plain)
{
	static const char letters[] = "BKMGTPE";
	const char *letter;
	int64_t bytes = 1;

	if (length == 0)
		return plain;
	if (length == 1 && (*unit & ~0x20) == 'W')
		return 8;
	letter = strchr(letters, *unit & ~0x20);
	if (!letter || !*letter || length > 2)
		return 0;
	if (length == 2 && (unit[1] & ~0x20) == 'W')
		bytes = 8;
	else if (length == 2 && (unit[1] & ~0x20) != 'B')
		return 0;
	return bytes << (10 * (letter - letters));
}

bool lxfw_slice_size(struct lxfw_slice slice, int64_t unit, int64_t *kb)
{
	const char *at = slice.at, *end, *point;
	int64_t whole = 0;
	double fraction = 0, scale = 1, size;

	if (!at)
		return false;
	end = at + slice.length;
	while (at < end && *at >= '0' && *at <= '9')
		at++;
	if (lxfw_text_integer(slice.at, (size_t)(at - slice.at), 0, INT64_MAX,
			      &whole))
		return false;
	if (at < end && *at == '.') {
		for (point = ++at; at < end && *at >= '0' && *at <= '9'; at++) {
			if (at - point < FRACTION_DIGITS)
				fraction += (*at - '0') * (scale /= 10);
		}
	}
	unit = unit_bytes(at, (size_t)(end - at), unit);
	if (unit == 0)
		return false;
	/* exact below 2^53 bytes; logs print rounded fractions anyway */
	size = ((double)whole + fraction) * (double)unit / 1024;
	if (size >= (double)LXFW_ACCOUNT_MEMORY_MAX_KB) {
		*kb = LXFW_ACCOUNT_MEMORY_MAX_KB;
		return true;
	}
	*kb = (int64_t)size;
	*kb += (double)*kb < size;
	return true;
}

int64_t lxfw_account_memory(int64_t kb, int64_t times)
{
	if (times > 0 && kb > LXFW_ACCOUNT_MEMORY_MAX_KB / times)
		return LXFW_ACCOUNT_MEMORY_MAX_KB;
	return kb * times;
}
