/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counterparts of figures 1 to 10 of Chiang and Vernon 2001: data files and a
 * script for gnuplot, and SVG and PDF made with it. Figures that need NCSA-LSF* or
 * the classes of the Origin 2000 are left out for a log.
 *
 * Figure 6 of the paper is measured; its counterpart here is simulated.
 */
#ifndef LXFW_EXPERIMENT_PLOTS_H
#define LXFW_EXPERIMENT_PLOTS_H

#include "sim-frontend/experiment/experiment.h"
#include "sim-frontend/util/output.h"

/* Draw them into DIRECTORY, which is made if it is not there. EXPERIMENT has been
   run. 0, or -1 with errno and ERROR set. */
int lxfw_plots_make(const struct lxfw_experiment *experiment,
		    const char *directory, struct lxfw_error *error);

/* ---- parts --------------------------------------------------------------------- */

#define LXFW_PLOTS_SCRIPT "figures.gp"

/* Names of the figures that the script makes, without ".svg", by index; NULL
   beyond the last. */
const char *lxfw_plots_name(const struct lxfw_experiment *experiment, int index);

/* The month of the paper by its number, or the last where it is not among those
   of the experiment. */
int lxfw_plots_month(const struct lxfw_experiment *experiment, int number);

/* Write the data files, the script. */
int lxfw_plots_data(const struct lxfw_experiment *experiment,
		    const char *directory, struct lxfw_error *error);
int lxfw_plots_script(const struct lxfw_experiment *experiment,
		      const char *directory, struct lxfw_error *error);

/* Formatted text, to 1023 characters. */
void lxfw_plots_put(struct lxfw_output *output, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* DIRECTORY/NAME.KIND, without the dot if KIND is empty, with PART behind it, to PATH of
   PATH_MAX characters. 0, or -1 with errno and ERROR set if it is too long. */
int lxfw_plots_path(char *path, const char *directory, const char *name,
		    const char *kind, const char *part,
		    struct lxfw_error *error);

/* Begin a file of DIRECTORY; NULL with errno and ERROR set. */
struct lxfw_output *lxfw_plots_open(const char *directory, const char *name,
				    struct lxfw_error *error);

#endif
