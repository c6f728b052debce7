/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The results of an experiment and the claims, as a table, JSON or CSV. */
#ifndef LXFW_EXPERIMENT_EXPERIMENT_PRINT_H
#define LXFW_EXPERIMENT_EXPERIMENT_PRINT_H

#include <stdio.h>

#include "sim-frontend/experiment/claims.h"
#include "sim-frontend/util/format.h"

/* As CSV it is what JSON has, see util/json_out.h. 0, or -1 with errno ENOMEM; whether OUT took it is for
   the caller to see. */
int lxfw_experiment_print(const struct lxfw_experiment *experiment,
			enum lxfw_format format, FILE *out);

/* The median over the seeds of a measure of all jobs; NAN for none. */
double lxfw_experiment_median(const struct lxfw_experiment *experiment, int month,
			    enum lxfw_contender contender,
			    enum lxfw_tally_group group,
			    enum lxfw_tally_measure measure);

/* A number in few digits: 0.412, 1.02, 10.5, 123; "-" for NAN. Returns TEXT. */
const char *lxfw_experiment_number(double value, char *text, size_t size);

/* Called by lxfw_experiment_print() for JSON and CSV. */
int lxfw_experiment_json(const struct lxfw_experiment *experiment,
		       const struct lxfw_claim_result *outcomes, int count,
		       enum lxfw_format format, FILE *out);

#endif
