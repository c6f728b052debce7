/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that the controller's records have the layout that the plugin was compiled
 * for. The controller compares only release numbers, but builds of one release may
 * differ in their records.
 */
#ifndef LXFW_BRIDGE_SANITY_H
#define LXFW_BRIDGE_SANITY_H

#include <stdbool.h>

#include "plugins/slurm/compat/compat.h"

/* Returns false and logs an error if the controller's tables do not match. PLUGIN is the
   name for messages. CONFIGURED is the member of the configuration record that must be
   equal to TYPE, the type of the loaded plugin; it may be NULL. The caller holds the
   locks. */
bool lxfw_sanity_check(const char *plugin, const char *configured,
		       const char *type);

/* Returns false and logs an error if the job's record does not match. */
bool lxfw_sanity_check_job(const char *plugin, const job_record_t *job);

#endif
