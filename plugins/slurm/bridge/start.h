/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs are started by the controller's own selection of nodes. */
#ifndef LXFW_BRIDGE_START_H
#define LXFW_BRIDGE_START_H

#include <stdint.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_asked;

/*
 * Start JOB, its partition, QOS and priority set, on nodes out of NODES.
 * SLURM_SUCCESS or an ESLURM_*. JOB is the record that runs then, of a job array
 * the one of the task. It gets no cores that a suspended job is to go on with;
 * but those of the victims of QUANTUM_OF's quantum, unless that is 0. ASKED, if the
 * library has decided on it, is what lxfw_shares_begin() said.
 */
int lxfw_start_job(struct lxfw_bridge *bridge, job_record_t *job,
		   const bitstr_t *nodes, uint64_t quantum_of,
		   const struct lxfw_asked *asked);

/* Operations of wlm.h. */
enum lxfw_answer lxfw_slurm_start(void *context, struct lxfw_known_job *known,
			    const struct lxfw_action *action,
			    struct lxfw_run *run);
void lxfw_slurm_unfit(void *context, struct lxfw_known_job *known,
		const struct lxfw_action *action);
void lxfw_slurm_reserve(void *context, struct lxfw_known_job *known,
		  const struct lxfw_action *action);
void lxfw_slurm_unreserve(void *context, struct lxfw_known_job *known);

#endif
