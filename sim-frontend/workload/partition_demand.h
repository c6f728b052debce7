/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The demand for the hosts of each partition by the jobs that may run there. */
#ifndef LXFW_WORKLOAD_PARTITION_DEMAND_H
#define LXFW_WORKLOAD_PARTITION_DEMAND_H

#include "sim-frontend/trace/trace.h"

struct lxfw_partition_demand {
	const char *name;		/* of the cluster, which must outlive it */
	int32_t hosts;
	int64_t procs, memory_mb, gpus;	/* of its hosts; memory 0: unknown */
	size_t jobs;			/* that name it first */
	double proc_seconds, mb_seconds, gpu_seconds;	/* of these */
};

struct lxfw_partition_demands {
	struct lxfw_partition_demand *list;	/* in the order of the cluster */
	size_t count;
};

/* Determines the demands of TRACE, whose requirements on CLUSTER have been taken, for jobs
   submitted from BEGIN to before END. Returns 0, or -1 with errno ENOMEM. */
int lxfw_partition_demands_find(struct lxfw_partition_demands *demands,
				const struct lxfw_trace *trace,
				const struct lxfw_cluster *cluster, int64_t begin, int64_t end);

/* DEMANDS may be {0}. */
void lxfw_partition_demands_clear(struct lxfw_partition_demands *demands);

#endif
