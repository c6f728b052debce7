/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes a table of expected starts. Sizes are powers of two up to the partition, and
 * limits from 15 minutes to 30 days, at most the partition's. A job that would start at once
 * in all futures does so if it is smaller or shorter, too, which is not computed.
 */
#ifndef LXFW_PREDICT_STARTS_GRID_H
#define LXFW_PREDICT_STARTS_GRID_H

#include "sim-frontend/predict/slurm_partitions.h"
#include "sim-frontend/predict/starts.h"
#include "sim-frontend/trace/names.h"

/* Host names in the events of a journal. {0} is empty. */
struct lxfw_known_hosts {
	struct lxfw_names names;
	int32_t *indices;	/* of the host with each name */
	size_t size;
};

void lxfw_known_hosts_clear(struct lxfw_known_hosts *hosts);

/* Returns 0, or -1 with errno ENOMEM. Events of other types are ignored. */
int lxfw_known_hosts_see(struct lxfw_known_hosts *hosts, const struct lxfw_event *event);

/*
 * Computes the starts of jobs that are submitted at live->now. SCHED, which is live->sched,
 * gets a host set for each partition. Partitions without hosts that are up have no cells.
 * BUDGET is the processor time, seconds, after which sizes and limits are left out, so that jobs
 * are expected to start as larger or longer ones; each partition has at least its largest.
 * Returns 0, or -1 with errno and ERROR set.
 */
int lxfw_starts_compute(struct lxfw_starts *starts, const struct lxfw_live *live,
			struct lxfw_sched *sched, const struct lxfw_known_hosts *hosts,
			const struct lxfw_slurm_partitions *partitions, double budget,
			struct lxfw_error *error);

#endif
