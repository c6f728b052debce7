/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trackable resources (TRES) of a Slurm site: their names, weights by name
 * (PriorityWeightTRES, TRESBillingWeights) and billing. Amounts are arrays by index: cpu
 * in processors, mem in MB, node in nodes, others as counts. Source: slurm.conf(5) and
 * Slurm's page "Trackable RESources".
 */
#ifndef LXFW_PRIORITY_TRES_H
#define LXFW_PRIORITY_TRES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"

/* TRES that exist at each site come first. */
enum {
	LXFW_TRES_CPU,
	LXFW_TRES_MEM,
	LXFW_TRES_ENERGY,
	LXFW_TRES_NODE,
	LXFW_TRES_BILLING,
	LXFW_TRES_FS_DISK,
	LXFW_TRES_VMEM,
	LXFW_TRES_PAGES,
	LXFW_TRES_FIXED,	/* those of AccountingStorageTRES begin here */
	LXFW_TRES_MAX = 24,
};

struct lxfw_tres_list {
	int count;			/* LXFW_TRES_FIXED or more */
	char names[LXFW_TRES_MAX][48];	/* "cpu", "gres/gpu:a100", "license/matlab" */
};

/* Initializes with the TRES that exist at each site. */
void lxfw_tres_list_begin(struct lxfw_tres_list *list);

/* Adds those of TEXT, the value of AccountingStorageTRES. Returns 0, or -1 with errno
   EINVAL and WRONG set if there are too many or a name is too long. */
int lxfw_tres_list_add(struct lxfw_tres_list *list, struct lxfw_slice text,
		       struct lxfw_error *wrong);

/* Returns the index of a name, ignoring case, or -1. */
int lxfw_tres_find(const struct lxfw_tres_list *list, struct lxfw_slice name);

/*
 * Parses weights, "CPU=1.0,Mem=0.25G,GRES/gpu=2". The last of several weights for a name
 * is used. A suffix K, M, G, T or P divides the number by the size of that unit, in MB
 * for mem and bb/..., so that "Mem=0.25G" is 0.25 per GB. Returns 0, or -1 with errno
 * EINVAL and WRONG set.
 */
int lxfw_tres_weights(const struct lxfw_tres_list *list, struct lxfw_slice text,
		      double *weights, struct lxfw_error *wrong);

/* Parses amounts, "cpu=4,mem=16G,node=1,gres/gpu=2", as printed by scontrol and sacct.
   Names that are not in LIST are ignored. Returns 0, or -1 with errno EINVAL and WRONG
   set. */
int lxfw_tres_amounts(const struct lxfw_tres_list *list, struct lxfw_slice text,
		      uint64_t *amounts, struct lxfw_error *wrong);

/*
 * Returns the billing of AMOUNTS: the sum of amounts times WEIGHTS, without billing
 * itself. With MOST (PriorityFlags=MAX_TRES), the largest term of cpu, mem, node and
 * gres/... replaces all of them. If WEIGHTS is NULL, returns the number of processors.
 */
double lxfw_tres_bill(const struct lxfw_tres_list *list, const uint64_t *amounts,
		      const double *weights, bool most);

#endif
