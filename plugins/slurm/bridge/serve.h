/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Immediate service in Slurm: which jobs may have a quantum, and the changes to a job's
   record during its quantum and after it. */
#ifndef LXFW_BRIDGE_SERVE_H
#define LXFW_BRIDGE_SERVE_H

#include <stdbool.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/* Returns true if jobs can be suspended for others under Slurm's configuration. */
bool lxfw_can_suspend(void);

/* Returns true if Slurm's configuration, the site and the user permit a quantum for the
   job with this request. */
bool lxfw_may_serve(const struct lxfw_bridge *bridge, const job_record_t *job,
		    const struct lxfw_request *request);

/*
 * lxfw_serve_begin() prepares the start of JOB for a quantum: it sets the memory of the
 * quantum and adds the quantum's end to the script's environment. It returns false if
 * the job must not be started. lxfw_serve_begun() must be called after the attempt.
 * STARTED is true if the attempt succeeded; JOB then is the record that runs.
 */
bool lxfw_serve_begin(struct lxfw_bridge *bridge, job_record_t *job,
			const struct lxfw_known_job *known,
			const struct lxfw_action *action);
void lxfw_serve_begun(job_record_t *job, bool started);

/* Enters the jobs that were suspended according to Slurm. Called if the file of quanta
   does not contain the numbers of suspensions. */
void lxfw_enter_unknown_victims(struct lxfw_bridge *bridge);

/* Operations of wlm.h. */
enum lxfw_answer lxfw_slurm_settle(void *context, struct lxfw_served *served);
bool lxfw_slurm_outgrew(void *context, const struct lxfw_served *served);

#endif
