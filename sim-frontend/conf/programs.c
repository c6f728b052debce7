/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/conf/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim-frontend/conf/keys.h"
#include "sim-frontend/conf/plugin_dirs.h"
#include "sim-frontend/util/program.h"

static char *is_program(const char *directory, int length, const char *below, const char *name)
{
	char *path;

	if (asprintf(&path, "%.*s/%s/%s", length, directory, below, name) < 0)
		return NULL;
	if (access(path, X_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* A slurm.conf of another user may name any folder: a program there counts only if it belongs to
   root or the present user and no other user may write it. Takes over PATH, which may be NULL. */
static char *trusted(char *path)
{
	struct stat status;

	if (path && stat(path, &status) == 0 && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
	    (status.st_uid == 0 || status.st_uid == geteuid()))
		return path;
	free(path);
	return NULL;
}

char *lxfw_slurm_program(const struct lxfw_checking *check, const char *name)
{
	static const char *const roots[] = { "", "/usr", "/usr/local", "/opt/slurm" };
	const char *at = lxfw_plugin_dirs(check);
	char *path = NULL;

	while (*at && !path) {
		int length = (int)strcspn(at, ":"), kept = length;

		for (int parts = 0; kept > 0 && parts < 2; parts++) {
			while (kept > 0 && at[kept - 1] != '/')
				kept--;
			kept -= kept > 0;
		}
		if (kept > 0)
			path = trusted(is_program(at, kept, "sbin", name));
		if (kept > 0 && !path)
			path = trusted(is_program(at, kept, "bin", name));
		at += length + (at[length] == ':');
	}
	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots) && !path; i++) {
		path = is_program(roots[i], (int)strlen(roots[i]), "sbin", name);
		if (!path)
			path = is_program(roots[i], (int)strlen(roots[i]), "bin", name);
	}
	return path;
}

char *lxfw_slurm_controller(const struct lxfw_checking *check)
{
	char *path = lxfw_slurm_program(check, "slurmctld-wlm");

	return path ? path : lxfw_slurm_program(check, "slurmctld");
}

/* It prints "slurm 22.05.8" or "slurm-wlm 22.05.8". */
bool lxfw_slurm_version(const char *program, char *text, uint32_t *release)
{
	char *arguments[] = { (char *)program, (char *)"-V", NULL };
	struct lxfw_error error;
	char said[100], *word;

	*text = '\0';
	if (lxfw_program_run(arguments, said, sizeof(said), &error) != 0)
		return false;
	said[strcspn(said, "\n")] = '\0';
	word = strrchr(said, ' ');
	snprintf(text, 16, "%.15s", word ? word + 1 : said);
	return lxfw_conf_release(text, release) == 0;
}
