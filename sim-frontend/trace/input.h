/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a plain or compressed text file (stream.h) line by line. Only a buffer around the
 * current line is in memory. The accounting logs of a directory of OpenPBS (pbs_folder.h) are
 * read as one file: path and line number are those of the present log. A UTF-8 byte order mark
 * is skipped; UTF-16 is reported as an error.
 */
#ifndef LXFW_TRACE_INPUT_H
#define LXFW_TRACE_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"

struct lxfw_input;

/* Opens PATH ("-" is standard input), which may be such a directory. Returns NULL with errno
   and ERROR set on failure. */
struct lxfw_input *lxfw_input_open(const char *path, struct lxfw_error *error);

/* Returns true if reading PATH, which another file names, could wait for ever: it is a pipe or
   a socket. Sets errno and ERROR then. */
bool lxfw_input_may_block(const char *path, struct lxfw_error *error);

/* Opens the LENGTH bytes at BYTES, which are copied, as a plain file. PATH is its name
   in messages. Returns NULL with errno and ERROR set on failure. */
struct lxfw_input *lxfw_input_bytes(const char *path, const char *bytes,
				    size_t length, struct lxfw_error *error);

/* Keeps errno. INPUT may be NULL. */
void lxfw_input_close(struct lxfw_input *input);

/*
 * Reads the next line without its end ("\n" or "\r\n"). The last line may lack one.
 * LINE[LENGTH] is readable and is '\n' or '\r', so that a scanner may stop there. The
 * line is valid until the next call, and the caller may modify it. Returns 1, 0 at the
 * end, or -1 with errno and ERROR set: the file is unreadable or truncated, or the line
 * is longer than 64 MB.
 */
int lxfw_input_line(struct lxfw_input *input, char **line, size_t *length,
		    struct lxfw_error *error);

/* As lxfw_input_line(), but does not consume the line. */
int lxfw_input_peek(struct lxfw_input *input, char **line, size_t *length,
		    struct lxfw_error *error);

/*
 * Looks ahead without consuming anything: sets LINE and LENGTH to the line that is *OFFSET bytes
 * after the current one, and *OFFSET to the next one. *OFFSET is 0 at first. The line is valid
 * until the next call of any function. Returns 1, 0 at the end of the file or where it cannot be
 * read any further, or -1 with errno and ERROR set if even the current line cannot be read.
 */
int lxfw_input_ahead(struct lxfw_input *input, size_t *offset, char **line, size_t *length,
		     struct lxfw_error *error);

/* Number of bytes that lxfw_input_look() shows. */
#define LXFW_INPUT_LOOK (1 << 18)

/*
 * Shows what follows the current line, LXFW_INPUT_LOOK bytes or less at the end of the file or
 * where it cannot be read any further. Nothing is consumed. TEXT is valid until the next call of
 * any function. Returns 1, 0 at the end, or -1 with errno and ERROR set if nothing can be read.
 */
int lxfw_input_look(struct lxfw_input *input, const char **text, size_t *length,
		    struct lxfw_error *error);

/*
 * Reads the next bytes of the file, whatever its lines are: for texts whose lines may be of any
 * length. BYTES are valid until the next call. Their line ends count as lines. Returns 1, 0 at
 * the end, or -1 with errno and ERROR set.
 */
int lxfw_input_bytes_next(struct lxfw_input *input, const char **bytes, size_t *length,
			  struct lxfw_error *error);

/* The mark at the beginning of a text in UTF-8, which no line includes. */
#define LXFW_INPUT_MARK "\xef\xbb\xbf"

/* Whether the file of the last line begins with it. */
bool lxfw_input_marked(const struct lxfw_input *input);

/* Whether the last line ended in a carriage return, which it does not include. */
bool lxfw_input_returned(const struct lxfw_input *input);

/* Returns the number of the current line, from 1; lxfw_input_path() returns the path
   as given. */
long lxfw_input_line_number(const struct lxfw_input *input);
const char *lxfw_input_path(const struct lxfw_input *input);

#endif
