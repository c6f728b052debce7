/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/journals.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/util/grow.h"
#include "sim-frontend/cmd/cmd.h"

#define DIGITS "0123456789"

void lxfw_journals_clear(struct lxfw_journals *journals)
{
	for (size_t i = 0; i < journals->count; i++)
		free(journals->paths[i]);
	free(journals->paths);
	*journals = (struct lxfw_journals) { 0 };
}

/* Takes ownership of PATH, which may be NULL. */
static int add(struct lxfw_journals *journals, char *path)
{
	char **paths = path ? lxfw_grow(journals->paths, &journals->size,
					journals->count + 1, sizeof(*paths)) :
			      NULL;

	if (!paths) {
		free(path);
		return -1;
	}
	journals->paths = paths;
	paths[journals->count++] = path;
	return 0;
}

static void leave_out(struct lxfw_journals *journals, size_t index)
{
	free(journals->paths[index]);
	journals->count--;
	memmove(journals->paths + index, journals->paths + index + 1,
		(journals->count - index) * sizeof(*journals->paths));
}

/* Returns whether NAME is the name of a rotated file of the journal BASE. */
static bool is_old(const char *name, const char *base)
{
	size_t length = strlen(base);

	if (strncmp(name, base, length) != 0 ||
	    (name[length] != '.' && name[length] != '-'))
		return false;
	name += length + 1;
	if (!strchr(DIGITS, *name) || !*name)
		return false;
	name += strspn(name, DIGITS "TZ-");
	return *name == '\0' || strcmp(name, ".gz") == 0;
}

static bool is_file(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the files that are rotated files of PATH by their names. */
static int add_old(struct lxfw_journals *journals, const char *path)
{
	const char *slash = strrchr(path, '/');
	int length = slash ? (int)(slash - path) + 1 : 0;
	const char *base = path + length;
	char *name = length ? strndup(path, (size_t)length) : strdup(".");
	DIR *directory = name ? opendir(name) : NULL;
	const struct dirent *entry;
	int result = name ? 0 : -1;

	free(name);
	/* If the directory cannot be read, the file itself may still be readable. */
	while (directory && result == 0 && (entry = readdir(directory))) {
		if (!is_old(entry->d_name, base))
			continue;
		if (asprintf(&name, "%.*s%s", length, path, entry->d_name) < 0)
			name = NULL;
		if (name && !is_file(name))
			free(name);
		else
			result = add(journals, name);
	}
	if (directory)
		closedir(directory);
	if (journals->count > 1)
		qsort(journals->paths, journals->count,
		      sizeof(*journals->paths), by_name);
	return result;
}

/* A file and the time at which it begins. */
struct begin {
	char *path;
	int64_t time;
	size_t index;
};

static int by_time(const void *left, const void *right)
{
	const struct begin *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* Determines when each file begins. Of the first OLD files, those that are not
   journals are removed. Files that can be read only once are not examined. */
static void look(struct lxfw_journals *journals, size_t old,
		 struct begin *begins)
{
	struct lxfw_error error;
	size_t i = 0;

	while (i < journals->count) {
		char *path = journals->paths[i];
		int got = -1;

		begins[i] = (struct begin) { path, INT64_MIN, i };
		if (is_file(path))
			got = lxfw_journal_first(path, &begins[i].time, &error);
		if ((got < 0 && i < old) || (got == 0 && journals->count > 1)) {
			if (got < 0)
				lxfw_cmd_note("%s; left out", error.text);
			else
				lxfw_cmd_note("%s: empty, left out", path);
			leave_out(journals, i);
			old -= i < old;
		} else {
			i++;
		}
	}
}

/* Sorts the files by time, if the times of all are known. */
static int sort(struct lxfw_journals *journals, size_t old)
{
	struct begin *begins = calloc(journals->count, sizeof(*begins));
	bool known = true;

	if (!begins)
		return -1;
	look(journals, old, begins);
	for (size_t i = 0; i < journals->count; i++)
		known &= begins[i].time != INT64_MIN;
	if (known)
		qsort(begins, journals->count, sizeof(*begins), by_time);
	for (size_t i = 0; i < journals->count; i++)
		journals->paths[i] = begins[i].path;
	free(begins);
	return 0;
}

int lxfw_journals_find(struct lxfw_journals *journals, char *const *given,
		       int count, bool alone)
{
	int result = 0;
	size_t old;

	*journals = (struct lxfw_journals) { 0 };
	if (count == 1 && !alone)
		result = add_old(journals, given[0]);
	old = journals->count;
	for (int i = 0; i < count && result == 0; i++)
		result = add(journals, strdup(given[i]));
	if (result == 0 && journals->count > 1)
		result = sort(journals, old);
	if (result)
		lxfw_cmd_note("out of memory");
	return result;
}

void lxfw_journals_note(const char *path,
			const struct lxfw_journal_reach *reach)
{
	if (reach->passed_over > 0)
		lxfw_cmd_note("%s: %zu byte%s of truncated records are left "
			      "out", path, reach->passed_over,
			      reach->passed_over == 1 ? "" : "s");
	if (reach->taken < reach->length)
		lxfw_cmd_note("%s: truncated after %zu of %zu bytes, read up "
			      "to that point", path, reach->taken, reach->length);
}
