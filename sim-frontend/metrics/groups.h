/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of jobs by run time, size, memory or a number from the caller, and the metrics
 * of each group.
 */
#ifndef LXFW_METRICS_GROUPS_H
#define LXFW_METRICS_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/metrics/metrics.h"

/* By actual run time: up to 1 min, 10 min, 1 h, 4 h, 12 h, 24 h, and longer. */
#define LXFW_RUN_BINS 7

/* By processors: 1, 2-4, 5-16, 17-64, 65-256, 257-1024, 1025-4096, and more. */
#define LXFW_SIZE_CLASSES 8

/* By requested memory per processor relative to the machine's mean: none requested, up
   to half, up to all, up to twice, more. */
#define LXFW_MEMORY_CLASSES 5

/* Returns the class of a job. RUN is in seconds, PROCS 1 or more. */
int lxfw_run_bin(int64_t run);
int lxfw_size_class(int64_t procs);
/* MEMORY_MB is of the whole job, 0: none requested. MEAN_MB is the machine's memory
   per processor; if it is 0 (unknown), the result is the class without a request. */
int lxfw_memory_class(int64_t memory_mb, int64_t procs, int64_t mean_mb);

/* Returns "1-10 min", and "1m_to_10m" for JSON. */
const char *lxfw_run_bin_name(int bin);
const char *lxfw_run_bin_key(int bin);
/* Returns "17-64" for both purposes. */
const char *lxfw_size_class_name(int size);
/* Returns "up to half the mean", and "to_half" for JSON. */
const char *lxfw_memory_class_name(int memory);
const char *lxfw_memory_class_key(int memory);

/* Initialize to {0}. */
struct lxfw_groups {
	struct lxfw_measure *measures;
	size_t count, size;
	int64_t bound;		/* of the bounded slowdown, seconds; 0: the default, 10 */
};

/*
 * Adds the outcome of a job to a group. The number of groups grows as necessary. Returns
 * 0, or -1 with errno ENOMEM.
 */
int lxfw_groups_add(struct lxfw_groups *groups, size_t group,
		    const struct lxfw_outcome *outcome);

/* Returns COUNT results, zero for groups without jobs, and frees the collected data.
   The utilization and the makespan of a group are 0. */
void lxfw_groups_end(struct lxfw_groups *groups, size_t count,
		     struct lxfw_metrics *metrics);

void lxfw_groups_clear(struct lxfw_groups *groups);

#endif
