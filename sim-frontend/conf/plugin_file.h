/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determines what a plugin is, and for which release of Slurm it was built, without
   loading it. */
#ifndef LXFW_CONF_PLUGIN_FILE_H
#define LXFW_CONF_PLUGIN_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"

/*
 * Returns plugin_version of the shared object at PATH: SLURM_VERSION_NUMBER of its build.
 * Returns 0, or -1 with errno and ERROR set; EINVAL if the file is not a plugin of Slurm.
 */
int lxfw_plugin_version(const char *path, uint32_t *version,
			struct lxfw_error *error);

/* Returns whether the file at PATH is sched/lxfw, whatever its name is. */
bool lxfw_plugin_is_sched(const char *path);

/* Formats a version as "22.05.8" in OUT, which has 16 bytes. Returns OUT. */
char *lxfw_plugin_release(uint32_t version, char *out);

#endif
