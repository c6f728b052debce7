/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports why a pending job is not in the library, for the journal. */
#ifndef LXFW_BRIDGE_ASIDE_H
#define LXFW_BRIDGE_ASIDE_H

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/left.h"

/* Reports it after JOB, which is pending, has been read, or that nothing keeps the job if the
   library has it. */
void lxfw_aside_tell(struct lxfw_bridge *bridge, struct lxfw_watched *entry,
		     const job_record_t *job);

/* Reports that the job of ENTRY is not pending any more. */
void lxfw_aside_over(struct lxfw_bridge *bridge, const struct lxfw_watched *entry);

/* Why a job of the list of left.h is left to Slurm. */
enum lxfw_reason lxfw_aside_left(enum lxfw_left_why why);

#endif
