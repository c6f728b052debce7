/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counters of sched/backfill, which sdiag prints. Passes without pending jobs do not
 * count, as under Slurm's own scheduler.
 */
#ifndef LXFW_BRIDGE_STATISTICS_H
#define LXFW_BRIDGE_STATISTICS_H

#include <stdbool.h>

#include "plugins/slurm/compat/compat.h"

/* For wlm.h's passing(). */
void lxfw_statistics_passing(void *context, bool begins);

/* Counts the start of a job. */
void lxfw_statistics_start(const job_record_t *job);

#endif
