/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What Slurm's commands print with -P (--parsable2): a line of column names, then a line
 * for each record, values separated by '|'.
 */
#ifndef LXFW_PRIORITY_DUMP_H
#define LXFW_PRIORITY_DUMP_H

#include <stdbool.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"

struct lxfw_dump_column {
	const char *names[3];	/* what it may be called, whatever the case; NULL = end */
	bool needed;
};

/* Told of each record: a value for each column, as they were asked for; a value that the
   dump does not have is { NULL, 0 }. Non-zero, with WRONG saying why without a file's
   name, ends the reading. */
typedef int lxfw_dump_row_fn(void *context, const struct lxfw_slice *values,
			     struct lxfw_error *wrong);

/* At most so many columns can be asked for. */
#define LXFW_DUMP_COLUMNS_MAX 12

/* Read PATH ("-" is standard input). WHAT says in messages what is to have printed it.
   0, or -1 with errno and ERROR set. */
int lxfw_dump_read(const char *path, const struct lxfw_dump_column *columns, int count,
		   const char *what, lxfw_dump_row_fn *row, void *context,
		   struct lxfw_error *error);

#endif
