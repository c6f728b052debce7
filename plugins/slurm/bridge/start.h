/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts jobs by the controller's own node selection. */
#ifndef LXFW_BRIDGE_START_H
#define LXFW_BRIDGE_START_H

#include <stdint.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_asked;

/*
 * Starts JOB, for which lxfw_still_eligible() was called, on nodes of NODES. Returns
 * SLURM_SUCCESS or an ESLURM_* code. On success JOB is the record that runs; for an
 * array, that of the task. JOB gets no cores of suspended jobs, except of those
 * preempted for the quantum of QUANTUM_OF, unless that is 0. ASKED is the result of
 * lxfw_shares_begin() for a decision of the library, else NULL.
 */
int lxfw_start_job(struct lxfw_bridge *bridge, job_record_t *job,
		   const bitstr_t *nodes, uint64_t served,
		   const struct lxfw_asked *asked);

/* Operations of wlm.h. */
bool lxfw_slurm_busy(void *context, const struct lxfw_action *action);
enum lxfw_answer lxfw_slurm_may_start(void *context, struct lxfw_known_job *known,
				      const struct lxfw_action *action);
void lxfw_slurm_take_back(void *context, struct lxfw_known_job *known);
enum lxfw_answer lxfw_slurm_start(void *context, struct lxfw_known_job *known,
			    const struct lxfw_action *action,
			    struct lxfw_run *run);
void lxfw_slurm_unfit(void *context, struct lxfw_known_job *known,
		const struct lxfw_action *action);
void lxfw_slurm_reserve(void *context, struct lxfw_known_job *known,
		  const struct lxfw_action *action);
void lxfw_slurm_unreserve(void *context, struct lxfw_known_job *known);

#endif
