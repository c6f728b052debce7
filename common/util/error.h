/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Error text into a caller's buffer.
 *
 * Functions that can fail for a reason worth telling take a
 * `struct lxfw_error *`, which may be NULL, and fill it before they return -1
 * with errno set. The text is one line without a newline, cut off at the size
 * of the buffer. It is assembled from parts because the policy library does no
 * formatted I/O.
 */
#ifndef LXFW_UTIL_ERROR_H
#define LXFW_UTIL_ERROR_H

#include <stdint.h>

struct lxfw_error {
	char text[768];
};

/* Start a text anew with PART. */
void lxfw_error_set(struct lxfw_error *error, const char *part);

/* Append a string, the first LENGTH bytes of one, or a number in decimal. */
void lxfw_error_add(struct lxfw_error *error, const char *part);
void lxfw_error_add_bytes(struct lxfw_error *error, const char *part,
			  int length);
void lxfw_error_add_number(struct lxfw_error *error, int64_t number);

#endif
