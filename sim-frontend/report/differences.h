/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mean waits of groups before and after, and which of them gain and lose: a table with a
   bar to the left of a middle line for who waits shorter, to the right for who waits
   longer. */
#ifndef LXFW_REPORT_DIFFERENCES_H
#define LXFW_REPORT_DIFFERENCES_H

#include <stddef.h>

#include "sim-frontend/util/output.h"

struct lxfw_difference {
	const char *name;	/* may come from a log */
	size_t jobs;
	double before, after;	/* mean waits, s */
};

/* CAPTION, TITLE of the first column and the two NAMES are our own. */
void lxfw_differences(struct lxfw_output *output, const char *caption,
		      const char *title, const char *const names[2],
		      const struct lxfw_difference *rows, size_t count);

#endif
