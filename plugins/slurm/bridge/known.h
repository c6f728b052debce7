/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's data in the agent's table of jobs, and the reporting of running jobs. */
#ifndef LXFW_BRIDGE_KNOWN_H
#define LXFW_BRIDGE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/* Fields of a running job's record that determine its shares. If they are unchanged,
   the shares need not be read again. */
struct lxfw_run_mark {
	const void *resources;
	int64_t start, end, suspended, resized;
	uint32_t state, cpus, nodes;
	uint32_t socket_changes;	/* of any host: the sockets of its GPUs may be known now */
	uint32_t licenses;		/* lxfw_licenses_mark() */
};

/* Slurm's part of each entry in agent.jobs. */
struct lxfw_own {
	struct lxfw_run_mark run;
	/* The last pass that decided to start the pending job on a node that is still
	   being cleaned up, and the time of the first of these passes. */
	uint32_t busy_pass;
	int64_t busy_since;
	struct lxfw_places places;	/* while it waits */
};

static inline struct lxfw_own *lxfw_own_of(struct lxfw_known_job *known)
{
	return (struct lxfw_own *)known->own;
}

/* Frees what Slurm's part of an entry, OWN, points to. */
void lxfw_own_clear(void *own);

static inline uint64_t lxfw_record_id(const job_record_t *job)
{
	return lxfw_job_id(job->job_id, job->array_job_id, job->array_task_id);
}

/* Reports a running job if it has changed. */
void lxfw_known_run(struct lxfw_bridge *bridge, struct lxfw_known_job *known,
		    const job_record_t *job);

/* Counts a job that Slurm has started from an offer, and reports it. */
void lxfw_known_started(struct lxfw_bridge *bridge, const job_record_t *job);

/* Clears in NODES those of the job's reservation. */
void lxfw_clear_reserved(const struct lxfw_known_job *known, bitstr_t *nodes);

/* Returns the names of the nodes on which the job is expected to start, or NULL if they are
   not recorded. KNOWN owns them. */
const char *lxfw_known_estimated_nodes(struct lxfw_known_job *known);

/* Reads the resources of the job of RECORD into *RUN. The shares are in bridge->shares.
   Returns false when memory runs out. */
bool lxfw_known_read(struct lxfw_bridge *bridge, const job_record_t *record,
		     struct lxfw_run *run);

#endif
