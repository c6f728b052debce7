/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The factors of a job but that of fair share (fair.h), each before its weight. Source:
 * Slurm's page "Multifactor Priority Plugin"; with the flags NO_NORMAL_* some are not
 * within 0 to 1.
 */
#ifndef LXFW_PRIORITY_FACTORS_H
#define LXFW_PRIORITY_FACTORS_H

#include <stdint.h>

#include "sim-frontend/priority/site.h"

/* What a job asks for, and later what it has. */
struct lxfw_multifactor_size {
	uint32_t procs, nodes;		/* nodes: the fewest that it asks for */
	uint32_t limit_minutes;		/* its time limit; UINT32_MAX = unlimited */
};

/* Of a job that became eligible WAITED s ago; 0 where WAITED is negative. */
double lxfw_factor_age(const struct lxfw_multifactor_params *params, int64_t waited);

double lxfw_factor_size(const struct lxfw_multifactor_site *site,
			const struct lxfw_multifactor_params *params,
			const struct lxfw_multifactor_size *size);

double lxfw_factor_partition(const struct lxfw_multifactor_partition *partition,
			     const struct lxfw_multifactor_params *params);
double lxfw_factor_qos(const struct lxfw_qos *qos,
		       const struct lxfw_multifactor_params *params);
double lxfw_factor_assoc(const struct lxfw_assoc *assoc,
			 const struct lxfw_multifactor_params *params);

/* The sum over TRES of what a job of AMOUNTS has of the partition's, each with its
   weight: the only one that includes weights. */
double lxfw_factor_tres(const struct lxfw_multifactor_site *site,
			const struct lxfw_multifactor_partition *partition,
			const struct lxfw_multifactor_params *params,
			const uint64_t *amounts);

#endif
