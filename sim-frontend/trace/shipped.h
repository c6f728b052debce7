/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptions of machines that come with the command and are known by name: the
 * files contrib/NAME.ENDING, held in the program (shipped_files.c, which
 * shipped.sh makes from them).
 */
#ifndef LXFW_TRACE_SHIPPED_H
#define LXFW_TRACE_SHIPPED_H

#include <stdbool.h>
#include <stddef.h>

#include "sim-frontend/trace/input.h"

struct lxfw_shipped {
	const char *file;	/* "ncsa-o2k.cluster" */
	const char *bytes;
	size_t length;
};

/* The last one's `file` is NULL. */
extern const struct lxfw_shipped lxfw_shipped_files[];

/* Whether NAME.ENDING is one of them. */
bool lxfw_shipped_has(const char *name, const char *ending);

/* NAME.ENDING if that is shipped, else the file NAME; as lxfw_input_open(). */
struct lxfw_input *lxfw_shipped_open(const char *name, const char *ending,
				     struct lxfw_error *error);

#endif
