/* SPDX-License-Identifier: GPL-2.0-or-later */
#undef write
#undef close
#include "tests/unit/failing_calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int left, error_given;
static bool failed;

void calls_arm(int nth, int why)
{
	left = nth;
	error_given = why;
	failed = false;
}

bool calls_disarm(void)
{
	left = 0;
	return failed;
}

/* True if this call must fail. */
static bool turn(void)
{
	if (left == 0 || --left > 0)
		return false;
	failed = true;
	errno = error_given;
	return true;
}

bool calls_fail(void)
{
	return error_given != 0 && turn();
}

ssize_t calls_write(int file, const void *bytes, size_t length)
{
	bool fails = turn();

	if (fails && error_given)
		return -1;
	/* This has no effect on anything but a file. */
	if (lseek(file, 0, SEEK_CUR) == 0)
		(void)!ftruncate(file, 0);
	return write(file, bytes, fails ? length / 2 : length);
}

int calls_closing(int flags, ...)
{
	if (!(flags & O_CLOEXEC))
		abort();
	return flags;
}

/* The thread of the sanitizer opens this file occasionally. */
static bool is_watch(const char *target)
{
	const char *name = strrchr(target, '/');

	return name && strcmp(name, "/statm") == 0;
}

int calls_open_files(void)
{
	DIR *list = opendir("/proc/self/fd");
	const struct dirent *entry;
	char target[256];
	ssize_t length;
	int count = 0, why = errno;

	if (!list)
		abort();
	while ((entry = readdir(list))) {
		length = readlinkat(dirfd(list), entry->d_name, target,
				    sizeof(target) - 1);
		target[length > 0 ? length : 0] = '\0';
		count += length > 0 && !is_watch(target);
	}
	closedir(list);
	errno = why;
	return count;
}

int calls_close(int file)
{
	int result = close(file);

	return calls_fail() ? -1 : result;
}
