/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs gnuplot as a child process, without a shell. */
#ifndef LXFW_EXPERIMENT_GNUPLOT_H
#define LXFW_EXPERIMENT_GNUPLOT_H

#include "common/util/error.h"

/* Checks whether gnuplot can be run. Returns 0, or -1 with errno and ERROR set: ENOENT
   if it is not installed. */
int lxfw_gnuplot_present(struct lxfw_error *error);

/* Runs SCRIPT, a file in DIRECTORY, in that directory after the commands of BEFORE.
   Returns 0, or -1 with errno and ERROR set. gnuplot's messages are written to
   standard error. */
int lxfw_gnuplot_run(const char *directory, const char *before,
		     const char *script, struct lxfw_error *error);

#endif
