/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE 1
#include "tests/fuzz/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static char path[4096];

/* Files in memory are fast. A fuzzer writes the file many times. */
#ifdef __linux__

static int open_file(void)
{
	int descriptor = memfd_create("lxfw-fuzz", MFD_CLOEXEC);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
	return descriptor;
}

#else

static void remove_file(void)
{
	unlink(path);
}

static int open_file(void)
{
	const char *folder = getenv("TMPDIR");
	int descriptor;

	snprintf(path, sizeof(path), "%s/lxfw-fuzz-XXXXXX",
		 folder ? folder : "/tmp");
	descriptor = mkstemp(path);
	if (descriptor >= 0)
		atexit(remove_file);
	return descriptor;
}

#endif

const char *fuzz_file(const uint8_t *data, size_t size)
{
	static int descriptor = -1;

	if (descriptor < 0)
		descriptor = open_file();
	if (descriptor < 0 || ftruncate(descriptor, 0) < 0) {
		perror("fuzz_file");
		return NULL;
	}
	for (size_t at = 0; at < size;) {
		ssize_t written = pwrite(descriptor, data + at, size - at,
					 (off_t)at);

		if (written <= 0) {
			perror("fuzz_file");
			return NULL;
		}
		at += (size_t)written;
	}
	return path;
}
