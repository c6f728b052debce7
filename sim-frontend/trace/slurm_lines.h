/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a slurm.conf (slurm.conf(5)), Include files in their places. Lines are
 * logical: a backslash at the end continues one, '#' begins a comment, keys do not
 * heed case, values may stand in double quotes.
 */
#ifndef LXFW_TRACE_SLURM_LINES_H
#define LXFW_TRACE_SLURM_LINES_H

#include <stdbool.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"

struct lxfw_slurm_pair {
	struct lxfw_slice key, value;
};

struct lxfw_slurm_line {
	const char *path;		/* valid during the call, as all of it */
	long number;			/* of its first line in the file */
	const struct lxfw_slurm_pair *pairs;
	int count;			/* 1 or more */
};

/* Told of each line but Include. Non-zero, with WRONG saying why without a file's
   name, ends the reading. */
typedef int lxfw_slurm_line_fn(void *context,
			       const struct lxfw_slurm_line *line,
			       struct lxfw_error *wrong);

/* Relative names after Include are searched beside the file that includes them. 0,
   or -1 with errno and ERROR set. */
int lxfw_slurm_lines(const char *path, lxfw_slurm_line_fn *take, void *context,
		     struct lxfw_error *error);

/* Told of each KEY=VALUE of a line that scontrol printed. 0; 1 to pass over the rest of
   the line; -1 with WRONG saying why. */
typedef int lxfw_slurm_word_fn(void *context, struct lxfw_slice key,
			       struct lxfw_slice value, struct lxfw_error *wrong);

/* The words of LINE, which blanks separate; those that are no KEY=VALUE are passed over.
   0, or -1 if TAKE said so. */
int lxfw_slurm_words(const char *line, size_t length, lxfw_slurm_word_fn *take,
		     void *context, struct lxfw_error *wrong);

/* The same word, whatever the case. */
bool lxfw_slurm_is(struct lxfw_slice text, const char *word);

#endif
