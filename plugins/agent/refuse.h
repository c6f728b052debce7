/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports to the library that the workload manager did not carry out a decision. */
#ifndef LXFW_AGENT_REFUSE_H
#define LXFW_AGENT_REFUSE_H

#include <stdint.h>

#include "plugins/agent/agent.h"

/* Returns the time in seconds, 1 to 30, for which a job is not retried after a number
   of consecutive refusals. */
int64_t lxfw_backoff(uint8_t refusals);

/* Reports that a start failed, for a reason of LXFW_REASONS_REFUSED. The job is not retried
   until its back-off time has passed. */
void lxfw_refuse(struct lxfw_agent *agent, struct lxfw_known_job *known,
		 enum lxfw_reason reason);

/* Cancels the start. The next decision of this pass may start the job. */
void lxfw_defer(struct lxfw_agent *agent, const struct lxfw_known_job *known,
		enum lxfw_reason reason);

/* Cancels the start until the next look. The current decision keeps the resources for
   the job, so another decision in this pass is not necessary. */
void lxfw_put_off(struct lxfw_agent *agent, const struct lxfw_known_job *known,
		  enum lxfw_reason reason);

/* Records that the resources of RUN, which the decision assumed free, are in use.
   Further starts of this decision on these hosts are deferred to the next decision. */
void lxfw_disturb(struct lxfw_agent *agent, const struct lxfw_run *run);

/* Removes the job from the model for a reason of LXFW_REASONS_INELIGIBLE or
   LXFW_REASONS_LEFT: it changed after it was reported (LXFW_REASON_CHANGED), and the next look
   reports it again, or the workload manager is left to start it. */
void lxfw_forget_job(struct lxfw_agent *agent, struct lxfw_known_job *known,
		     enum lxfw_reason reason);

/* Records that a decision has requeued the job. It is pending in the model, and stays
   there while the workload manager cleans up after it. */
void lxfw_known_requeued(struct lxfw_agent *agent, struct lxfw_known_job *known);

#endif
