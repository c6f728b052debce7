/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are we looking at the records that we were compiled for? The controller
 * compares release numbers only, and builds of one release can still differ
 * in what their records hold.
 */
#ifndef LXFW_BRIDGE_SANITY_H
#define LXFW_BRIDGE_SANITY_H

#include <stdbool.h>

#include "plugins/slurm/compat/compat.h"

/* False, and one line in the log, if the controller's tables make no sense to
   PLUGIN, "sched/lxfw" or as SelectType calls it. Locks are held. */
bool lxfw_sanity_check(const char *plugin);

/* The same of a job record. */
bool lxfw_sanity_check_job(const char *plugin, const job_record_t *job);

#endif
