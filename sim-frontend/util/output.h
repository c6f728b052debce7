/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output files that are complete or absent. A file is written under a temporary name in
 * its directory and renamed when complete. A pipe, a terminal or a device is written
 * directly, and so is a link to a standard stream of the process, such as /dev/stdout. These
 * keep their names and modes.
 *
 * A signal that ends the command removes the temporary files first. A subcommand with a
 * signal handler of its own must end with lxfw_output_end_by().
 */
#ifndef LXFW_UTIL_OUTPUT_H
#define LXFW_UTIL_OUTPUT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/util/error.h"

struct lxfw_output;

/* Returns NULL with errno and ERROR set on failure. */
struct lxfw_output *lxfw_output_open(const char *path,
				     struct lxfw_error *error);

/* The same, but what has the name already is replaced, whatever it is, and not opened: in a folder that
   others may write, a FIFO would keep the writer waiting. */
struct lxfw_output *lxfw_output_replace(const char *path, struct lxfw_error *error);

/* Opens standard output, which is written directly. Returns NULL with errno and ERROR
   set on failure. */
struct lxfw_output *lxfw_output_standard(struct lxfw_error *error);

/* Buffered. An error is stored and reported by lxfw_output_commit(). */
void lxfw_output_write(struct lxfw_output *output, const void *bytes,
		       size_t length);
void lxfw_output_text(struct lxfw_output *output, const char *text);
void lxfw_output_format(struct lxfw_output *output, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void lxfw_output_integer(struct lxfw_output *output, int64_t value);

/* Writes a field of a CSV file, with quotes if necessary. */
void lxfw_output_csv(struct lxfw_output *output, const char *text);

/* Gives the file this mode, whatever the umask is. What is written directly keeps its own.
   An error is stored and reported by lxfw_output_commit(). */
void lxfw_output_mode(struct lxfw_output *output, mode_t mode);

/* Writes buffered data and renames the file. OUTPUT is freed in either case. Returns
   0, or -1 with errno and ERROR set; no file is left then. */
int lxfw_output_commit(struct lxfw_output *output, struct lxfw_error *error);

/*
 * Writes the data of files that have their names later, by lxfw_output_commit_all(): what must
 * not be done unless they are complete is done between the two. Nothing may be written to them
 * afterwards. Items may be NULL. Returns 0, or -1 with errno and ERROR set for the first that
 * failed; the caller then aborts them.
 */
int lxfw_output_complete_all(struct lxfw_output *const *outputs, size_t count,
			     struct lxfw_error *error);

/*
 * Commits the files of one result: all are renamed or none. The data of every file is
 * written before the first is renamed, so that a full disk is detected in time. Items may
 * be NULL; all are freed in either case. Returns 0, or -1 with errno and ERROR set for
 * the first that failed.
 */
int lxfw_output_commit_all(struct lxfw_output *const *outputs, size_t count,
			   struct lxfw_error *error);

/* Removes the temporary file and frees OUTPUT, which may be NULL. Preserves errno. */
void lxfw_output_abort(struct lxfw_output *output);

/* Removes all temporary files and ends the process by signal NUMBER. May be called in
   a handler of that signal; does not return. */
void lxfw_output_end_by(int number);

#endif
