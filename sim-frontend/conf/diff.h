/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The difference of two texts in the unified format of diff(1). */
#ifndef LXFW_CONF_DIFF_H
#define LXFW_CONF_DIFF_H

#include <stdio.h>

#include "sim-frontend/trace/slurm_files.h"

/* Prints the changes from WAS to NOW, with three lines around each, for patch(1). PATH is the
   name of both. RETURNS: each line of the file ends in a carriage return, too. Prints nothing if
   they are equal. Returns 0, or -1 with errno ENOMEM. */
int lxfw_diff(const char *path, const struct lxfw_slurm_text *was,
	      const struct lxfw_slurm_text *now, bool returns, FILE *out);

#endif
