/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of mean waits of groups before and after a change. A bar to the left of a
   centre line shows a shorter wait, one to the right a longer wait. */
#ifndef LXFW_REPORT_DIFFERENCES_H
#define LXFW_REPORT_DIFFERENCES_H

#include <stddef.h>

#include "sim-frontend/util/output.h"

struct lxfw_difference {
	const char *name;	/* may come from a log */
	size_t jobs;
	double before, after;	/* mean waits, seconds */
};

/* CAPTION, TITLE of the first column and NAMES are written without escaping. */
void lxfw_differences(struct lxfw_output *output, const char *caption,
		      const char *title, const char *const names[2],
		      const struct lxfw_difference *rows, size_t count);

#endif
