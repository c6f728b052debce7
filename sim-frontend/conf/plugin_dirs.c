/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/conf/plugin_dirs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "sim-frontend/conf/conf.h"
#include "sim-frontend/conf/plugin_file.h"

#ifndef LXFW_SLURM_PLUGINDIR
#define LXFW_SLURM_PLUGINDIR ""
#endif

/* Searches NAME in directories separated by ':'. Returns the first path, or the first
   that is not sched/lxfw if SLURMS, or NULL. */
static char *search(const char *directories, const char *name, bool slurms)
{
	while (*directories) {
		size_t length = strcspn(directories, ":");
		char *path;

		if (asprintf(&path, "%.*s/%s", (int)length, directories,
			     name) < 0)
			return NULL;
		if (length > 0 && access(path, F_OK) == 0 &&
		    !(slurms && lxfw_plugin_is_sched(path)))
			return path;
		free(path);
		directories += length + (directories[length] == ':');
	}
	return NULL;
}

static char *find(const struct lxfw_checking *check, const char *name,
		  bool slurms)
{
	const char *before = check->options->plugin_dir;
	char *path = before ? search(before, name, slurms) : NULL;

	return path ? path : search(lxfw_plugin_dirs(check), name, slurms);
}

const char *lxfw_plugin_dirs(const struct lxfw_checking *check)
{
	return lxfw_conf_value(check->conf, "PluginDir", LXFW_SLURM_PLUGINDIR);
}

const char *lxfw_plugin_slurms_dir(void)
{
	return LXFW_SLURM_PLUGINDIR;
}

char *lxfw_plugin_find(const struct lxfw_checking *check, const char *name)
{
	return find(check, name, false);
}

char *lxfw_plugin_find_slurms(const struct lxfw_checking *check,
			      const char *name)
{
	return find(check, name, true);
}

/* Returns whether the last component of the first of the directories is NAME. */
static bool first_is(const char *directories, const char *name)
{
	size_t length = strcspn(directories, ":"), size = strlen(name);

	while (length > 0 && directories[length - 1] == '/')
		length--;
	return length > size && directories[length - size - 1] == '/' &&
	       strncmp(directories + length - size, name, size) == 0;
}

bool lxfw_plugin_has_stock_name(const struct lxfw_checking *check)
{
	const char *type = lxfw_conf_value(check->conf, "SchedulerType",
					   "sched/backfill");
	char *path;
	bool ours;

	if (strcasecmp(type, "sched/backfill") != 0)
		return false;
	if (check->options->no_files)
		return first_is(lxfw_plugin_dirs(check), "lxfw");
	path = lxfw_plugin_find(check, "sched_backfill.so");
	ours = path && lxfw_plugin_is_sched(path);
	free(path);
	return ours;
}

char *lxfw_plugin_dirs_for_stock_name(const struct lxfw_checking *check)
{
	static const char name[] = "lxfw/sched_backfill.so";
	const char *directories = lxfw_plugin_dirs(check);
	char *path, *value = NULL;

	if (check->options->no_files)
		return NULL;
	path = search(directories, name, false);
	if (path && lxfw_plugin_is_sched(path) &&
	    asprintf(&value, "%.*s:%s", (int)(strrchr(path, '/') - path), path, directories) < 0)
		value = NULL;
	free(path);
	return value;
}
