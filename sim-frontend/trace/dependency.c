/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/dependency.h"

#include <stdbool.h>
#include <string.h>

#include "sim-frontend/util/text.h"

/* Removes the part of TEXT up to the next STOP and returns it. */
static struct lxfw_slice take(struct lxfw_slice *text, char stop)
{
	const char *end = text->length ? memchr(text->at, stop, text->length) : NULL;
	struct lxfw_slice part = { text->at, end ? (size_t)(end - text->at) : text->length };

	text->at += part.length + (end != NULL);
	text->length -= part.length + (end != NULL);
	return part;
}

/* Removes a number of up to 18 digits from the beginning of TEXT; -1 if there is none. */
static int64_t take_number(struct lxfw_slice *text)
{
	int64_t number = -1;
	size_t digits = 0;

	while (digits < text->length && text->at[digits] >= '0' && text->at[digits] <= '9')
		digits++;
	if (digits < 1 || digits > 18)
		return -1;
	lxfw_slice_integer((struct lxfw_slice) { text->at, digits }, 0, INT64_MAX, &number);
	text->at += digits;
	text->length -= digits;
	return number;
}

/* Reads "12", "12_4", "12[4].server" or "12[].server". Returns whether it is a job. */
static bool read_job(struct lxfw_slice text, struct lxfw_dependency *to)
{
	char sign;

	to->number = take_number(&text);
	to->task = LXFW_DEPENDENCY_ALL;
	if (to->number < 1)
		return false;
	if (text.length == 0)
		return true;
	sign = *text.at++;
	text.length--;
	if (sign == '_' || sign == '[') {
		int64_t task = take_number(&text);

		to->task = task < 0 ? LXFW_DEPENDENCY_ALL : task;
		return true;
	}
	return sign == '.' || sign == '@' || sign == '+';
}

static bool is_number(struct lxfw_slice text)
{
	return take_number(&text) >= 0 && text.length == 0;
}

/* --- Slurm and PBS ---------------------------------------------------------------- */

static bool is_kept(struct lxfw_slice kind)
{
	return lxfw_slice_is(kind, "afterok") || lxfw_slice_is(kind, "afterany") ||
	       lxfw_slice_is(kind, "afternotok") || lxfw_slice_is(kind, "aftercorr") ||
	       lxfw_slice_is(kind, "afterburstbuffer");
}

/* "afterok:12:13". The port of a server may follow it, "12.pbs@pbs:15001". */
static int each_of_list(struct lxfw_slice list, lxfw_dependency_fn *each, void *context,
			size_t *others)
{
	struct lxfw_slice kind = take(&list, ':');
	bool same = lxfw_slice_is(kind, "aftercorr"), server = false;
	int result = 0;

	if (!is_kept(kind)) {
		++*others;
		return 0;
	}
	while (list.length > 0 && result == 0) {
		struct lxfw_slice item = take(&list, ':');
		struct lxfw_dependency dependency;
		bool port = server;

		server = item.length > 0 && memchr(item.at, '@', item.length) != NULL;
		if (!read_job(item, &dependency)) {
			*others += !port;
			continue;
		}
		if (port && is_number(item))
			continue;
		if (same && dependency.task == LXFW_DEPENDENCY_ALL)
			dependency.task = LXFW_DEPENDENCY_SAME;
		result = each(context, &dependency);
	}
	return result;
}

/* --- LSF -------------------------------------------------------------------------- */

static struct lxfw_slice trimmed(struct lxfw_slice text, const char *signs)
{
	while (text.length > 0 && strchr(signs, *text.at))
		text.at++, text.length--;
	while (text.length > 0 && strchr(signs, text.at[text.length - 1]))
		text.length--;
	return text;
}

/* "done(12)", "exit(12,>2)", "12". */
static int each_of_condition(struct lxfw_slice text, lxfw_dependency_fn *each, void *context,
			     size_t *others)
{
	static const char *const ends[] = { "done", "ended", "exit", "post_done", "post_err" };
	struct lxfw_dependency dependency;
	struct lxfw_slice rest = trimmed(text, " \t"), name;
	bool end = false;

	if (rest.length > 0 && memchr(rest.at, '(', rest.length)) {
		name = trimmed(take(&rest, '('), " \t");
		for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
			end |= lxfw_slice_is(name, ends[i]);
		if (!end) {
			++*others;
			return 0;
		}
		rest = take(&rest, ')');
		rest = take(&rest, ',');
	}
	if (!read_job(trimmed(rest, " \t\""), &dependency)) {
		++*others;
		return 0;
	}
	return each(context, &dependency);
}

