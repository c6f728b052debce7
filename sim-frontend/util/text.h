/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Error messages and numbers as text. */
#ifndef LXFW_UTIL_TEXT_H
#define LXFW_UTIL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

/* Formats ERROR (may be NULL) and returns -1 with errno EINVAL. A function that
   detects invalid input ends with `return lxfw_error_format(...)`. */
int lxfw_error_format(struct lxfw_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* As lxfw_error_format(), with "PATH:LINE: " in front; LINE 0 is omitted. A long path
   is truncated at its beginning, never the message at its end. */
int lxfw_error_at(struct lxfw_error *error, const char *path, long line,
		  const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Formats "PATH: " and the message of errno. Preserves errno and returns -1. */
int lxfw_error_system(struct lxfw_error *error, const char *path);

/* Copies up to SIZE - 1 bytes of a token or a name for a message, a table or a file. Characters
   that must not be written (letters.h) become '?', one for each byte; a truncated token ends in
   "...", and no letter is cut. SIZE is at least 4. Returns OUT. */
char *lxfw_text_quote(char *out, size_t size, const char *text, size_t length);

/*
 * Writes what the unknown word NAME of LENGTH bytes probably means to OUT, for the end of a
 * message: ", did you mean procs?" if procs is the name in NAMES, whose last is NULL, that is
 * nearest to it (common/util/nearest.h), or nothing. A word "KEY=VALUE" is compared up to its
 * '='; a name that is in NAMES means nothing else. Returns OUT.
 */
char *lxfw_text_meant(char *out, size_t size, const char *name, size_t length,
		      const char *const *names);

/* Returns a copy of LENGTH bytes of TEXT without the blanks around it, which lxfw_params_parse()
   ignores, too. The caller frees it. NULL: there is no memory. */
char *lxfw_text_trimmed(const char *text, size_t length);

/*
 * Splits LINE[0..LENGTH) into its first WORD and the REST, which may be empty. BLANKS
 * around them and text after '#' are removed. Returns false if there is no word.
 */
struct lxfw_text_pair {
	const char *word, *rest;
	size_t word_length, rest_length;
};
bool lxfw_text_pair(const char *line, size_t length, const char *blanks,
		    struct lxfw_text_pair *pair);

/*
 * Parses all of TEXT[0..LENGTH) as a decimal integer within MIN..MAX. Returns 0, or -1
 * with errno EINVAL (not an integer) or ERANGE.
 */
int lxfw_text_integer(const char *text, size_t length, int64_t min, int64_t max,
		      int64_t *value);

/* Parses a duration: a number with the suffix s, m, h or d, or without suffix for
   seconds. It must be 0 or more; a fraction ("5.5h") is allowed if the result is a
   whole number of seconds. Returns as lxfw_text_integer(). */
int lxfw_text_span(const char *text, size_t length, int64_t *seconds);
int lxfw_text_duration(const char *text, int64_t *seconds);

/* Writes the decimal digits of VALUE to OUT (at least 21 bytes, without NUL). Returns
   their number. */
int lxfw_text_put_integer(char *out, int64_t value);

#endif
