/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job asks of Slurm as a request to the library. */
#ifndef LXFW_BRIDGE_REQUEST_H
#define LXFW_BRIDGE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/request.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/*
 * May the library schedule the job, as far as the job itself says? What the
 * model cannot express is left to Slurm: heterogeneous jobs, jobs in advance
 * reservations, processors shared by several jobs, and so on.
 */
bool lxfw_request_known(const job_record_t *job);

/*
 * Enter what JOB asks in its present partition as a further alternative of
 * *REQUEST (the first one also sets amounts). Returns 1; 0 if the request cannot
 * represent what the job asks there, or is not the same as for the alternatives so
 * far: there the job is left to Slurm; -1 when memory runs out. It is 1 with nothing
 * entered for an adaptive job that the site does not want as it is.
 */
int lxfw_request_add(struct lxfw_bridge *bridge, job_record_t *job,
		     struct lxfw_request *request);

/*
 * The request of an adaptive job that runs on HOST alone, whoever started it, but for
 * its id; or 0 if it is none, 1 if it is.
 */
int lxfw_request_running(const struct lxfw_bridge *bridge,
			 const job_record_t *job, int32_t host,
			 struct lxfw_request *request);

/* Second since when the job waits. */
int64_t lxfw_request_submit(const job_record_t *job);

/* Time limit in seconds in the job's present partition. */
int64_t lxfw_request_estimate(const job_record_t *job);

#endif
