/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clusters that the records of a log name, and the number of jobs of each. A trace is of one
   machine, so that a log with jobs of several is refused. */
#ifndef LXFW_TRACE_LOG_CLUSTERS_H
#define LXFW_TRACE_LOG_CLUSTERS_H

#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"
#include "sim-frontend/trace/names.h"

/* Initialize to {0}. */
struct lxfw_log_clusters {
	struct lxfw_names names;
	size_t *jobs;		/* of each name; shorter than `names` if the last have none */
	size_t size;
};

/* Sets *CLUSTER to the index of NAME, -1 if it is empty. Returns 0, or -1 with errno ENOMEM. */
int lxfw_log_clusters_add(struct lxfw_log_clusters *clusters, struct lxfw_slice name,
			  int32_t *cluster);

/* Counts a job of CLUSTER, which may be -1. Returns 0, or -1 with errno ENOMEM. */
int lxfw_log_clusters_count(struct lxfw_log_clusters *clusters, int32_t cluster);

/*
 * Call when all jobs are counted. WANTED is the cluster whose jobs were selected, or NULL. Returns
 * 0, or -1 with errno EINVAL and ERROR set if the jobs are those of several clusters, or none is of
 * WANTED. PATH is that of the log for the message; NULL: several logs.
 */
int lxfw_log_clusters_judge(const struct lxfw_log_clusters *clusters, const char *wanted,
			    const char *path, struct lxfw_error *error);

void lxfw_log_clusters_clear(struct lxfw_log_clusters *clusters);

#endif
