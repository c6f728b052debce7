/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the output of Slurm's commands with -P (--parsable2): a line of column names,
 * then one line per record, with values separated by '|'.
 */
#ifndef LXFW_PRIORITY_DUMP_H
#define LXFW_PRIORITY_DUMP_H

#include <stdbool.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"

struct lxfw_dump_column {
	const char *names[3];	/* possible names, ignoring case; ends with NULL */
	bool needed;
};

/* Called for each record with a value for each requested column. The value of a column
   that the output does not have is { NULL, 0 }. A non-zero return value, with WRONG
   set without a file name, ends the reading. */
typedef int lxfw_dump_row_fn(void *context, const struct lxfw_slice *values,
			     struct lxfw_error *wrong);

/* Maximum number of requested columns. */
#define LXFW_DUMP_COLUMNS_MAX 12

/* Reads PATH ("-" is standard input). WHAT is the expected command in messages.
   Returns 0, or -1 with errno and ERROR set. */
int lxfw_dump_read(const char *path, const struct lxfw_dump_column *columns, int count,
		   const char *what, lxfw_dump_row_fn *row, void *context,
		   struct lxfw_error *error);

#endif
