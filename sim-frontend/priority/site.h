/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data of a Slurm site on which priorities depend, besides its jobs: parameters,
 * partitions, associations, QOS and the size of the cluster. It is read-only when
 * complete, so that runs on several threads can share it.
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
	double norm;			/* relative to the highest one or 1, 0 to 1 */
	uint32_t max_minutes;		/* MaxTime; UINT32_MAX: none */
	bool billed;			/* TRESBillingWeights is given */
	double billing[LXFW_TRES_MAX];
	uint64_t tres[LXFW_TRES_MAX];	/* sum over its nodes */
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

/* Initializes without partitions, with the root association and
   lxfw_multifactor_defaults. Returns 0, or -1 with errno ENOMEM. */
int lxfw_multifactor_site_begin(struct lxfw_multifactor_site *site);

/* Preserves errno. {0} is empty. */
void lxfw_multifactor_site_clear(struct lxfw_multifactor_site *site);

/*
 * Reads the parameters and partitions of the slurm.conf at PATH into SITE, which must be
 * initialized. CLUSTER is the result of lxfw_cluster_read() for the same file. Absent
 * keys have Slurm's defaults: PriorityType is priority/basic, and there is no accounting.
 * The memory of partitions is less than in Slurm by MemSpecLimit, which affects only the
 * factor of mem in PriorityWeightTRES. Returns 0, or -1 with errno and ERROR set.
 */
int lxfw_multifactor_site_read(struct lxfw_multifactor_site *site, const char *path,
			       const struct lxfw_cluster *cluster,
			       struct lxfw_error *error);

/* Adds a partition with default values and amounts of 0. Returns its index, or -1 with
   errno ENOMEM. */
int32_t lxfw_multifactor_partition_add(struct lxfw_multifactor_site *site,
				       struct lxfw_slice name);

/* Returns the index of a partition, or -1. */
int32_t lxfw_multifactor_partition_find(const struct lxfw_multifactor_site *site,
					struct lxfw_slice name);

/* Computes derived members of all partitions, QOS and associations, for the flags of
   site->params. Call after the last one was added or read. */
void lxfw_multifactor_site_finish(struct lxfw_multifactor_site *site);

#endif
