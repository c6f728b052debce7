/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "plugins/agent/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_and_sync(int descriptor, const char *text, size_t length)
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
	return fsync(descriptor);
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

/* Writes the contents to the file FRESH and synchronizes it. */
static int write_fresh(const char *fresh, const char *bytes, size_t length)
{
	int descriptor = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC |
				     O_NOFOLLOW, 0600);
	int rc, saved;

	if (descriptor < 0)
		return -1;
	rc = write_and_sync(descriptor, bytes, length);
	saved = errno;
	if (close(descriptor) < 0)
		return -1;
	errno = saved;
	return rc;
}

int lxfw_whole_file_write(const char *path, const char *bytes, size_t length)
{
	char *fresh;
	int rc, saved;

	if (asprintf(&fresh, "%s.new", path) < 0)
		return -1;
	rc = write_fresh(fresh, bytes, length);
	if (rc == 0)
		rc = rename(fresh, path);
	saved = errno;
	if (rc == 0)
		sync_folder(path);
	free(fresh);
	errno = saved;
	return rc;
}
