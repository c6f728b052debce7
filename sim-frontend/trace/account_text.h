/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times, durations and sizes in the text of accounting records. */
#ifndef LXFW_TRACE_ACCOUNT_TEXT_H
#define LXFW_TRACE_ACCOUNT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Part of a text. The structure does not own the text. */
struct lxfw_slice {
	const char *at;		/* NULL: absent */
	size_t length;
};

/* Limit of times, small enough that sums of times cannot overflow. */
#define LXFW_ACCOUNT_TIME_MAX INT64_C(1000000000000)
/* 2000-01-01, the beginning of a log whose times are relative. */
#define LXFW_ACCOUNT_FIRST_DAY INT64_C(946684800)
/* Limit of memory sizes, 512 TB. */
#define LXFW_ACCOUNT_MEMORY_MAX_KB (INT64_C(1) << 39)

bool lxfw_slice_is(struct lxfw_slice slice, const char *text);
/* Returns whether SLICE begins with TEXT, ignoring case. */
bool lxfw_slice_begins(struct lxfw_slice slice, const char *text);

/* Returns the length of SLICE before the first STOP, or all of it. */
static inline size_t lxfw_slice_until(struct lxfw_slice slice, char stop)
{
	const char *found = slice.length ? memchr(slice.at, stop, slice.length) : NULL;

	return found ? (size_t)(found - slice.at) : slice.length;
}

/* Parses numbers from 0 to 2^31-1. FORMAT contains a '0' for each number; its other
   characters must match exactly. */
bool lxfw_slice_numbers(struct lxfw_slice slice, const char *format,
			int64_t *numbers);

/* Parses an integer from MIN to MAX. */
bool lxfw_slice_integer(struct lxfw_slice slice, int64_t min, int64_t max,
			int64_t *value);

/* Returns the time in seconds since 1970 of a UTC date and time in the Gregorian
   calendar. */
int64_t lxfw_account_moment(int64_t year, int month, int day, int64_t hour,
			    int64_t minute, int64_t second);

/* Parses a duration "[D-]HH:MM:SS[.mmm]" or "MM:SS[.mmm]". */
bool lxfw_slice_span(struct lxfw_slice slice, int64_t *seconds);

/*
 * Parses a size: a number, which may have a fraction, and an optional unit b, K, M, G, T,
 * P or E. The unit may be followed by b (bytes) or w (words of 8 bytes). Without a unit,
 * the number is in units of UNIT bytes. The result is rounded up to KB.
 */
bool lxfw_slice_size(struct lxfw_slice slice, int64_t unit, int64_t *kb);

/* Returns KB * TIMES, limited to LXFW_ACCOUNT_MEMORY_MAX_KB. */
int64_t lxfw_account_memory(int64_t kb, int64_t times);

#endif
