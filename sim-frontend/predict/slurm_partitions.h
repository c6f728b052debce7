/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partitions of the Slurm that runs, from scontrol(1). */
#ifndef LXFW_PREDICT_SLURM_PARTITIONS_H
#define LXFW_PREDICT_SLURM_PARTITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

struct lxfw_slurm_partition {
	char *name, *nodes;	/* nodes: a host list, "" if none */
	bool is_default;
	bool exclusive;		/* its jobs get whole nodes */
	bool limited;		/* to some numbers of nodes, amounts on a node, groups, accounts or QOS,
				   or to reservations */
	int64_t tier;
	int64_t default_time, max_time;	/* seconds; 0: none */
	int64_t memory;		/* default per processor, MB; 0: none */
};

/* {0} is empty. */
struct lxfw_slurm_partitions {
	struct lxfw_slurm_partition *list;
	size_t count, size;
	char *cluster;		/* ClusterName; NULL: not known */
	int64_t slurm_user;	/* number of SlurmUser; -1: not known */
	bool memory;		/* memory is a consumable resource */
	bool private_jobs;	/* jobs of others are not shown to ordinary users */
	bool hides_jobs;	/* jobs of others are not shown to this user (PrivateData) */
};

void lxfw_slurm_partitions_clear(struct lxfw_slurm_partitions *partitions);

/* Takes the output of `scontrol show config` and `scontrol -o show partition`. Partitions
   to which users cannot submit, and hidden ones, are left out. Returns 0, or -1 with errno ENOMEM. */
int lxfw_slurm_partitions_take(struct lxfw_slurm_partitions *partitions, char *config,
			       char *list);

/* Whether both are the same. */
bool lxfw_slurm_partitions_same(const struct lxfw_slurm_partitions *one,
				const struct lxfw_slurm_partitions *other);

/* Runs scontrol. Returns 0, or -1 with errno and ERROR set. */
int lxfw_slurm_partitions_read(struct lxfw_slurm_partitions *partitions,
			       struct lxfw_error *error);

#endif
