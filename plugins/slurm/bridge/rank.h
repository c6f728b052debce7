/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How Slurm's own priorities, nice values and priorities set by hand reach the library.
 *
 * Under parameters that weigh the workload manager's priority (lxfw_params_site()),
 * that priority contains all of them. Under others, what is done to one job by hand
 * still has effect: its nice value is a delay in seconds, and a priority that an
 * administrator or a job_submit plugin set may change its tier.
 */
#ifndef LXFW_BRIDGE_RANK_H
#define LXFW_BRIDGE_RANK_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/* Least and largest priority that Slurm's priority plugin computed for a pending job;
   without any, `least` is above `most`. Held jobs and priorities set by hand do not
   count. */
struct lxfw_computed {
	uint32_t least, most;
};

/* No priority is known. */
void lxfw_computed_clear(struct lxfw_computed *computed);
/* Notes the priority of a pending job. */
void lxfw_computed_add(struct lxfw_computed *computed, const job_record_t *job);

/*
 * Returns the tier of a request (request.tier) for JOB in its present partition: three
 * times PriorityTier, below all others if QOS of other jobs may preempt its own
 * (lxfw_preempt_depth()), plus 1 if its priority was set by hand above all that were
 * computed for pending jobs, minus 1 if it was set below all of them. An expedited job is
 * above all others. Every pending job must have been noted.
 */
int32_t lxfw_rank_tier(const struct lxfw_bridge *bridge, const job_record_t *job);

/* Returns the delay of JOB for LXFW_EVENT_JOB_PRIORITY: its nice value, as seconds. A
   negative value counts as 0 if users may move their jobs to the top: "scontrol top" gives
   one job any negative value, and the others a positive one. */
int64_t lxfw_rank_delay(const struct lxfw_bridge *bridge, const job_record_t *job);

#endif
