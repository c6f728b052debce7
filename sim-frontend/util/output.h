/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are there whole or not at all: written under a temporary name
 * beside the place they are to have, and renamed when all is written. What is
 * not a regular file (a pipe, a terminal, a device) is written to directly.
 *
 * A signal that ends the command removes the temporary files first. A subcommand that
 * has a handler of its own ends with lxfw_output_end_by().
 */
#ifndef LXFW_UTIL_OUTPUT_H
#define LXFW_UTIL_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

struct lxfw_output;

/* NULL with errno and ERROR set. */
struct lxfw_output *lxfw_output_open(const char *path,
				     struct lxfw_error *error);

/* Standard output, written to directly. NULL with errno and ERROR set. */
struct lxfw_output *lxfw_output_standard(struct lxfw_error *error);

/* Buffered; an error is kept and told of by lxfw_output_commit(). */
void lxfw_output_write(struct lxfw_output *output, const void *bytes,
		       size_t length);
void lxfw_output_text(struct lxfw_output *output, const char *text);
void lxfw_output_format(struct lxfw_output *output, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void lxfw_output_integer(struct lxfw_output *output, int64_t value);

/* A field of a CSV file, in quotes where it needs them. */
void lxfw_output_csv(struct lxfw_output *output, const char *text);

/* Write the rest and give the file its name; OUTPUT is gone in either case. 0,
   or -1 with errno and ERROR set and no file left behind. */
int lxfw_output_commit(struct lxfw_output *output, struct lxfw_error *error);

/* Commit the files of one result: all of them get their names, or none does. First the
   rest of each is written, so that a full disk is known of before the first name is
   given. Items may be NULL; all are gone in either case. 0, or -1 with errno and ERROR
   set for the first that failed. */
int lxfw_output_commit_all(struct lxfw_output *const *outputs, size_t count,
			   struct lxfw_error *error);

/* Leave nothing behind. Keeps errno. OUTPUT may be NULL. */
void lxfw_output_abort(struct lxfw_output *output);

/* Remove all temporary files and end the process as the signal NUMBER does. Safe in a
   handler of it; does not return from one. */
void lxfw_output_end_by(int number);

#endif
