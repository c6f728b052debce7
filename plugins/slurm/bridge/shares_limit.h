/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time limit of an adaptive job counts work: what it promises is the job's
 * limit on all the processors that it asked for. On fewer of them its end moves
 * away, on more it comes nearer, within
 *
 *   lxfw_eq_max_stretch times the limit since its start, suspensions apart;
 *   the next advance reservation of its node, if it was to end before that.
 *
 * So the end itself says how much work is left. What was cut off by one of the two
 * bounds is remembered, in processor seconds, and given back when there is room. The
 * limit as submitted and what was cut off are in the job's SystemComment, which
 * Slurm saves with the job; so they are what belongs to the allocation after any
 * crash, and a job that is requeued has its own limit again.
 */
#ifndef LXFW_BRIDGE_SHARES_LIMIT_H
#define LXFW_BRIDGE_SHARES_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/* The time limit as submitted, minutes; NO_VAL if the job was never started as an
   adaptive one. */
uint32_t lxfw_limit_submitted(const job_record_t *job);

/* The job starts NOW as an adaptive one on TO of the FROM processors that it asked
   for; its time limit and end are those of all of them. */
void lxfw_limit_begin(const struct lxfw_bridge *bridge, job_record_t *job,
		      int64_t now, int32_t from, int32_t to);

/* The running job has TO processors instead of FROM since NOW. */
void lxfw_limit_change(const struct lxfw_bridge *bridge, job_record_t *job,
		       int64_t now, int32_t from, int32_t to);

/* The job waits again. True if it had been started as an adaptive one. */
bool lxfw_limit_restore(job_record_t *job);

#endif
