/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "plugins/agent/journal_old.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/util/grow.h"

/* Length of "20261122T105016Z". */
#define STAMP_LENGTH 16

struct stamp {
	char text[STAMP_LENGTH + 1];
};

/* The old segments of one journal, sorted by name. */
struct segments {
	const char *base;	/* file name of the journal */
	DIR *directory;
	struct stamp *stamps;
	size_t count, size;
};

/* Returns false for a year of more than four digits. */
static bool put_stamp(struct stamp *stamp, int64_t seconds)
{
	time_t time = seconds;
	struct tm date;

	return gmtime_r(&time, &date) &&
	       strftime(stamp->text, sizeof(stamp->text), "%Y%m%dT%H%M%SZ",
			&date) == STAMP_LENGTH;
}

/* Converts TEXT to seconds since 1970. Returns false unless TEXT is a time stamp. */
static bool get_stamp(const char *text, int64_t *seconds)
{
	struct tm date = { 0 };
	struct stamp again;

	if (sscanf(text, "%4d%2d%2dT%2d%2d%2d", &date.tm_year, &date.tm_mon,
		   &date.tm_mday, &date.tm_hour, &date.tm_min,
		   &date.tm_sec) != 6)
		return false;
	date.tm_year -= 1900;
	date.tm_mon--;
	*seconds = timegm(&date);
	return put_stamp(&again, *seconds) && strcmp(again.text, text) == 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct stamp *)a)->text,
		      ((const struct stamp *)b)->text);
}

static int enter(struct segments *segments, const char *name)
{
	size_t length = strlen(segments->base);
	int64_t seconds;

	if (strncmp(name, segments->base, length) != 0 || name[length] != '.' ||
	    !get_stamp(name + length + 1, &seconds))
		return 0;
	if (LXFW_GROW(segments->stamps, segments->size, segments->count + 1))
		return -1;
	strcpy(segments->stamps[segments->count++].text, name + length + 1);
	return 0;
}

static void forget(struct segments *segments)
{
	int saved = errno;

	free(segments->stamps);
	if (segments->directory)
		closedir(segments->directory);
	errno = saved;
}

/* Returns 0, or -1 with errno set. Call forget() in either case. */
static int find(struct segments *segments, const char *path)
{
	const char *slash = strrchr(path, '/');
	const struct dirent *entry;
	char *directory;

	*segments = (struct segments){ .base = slash + 1 };
	directory = slash == path ? strdup("/") :
				    strndup(path, (size_t)(slash - path));
	if (!directory)
		return -1;
	segments->directory = opendir(directory);
	free(directory);
	if (!segments->directory)
		return -1;
	while ((errno = 0, entry = readdir(segments->directory))) {
		if (enter(segments, entry->d_name) < 0)
			return -1;
	}
	if (errno)
		return -1;
	if (segments->count > 1)
		qsort(segments->stamps, segments->count,
		      sizeof(*segments->stamps), compare);
	return 0;
}

/* Returns the file name of an old segment, which the caller frees, or NULL with errno
   set. */
static char *name_of(const struct segments *segments,
		     const struct stamp *stamp)
{
	char *name;

	if (asprintf(&name, "%s.%s", segments->base, stamp->text) >= 0)
		return name;
	errno = ENOMEM;
	return NULL;
}

static int add(const struct segments *segments, int64_t now)
{
	int64_t latest;
	struct stamp stamp;
	int result, directory = dirfd(segments->directory);
	char *name;

	if (segments->count > 0 &&
	    get_stamp(segments->stamps[segments->count - 1].text, &latest) &&
	    now <= latest)
		now = latest + 1;
	if (!put_stamp(&stamp, now)) {
		errno = EOVERFLOW;
		return -1;
	}
	name = name_of(segments, &stamp);
	if (!name)
		return -1;
	result = renameat(directory, segments->base, directory, name);
	free(name);
	return result;
}

int lxfw_journal_old_add(const char *path, int64_t now)
{
	struct segments segments;
	int result = find(&segments, path);

	if (result == 0)
		result = add(&segments, now);
	forget(&segments);
	return result;
}

/* Removes a segment. Directories and symbolic links are left alone. */
static int drop(const struct segments *segments, const struct stamp *stamp)
{
	char *name = name_of(segments, stamp);
	int result = -1, directory = dirfd(segments->directory);
	struct stat status;

	if (!name)
		return -1;
	if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
		result = S_ISREG(status.st_mode) ?
				 unlinkat(directory, name, 0) : 0;
	if (result < 0 && errno == ENOENT)
		result = 0;
	free(name);
	return result;
}

int lxfw_journal_old_drop(const char *path, int64_t keep)
{
	struct segments segments;
	int result = find(&segments, path);

	for (size_t i = 0; result == 0 && i < segments.count &&
	     (int64_t)(segments.count - i) > keep; i++)
		result = drop(&segments, &segments.stamps[i]);
	forget(&segments);
	return result;
}
