/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text format of cluster descriptions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/shipped.h"
#include "sim-frontend/util/text.h"

struct group {
	const char *names;
	size_t names_length;
	int64_t count;		/* -1 = not given */
	bool memory;
	struct lxfw_resources total;
};

struct add_context {
	struct lxfw_cluster *cluster;
	const struct group *group;
	struct lxfw_error *error;
};

static int add_host(void *context, const char *name)
{
	struct add_context *add = context;

	return lxfw_cluster_add(add->cluster, name, &add->group->total,
				add->error);
}

static int add_counted(struct add_context *add, const struct group *group)
{
	char name[LXFW_HOST_NAME_SIZE];
	size_t length = group->names_length;

	if (length > sizeof(name) - 21)
		return lxfw_error_format(add->error,
			"host name too long, expected at most %zu bytes",
			sizeof(name) - 21);
	memcpy(name, group->names, length);
	for (int64_t i = 0; i < group->count; i++) {
		name[length + (size_t)lxfw_text_put_integer(name + length, i)] =
			'\0';
		if (add_host(add, name))
			return -1;
	}
	return 0;
}

/* One KEY=VALUE of a line; ERROR has no file name yet. */
static int take_value(struct lxfw_cluster *cluster, struct group *group,
		      const char *word, size_t length, struct lxfw_error *error)
{
	const char *equals = memchr(word, '=', length), *value;
	size_t key, rest;
	int64_t number;
	int extra;
	char quoted[40];

	lxfw_text_quote(quoted, sizeof(quoted), word, length);
	if (!equals || equals == word)
		return lxfw_error_format(error,
			"'%s', expected count=N, procs=N, memory=SIZE or EXTRA=N",
			quoted);
	value = equals + 1;
	key = (size_t)(equals - word);
	rest = length - key - 1;
	if (key == 6 && memcmp(word, "memory", 6) == 0) {
		if (group->memory)
			return lxfw_error_format(error, "memory given twice");
		group->memory = true;
		if (lxfw_cluster_memory(value, rest, &group->total.memory_mb))
			return lxfw_error_format(error,
				"'%s', expected a number of MB, or with K, M, G "
				"or T behind it", quoted);
		return 0;
	}
	if (lxfw_text_integer(value, rest, 0, INT32_MAX, &number))
		return lxfw_error_format(error,
			"'%s', expected a number from 0 to %d", quoted,
			INT32_MAX);
	if (key == 5 && memcmp(word, "procs", 5) == 0) {
		if (group->total.procs)
			return lxfw_error_format(error, "procs given twice");
		group->total.procs = (int32_t)number;
		return 0;
	}
	if (key == 5 && memcmp(word, "count", 5) == 0) {
		if (group->count >= 0)
			return lxfw_error_format(error, "count given twice");
		group->count = number;
		return 0;
	}
	extra = lxfw_cluster_extra(cluster, word, key);
	if (extra < 0 && errno == ENOSPC)
		return lxfw_error_format(error,
			"more than %d kinds of extras", LXFW_EXTRAS_MAX);
	if (extra < 0)
		return lxfw_error_format(error, "out of memory");
	group->total.extras[extra] = (int32_t)number;
	return 0;
}

static int take_line(struct lxfw_cluster *cluster, const char *line,
		     size_t length, struct lxfw_error *error)
{
	static const char blanks[] = " \t\r\f\v";
	const char *hash = memchr(line, '#', length);
	const char *end = hash ? hash : line + length, *at = line;
	struct group group = { .count = -1 };
	struct add_context add = { cluster, &group, error };

	for (;;) {
		const char *word;

		while (at < end && memchr(blanks, *at, sizeof(blanks)))
			at++;
		if (at == end)
			break;
		for (word = at; at < end && !memchr(blanks, *at, sizeof(blanks));
		     at++)
			;
		if (!group.names) {
			group.names = word;
			group.names_length = (size_t)(at - word);
		} else if (take_value(cluster, &group, word,
				      (size_t)(at - word), error)) {
			return -1;
		}
	}
	if (!group.names)
		return 0;
	if (group.total.procs < 1)
		return lxfw_error_format(error,
			"hosts without processors, expected procs=1 or more");
	if (cluster->count > 0 && group.memory != cluster->memory_bound)
		return lxfw_error_format(error, "%s, expected memory=SIZE on "
			"every line or on none", group.memory ?
			"memory here but not above" : "no memory here but above");
	cluster->memory_bound = group.memory;
	if (group.count >= 0)
		return add_counted(&add, &group);
	return lxfw_hostlist_expand(group.names, group.names_length, add_host,
				    &add, error);
}

int lxfw_cluster_read_text(struct lxfw_cluster *cluster, const char *path,
			   struct lxfw_error *error)
{
	struct lxfw_input *input = lxfw_shipped_open(path, "cluster", error);
	struct lxfw_error wrong;
	char *line;
	size_t length;
	int got;

	if (!input)
		return -1;
	while ((got = lxfw_input_line(input, &line, &length, error)) > 0) {
		if (take_line(cluster, line, length, &wrong)) {
			lxfw_error_at(error, lxfw_input_path(input),
				      lxfw_input_line_number(input), "%s",
				      wrong.text);
			got = -1;
			break;
		}
	}
	if (got == 0 && cluster->count == 0)
		got = lxfw_error_at(error, path, lxfw_input_line_number(input),
				    "no host in the file");
	lxfw_input_close(input);
	return got;
}
