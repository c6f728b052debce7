/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests whether a job may start that do not depend on free resources. */
#ifndef LXFW_BRIDGE_ELIGIBLE_H
#define LXFW_BRIDGE_ELIGIBLE_H

#include <stdbool.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/permit.h"
#include "plugins/slurm/compat/compat.h"

/* Selects the features that the job's nodes must have: those of --prefer, or of
   --constraint. */
void lxfw_use_features(job_record_t *job, bool prefer);

/* Returns true if the job may still start at WHERE. Sets the job's partition, priority,
   QOS and features. lxfw_still_waits() does not test its licenses. */
bool lxfw_still_eligible(job_record_t *job, const struct lxfw_alternative *where);
bool lxfw_still_waits(job_record_t *job, const struct lxfw_alternative *where);

/* Returns true if the licenses of the job are free according to Slurm. */
bool lxfw_licensed(job_record_t *job);

/* Returns true if, according to Slurm, the job can run on no nodes of its present
   partition. The job is then held, and a message is logged. */
bool lxfw_never_runs(struct lxfw_bridge *bridge, job_record_t *job);

/* Returns true if a failed start is due to the nodes: the job might start on other
   nodes or at another time. Returns false for errors of limits, access to partitions,
   burst buffers and the like: nodes held for such a job would stay idle. */
bool lxfw_is_about_nodes(int error_code);

/* Returns true if the configuration has not changed since the last look, so that node
   indices are valid. */
bool lxfw_same_world(const struct lxfw_bridge *bridge);

/* Returns whether the job of RECORD may start in its partition, as far as Slurm can
   determine without evaluating nodes. */
enum lxfw_permission lxfw_eligible(struct lxfw_bridge *bridge,
				   const job_queue_rec_t *record);

/* Returns true if the job can end before its deadline. If it cannot, it has been cancelled; in
   shadow mode Slurm's own scheduler does this. */
bool lxfw_meets_deadline(const struct lxfw_bridge *bridge, job_record_t *job);

#endif
