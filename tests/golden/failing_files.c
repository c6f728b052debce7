/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library for faults.sh, preloaded into the command: one call that writes, synchronizes,
 * closes or renames a file fails, as on a full or broken disk, or on NFS, where errors of writes
 * come late.
 *
 *	LXFW_FAULT_FOLDER=DIR	files below this folder only
 *	LXFW_FAULT_AT=N		the Nth call fails; 0 or unset: none
 *	LXFW_FAULT_ERRNO=N	with this number; ENOSPC writes a part first
 *	LXFW_FAULT_COUNT=FILE	the number of calls is written there at the end
 */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long calls;

static long number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 10) : 0;
}

static bool is_below(const char *path)
{
	const char *folder = getenv("LXFW_FAULT_FOLDER");
	size_t length = folder ? strlen(folder) : 0;

	return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* Whether FILE is a regular one below the folder that can be written. */
static bool is_file(int file)
{
	char name[64], path[4096];
	struct stat status;
	ssize_t length;
	int flags = fcntl(file, F_GETFL);

	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY || fstat(file, &status) ||
	    !S_ISREG(status.st_mode))
		return false;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", file);
	length = readlink(name, path, sizeof(path) - 1);
	path[length > 0 ? length : 0] = '\0';
	return is_below(path);
}

/* Counts a call. Returns true, with errno set, if it must fail. */
static bool fails(void)
{
	if (atomic_fetch_add(&calls, 1) + 1 != number("LXFW_FAULT_AT"))
		return false;
	errno = (int)number("LXFW_FAULT_ERRNO");
	return true;
}

#define REAL(name, type, ...) ((type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

ssize_t write(int file, const void *bytes, size_t length)
{
	ssize_t (*real)(int, const void *, size_t) =
		REAL("write", ssize_t, int, const void *, size_t);

	if (!is_file(file) || !fails())
		return real(file, bytes, length);
	if (errno == ENOSPC && length > 1) {
		(void)!real(file, bytes, length / 2);
		errno = ENOSPC;
	}
	return -1;
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at)
{
	return is_file(file) && fails() ? -1 :
	       REAL("pwrite64", ssize_t, int, const void *, size_t, off64_t)(file, bytes, length, at);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t at)
{
	return is_file(file) && fails() ? -1 :
	       REAL("pwrite", ssize_t, int, const void *, size_t, off_t)(file, bytes, length, at);
}

int fsync(int file)
{
	return is_file(file) && fails() ? -1 : REAL("fsync", int, int)(file);
}

int fdatasync(int file)
{
	return is_file(file) && fails() ? -1 : REAL("fdatasync", int, int)(file);
}

int ftruncate64(int file, off64_t length)
{
	return is_file(file) && fails() ? -1 :
	       REAL("ftruncate64", int, int, off64_t)(file, length);
}

int ftruncate(int file, off_t length)
{
	return is_file(file) && fails() ? -1 : REAL("ftruncate", int, int, off_t)(file, length);
}

int fchmod(int file, mode_t mode)
{
	return is_file(file) && fails() ? -1 : REAL("fchmod", int, int, mode_t)(file, mode);
}

/* The file is closed even so, as the kernel does. */
int close(int file)
{
	bool bad = is_file(file) && fails();
	int why = errno, result = REAL("close", int, int)(file);

	if (!bad)
		return result;
	errno = why;
	return -1;
}

int fclose(FILE *stream)
{
	bool bad = is_file(fileno(stream)) && fails();
	int why = errno, result = REAL("fclose", int, FILE *)(stream);

	if (!bad)
		return result;
	errno = why;
	return EOF;
}

int rename(const char *from, const char *to)
{
	return is_below(to) && fails() ? -1 :
	       REAL("rename", int, const char *, const char *)(from, to);
}

int mkstemp(char *name)
{
	return is_below(name) && fails() ? -1 : REAL("mkstemp", int, char *)(name);
}

static void __attribute__((destructor)) tell(void)
{
	const char *path = getenv("LXFW_FAULT_COUNT");
	char text[32];
	int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
	int length = snprintf(text, sizeof(text), "%ld\n", atomic_load(&calls));

	if (file < 0)
		return;
	(void)!REAL("write", ssize_t, int, const void *, size_t)(file, text, (size_t)length);
	REAL("close", int, int)(file);
}
