/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of a slurm.conf in memory, see slurm_files.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/slurm_files.h"
#include "sim-frontend/trace/slurm_lines.h"

/* --- logical lines -------------------------------------------------------------------- */

/* A logical line: its text without comments and ends of lines, and where each byte of it is
   in the file. */
struct logical {
	char *text;
	size_t *places;
	size_t length;
	size_t begin, end;	/* of its physical lines in the file */
	size_t tail;		/* after its last byte in the file */
	struct lxfw_slurm_pair pairs[LXFW_SLURM_KEYS_MAX];
	int count;		/* -1: not valid */
};

static void clear_logical(struct logical *line)
{
	free(line->text);
	free(line->places);
}

/* Adds the physical line at FROM. Returns whether the next line continues it. */
static bool add_physical(struct logical *line, const struct lxfw_slurm_text *file, size_t from)
{
	size_t end = line->end, begin = line->length, added;
	bool continued;

	while (end > from && (file->at[end - 1] == '\n' || file->at[end - 1] == '\r'))
		end--;
	if (from == 0)
		from = lxfw_slurm_mark(file);
	for (size_t i = from; i < end && file->at[i] != '#'; i++) {
		if (file->at[i] == '\\' && i + 1 < end && file->at[i + 1] == '#')
			i++;
		line->places[line->length] = i;
		line->text[line->length++] = file->at[i];
	}
	added = line->length - begin;
	continued = lxfw_slurm_continues(line->text + begin, &added);
	line->length = begin + added;
	return continued;
}

/* Reads the logical line at offset BEGIN. The caller clears *LINE. Returns 0, or -1 with errno
   ENOMEM. */
static int read_logical(struct logical *line, const struct lxfw_slurm_text *file, size_t begin)
{
	size_t left = file->length - begin;
	struct lxfw_error wrong;
	bool more = true;

	line->text = malloc(left + 1);
	line->places = malloc((left + 1) * sizeof(*line->places));
	line->length = 0;
	line->count = 0;
	line->begin = line->end = begin;
	if (!line->text || !line->places)
		return -1;
	while (more && line->end < file->length) {
		size_t from = line->end;
		const char *end = memchr(file->at + from, '\n', file->length - from);

		line->end = end ? (size_t)(end + 1 - file->at) : file->length;
		more = add_physical(line, file, from);
	}
	line->text[line->length] = '\0';
	line->tail = line->length > 0 ? line->places[line->length - 1] + 1 : line->begin;
	line->count = lxfw_slurm_split(line->text, line->length, line->pairs, &wrong);
	return 0;
}

/* Returns the offset of line NUMBER, from 1, or the length of the file. */
static size_t line_offset(const struct lxfw_slurm_text *file, long number)
{
	size_t at = 0;

	while (number-- > 1 && at < file->length) {
		const char *end = memchr(file->at + at, '\n', file->length - at);

		at = end ? (size_t)(end + 1 - file->at) : file->length;
	}
	return at;
}

/* --- changes -------------------------------------------------------------------------- */

/* Replaces the bytes from FROM to TO. */
static int replace(struct lxfw_slurm_text *file, size_t from, size_t to, const char *by)
{
	size_t length = strlen(by);
	char *text = malloc(file->length - (to - from) + length + 1);

	if (!text)
		return -1;
	memcpy(text, file->at, from);
	memcpy(text + from, by, length);
	memcpy(text + from + length, file->at + to, file->length - to);
	file->length = file->length - (to - from) + length;
	text[file->length] = '\0';
	free(file->at);
	file->at = text;
	return 0;
}

/* Returns VALUE as it is written in a file, in quotes if it is empty or has blanks and is not
   QUOTED already, after PREFIX. The caller frees it. */
static char *written(const char *prefix, const char *value, bool quoted)
{
	const char *quote = !quoted && (!*value || strpbrk(value, " \t")) ? "\"" : "";
	char *text = malloc(strlen(prefix) + 2 * strlen(value) + 3), *to;

	if (!text)
		return NULL;
	to = stpcpy(stpcpy(text, prefix), quote);
	for (; *value; value++) {
		if (*value == '#')
			*to++ = '\\';
		*to++ = *value;
	}
	strcpy(to, quote);
	return text;
}

static size_t place(const struct logical *line, const char *at)
{
	size_t offset = (size_t)(at - line->text);

	return offset < line->length ? line->places[offset] : line->tail;
}

/* The end of a pair in the file, after a quotation mark. */
static size_t pair_end(const struct logical *line, const struct lxfw_slurm_pair *pair)
{
	size_t end = (size_t)(pair->value.at + pair->value.length - line->text);

	if (end < line->length && line->text[end] == '"')
		end++;
	return end > 0 ? line->places[end - 1] + 1 : line->tail;
}

