/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/files_apart.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The directory that PATH is in, and the last component of PATH in a copy that the
   caller frees; NULL if there is no such directory. */
static char *split(const char *path, struct stat *directory, const char **name)
{
	char *copy = strdup(path), *other = strdup(path);
	bool known = copy && other && stat(dirname(other), directory) == 0;

	free(other);
	if (!known) {
		free(copy);
		return NULL;
	}
	*name = basename(copy);
	return copy;
}

static bool same_inode(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Two paths of files that do not exist yet. */
static bool same_new_file(const char *a, const char *b)
{
	struct stat directory_a, directory_b;
	const char *name_a = NULL, *name_b = NULL;
	char *copy_a = split(a, &directory_a, &name_a);
	char *copy_b = split(b, &directory_b, &name_b);
	bool same = copy_a && copy_b && same_inode(&directory_a, &directory_b) &&
		    strcmp(name_a, name_b) == 0;

	free(copy_a);
	free(copy_b);
	return same;
}

static bool same_file(const char *a, const char *b)
{
	struct stat status_a, status_b;
	bool exists_a = stat(a, &status_a) == 0;
	bool exists_b = stat(b, &status_b) == 0;

	if (exists_a && exists_b)
		return S_ISREG(status_a.st_mode) && same_inode(&status_a, &status_b);
	return !exists_a && !exists_b && same_new_file(a, b);
}

int lxfw_cmd_files_apart(const struct lxfw_command *command,
			 const struct lxfw_cmd_file *files, size_t count,
			 char *const *inputs, int input_count)
{
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_cmd_file *a = &files[i];

		for (size_t j = i + 1; j < count && a->path; j++) {
			const struct lxfw_cmd_file *b = &files[j];

			if (!b->path || !(a->written || b->written) ||
			    !same_file(a->path, b->path))
				continue;
			lxfw_cmd_misuse(command, "--%s and --%s are the same file '%s', "
					"expected different files", a->option,
					b->option, a->path);
			return -1;
		}
		for (int j = 0; j < input_count && a->path && a->written; j++) {
			if (!same_file(a->path, inputs[j]))
				continue;
			lxfw_cmd_misuse(command, "--%s '%s' is an input file, expected "
					"another file", a->option, a->path);
			return -1;
		}
	}
	return 0;
}
