/* SPDX-License-Identifier: GPL-2.0-or-later */
/* May a job start, by what Slurm says without looking at what is free? */
#ifndef LXFW_BRIDGE_ELIGIBLE_H
#define LXFW_BRIDGE_ELIGIBLE_H

#include <stdbool.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/* Is the job still to be scheduled there? Sets partition, priority and QOS. */
bool lxfw_still_eligible(job_record_t *job, const struct lxfw_alternative *where);

/* Have squeue say that the job waits for Resources, unless another reason than Priority
   stands there. */
void lxfw_say_no_room(job_record_t *job);

/* Whether the job can run on no nodes of its present partition, by Slurm's own judgement.
   It is held then, and the log says so. */
bool lxfw_never_runs(struct lxfw_bridge *bridge, job_record_t *job);

/* Whether the error of a start that failed is about nodes: other ones would do, or the
   same at another time. Limits, who may use a partition, burst buffers and the like are
   not: nodes kept for such a job would be idle. */
bool lxfw_is_about_nodes(int error_code);

/* The configuration is the one that the last look saw: nodes have the same numbers. */
bool lxfw_same_world(const struct lxfw_bridge *bridge);

#endif
