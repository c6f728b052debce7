/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/sched-lxfw/kept.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/slurm/compat/compat.h"
#include "plugins/agent/kept_file.h"

#define NAME "lxfw_parameters"

/* NULL if memory ran out or there is no such folder. */
static char *path_of_file(void)
{
	slurmctld_lock_t read_config = { .conf = READ_LOCK };
	const char *folder;
	char *path = NULL;
	size_t size;

	lock_slurmctld(read_config);
	folder = slurm_conf.state_save_location;
	if (folder) {
		size = strlen(folder) + sizeof("/" NAME);
		path = malloc(size);
		if (path)
			snprintf(path, size, "%s/" NAME, folder);
	}
	unlock_slurmctld(read_config);
	return path;
}

void lxfw_kept_save(const char *text)
{
	char *path = path_of_file();

	if (!path || lxfw_kept_write(path, text) < 0)
		error("sched/lxfw: the parameters cannot be kept in %s: %m",
		      path ? path : "StateSaveLocation");
	free(path);
}

char *lxfw_kept_load(void)
{
	char *path = path_of_file();
	char *text = path ? lxfw_kept_read(path) : NULL;

	if (text)
		info("sched/lxfw: the last good parameters, kept in %s, are used",
		     path);
	else
		error("sched/lxfw: no good parameters are kept in %s: %s; the defaults are used",
		      path ? path : "StateSaveLocation",
		      errno == EBADMSG ? "it is empty or damaged" :
					 strerror(errno));
	free(path);
	return text;
}
