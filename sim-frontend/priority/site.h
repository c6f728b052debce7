/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What priorities of a Slurm site depend on besides its jobs: parameters, partitions,
 * associations, QOS and the size of the cluster. Read-only once it is complete, so that
 * many runs, on many threads, can share one.
 */
#ifndef LXFW_PRIORITY_SITE_H
#define LXFW_PRIORITY_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/priority/assocs.h"
#include "sim-frontend/priority/params.h"
#include "sim-frontend/priority/qos.h"
#include "sim-frontend/priority/tres.h"
#include "sim-frontend/trace/cluster.h"

struct lxfw_multifactor_partition {
	char *name;
	uint16_t job_factor;		/* PriorityJobFactor */
	double norm;			/* of the highest there is or 1, 0 to 1 */
	uint32_t max_minutes;		/* MaxTime; UINT32_MAX = none */
	bool billed;			/* TRESBillingWeights is given */
	double billing[LXFW_TRES_MAX];
	uint64_t tres[LXFW_TRES_MAX];	/* of all its nodes */
};

struct lxfw_multifactor_site {
	struct lxfw_multifactor_params params;	/* as configured */
	struct lxfw_tres_list tres;
	struct lxfw_multifactor_partition *partitions;
	size_t partition_count, partition_size;
	struct lxfw_assocs assocs;
	struct lxfw_qos_list qos;
	uint32_t procs, nodes;		/* of the cluster, 1 or more */
};

/* Without partitions, with the root association and lxfw_multifactor_defaults. 0, or -1
   with errno ENOMEM. */
int lxfw_multifactor_site_begin(struct lxfw_multifactor_site *site);

/* {0} is empty. Keeps errno. */
void lxfw_multifactor_site_clear(struct lxfw_multifactor_site *site);

/*
 * Read the parameters and partitions of the slurm.conf at PATH into SITE, which was begun;
 * CLUSTER is what lxfw_cluster_read() makes of the same file. Keys that are not there have
 * Slurm's defaults: so PriorityType is priority/basic, and accounting goes nowhere. Memory
 * of partitions is less by MemSpecLimit than Slurm's, which is seen only in the factor of
 * mem in PriorityWeightTRES. 0, or -1 with errno and ERROR set.
 */
int lxfw_multifactor_site_read(struct lxfw_multifactor_site *site, const char *path,
			       const struct lxfw_cluster *cluster,
			       struct lxfw_error *error);

/* Add a partition with the values of one of which nothing is said, and all of CLUSTER's
   amounts 0; its position, or -1 with errno ENOMEM. */
int32_t lxfw_multifactor_partition_add(struct lxfw_multifactor_site *site,
				       struct lxfw_slice name);

/* The position of a partition; -1 if there is none. */
int32_t lxfw_multifactor_partition_find(const struct lxfw_multifactor_site *site,
					struct lxfw_slice name);

/* Compute what is derived from all partitions, QOS and associations, for the flags of
   site->params. After the last one was added or read. */
void lxfw_multifactor_site_finish(struct lxfw_multifactor_site *site);

#endif
