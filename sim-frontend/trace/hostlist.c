/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/hostlist.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/util/text.h"

/* Maximum number of brackets in a name. */
#define BRACKETS_MAX 8

struct expansion {
	lxfw_host_name_fn *name;
	void *context;
	struct lxfw_error *error;
	size_t told;
	int brackets;
	char text[LXFW_HOST_NAME_SIZE];
};

size_t lxfw_hostlist_item(const char *text, size_t length)
{
	size_t i;
	int depth = 0;

	for (i = 0; i < length; i++) {
		if (text[i] == '[')
			depth++;
		else if (text[i] == ']')
			depth--;
		else if (text[i] == ',' && depth <= 0)
			break;
	}
	return i;
}

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

static int expand_rest(struct expansion *ex, size_t used, const char *rest,
		       size_t length);

/* Expands one range of a bracket, "7" or "001-128". */
static int expand_range(struct expansion *ex, size_t used, const char *range,
			size_t range_length, const char *rest, size_t length)
{
	const char *dash = memchr(range, '-', range_length);
	size_t width = dash ? (size_t)(dash - range) : range_length;
	int64_t low, high;
	char quoted[32];

	if (width == 0 || width > 18 || *range == '+' || *range == '-' ||
	    (dash && (dash[1] == '+' || dash[1] == '-')) ||
	    lxfw_text_integer(range, width, 0, INT64_MAX, &low) ||
	    (dash && lxfw_text_integer(dash + 1, range_length - width - 1, 0,
				       INT64_MAX, &high)))
		return lxfw_error_format(ex->error,
			"'%s' in brackets, expected a number or a range such "
				"as 1-8",
			lxfw_text_quote(quoted, sizeof(quoted), range,
					range_length));
	if (!dash)
		high = low;
	if (high < low)
		return lxfw_error_format(ex->error,
			"range %lld-%lld is descending, expected an ascending "
				"range",
			(long long)low, (long long)high);
	if (high - low >= LXFW_HOSTLIST_MAX)
		return lxfw_error_format(ex->error,
			"range of %lld names, expected at most %d",
			(long long)(high - low + 1), LXFW_HOSTLIST_MAX);
	for (int64_t number = low; number <= high; number++) {
		int put = snprintf(ex->text + used, sizeof(ex->text) - used,
				   "%0*lld", (int)width, (long long)number);

		if (put < 0 || (size_t)put >= sizeof(ex->text) - used)
			return lxfw_error_format(ex->error,
				"host name too long, expected at most %d bytes",
				LXFW_HOST_NAME_SIZE - 1);
		if (expand_rest(ex, used + (size_t)put, rest, length))
			return -1;
	}
	return 0;
}

/* Expands a bracket. AT is the character after '['; LENGTH bytes of the list follow. */
static int expand_bracket(struct expansion *ex, size_t used, const char *at,
			  size_t length)
{
	const char *close = memchr(at, ']', length);
	size_t behind;
	int result = 0;

	if (!close)
		return lxfw_error_format(ex->error,
					 "'[' without ']' in a list of hosts");
	if (++ex->brackets > BRACKETS_MAX)
		return lxfw_error_format(ex->error,
			"more than %d brackets in a host name", BRACKETS_MAX);
	behind = length - (size_t)(close + 1 - at);
	while (result == 0) {
		const char *comma = memchr(at, ',', (size_t)(close - at));
		const char *end = comma ? comma : close;

		result = expand_range(ex, used, at, (size_t)(end - at),
				      close + 1, behind);
		if (!comma)
			break;
		at = comma + 1;
	}
	ex->brackets--;
	return result;
}