static int each_of_conditions(struct lxfw_slice text, lxfw_dependency_fn *each, void *context,
			      size_t *others)
{
	int result = 0;

	if (memchr(text.at, '|', text.length) || memchr(text.at, '!', text.length)) {
		++*others;
		return 0;
	}
	while (text.length > 0 && result == 0) {
		struct lxfw_slice part = take(&text, '&');

		if (part.length > 0)
			result = each_of_condition(part, each, context, others);
	}
	return result;
}

/* --- all -------------------------------------------------------------------------- */

int lxfw_dependency_each(struct lxfw_slice text, lxfw_dependency_fn *each, void *context,
			 size_t *others)
{
	int result = 0;

	text = trimmed(text, " \t\"'");
	if (text.length == 0)
		return 0;
	if (memchr(text.at, '(', text.length) || (*text.at >= '0' && *text.at <= '9'))
		return each_of_conditions(text, each, context, others);
	if (memchr(text.at, '?', text.length)) {
		++*others;
		return 0;
	}
	while (text.length > 0 && result == 0)
		result = each_of_list(take(&text, ','), each, context, others);
	return result;
}

/* Returns whether TEXT looks like dependencies. */
static bool looks_like(struct lxfw_slice text)
{
	text = trimmed(text, "\"'");
	return lxfw_slice_begins(text, "after") || lxfw_slice_begins(text, "singleton") ||
	       lxfw_slice_begins(text, "expand");
}

/* Removes the next word, separated by blanks. */
static struct lxfw_slice take_word(struct lxfw_slice *line)
{
	struct lxfw_slice word;

	*line = trimmed(*line, " \t\n");
	word = (struct lxfw_slice) { line->at, 0 };
	while (word.length < line->length && !strchr(" \t\n", word.at[word.length]))
		word.length++;
	line->at += word.length;
	line->length -= word.length;
	return word;
}

/* An option of sbatch, which accepts the beginning of a name from SHORTEST on. */
struct option {
	const char *name, *shortest, *letter;
};

static const struct option dependency_option = { "--dependency", "--dep", "-d" };
static const struct option array_option = { "--array", "--ar", "-a" };

/* Returns whether WORD is the option with its name. Its value, if WORD has it, is at SKIP, the
   length of WORD otherwise. */
static bool is_named(struct lxfw_slice word, const struct option *option, size_t *skip)
{
	const char *equals = memchr(word.at, '=', word.length);
	size_t length = equals ? (size_t)(equals - word.at) : word.length;

	*skip = equals ? length + 1 : length;
	return length >= strlen(option->shortest) && length <= strlen(option->name) &&
	       memcmp(word.at, option->name, length) == 0;
}

/* Returns the value of the next such option of LINE, "--array=1", "--array 1", "-a1" or "-a 1",
   and removes it and what is before it. Returns whether there is one. */
static bool next_option(struct lxfw_slice *line, const struct option *option,
			struct lxfw_slice *value)
{
	while (line->length > 0) {
		struct lxfw_slice word = take_word(line);
		size_t skip;

		if (!is_named(word, option, &skip)) {
			if (!lxfw_slice_begins(word, option->letter))
				continue;
			skip = strlen(option->letter);
		}
		if (skip == word.length && word.at[skip - 1] != '=')
			*value = take_word(line);
		else
			*value = (struct lxfw_slice) { word.at + skip, word.length - skip };
		return true;
	}
	return false;
}

struct lxfw_slice lxfw_dependency_option(struct lxfw_slice line)
{
	struct lxfw_slice value;

	while (next_option(&line, &dependency_option, &value)) {
		/* a script may have such an option, too */
		if (looks_like(value))
			return trimmed(value, "\"'");
	}
	return (struct lxfw_slice) { "", 0 };
}

bool lxfw_dependency_limits(struct lxfw_slice line)
{
	struct lxfw_slice value;

	while (next_option(&line, &array_option, &value)) {
		value = trimmed(value, "\"'");
		if (value.length > 0 && *value.at >= '0' && *value.at <= '9' &&
		    memchr(value.at, '%', value.length))
			return true;
	}
	return false;
}
