/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Immediate service in Slurm: who may be served, what a job's record says in its quantum
   and after it. */
#ifndef LXFW_BRIDGE_SERVE_H
#define LXFW_BRIDGE_SERVE_H

#include <stdbool.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/* May the job with this request be served, as Slurm's configuration, the site and its
   user want it? */
bool lxfw_may_serve(const struct lxfw_bridge *bridge, const job_record_t *job,
		    const struct lxfw_request *request);

/*
 * About to start JOB for a quantum: it gets the quantum's memory, and its script
 * is told. False if it is not to be started after all. Afterwards JOB is the
 * record that runs, unless it does not (STARTED).
 */
bool lxfw_serve_begin(struct lxfw_bridge *bridge, job_record_t *job,
			const struct lxfw_known_job *known,
			const struct lxfw_action *action);
void lxfw_serve_begun(job_record_t *job, bool started);

/* The file of quanta did not tell how often jobs were suspended: see how far Slurm
   knows. */
void lxfw_enter_unknown_victims(struct lxfw_bridge *bridge);

/* Operations of wlm.h. */
enum lxfw_answer lxfw_slurm_settle(void *context, struct lxfw_served *served);
bool lxfw_slurm_outgrew(void *context, const struct lxfw_served *served);

#endif
