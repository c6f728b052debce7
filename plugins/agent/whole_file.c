/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "plugins/agent/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_all(int descriptor, const char *text, size_t length)
{
	while (length > 0) {
		ssize_t count = write(descriptor, text, length);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return -1;
		text += count;
		length -= (size_t)count;
	}
	return 0;
}

/* A rename is durable when the directory is synchronized. */
static void sync_folder(const char *path)
{
	char *copy = strdup(path);
	int folder = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY |
					O_CLOEXEC) : -1;

	if (folder >= 0) {
		(void)fsync(folder);
		close(folder);
	}
	free(copy);
}

/* How a file is written. */
struct manner {
	mode_t mode;
	bool lasts;		/* its contents survive a power failure */
};

/* Whether the open file is a regular one. Sets errno if not. */
static bool is_regular(int descriptor)
{
	struct stat status;

	if (fstat(descriptor, &status) < 0)
		return false;
	errno = EEXIST;
	return S_ISREG(status.st_mode);
}

/* Writes the contents to the file FRESH, and synchronizes it if it is to last. A FIFO or a
   device of this name is an error, and stays as it is. */
static int write_fresh(const char *fresh, const char *bytes, size_t length,
		       const struct manner *manner)
{
	int descriptor = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC |
				     O_NOFOLLOW | O_NONBLOCK, manner->mode);
	int rc, saved;

	if (descriptor < 0)
		return -1;
	if (!is_regular(descriptor)) {
		saved = errno;
		close(descriptor);
		errno = saved;
		return -1;
	}
	rc = write_all(descriptor, bytes, length);
	if (rc == 0)
		rc = fchmod(descriptor, manner->mode);
	if (rc == 0 && manner->lasts)
		rc = fsync(descriptor);
	saved = errno;
	if (close(descriptor) < 0 && rc == 0) {
		rc = -1;
		saved = errno;
	}
	if (rc)		/* a part of the contents is of no use, and takes room */
		(void)unlink(fresh);
	errno = saved;
	return rc;
}

static int replace(const char *path, const char *bytes, size_t length,
		   const struct manner *manner)
{
	char *fresh;
	int rc, saved;

	if (asprintf(&fresh, "%s.new", path) < 0)
		return -1;
	rc = write_fresh(fresh, bytes, length, manner);
	if (rc == 0)
		rc = rename(fresh, path);
	saved = errno;
	if (rc == 0 && manner->lasts)
		sync_folder(path);
	free(fresh);
	errno = saved;
	return rc;
}

int lxfw_whole_file_write(const char *path, const char *bytes, size_t length)
{
	struct stat status;

	if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) {
		errno = EEXIST;
		return -1;
	}
	return replace(path, bytes, length, &(struct manner){ 0600, true });
}

int lxfw_whole_file_show(const char *path, const char *bytes, size_t length)
{
	struct stat status;

	if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		errno = EEXIST;
		return -1;
	}
	return replace(path, bytes, length, &(struct manner){ 0644, false });
}
