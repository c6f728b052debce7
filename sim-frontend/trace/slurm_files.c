/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/slurm_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/util/text.h"

/* --- files -------------------------------------------------------------------------- */

static int copy(struct lxfw_slurm_text *to, const struct lxfw_slurm_text *from)
{
	to->at = malloc(from->length + 1);
	if (!to->at)
		return -1;
	if (from->length > 0)
		memcpy(to->at, from->at, from->length);
	to->at[from->length] = '\0';
	to->length = from->length;
	return 0;
}

size_t lxfw_slurm_mark(const struct lxfw_slurm_text *text)
{
	size_t length = strlen(LXFW_INPUT_MARK);

	if (text->length < length || memcmp(text->at, LXFW_INPUT_MARK, length) != 0)
		return 0;
	return length;
}

static int read_text(struct lxfw_slurm_text *to, const char *path, bool *returns,
		     struct lxfw_error *error)
{
	struct lxfw_input *input;
	size_t size = 0, length;
	struct stat status;
	char *line;
	int got;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		lxfw_error_at(error, path, 0, "is a directory, expected a file");
		errno = EISDIR;
		return -1;
	}
	input = lxfw_input_open(path, error);
	if (!input)
		return -1;
	while ((got = lxfw_input_line(input, &line, &length, error)) > 0) {
		if (LXFW_GROW(to->at, size, to->length + strlen(LXFW_INPUT_MARK) + length + 1)) {
			got = lxfw_error_system(error, path);
			break;
		}
		*returns = (to->length == 0 || *returns) && lxfw_input_returned(input);
		if (to->length == 0 && lxfw_input_marked(input)) {
			to->length = strlen(LXFW_INPUT_MARK);
			memcpy(to->at, LXFW_INPUT_MARK, to->length);
		}
		memcpy(to->at + to->length, line, length);
		to->length += length;
		to->at[to->length++] = '\n';
	}
	lxfw_input_close(input);
	return got;
}

static void clear_file(struct lxfw_slurm_file *file)
{
	free(file->path);
	free(file->was.at);
	free(file->now.at);
}

static struct lxfw_slurm_file *load(struct lxfw_slurm_files *files, const char *path,
				    struct lxfw_error *error)
{
	struct lxfw_slurm_file file = { .path = strdup(path) };
	int result = read_text(&file.was, path, &file.returns, error);

	if (result == 0 && (!file.path || LXFW_GROW(files->items, files->size, files->count + 1) ||
			    copy(&file.now, &file.was)))
		result = lxfw_error_system(error, path);
	if (result) {
		int saved = errno;

		clear_file(&file);
		errno = saved;
		return NULL;
	}
	files->items[files->count] = file;
	return &files->items[files->count++];
}

struct lxfw_slurm_file *lxfw_slurm_files_find(const struct lxfw_slurm_files *files,
					      const char *path)
{
	for (size_t i = 0; i < files->count; i++) {
		if (strcmp(files->items[i].path, path) == 0)
			return &files->items[i];
	}
	return NULL;
}

struct lxfw_input *lxfw_slurm_files_open(struct lxfw_slurm_files *files, const char *path,
					 struct lxfw_error *error)
{
	struct lxfw_slurm_file *file = lxfw_slurm_files_find(files, path);

	if (!file)
		file = load(files, path, error);
	return file ? lxfw_input_bytes(path, file->now.at, file->now.length, error) : NULL;
}

void lxfw_slurm_files_clear(struct lxfw_slurm_files *files)
{
	int saved = errno;

	for (size_t i = 0; i < files->count; i++)
		clear_file(&files->items[i]);
	lxfw_slurm_files_begin(files);
	free(files->items);
	free(files->includes);
	*files = (struct lxfw_slurm_files) { 0 };
	errno = saved;
}

/* --- Include ------------------------------------------------------------------------- */

void lxfw_slurm_files_begin(struct lxfw_slurm_files *files)
{
	for (size_t i = 0; i < files->include_count; i++) {
		free(files->includes[i].from);
		free(files->includes[i].path);
	}
	files->include_count = 0;
}

int lxfw_slurm_files_included(struct lxfw_slurm_files *files, const char *from, long line,
			      const char *path)
{
	struct lxfw_slurm_include *include;

	if (LXFW_GROW(files->includes, files->include_size, files->include_count + 1))
		return -1;
	include = &files->includes[files->include_count++];
	*include = (struct lxfw_slurm_include) { strdup(from), line, strdup(path) };
	return include->from && include->path ? 0 : -1;
}

/* Whether the file at PATH or one that it includes was changed. The reader limits the depth. */
static bool any_changed(const struct lxfw_slurm_files *files, const char *path)
{
	const struct lxfw_slurm_file *file = lxfw_slurm_files_find(files, path);
	bool changed = file && lxfw_slurm_file_changed(file);

	for (size_t i = 0; i < files->include_count && !changed; i++)
		changed = strcmp(files->includes[i].from, path) == 0 &&
			  any_changed(files, files->includes[i].path);
	return changed;
}

static const char *included_on(const struct lxfw_slurm_files *files, const char *from, long line)
{
	for (size_t i = 0; i < files->include_count; i++) {
		if (files->includes[i].line == line &&
		    strcmp(files->includes[i].from, from) == 0)
			return files->includes[i].path;
	}
	return NULL;
}

/* Prints the Include line from AT to END, which includes PATH. */
static void print_include(const struct lxfw_slurm_files *files, const char *at, const char *end,
			  const char *path, FILE *out)
{
	char *whole = files->elsewhere ? realpath(path, NULL) : NULL;
	size_t length = (size_t)(end - at);

	if (whole && !memmem(at, length, whole, strlen(whole)))
		fprintf(out, "Include %s\n", whole);
	else
		fwrite(at, 1, length, out);
	free(whole);
}

void lxfw_slurm_files_print(const struct lxfw_slurm_files *files,
			    const struct lxfw_slurm_file *file, FILE *out)
{
	const char *at = file->now.at, *last = at + file->now.length;

	for (long number = 1; at < last; number++) {
		const char *end = memchr(at, '\n', (size_t)(last - at));
		const char *path = included_on(files, file->path, number);

		end = end ? end + 1 : last;
		if (path && any_changed(files, path)) {
			fprintf(out, "# The lines of %s, corrected:\n", path);
			lxfw_slurm_files_print(files, lxfw_slurm_files_find(files, path), out);
		} else if (path) {
			print_include(files, at, end, path, out);
		} else {
			fwrite(at, 1, (size_t)(end - at), out);
		}
		at = end;
	}
}

bool lxfw_slurm_file_changed(const struct lxfw_slurm_file *file)
{
	return file->was.length != file->now.length ||
	       (file->was.length > 0 &&
		memcmp(file->was.at, file->now.at, file->was.length) != 0);
}
