/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time limit of an adaptive job counts work: it applies to the requested number of
 * processors. On fewer processors the job's end is later, on more it is earlier. The
 * end is limited by
 *
 *   lxfw_eq_max_stretch times the limit since its start, without suspensions;
 *   the next advance reservation of its node, if it was to end before that.
 *
 * The end thus determines how much work remains. Work that was cut off by one of the
 * bounds is recorded in processor seconds and restored when the bounds permit. The
 * submitted limit and the work cut off are stored in the job's SystemComment, which
 * Slurm saves with the job. After a crash they therefore match the saved allocation,
 * and a requeued job gets its own limit again.
 */
#ifndef LXFW_BRIDGE_SHARES_LIMIT_H
#define LXFW_BRIDGE_SHARES_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/* Returns the time limit as submitted, in minutes, or NO_VAL if the job was never
   started as an adaptive job. */
uint32_t lxfw_limit_submitted(const job_record_t *job);

/* Sets the limit and end of a job that starts NOW on TO of the FROM processors that it
   requested. Its present limit and end are those for FROM processors. */
void lxfw_limit_begin(const struct lxfw_bridge *bridge, job_record_t *job,
		      int64_t now, int32_t from, int32_t to);

/* Sets the limit and end of a running job that has TO instead of FROM processors since
   NOW. */
void lxfw_limit_change(const struct lxfw_bridge *bridge, job_record_t *job,
		       int64_t now, int32_t from, int32_t to);

/* Restores the submitted limit of a job that is pending again; a limit that was changed
   meanwhile, in the same proportion. Returns true if it was started as an adaptive job. */
bool lxfw_limit_restore(job_record_t *job);

#endif
