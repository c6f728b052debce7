/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the results of an experiment and of the claims as a table, JSON or CSV. */
#ifndef LXFW_EXPERIMENT_EXPERIMENT_PRINT_H
#define LXFW_EXPERIMENT_EXPERIMENT_PRINT_H

#include <stdio.h>

#include "sim-frontend/experiment/claims.h"
#include "sim-frontend/util/format.h"

/* CSV has the contents of JSON, see util/json_out.h. Returns 0, or -1 with errno
   ENOMEM. The caller checks OUT for write errors. */
int lxfw_experiment_print(const struct lxfw_experiment *experiment,
			enum lxfw_format format, FILE *out);

/* Returns the median over the seeds of a measure of a group of jobs, or NAN. */
double lxfw_experiment_median(const struct lxfw_experiment *experiment, int month,
			    enum lxfw_contender contender,
			    enum lxfw_tally_group group,
			    enum lxfw_tally_measure measure);

/* Formats a number with few digits: 0.412, 1.02, 10.5, 123; "-" for NAN. Returns TEXT. */
const char *lxfw_experiment_number(double value, char *text, size_t size);

/* Called by lxfw_experiment_print() for JSON and CSV. */
int lxfw_experiment_json(const struct lxfw_experiment *experiment,
		       const struct lxfw_claim_result *outcomes, int count,
		       enum lxfw_format format, FILE *out);

#endif
