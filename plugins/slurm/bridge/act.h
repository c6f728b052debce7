/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the parts of the bridge that sync and that act. */
#ifndef LXFW_BRIDGE_ACT_H
#define LXFW_BRIDGE_ACT_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/* Slurm is to be offered the job in this pass, in one of its partitions. Returns the
   entry, or NULL with bridge->events.failed when memory runs out. */
struct lxfw_leftover *lxfw_leave_over(struct lxfw_bridge *bridge, uint32_t job_id,
				      const struct lxfw_alternative *where,
				      bool passing);

/* The id in bridge->offers: a job is offered in each of its partitions. */
uint64_t lxfw_offer_id(const struct lxfw_leftover *leftover);

/* Tell of a job that runs, if that is news. */
void lxfw_known_run(struct lxfw_bridge *bridge, struct lxfw_known_job *known,
		    const job_record_t *job);

/*
 * Start JOB, its partition, QOS and priority set, on nodes out of NODES.
 * SLURM_SUCCESS or an ESLURM_*. JOB is the record that runs then, of a job array
 * the one of the task. It gets no cores that a suspended job is to go on with;
 * but those of the victims of QUANTUM_OF's quantum, unless that is 0. ASKED, if the
 * library has decided on it, is what lxfw_shares_begin() said.
 */
struct lxfw_asked;
int lxfw_start_job(struct lxfw_bridge *bridge, job_record_t *job,
		   const bitstr_t *nodes, uint64_t quantum_of,
		   const struct lxfw_asked *asked);

/* Add to NODES those on which JOB could start beside all reservations and holds. */
void lxfw_add_free_nodes(const struct lxfw_bridge *bridge,
			 const job_record_t *job, bitstr_t *nodes);

/* The job is not what it was when the library was told of it. The next sync tells
   anew. */
void lxfw_forget_job(struct lxfw_bridge *bridge, struct lxfw_known_job *known);

/* The library has requeued the job: it waits in its books, and keeps its place
   there while Slurm cleans up after it. */
void lxfw_known_requeued(struct lxfw_bridge *bridge,
			 struct lxfw_known_job *known);

/* Is the job still to be scheduled there? Sets partition, priority and QOS. */
bool lxfw_still_eligible(job_record_t *job,
			 const struct lxfw_alternative *where);

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

/* Seconds to leave a job alone that was refused N times in a row. */
int64_t lxfw_backoff(uint8_t refusals);

/* The configuration is the one that the last sync saw. */
bool lxfw_same_world(struct lxfw_bridge *bridge);

#endif
