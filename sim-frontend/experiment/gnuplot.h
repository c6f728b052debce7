/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running gnuplot, as a process of its own, without a shell. */
#ifndef LXFW_EXPERIMENT_GNUPLOT_H
#define LXFW_EXPERIMENT_GNUPLOT_H

#include "common/util/error.h"

/* Whether there is one that can be run. 0, or -1 with errno and ERROR set: ENOENT
   where none is installed. */
int lxfw_gnuplot_present(struct lxfw_error *error);

/* Run SCRIPT, a file of DIRECTORY, in it, after the commands of BEFORE. 0, or -1
   with errno and ERROR set; what gnuplot says of it is on standard error. */
int lxfw_gnuplot_run(const char *directory, const char *before,
		     const char *script, struct lxfw_error *error);

#endif
