/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times, spans and sizes as accounting records write them. */
#ifndef LXFW_TRACE_ACCOUNT_TEXT_H
#define LXFW_TRACE_ACCOUNT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of a text that somebody else holds. */
struct lxfw_slice {
	const char *at;		/* NULL = not there */
	size_t length;
};

/* Sums of times stay far below 2^63. */
#define LXFW_ACCOUNT_TIME_MAX INT64_C(1000000000000)
/* More than any machine has. */
#define LXFW_ACCOUNT_MEMORY_MAX_KB (INT64_C(1) << 39)

bool lxfw_slice_is(struct lxfw_slice slice, const char *text);
/* Begins with TEXT, whatever the case. */
bool lxfw_slice_begins(struct lxfw_slice slice, const char *text);

/* Numbers from 0 to 2^31-1 separated as in FORMAT, where '0' stands for one. */
bool lxfw_slice_numbers(struct lxfw_slice slice, const char *format,
			int64_t *numbers);

/* A whole number from MIN to MAX. */
bool lxfw_slice_integer(struct lxfw_slice slice, int64_t min, int64_t max,
			int64_t *value);

/* Seconds from 1970 to a moment of the Gregorian calendar. */
int64_t lxfw_account_moment(int64_t year, int month, int day, int64_t hour,
			    int64_t minute, int64_t second);

/* "[D-]HH:MM:SS[.mmm]", "MM:SS[.mmm]". */
bool lxfw_slice_span(struct lxfw_slice slice, int64_t *seconds);

/*
 * A size: a number, perhaps with a fraction, and a unit: b, K, M, G, T, P, E, each
 * perhaps with a b behind it, or w for words of 8 bytes in place of that b. Without
 * one it is in units of UNIT bytes. Rounded up to KB.
 */
bool lxfw_slice_size(struct lxfw_slice slice, int64_t unit, int64_t *kb);

/* KB x TIMES, at most LXFW_ACCOUNT_MEMORY_MAX_KB. */
int64_t lxfw_account_memory(int64_t kb, int64_t times);

#endif
