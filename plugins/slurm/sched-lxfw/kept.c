/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/sched-lxfw/kept.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/slurm/compat/compat.h"

#define NAME "lxfw_parameters"
#define LENGTH_MAX 65536

/* NULL if memory ran out or there is no such folder. SUFFIX: of the name. */
static char *path_of(const char *suffix)
{
	slurmctld_lock_t read_config = { .conf = READ_LOCK };
	const char *folder;
	char *path = NULL;
	size_t size;

	lock_slurmctld(read_config);
	folder = slurm_conf.state_save_location;
	if (folder) {
		size = strlen(folder) + sizeof("/" NAME) + strlen(suffix);
		path = malloc(size);
		if (path)
			snprintf(path, size, "%s/" NAME "%s", folder, suffix);
	}
	unlock_slurmctld(read_config);
	return path;
}

static bool write_whole(const char *path, const char *text)
{
	size_t length = strlen(text);
	FILE *file = fopen(path, "we");
	bool good;

	if (!file)
		return false;
	good = fwrite(text, 1, length, file) == length;
	return fclose(file) == 0 && good;
}

void lxfw_kept_save(const char *text)
{
	char *path = path_of(""), *fresh = path_of(".new");

	if (!path || !fresh || !write_whole(fresh, text) ||
	    rename(fresh, path) < 0)
		error("sched/lxfw: the parameters cannot be kept in %s: %m",
		      path ? path : "StateSaveLocation");
	free(path);
	free(fresh);
}

char *lxfw_kept_load(void)
{
	char *path = path_of(""), *text = NULL;
	FILE *file = path ? fopen(path, "re") : NULL;
	size_t length;

	free(path);
	if (!file)
		return NULL;
	text = malloc(LENGTH_MAX + 1);
	length = text ? fread(text, 1, LENGTH_MAX, file) : 0;
	if (text)
		text[length] = '\0';
	if (text && ferror(file)) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}
