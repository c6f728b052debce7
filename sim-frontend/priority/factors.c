/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/priority/factors.h"

double lxfw_factor_age(const struct lxfw_multifactor_params *params, int64_t waited)
{
	return waited < params->max_age ?
	       (double)(waited > 0 ? waited : 0) / (double)params->max_age : 1;
}

static double within_0_and_1(double factor)
{
	return factor < 0 ? 0 : factor > 1 ? 1 : factor;
}

/* Returns the fraction of the machine per minute of the time limit. It is the larger
   of the processors and of the nodes times the average number of processors. */
static double size_by_time(const struct lxfw_multifactor_site *site,
			   const struct lxfw_multifactor_params *params,
			   const struct lxfw_multifactor_size *size)
{
	double factor = (double)size->nodes * (double)site->procs / (double)site->nodes;

	if (size->procs > factor)
		factor = (double)size->procs;
	factor /= size->limit_minutes;
	factor /= site->procs;
	return params->favor_small ? 1 - factor : factor;
}

double lxfw_factor_size(const struct lxfw_multifactor_site *site,
			const struct lxfw_multifactor_params *params,
			const struct lxfw_multifactor_size *size)
{
	bool small = params->favor_small;
	double factor;

	if (params->flags & LXFW_MULTIFACTOR_SMALL_RELATIVE_TO_TIME)
		return within_0_and_1(size_by_time(site, params, size));
	/* differences are unsigned as in Slurm: an overflow counts as 1 */
	factor = (double)(small ? site->nodes - size->nodes : size->nodes) /
		 (double)site->nodes;
	if (size->procs) {
		factor += (double)(small ? site->procs - size->procs : size->procs) /
			  (double)site->procs;
		factor /= 2;
	}
	return within_0_and_1(factor);
}

double lxfw_factor_partition(const struct lxfw_multifactor_partition *partition,
			     const struct lxfw_multifactor_params *params)
{
	return params->flags & LXFW_MULTIFACTOR_NO_NORMAL_PART ?
	       partition->job_factor : partition->norm;
}

double lxfw_factor_qos(const struct lxfw_qos *qos,
		       const struct lxfw_multifactor_params *params)
{
	return params->flags & LXFW_MULTIFACTOR_NO_NORMAL_QOS ?
	       qos->priority : qos->priority_norm;
}

double lxfw_factor_assoc(const struct lxfw_assoc *assoc,
			 const struct lxfw_multifactor_params *params)
{
	return params->flags & LXFW_MULTIFACTOR_NO_NORMAL_ASSOC ?
	       assoc->priority : assoc->priority_norm;
}

double lxfw_factor_tres(const struct lxfw_multifactor_site *site,
			const struct lxfw_multifactor_partition *partition,
			const struct lxfw_multifactor_params *params,
			const uint64_t *amounts)
{
	bool normal = !(params->flags & LXFW_MULTIFACTOR_NO_NORMAL_TRES);
	double sum = 0;

	for (int i = 0; i < site->tres.count; i++) {
		double factor = 0;

		if (!normal)
			factor = (double)amounts[i];
		else if (amounts[i] && partition && partition->tres[i])
			factor = (double)amounts[i] / (double)partition->tres[i];
		factor *= params->weight_tres[i];
		sum += factor;
	}
	return sum;
}
