/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text file line by line, plain or compressed (stream.h). The file is streamed:
 * only the buffer around the current line is in memory. A byte order mark of UTF-8 in
 * front is passed over; UTF-16 is an error that says so.
 */
#ifndef LXFW_TRACE_INPUT_H
#define LXFW_TRACE_INPUT_H

#include <stddef.h>

#include "common/util/error.h"

struct lxfw_input;

/* Open PATH ("-" is standard input). NULL with errno and ERROR set. */
struct lxfw_input *lxfw_input_open(const char *path, struct lxfw_error *error);

/* The LENGTH bytes at BYTES as though they were a plain file called PATH; they are
   copied. NULL with errno and ERROR set. */
struct lxfw_input *lxfw_input_bytes(const char *path, const char *bytes,
				    size_t length, struct lxfw_error *error);

/* Keeps errno. INPUT may be NULL. */
void lxfw_input_close(struct lxfw_input *input);

/*
 * The next line, without its end ("\n" or "\r\n"); the last one may lack it.
 * LINE[LENGTH] is readable and '\n' or '\r', so that a scanner may stop there.
 * Valid until the next call; the caller may write into it. Returns 1, 0 at the
 * end, -1 with errno and ERROR set (an unreadable or cut-off file, a line
 * longer than 64 MB).
 */
int lxfw_input_line(struct lxfw_input *input, char **line, size_t *length,
		    struct lxfw_error *error);

/* The same without taking it: the next call has it again. */
int lxfw_input_peek(struct lxfw_input *input, char **line, size_t *length,
		    struct lxfw_error *error);

/* Number of the current line, from 1; the path as given to open. */
long lxfw_input_line_number(const struct lxfw_input *input);
const char *lxfw_input_path(const struct lxfw_input *input);

#endif
