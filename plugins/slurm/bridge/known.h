/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm keeps of a job in the agent's table, and what a running job is told as. */
#ifndef LXFW_BRIDGE_KNOWN_H
#define LXFW_BRIDGE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/* From these a running job's shares follow; unchanged, they need not be read
   again. */
struct lxfw_run_mark {
	const void *resources;
	int64_t start, end, suspended, resized;
	uint32_t state, cpus, nodes;
};

/* Of each job in agent.jobs. */
struct lxfw_own {
	struct lxfw_run_mark run;
	/* For each of request.host_sets: where, and how, the job is started. */
	struct lxfw_alternative alternative[LXFW_HOST_SETS_MAX];
};

static inline struct lxfw_own *lxfw_own_of(struct lxfw_known_job *known)
{
	return (struct lxfw_own *)known->own;
}

static inline uint64_t lxfw_record_id(const job_record_t *job)
{
	return lxfw_job_id(job->job_id, job->array_job_id, job->array_task_id);
}

/* Tell of a job that runs, if that is news. */
void lxfw_known_run(struct lxfw_bridge *bridge, struct lxfw_known_job *known,
		    const job_record_t *job);

/* What the job of RECORD holds; the shares are in bridge->shares. False when memory runs
   out. */
bool lxfw_known_read(struct lxfw_bridge *bridge, const job_record_t *record,
		     struct lxfw_run *run);

#endif
