/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Error text in a buffer of the caller.
 *
 * A function that can fail for several reasons takes a `struct lxfw_error *`, which may
 * be NULL. It fills the buffer before it returns -1 with errno set. The text is one line
 * without a newline, truncated to the size of the buffer. It is assembled from parts,
 * since the policy library uses no formatted I/O.
 */
#ifndef LXFW_UTIL_ERROR_H
#define LXFW_UTIL_ERROR_H

#include <stdint.h>

struct lxfw_error {
	char text[2048];	/* the list of all parameter keys fits */
};

/* Replace the text by PART. */
void lxfw_error_set(struct lxfw_error *error, const char *part);

/* Append a string, the first LENGTH bytes of a string, or a number in decimal. */
void lxfw_error_add(struct lxfw_error *error, const char *part);
void lxfw_error_add_bytes(struct lxfw_error *error, const char *part,
			  int length);
void lxfw_error_add_number(struct lxfw_error *error, int64_t number);

#endif
