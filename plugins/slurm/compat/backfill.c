/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "plugins/slurm/compat/backfill.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_stock(void *handle, const char *own_name, uint32_t version)
{
	const char *name = dlsym(handle, "plugin_name");
	const char *type = dlsym(handle, "plugin_type");
	const uint32_t *built = dlsym(handle, "plugin_version");

	return name && type && built && strcmp(name, own_name) != 0 &&
	       strcmp(type, "sched/backfill") == 0 && *built == version;
}

/* Call a function of the plugin, which may be missing. */
static int call(void *handle, const char *name)
{
	int (*function)(void) = (int (*)(void))dlsym(handle, name);

	return function ? function() : 0;
}

static void call_fini(void *handle)
{
	void (*fini)(void) = (void (*)(void))dlsym(handle, "fini");

	if (fini)
		fini();
}

/* Returns a handle, or NULL if FILE is missing or is not Slurm's. */
static void *open_stock(const char *file, const char *own_name, uint32_t version)
{
	/* Some of its symbols may be missing, as for any plugin of Slurm. */
	void *handle = dlopen(file, RTLD_LAZY | RTLD_LOCAL);

	if (!handle || is_stock(handle, own_name, version))
		return handle;
	dlclose(handle);
	return NULL;
}

void *lxfw_backfill_load(const char *folders, const char *own_name, uint32_t version)
{
	void *handle = NULL;

	while (!handle) {
		size_t length = strcspn(folders, ":");
		char *file;

		if (asprintf(&file, "%.*s/sched_backfill.so", (int)length, folders) < 0)
			return NULL;
		handle = open_stock(file, own_name, version);
		free(file);
		if (!folders[length])
			break;
		folders += length + 1;
	}
	if (!handle || call(handle, "init") == 0)
		return handle;
	dlclose(handle);
	return NULL;
}

void lxfw_backfill_reconfigure(void *handle)
{
	(void)call(handle, "sched_p_reconfig");
}

void lxfw_backfill_unload(void *handle)
{
	call_fini(handle);
	dlclose(handle);
}
