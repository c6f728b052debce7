/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/guarded.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim-frontend/util/text.h"

/* Reads up to SIZE bytes. Returns their number, or -1 with errno set. */
static ssize_t read_all(int file, char *text, size_t size)
{
	size_t length = 0;

	while (length < size) {
		ssize_t got = read(file, text + length, size - length);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		length += (size_t)got;
	}
	return (ssize_t)length;
}

/* Returns an open file that is safe to read, or -1 with errno and ERROR set. */
static int open_file(const char *path, size_t max, size_t *size, struct lxfw_error *error)
{
	int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat about;

	if (file < 0)
		return lxfw_error_system(error, path);
	if (fstat(file, &about))
		lxfw_error_system(error, path);
	else if (!S_ISREG(about.st_mode))
		lxfw_error_at(error, path, 0, "not a regular file");
	else if (about.st_mode & S_IWOTH)
		lxfw_error_at(error, path, 0, "writable by everyone");
	else if (about.st_size > (off_t)max)
		lxfw_error_at(error, path, 0, "more than %zu bytes", max);
	else {
		*size = (size_t)about.st_size;
		return file;
	}
	close(file);
	return -1;
}

char *lxfw_guarded_read(const char *path, size_t max, size_t *length, struct lxfw_error *error)
{
	int file = open_file(path, max, length, error);
	char *text = file < 0 ? NULL : malloc(*length + 1);
	ssize_t got;

	if (file < 0)
		return NULL;
	got = text ? read_all(file, text, *length) : -1;
	if (got < 0) {
		lxfw_error_system(error, path);
		free(text);
		text = NULL;
	} else {
		text[got] = '\0';
		*length = (size_t)got;
	}
	close(file);
	return text;
}
