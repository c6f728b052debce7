/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/pbs_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

struct list {
	char **paths;
	size_t count, size;
};

bool lxfw_pbs_folder_is(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Whether FOLDER/NAME is a file with contents. */
static bool has_file(const char *folder, const char *name)
{
	struct stat status;
	char *path;
	bool has;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return false;
	has = stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
	free(path);
	return has;
}

bool lxfw_pbs_folder_has_machine(const char *path)
{
	return has_file(path, "node/qmgr_pn_default.out");
}

void lxfw_pbs_folder_free(char **logs, size_t count)
{
	int saved = errno;

	for (size_t i = 0; i < count; i++)
		free(logs[i]);
	free(logs);
	errno = saved;
}

/* "20261126", or the same with an ending such as ".gz". */
static bool is_log(const char *name)
{
	return strspn(name, "0123456789") == 8 && (name[8] == '\0' || name[8] == '.');
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Adds the logs of a directory. A missing one has none. Returns 0, or -1 with errno set. */
static int add_logs(struct list *list, const char *folder)
{
	DIR *stream = opendir(folder);
	struct dirent *entry;
	int failed = 0;

	if (!stream)
		return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
	while (!failed && (entry = readdir(stream)) != NULL) {
		if (!is_log(entry->d_name))
			continue;
		failed = LXFW_GROW(list->paths, list->size, list->count + 1) ||
			 asprintf(&list->paths[list->count], "%s/%s", folder,
				  entry->d_name) < 0;
		list->count += !failed;
	}
	closedir(stream);
	if (failed)
		errno = ENOMEM;
	return failed ? -1 : 0;
}

/* Why there are no logs, and how to get them. */
static int fail_empty(const char *path, struct lxfw_error *error)
{
	if (has_file(path, "server/qmgr_ps.out") || has_file(path, "server/qstat_Bf.out") ||
	    has_file(path, "ctime"))
		return lxfw_error_at(error, path, 0, "no accounting logs in "
			"server_priv/accounting, expected some: pbs_snapshot --basic contains "
			"none; run 'pbs_snapshot --accounting-logs=60 -o DIR' as root on the "
			"host of the server");
	return lxfw_error_at(error, path, 0, "a directory without accounting logs, expected "
			     "that of a pbs_snapshot, unpacked, or logs with names such as "
			     "20261126");
}

int lxfw_pbs_folder_logs(const char *path, char ***logs, size_t *count,
			 struct lxfw_error *error)
{
	struct list list = { 0 };
	char *folder;
	int failed;

	*logs = NULL;
	*count = 0;
	if (asprintf(&folder, "%s/server_priv/accounting", path) < 0)
		return lxfw_error_system(error, path);
	failed = add_logs(&list, folder);
	if (failed)
		lxfw_error_system(error, folder);
	free(folder);
	if (!failed && list.count == 0) {
		failed = add_logs(&list, path);
		if (failed)
			lxfw_error_system(error, path);
	}
	if (!failed && list.count == 0)
		failed = fail_empty(path, error);
	if (failed) {
		lxfw_pbs_folder_free(list.paths, list.count);
		return -1;
	}
	qsort(list.paths, list.count, sizeof(*list.paths), by_name);
	*logs = list.paths;
	*count = list.count;
	return 0;
}
