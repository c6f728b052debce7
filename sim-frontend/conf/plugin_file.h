/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The release of Slurm that a plugin was built for, without loading it. */
#ifndef LXFW_CONF_PLUGIN_FILE_H
#define LXFW_CONF_PLUGIN_FILE_H

#include <stdint.h>

#include "common/util/error.h"

/*
 * plugin_version of the shared object at PATH: SLURM_VERSION_NUMBER of its build. 0,
 * or -1 with errno and ERROR set: EINVAL for what is no plugin of Slurm.
 */
int lxfw_plugin_version(const char *path, uint32_t *version,
			struct lxfw_error *error);

/* "22.05.8" of a version, into OUT of 16 bytes. Returns OUT. */
char *lxfw_plugin_release(uint32_t version, char *out);

#endif