/* Expands REST. ex->text holds the beginning of the name. */
static int expand_rest(struct expansion *ex, size_t used, const char *rest,
		       size_t length)
{
	size_t i = 0;

	for (; i < length && rest[i] != '['; i++) {
		char quoted[8];

		if (!is_name_byte(rest[i]))
			return lxfw_error_format(ex->error,
				"'%s' in a host name, expected letters, digits, "
				"'-', '_', '.' or a range in brackets",
				lxfw_text_quote(quoted, sizeof(quoted),
						rest + i, 1));
		if (used + 1 >= sizeof(ex->text))
			return lxfw_error_format(ex->error,
				"host name too long, expected at most %d bytes",
				LXFW_HOST_NAME_SIZE - 1);
		ex->text[used++] = rest[i];
	}
	if (i < length)
		return expand_bracket(ex, used, rest + i + 1, length - i - 1);
	if (used == 0)
		return lxfw_error_format(ex->error,
					 "empty host name in a list of hosts");
	ex->text[used] = '\0';
	if (ex->told++ == LXFW_HOSTLIST_MAX)
		return lxfw_error_format(ex->error,
			"list of more than %d hosts", LXFW_HOSTLIST_MAX);
	return ex->name(ex->context, ex->text);
}

int lxfw_hostlist_expand(const char *list, size_t length,
			 lxfw_host_name_fn *name, void *context,
			 struct lxfw_error *error)
{
	struct expansion ex = {
		.name = name, .context = context, .error = error,
	};

	for (;;) {
		size_t item = lxfw_hostlist_item(list, length);

		if (expand_rest(&ex, 0, list, item))
			return -1;
		if (item == length)
			return 0;
		list += item + 1;
		length -= item + 1;
	}
}

/* A name split into a stem and a trailing number. */
struct split {
	size_t stem, digits;
	int64_t number;		/* -1: no number */
};

static struct split split_name(const char *name)
{
	size_t length = strlen(name), stem = length;
	struct split split = { .number = -1 };

	while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9' &&
	       length - stem < 18)
		stem--;
	split.stem = stem;
	split.digits = length - stem;
	if (split.digits > 0)
		lxfw_text_integer(name + stem, split.digits, 0, INT64_MAX,
				  &split.number);
	return split;
}

static bool same_stem(const char *a, const struct split *sa, const char *b,
		      const struct split *sb)
{
	return sa->number >= 0 && sb->number >= 0 && sa->stem == sb->stem &&
	       sa->digits == sb->digits && memcmp(a, b, sa->stem) == 0;
}

/* Returns whether both names belong to one group: the same stem and width, or an
   additional digit as in 9 -> 10 without leading zeros. */
static bool same_group(const char *a, const struct split *sa, const char *b,
		       const struct split *sb)
{
	if (same_stem(a, sa, b, sb))
		return true;
	return sa->number >= 0 && sb->number >= 0 && sa->stem == sb->stem &&
	       a[sa->stem] != '0' && b[sb->stem] != '0' &&
	       memcmp(a, b, sa->stem) == 0;
}

/* Writes one group, NAMES[0..COUNT), of names with the same stem. */
static void put_group(FILE *out, const char *const *names, size_t count)
{
	struct split first = split_name(names[0]);

	if (count == 1) {
		fputs(names[0], out);
		return;
	}
	fprintf(out, "%.*s[", (int)first.stem, names[0]);
	for (size_t i = 0; i < count; ) {
		size_t run = 1;
		int64_t number = split_name(names[i]).number;

		while (i + run < count && split_name(names[i + run]).number ==
		       number + (int64_t)run)
			run++;
		fprintf(out, "%s%s", i ? "," : "", names[i] + first.stem);
		if (run > 1)
			fprintf(out, "-%s", names[i + run - 1] + first.stem);
		i += run;
	}
	putc(']', out);
}

char *lxfw_hostlist_compress(const char *const *names, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < count; ) {
		size_t group = 1;
		struct split first = split_name(names[i]);

		while (i + group < count) {
			struct split next = split_name(names[i + group]);

			if (!same_group(names[i], &first, names[i + group],
					&next))
				break;
			group++;
		}
		if (i > 0)
			putc(',', out);
		put_group(out, names + i, group);
		i += group;
	}
	if (fclose(out)) {
		free(text);
		errno = ENOMEM;
		return NULL;
	}
	return text;
}
