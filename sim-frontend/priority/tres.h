/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trackable resources (TRES) of a Slurm site: their names, weights by name
 * (PriorityWeightTRES, TRESBillingWeights) and billing. Amounts are arrays by position:
 * cpu in processors, mem in MB, node in nodes, others as counted. Source: slurm.conf(5)
 * and Slurm's page "Trackable RESources".
 */
#ifndef LXFW_PRIORITY_TRES_H
#define LXFW_PRIORITY_TRES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"

/* Those that each site has come first. */
enum {
	LXFW_TRES_CPU,
	LXFW_TRES_MEM,
	LXFW_TRES_ENERGY,
	LXFW_TRES_NODE,
	LXFW_TRES_BILLING,
	LXFW_TRES_FS_DISK,
	LXFW_TRES_VMEM,
	LXFW_TRES_PAGES,
	LXFW_TRES_FIXED,	/* those of AccountingStorageTRES from here on */
	LXFW_TRES_MAX = 24,
};

struct lxfw_tres_list {
	int count;			/* LXFW_TRES_FIXED or more */
	char names[LXFW_TRES_MAX][48];	/* "cpu", "gres/gpu:a100", "license/matlab" */
};

/* The fixed ones. */
void lxfw_tres_list_begin(struct lxfw_tres_list *list);

/* Add those of TEXT, the value of AccountingStorageTRES. 0, or -1 with errno EINVAL and
   WRONG set: too many, or too long a name. */
int lxfw_tres_list_add(struct lxfw_tres_list *list, struct lxfw_slice text,
		       struct lxfw_error *wrong);

/* The position of a name, whatever the case; -1 if there is none. */
int lxfw_tres_find(const struct lxfw_tres_list *list, struct lxfw_slice name);

/*
 * Weights from TEXT, "CPU=1.0,Mem=0.25G,GRES/gpu=2": the last one counts where a name
 * comes twice. K, M, G, T or P behind a number divides it by what one of that unit is,
 * in MB for mem and bb/..., so that "Mem=0.25G" is 0.25 for each GB. 0, or -1 with errno
 * EINVAL and WRONG set.
 */
int lxfw_tres_weights(const struct lxfw_tres_list *list, struct lxfw_slice text,
		      double *weights, struct lxfw_error *wrong);

/* Amounts from TEXT, "cpu=4,mem=16G,node=1,gres/gpu=2", as scontrol and sacct print them;
   what is not in LIST is ignored. 0, or -1 with errno EINVAL and WRONG set. */
int lxfw_tres_amounts(const struct lxfw_tres_list *list, struct lxfw_slice text,
		      uint64_t *amounts, struct lxfw_error *wrong);

/*
 * What AMOUNTS cost: the sum of amounts by WEIGHTS without billing itself. With MOST
 * (PriorityFlags=MAX_TRES) the largest of cpu, mem, node and gres/... stands for all of
 * them. Without WEIGHTS (NULL) it is the number of processors.
 */
double lxfw_tres_bill(const struct lxfw_tres_list *list, const uint64_t *amounts,
		      const double *weights, bool most);

#endif
