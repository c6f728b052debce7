/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The logical lines of a slurm.conf (slurm.conf(5)), with Include files in place. A
 * backslash at the end of a line continues it, '#' begins a comment, keys are
 * case-insensitive, and values may be in double quotes.
 */
#ifndef LXFW_TRACE_SLURM_LINES_H
#define LXFW_TRACE_SLURM_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"

struct lxfw_slurm_pair {
	struct lxfw_slice key, value;
};

struct lxfw_slurm_line {
	const char *path;		/* valid during the call, as are all members */
	long number;			/* number of its first physical line */
	const struct lxfw_slurm_pair *pairs;
	int count;			/* 1 or more */
};

/* Called for each line except Include. A non-zero return value, with WRONG set without
   a file name, ends the reading. */
typedef int lxfw_slurm_line_fn(void *context,
			       const struct lxfw_slurm_line *line,
			       struct lxfw_error *wrong);

/* Relative names after Include are searched in the directory of the including file, and %c
   in them is ClusterName. Returns 0, or -1 with errno and ERROR set. */
int lxfw_slurm_lines(const char *path, lxfw_slurm_line_fn *take, void *context,
		     struct lxfw_error *error);

/* The same with files in memory (slurm_files.h). FILES NULL: those of the disk. */
struct lxfw_slurm_files;
int lxfw_slurm_lines_in(struct lxfw_slurm_files *files, const char *path,
			lxfw_slurm_line_fn *take, void *context, struct lxfw_error *error);

/* The most pairs of a line. */
#define LXFW_SLURM_KEYS_MAX 128

/* Splits a logical line into pairs, at most LXFW_SLURM_KEYS_MAX. Returns their number, or -1
   with errno and WRONG set. */
int lxfw_slurm_split(char *line, size_t length, struct lxfw_slurm_pair *pairs,
		     struct lxfw_error *wrong);

/* Removes a comment; "\#" becomes '#'. Returns the remaining length. */
size_t lxfw_slurm_cut_comment(char *line, size_t length);

/* Whether the next line continues this one, which has no comment: it ends in an odd number of
   backslashes, and maybe blanks. *LENGTH becomes that without the last backslash then. */
bool lxfw_slurm_continues(const char *line, size_t *length);

/* Called for each KEY=VALUE of a line from scontrol. Returns 0, 1 to skip the rest of
   the line, or -1 with WRONG set. */
typedef int lxfw_slurm_word_fn(void *context, struct lxfw_slice key,
			       struct lxfw_slice value, struct lxfw_error *wrong);

/* Splits LINE at blanks and passes each KEY=VALUE to TAKE. Other words are skipped.
   Returns 0, or -1 if TAKE returned -1. */
int lxfw_slurm_words(const char *line, size_t length, lxfw_slurm_word_fn *take,
		     void *context, struct lxfw_error *wrong);

/* Compares ignoring case. */
bool lxfw_slurm_is(struct lxfw_slice text, const char *word);

#define LXFW_SLURM_UNLIMITED INT64_MAX

/*
 * Parses a time in Slurm's format: "60", "60:30", "1:00:00", "1-12", "1-12:00",
 * "1-12:00:00"; a single number is minutes. *SECONDS is in seconds, 0 or more;
 * LXFW_SLURM_UNLIMITED for UNLIMITED, INFINITE and -1. Returns 0, or -1 with errno
 * EINVAL.
 */
int lxfw_slurm_time(struct lxfw_slice text, int64_t *seconds);

#endif