static int set_value(struct lxfw_slurm_text *file, const struct logical *line,
		     const struct lxfw_slurm_pair *pair, const char *value)
{
	const char *at = pair->value.at;
	size_t from = at > line->text ? line->places[at - 1 - line->text] + 1 : line->begin;
	size_t to = from;
	char *text = written("", value, at > line->text && at[-1] == '"');
	int result;

	/* From the byte after '=': the value may begin on the next physical line. */
	if (pair->value.length > 0)
		to = line->places[at + pair->value.length - 1 - line->text] + 1;
	result = text ? replace(file, from, to, text) : -1;
	free(text);
	return result;
}

static int add_pair(struct lxfw_slurm_text *file, const struct logical *line, const char *key,
		    const char *value)
{
	size_t at = pair_end(line, &line->pairs[line->count - 1]);
	char prefix[128];
	char *text;
	int result;

	stpcpy(stpcpy(stpcpy(prefix, " "), key), "=");
	text = written(prefix, value, false);
	result = text ? replace(file, at, at, text) : -1;
	free(text);
	return result;
}

int lxfw_slurm_file_set(struct lxfw_slurm_file *file, long number, const char *key,
			const char *value)
{
	struct logical line;
	int result = read_logical(&line, &file->now, line_offset(&file->now, number));
	int at = result == 0 ? line.count - 1 : -1;

	while (at >= 0 && !lxfw_slurm_is(line.pairs[at].key, key))
		at--;
	if (result == 0 && (line.count <= 0 || strlen(key) > 100)) {
		errno = EINVAL;
		result = -1;
	}
	if (result == 0)
		result = at >= 0 ? set_value(&file->now, &line, &line.pairs[at], value) :
				   add_pair(&file->now, &line, key, value);
	clear_logical(&line);
	return result;
}

/* Makes each physical line of LINE a comment, from the last to the first. */
static int comment_out(struct lxfw_slurm_text *file, const struct logical *line)
{
	for (size_t at = line->end; at > line->begin; at--) {
		if ((at - 1 == line->begin || file->at[at - 2] == '\n') &&
		    replace(file, at - 1, at - 1, "#"))
			return -1;
	}
	return 0;
}

int lxfw_slurm_file_unmark(struct lxfw_slurm_file *file)
{
	return replace(&file->now, 0, lxfw_slurm_mark(&file->now), "");
}

int lxfw_slurm_file_comment(struct lxfw_slurm_file *file, long number)
{
	struct logical line;
	int result = read_logical(&line, &file->now, line_offset(&file->now, number));

	if (result == 0)
		result = comment_out(&file->now, &line);
	clear_logical(&line);
	return result;
}

/* Removes pair AT, with the blanks before it, or those after it if it is the first one or the next
   one follows a quotation mark without a blank. */
static int drop_pair(struct lxfw_slurm_text *file, const struct logical *line, int at)
{
	const struct lxfw_slurm_pair *pair = &line->pairs[at];
	size_t from = place(line, pair->key.at), to = pair_end(line, pair);
	size_t next = at + 1 < line->count ? place(line, pair[1].key.at) : to;

	if (at > 0 && (next > to || at + 1 == line->count))
		from = pair_end(line, &pair[-1]);
	else
		to = next;
	return replace(file, from, to, "");
}

int lxfw_slurm_file_drop(struct lxfw_slurm_file *file, long number, const char *key)
{
	struct logical line;
	int result = read_logical(&line, &file->now, line_offset(&file->now, number));
	int at = 0;

	while (result == 0 && at < line.count && !lxfw_slurm_is(line.pairs[at].key, key))
		at++;
	if (result == 0 && at >= line.count) {
		errno = EINVAL;
		result = -1;
	} else if (result == 0 && line.count == 1) {
		result = comment_out(&file->now, &line);
	} else if (result == 0) {
		result = drop_pair(&file->now, &line, at);
	}
	clear_logical(&line);
	return result;
}

static bool is_record(struct lxfw_slice key)
{
	return lxfw_slurm_is(key, "NodeName") || lxfw_slurm_is(key, "PartitionName") ||
	       lxfw_slurm_is(key, "NodeSet") || lxfw_slurm_is(key, "DownNodes") ||
	       lxfw_slurm_is(key, "FrontendName");
}

int lxfw_slurm_file_add(struct lxfw_slurm_file *file, const char *text)
{
	size_t after = 0, at = 0;
	bool records = false;
	char *line;
	int result;

	while (at < file->now.length && !records) {
		struct logical logical;

		result = read_logical(&logical, &file->now, at);
		if (result == 0 && logical.count > 0) {
			records = is_record(logical.pairs[0].key);
			if (!records && !lxfw_slurm_is(logical.pairs[0].key, "include"))
				after = logical.end;
		}
		at = logical.end;
		clear_logical(&logical);
		if (result)
			return -1;
	}
	line = malloc(strlen(text) + 2);
	if (!line)
		return -1;
	stpcpy(stpcpy(line, text), "\n");
	result = replace(&file->now, after, after, line);
	free(line);
	return result;
}
