/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages and numbers as text, for the command. */
#ifndef LXFW_UTIL_TEXT_H
#define LXFW_UTIL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

/* Fill ERROR (may be NULL) by a format and return -1 with errno EINVAL, so that
   `return lxfw_error_format(...)` ends a function that found bad input. */
int lxfw_error_format(struct lxfw_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same with "PATH:LINE: " before it; LINE 0 leaves the line out. A long
   path loses its beginning, never the message its end. */
int lxfw_error_at(struct lxfw_error *error, const char *path, long line,
		  const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* "PATH: " with what errno says; keeps errno and returns -1. */
int lxfw_error_system(struct lxfw_error *error, const char *path);

/* Copy up to SIZE - 1 bytes of a token for a message: what cannot be printed
   becomes '?', what is too long ends in "...". Returns OUT. */
char *lxfw_text_quote(char *out, size_t size, const char *text, size_t length);

/*
 * Take LINE[0..LENGTH) apart into its first WORD and the REST, which may be empty:
 * without the BLANKS around them, and without what is behind a '#'. False if there
 * is no word.
 */
struct lxfw_text_pair {
	const char *word, *rest;
	size_t word_length, rest_length;
};
bool lxfw_text_pair(const char *line, size_t length, const char *blanks,
		    struct lxfw_text_pair *pair);

/*
 * The whole of TEXT[0..LENGTH) as a decimal integer within MIN..MAX. Returns 0,
 * or -1 with errno EINVAL (no integer) or ERANGE.
 */
int lxfw_text_integer(const char *text, size_t length, int64_t min, int64_t max,
		      int64_t *value);

/* A span of time: a number with s, m, h or d behind it, or none for seconds;
   0 or more, with a fraction ("5.5h") where that comes to whole seconds. The same
   errors. */
int lxfw_text_span(const char *text, size_t length, int64_t *seconds);
int lxfw_text_duration(const char *text, int64_t *seconds);

/* Decimal digits of VALUE to OUT (at least 21 bytes, no NUL); their number. */
int lxfw_text_put_integer(char *out, int64_t value);

#endif
