/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a job's record to a request of the library. */
#ifndef LXFW_BRIDGE_REQUEST_H
#define LXFW_BRIDGE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/request.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/*
 * Returns LXFW_REASON_NONE if the library may schedule the job according to its record. Jobs
 * that the model cannot represent are left to Slurm, such as jobs in advance reservations, and
 * heterogeneous jobs under a policy that does not start groups: the reason is returned.
 */
enum lxfw_reason lxfw_request_unknown(const struct lxfw_bridge *bridge,
				      const job_record_t *job);

/*
 * Adds the request of JOB in its present partition, on nodes with the features that
 * lxfw_use_features() has set, as an alternative of *REQUEST, whose host sets the caller
 * collects: *SET is that of the alternative. The first alternative also sets the amounts, and
 * host_set_count to 1. Returns 1 on success. Returns 0 if the request cannot represent the
 * job in this partition, or if its amounts differ from earlier alternatives; in that
 * partition the job is left to Slurm. The tier is the highest of lxfw_rank_tier() in
 * these partitions. Returns -1 when memory runs out. Also returns 1, without adding an
 * alternative and with -1 in *SET, for an adaptive job that was held because the site refuses
 * it.
 */
int lxfw_request_add(struct lxfw_bridge *bridge, job_record_t *job,
		     struct lxfw_request *request, int32_t *set);

/*
 * Sets *REQUEST, except for its id, for an adaptive job that runs on HOST only, no
 * matter how it was started. Returns 1, or 0 if the job is not adaptive.
 */
int lxfw_request_running(const struct lxfw_bridge *bridge,
			 const job_record_t *job, int32_t host,
			 struct lxfw_request *request);

/* Returns the time from which the job waits. */
int64_t lxfw_request_submit(const job_record_t *job);

/* Returns true if the job gets no reservation, as under Slurm's backfill scheduler: its present
   QOS has the flag NoReserve, or its priority is below MinPrioThreshold of the QOS, of the
   partition's QOS or of its association (sacctmgr(1)). */
bool lxfw_request_unreserved(job_record_t *job);

/* Returns the time limit in seconds in the job's present partition. A deadline may shorten
   it. */
int64_t lxfw_request_estimate(const job_record_t *job);

#endif
