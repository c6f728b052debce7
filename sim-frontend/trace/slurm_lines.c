/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/slurm_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/slurm_files.h"
#include "sim-frontend/util/text.h"

#define INCLUDES_MAX 8
#define KEYS_MAX LXFW_SLURM_KEYS_MAX
#define CLUSTER_NAME_SIZE 128

struct reading {
	struct lxfw_slurm_files *files;	/* NULL: the files are read from the disk */
	lxfw_slurm_line_fn *take;
	void *context;
	int depth;
	char cluster[CLUSTER_NAME_SIZE];	/* ClusterName, "" until its line */
};

bool lxfw_slurm_is(struct lxfw_slice text, const char *word)
{
	return strlen(word) == text.length && (text.length == 0 ||
		strncasecmp(text.at, word, text.length) == 0);
}

int lxfw_slurm_time(struct lxfw_slice text, int64_t *seconds)
{
	/* `each` is the number of seconds per unit of each number of the format. */
	static const struct {
		const char *format;
		int64_t each[4];
	} forms[] = {
		{ "0", { 60 } },
		{ "0:0", { 60, 1 } },
		{ "0:0:0", { 3600, 60, 1 } },
		{ "0-0", { 86400, 3600 } },
		{ "0-0:0", { 86400, 3600, 60 } },
		{ "0-0:0:0", { 86400, 3600, 60, 1 } },
	};

	if (lxfw_slurm_is(text, "UNLIMITED") || lxfw_slurm_is(text, "INFINITE") ||
	    lxfw_slurm_is(text, "-1")) {
		*seconds = LXFW_SLURM_UNLIMITED;
		return 0;
	}
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		int64_t numbers[4] = { 0 };

		if (!lxfw_slice_numbers(text, forms[i].format, numbers))
			continue;
		*seconds = 0;
		for (int j = 0; j < 4; j++)
			*seconds += numbers[j] * forms[i].each[j];
		return 0;
	}
	errno = EINVAL;
	return -1;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

int lxfw_slurm_split(char *line, size_t length, struct lxfw_slurm_pair *pairs,
		     struct lxfw_error *wrong)
{
	char *at = line, *end = line + length;
	int count = 0;

	for (;;) {
		struct lxfw_slurm_pair *pair = &pairs[count];
		char *begin, quoted[40];

		while (at < end && is_blank(*at))
			at++;
		if (at == end)
			return count;
		if (count == KEYS_MAX)
			return lxfw_error_format(wrong,
				"more than %d keys on a line", KEYS_MAX);
		for (begin = at; at < end && *at != '=' && !is_blank(*at); at++)
			;
		pair->key = (struct lxfw_slice) { begin, (size_t)(at - begin) };
		while (at < end && is_blank(*at))
			at++;
		/* "Include FILE" is the only key without '=' */
		if (at < end && *at == '=')
			at++;
		else if (!lxfw_slurm_is(pair->key, "include"))
			return lxfw_error_format(wrong,
				"'%s', expected KEY=VALUE",
				lxfw_text_quote(quoted, sizeof(quoted), begin,
						pair->key.length));
		while (at < end && is_blank(*at))
			at++;
		if (at < end && *at == '"') {
			begin = ++at;
			while (at < end && *at != '"')
				at++;
			if (at == end)
				return lxfw_error_format(wrong,
					"unterminated '\"'");
			pair->value = (struct lxfw_slice) { begin,
						      (size_t)(at++ - begin) };
		} else {
			for (begin = at; at < end && !is_blank(*at); at++)
				;
			pair->value = (struct lxfw_slice) { begin,
						      (size_t)(at - begin) };
		}
		count++;
	}
}

static int read_lines(struct reading *reading, struct lxfw_input *input, const char *path,
		      struct lxfw_error *error);

static struct lxfw_input *open_file(struct reading *reading, const char *path,
				    struct lxfw_error *error)
{
	return reading->files ? lxfw_slurm_files_open(reading->files, path, error) :
				lxfw_input_open(path, error);
}

/*
 * Returns the path of an included file, which the caller frees: %c is the name of the
 * cluster, and relative names are searched in the directory of the including file. Returns
 * NULL with errno and WRONG set.
 */
static char *included_path(const struct reading *reading, struct lxfw_slice name,
			   const char *from, struct lxfw_error *wrong)
{
	const char *slash = strrchr(from, '/');
	const char *mark = memmem(name.at, name.length, "%c", 2);
	size_t before = mark ? (size_t)(mark - name.at) : name.length;
	int directory = name.length == 0 || *name.at == '/' || !slash ? 0 :
			(int)(slash + 1 - from);
	char *path;

	if (mark && !*reading->cluster) {
		lxfw_error_format(wrong, "%%c in Include before a ClusterName line");
		return NULL;
	}
	if (asprintf(&path, "%.*s%.*s%s%.*s", directory, from, (int)before, name.at,
		     mark ? reading->cluster : "",
		     mark ? (int)(name.length - before - 2) : 0, mark ? mark + 2 : "") < 0) {
		lxfw_error_format(wrong, "out of memory");
		return NULL;
	}
	return path;
}

