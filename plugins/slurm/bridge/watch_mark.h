/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Detects whether the record of a pending job has changed. */
#ifndef LXFW_BRIDGE_WATCH_MARK_H
#define LXFW_BRIDGE_WATCH_MARK_H

#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

/* Returns a hash of the fields from which a look determines the request of the pending
   job, whether it may start, and its rank. The reasons None, Priority and Resources, which
   the scheduler itself sets, count as the same. Never 0. */
uint64_t lxfw_watch_mark(const job_record_t *job);

#endif
