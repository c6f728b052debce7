/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of names in SchedulerParameters, with colons between. */
#ifndef LXFW_BRIDGE_NAMES_H
#define LXFW_BRIDGE_NAMES_H

#include <stdbool.h>

#include "plugins/slurm/compat/compat.h"

/* *COPY becomes the value of KEY in TEXT, to be freed, NULL where there is none.
   False if memory runs out. */
bool lxfw_names_copy(const char *text, const char *key, char **copy);

/* Is NAME in LIST, which may be NULL? */
bool lxfw_names_has(const char *list, const char *name);

/* Are the job's partitions in LIST: one of them, or ALL? */
bool lxfw_names_partitions(const char *list, const job_record_t *job, bool all);

#endif
