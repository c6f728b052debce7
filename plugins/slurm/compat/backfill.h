/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's own sched/backfill, loaded beside this plugin. */
#ifndef LXFW_SLURM_COMPAT_BACKFILL_H
#define LXFW_SLURM_COMPAT_BACKFILL_H

#include <stdint.h>

/*
 * Loads the first sched_backfill.so in FOLDERS, a list with colons as PluginDir, whose
 * plugin_name is not OWN_NAME and whose plugin_version is VERSION, and calls its init(),
 * which starts its thread. A copy of this plugin has the same file name, and Slurm's
 * functions would load it. Returns a handle, or NULL if there is none or init() fails. Call
 * without locks.
 */
void *lxfw_backfill_load(const char *folders, const char *own_name, uint32_t version);

/* Tells it that the configuration has been read again. */
void lxfw_backfill_reconfigure(void *handle);

/* Ends its thread, for whose pass it waits, and unloads it. Call without locks. */
void lxfw_backfill_unload(void *handle);

#endif
