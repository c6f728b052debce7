/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The factors of a job's priority other than fair share (fair.h), before they are
 * weighted. Source: Slurm's page "Multifactor Priority Plugin". With the flags
 * NO_NORMAL_*, some are not within 0 to 1.
 */
#ifndef LXFW_PRIORITY_FACTORS_H
#define LXFW_PRIORITY_FACTORS_H

#include <stdint.h>

#include "sim-frontend/priority/site.h"

/* The resources that a job requests and, after its start, those allocated. */
struct lxfw_multifactor_size {
	uint32_t procs, nodes;		/* nodes: minimum number requested */
	uint32_t limit_minutes;		/* time limit; UINT32_MAX: unlimited */
};

/* Returns the factor of a job that became eligible WAITED seconds ago; 0 if WAITED is
   negative. */
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

/* Returns the sum over TRES of the job's fraction of the partition's amount times the
   weight. This is the only factor that includes weights. */
double lxfw_factor_tres(const struct lxfw_multifactor_site *site,
			const struct lxfw_multifactor_partition *partition,
			const struct lxfw_multifactor_params *params,
			const uint64_t *amounts);

#endif
