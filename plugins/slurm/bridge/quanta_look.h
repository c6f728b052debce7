/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of immediate service, what looking and acting have in common. All with locks. */
#ifndef LXFW_BRIDGE_QUANTA_LOOK_H
#define LXFW_BRIDGE_QUANTA_LOOK_H

#include "plugins/agent/quanta_file.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/* In the environment of a batch script in its quantum, and the time it ends. */
#define LXFW_QUANTUM_VARIABLE "LXFW_QUANTUM_UNTIL="

/* Let the suspended JOB go on, if nobody has its cores and its nodes can be told;
   else say once why it waits. */
void lxfw_quanta_try_resume(struct lxfw_bridge *bridge, struct lxfw_lent *lent,
			    job_record_t *job);

/* The job waits although we suspended it: a node failed, or somebody requeued it.
   Its priority is not to be lost. */
void lxfw_quanta_give_priority(const struct lxfw_lent *lent, job_record_t *job);

/* The library is to be told of the job again, whatever it was told. */
void lxfw_quanta_tell_anew(struct lxfw_bridge *bridge, const job_record_t *job);

/* Put back what the job's record had before its quantum. */
void lxfw_quanta_restore_request(job_record_t *job);

#endif
