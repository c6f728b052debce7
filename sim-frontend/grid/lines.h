/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of the files of a grid: sites, graphs and times. */
#ifndef LXFW_GRID_LINES_H
#define LXFW_GRID_LINES_H

#include "common/util/error.h"

/* Takes line number LINE, which may be changed, without its comment, which begins with '#'.
   Lines without words are left out. Returns 0, or -1 with errno and the error set. */
typedef int lxfw_line_function(void *context, long line, char *text);

/* Reads the file line by line. Returns 0, or -1 with errno and ERROR set: that of TAKE, a
   file that cannot be read, a line of more than 64 MB, or one that is no text. */
int lxfw_lines_read(const char *path, lxfw_line_function *take, void *context,
		    struct lxfw_error *error);

#endif
