/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches plugins in the directories from which Slurm loads them. */
#ifndef LXFW_CONF_PLUGIN_DIRS_H
#define LXFW_CONF_PLUGIN_DIRS_H

#include <stdbool.h>

#include "sim-frontend/conf/findings.h"

/* Returns PluginDir, or the directory of the Slurm that was found when lxfw was built;
   "" if there was none. */
const char *lxfw_plugin_dirs(const struct lxfw_checking *check);

/* Returns the directory of the Slurm that was found when lxfw was built, "" if none. */
const char *lxfw_plugin_slurms_dir(void);

/* Returns the path of the plugin file NAME that Slurm loads, which the caller frees, or
   NULL. */
char *lxfw_plugin_find(const struct lxfw_checking *check, const char *name);

/* As lxfw_plugin_find(), but leaves out files that are sched/lxfw. */
char *lxfw_plugin_find_slurms(const struct lxfw_checking *check,
			      const char *name);

/*
 * Returns whether SchedulerType=sched/backfill loads sched/lxfw: the first
 * sched_backfill.so in the directories is ours. Without access to files, whether the
 * first directory of PluginDir is named lxfw, as "make install" names it.
 */
bool lxfw_plugin_has_stock_name(const struct lxfw_checking *check);

/*
 * Returns the value of PluginDir with which SchedulerType=sched/backfill loads sched/lxfw, which
 * the caller frees, or NULL if our sched_backfill.so is not installed where "make install" puts
 * it, in the folder lxfw of a directory of PluginDir, or without access to files.
 */
char *lxfw_plugin_dirs_for_stock_name(const struct lxfw_checking *check);

#endif
