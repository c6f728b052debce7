/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counterparts of figures 1 to 10 of Chiang and Vernon 2001: data files and a script for
 * gnuplot, and SVG and PDF files made with it. For a log, figures that need NCSA-LSF* or
 * the classes of the Origin 2000 are omitted.
 *
 * Figure 6 of the paper is measured; its counterpart here is simulated.
 */
#ifndef LXFW_EXPERIMENT_PLOTS_H
#define LXFW_EXPERIMENT_PLOTS_H

#include "sim-frontend/experiment/experiment.h"
#include "sim-frontend/util/output.h"

/* Draws the figures of EXPERIMENT, which must have been run, to DIRECTORY, which is
   created if necessary. Returns 0, or -1 with errno and ERROR set. */
int lxfw_plots_make(const struct lxfw_experiment *experiment,
		    const char *directory, struct lxfw_error *error);

/* ---- parts --------------------------------------------------------------------- */

#define LXFW_PLOTS_SCRIPT "figures.gp"

/* Returns the name, without ".svg", of the figure with this index; NULL after the
   last. */
const char *lxfw_plots_name(const struct lxfw_experiment *experiment, int index);

/* Returns the index of a month given by its number in the paper, or the last month if
   the experiment does not have it. */
int lxfw_plots_month(const struct lxfw_experiment *experiment, int number);

/* Write the data files, and the script. */
int lxfw_plots_data(const struct lxfw_experiment *experiment,
		    const char *directory, struct lxfw_error *error);
int lxfw_plots_script(const struct lxfw_experiment *experiment,
		      const char *directory, struct lxfw_error *error);

/* Writes formatted text of at most 1023 characters. */
void lxfw_plots_put(struct lxfw_output *output, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Writes DIRECTORY/NAME.KIND, followed by PART, to PATH of PATH_MAX characters. The
   dot is omitted if KIND is empty. Returns 0, or -1 with errno and ERROR set if the
   path is too long. */
int lxfw_plots_path(char *path, const char *directory, const char *name,
		    const char *kind, const char *part,
		    struct lxfw_error *error);

/* Creates a file in DIRECTORY. Returns NULL with errno and ERROR set on failure. */
struct lxfw_output *lxfw_plots_open(const char *directory, const char *name,
				    struct lxfw_error *error);

#endif
