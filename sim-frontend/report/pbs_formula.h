/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of a policy as job_sort_formula of OpenPBS. */
#ifndef LXFW_REPORT_PBS_FORMULA_H
#define LXFW_REPORT_PBS_FORMULA_H

#include <stdio.h>

#include "common/params/params.h"
#include "common/util/error.h"

/*
 * Returns a formula with the order of PARAMS, which the caller frees. MEAN_MEMORY is the
 * memory per processor of the machine in MB, 0 if unknown. Returns NULL with errno and ERROR
 * set: EINVAL if there is no such formula, or if it needs the memory.
 */
char *lxfw_pbs_formula(const struct lxfw_params *params, double mean_memory,
		       struct lxfw_error *error);

/* Prints the settings of OpenPBS with FORMULA, and what of PARAMS they cannot say. */
void lxfw_pbs_formula_print(const struct lxfw_params *params, const char *formula,
			    FILE *out);

#endif
