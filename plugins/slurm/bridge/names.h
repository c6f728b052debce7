/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of names in SchedulerParameters, separated by colons. */
#ifndef LXFW_BRIDGE_NAMES_H
#define LXFW_BRIDGE_NAMES_H

#include <stdbool.h>

#include "plugins/slurm/compat/compat.h"

/* Sets *COPY to the value of KEY in TEXT, which the caller frees, or to NULL if there
   is none. Returns false if memory runs out. */
bool lxfw_names_copy(const char *text, const char *key, char **copy);

/* Returns true if NAME is in LIST, which may be NULL. */
bool lxfw_names_has(const char *list, const char *name);

/* Returns true if one of the job's partitions is in LIST, or if ALL is set, all of
   them. */
bool lxfw_names_partitions(const char *list, const job_record_t *job, bool all);

#endif