static int take_include(struct reading *reading, struct lxfw_slice name,
			const char *path, long line, struct lxfw_error *error)
{
	struct lxfw_input *input;
	struct lxfw_error wrong;
	char *included;
	int result;

	if (reading->depth == INCLUDES_MAX)
		return lxfw_error_at(error, path, line,
			"Include in Include more than %d deep", INCLUDES_MAX);
	included = included_path(reading, name, path, &wrong);
	if (!included)
		return lxfw_error_at(error, path, line, "%s", wrong.text);
	if (reading->files && lxfw_slurm_files_included(reading->files, path, line, included)) {
		free(included);
		return lxfw_error_at(error, path, line, "out of memory");
	}
	input = lxfw_input_may_block(included, &wrong) ? NULL :
		open_file(reading, included, &wrong);
	reading->depth++;
	result = input ? read_lines(reading, input, included, error) :
			 lxfw_error_at(error, path, line, "Include %s", wrong.text);
	reading->depth--;
	free(included);
	return result;
}

static void note_cluster(struct reading *reading, const struct lxfw_slurm_line *line)
{
	for (int i = 0; i < line->count; i++) {
		if (lxfw_slurm_is(line->pairs[i].key, "ClusterName"))
			snprintf(reading->cluster, sizeof(reading->cluster), "%.*s",
				 (int)line->pairs[i].value.length, line->pairs[i].value.at);
	}
}

static int take_line(struct reading *reading, char *text, size_t length,
		     const char *path, long number, struct lxfw_error *error)
{
	struct lxfw_slurm_pair pairs[KEYS_MAX];
	struct lxfw_slurm_line line = { path, number, pairs, 0 };
	struct lxfw_error wrong;

	line.count = lxfw_slurm_split(text, length, pairs, &wrong);
	if (line.count == 0)
		return 0;
	if (line.count > 0 && lxfw_slurm_is(pairs[0].key, "include"))
		return take_include(reading, pairs[0].value, path, number,
				    error);
	if (line.count > 0)
		note_cluster(reading, &line);
	if (line.count < 0 || reading->take(reading->context, &line, &wrong))
		return lxfw_error_at(error, path, number, "%s", wrong.text);
	return 0;
}

size_t lxfw_slurm_cut_comment(char *line, size_t length)
{
	size_t to = 0;

	for (size_t i = 0; i < length; i++) {
		if (line[i] == '#')
			break;
		if (line[i] == '\\' && i + 1 < length && line[i + 1] == '#')
			i++;
		line[to++] = line[i];
	}
	return to;
}

bool lxfw_slurm_continues(const char *line, size_t *length)
{
	size_t end = *length, begin;

	while (end > 0 && is_blank(line[end - 1]))
		end--;
	for (begin = end; begin > 0 && line[begin - 1] == '\\'; begin--)
		;
	if ((end - begin) % 2 == 0)
		return false;
	*length = end - 1;
	return true;
}

/* Reads INPUT, the file at PATH, and closes it. */
static int read_lines(struct reading *reading, struct lxfw_input *input, const char *path,
		      struct lxfw_error *error)
{
	char *line, *logical = NULL;
	size_t length, used = 0, size = 0;
	long first = 0;
	int got;

	while ((got = lxfw_input_line(input, &line, &length, error)) > 0) {
		bool continued;

		if (memchr(line, '\0', length)) {
			got = lxfw_error_at(error, path, lxfw_input_line_number(input),
					    "a NUL byte, expected text");
			break;
		}
		length = lxfw_slurm_cut_comment(line, length);
		continued = lxfw_slurm_continues(line, &length);
		if (LXFW_GROW(logical, size, used + length + 1)) {
			got = lxfw_error_system(error, path);
			break;
		}
		memcpy(logical + used, line, length);
		used += length;
		if (first == 0)
			first = lxfw_input_line_number(input);
		if (continued)
			continue;
		if (take_line(reading, logical, used, path, first, error)) {
			got = -1;
			break;
		}
		used = 0;
		first = 0;
	}
	if (got == 0 && used > 0)
		got = take_line(reading, logical, used, path, first, error);
	free(logical);
	lxfw_input_close(input);
	return got;
}

int lxfw_slurm_lines_in(struct lxfw_slurm_files *files, const char *path,
			lxfw_slurm_line_fn *take, void *context, struct lxfw_error *error)
{
	struct reading reading = { .files = files, .take = take, .context = context };
	struct lxfw_input *input;

	if (files)
		lxfw_slurm_files_begin(files);
	input = open_file(&reading, path, error);
	return input ? read_lines(&reading, input, path, error) : -1;
}

int lxfw_slurm_lines(const char *path, lxfw_slurm_line_fn *take, void *context,
		     struct lxfw_error *error)
{
	return lxfw_slurm_lines_in(NULL, path, take, context, error);
}

int lxfw_slurm_words(const char *line, size_t length, lxfw_slurm_word_fn *take,
		     void *context, struct lxfw_error *wrong)
{
	const char *at = line, *end = line + length;

	while (at < end) {
		const char *word, *equals;
		int result;

		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		for (word = at; at < end && *at != ' ' && *at != '\t'; at++)
			;
		equals = memchr(word, '=', (size_t)(at - word));
		if (!equals)
			continue;
		result = take(context, (struct lxfw_slice) {
				      word, (size_t)(equals - word) },
			      (struct lxfw_slice) {
				      equals + 1, (size_t)(at - equals - 1) },
			      wrong);
		if (result)
			return result < 0 ? -1 : 0;
	}
	return 0;
}
