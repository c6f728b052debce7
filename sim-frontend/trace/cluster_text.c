/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text format of cluster descriptions: groups of hosts, followed by partitions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "common/util/nearest.h"
#include "sim-frontend/trace/account_text.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/shipped.h"
#include "sim-frontend/trace/sockets_text.h"
#include "sim-frontend/util/text.h"

struct group {
	const char *names;
	size_t names_length;
	int64_t count;		/* -1: not given */
	bool memory;
	int64_t weight;		/* -1: not given */
	uint32_t sockets;	/* 0: not given */
	struct lxfw_resources total;
	struct lxfw_gres_range gres;
};

struct add_context {
	struct lxfw_cluster *cluster;
	const struct group *group;
	unsigned char *in;		/* by host: whether it is in the partition */
	struct lxfw_error *error;
};

static int add_host(void *context, const char *name)
{
	struct add_context *add = context;

	if (lxfw_cluster_add(add->cluster, name, &add->group->total, add->error))
		return -1;
	add->cluster->hosts[add->cluster->count - 1].gres = add->group->gres;
	add->cluster->hosts[add->cluster->count - 1].sockets = add->group->sockets;
	if (add->group->weight >= 0)
		add->cluster->hosts[add->cluster->count - 1].weight =
			add->group->weight - LXFW_WEIGHT_USUAL;
	return 0;
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

/*
 * Other keys are names of extras. One that is nearly a key, or is called so elsewhere, is a
 * mistake. Returns the key that is meant, or NULL.
 */
static const char *meant_key(const char *name, size_t length)
{
	static const char *const keys[] = {
		"count", "procs", "memory", "weight", "gpu-sockets", NULL,
	};
	static const struct { const char *name, *key; } others[] = {
		{ "cores", "procs" }, { "cpu", "procs" }, { "cpus", "procs" },
		{ "mem", "memory" }, { "ram", "memory" },
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (strlen(others[i].name) == length &&
		    strncasecmp(name, others[i].name, length) == 0)
			return others[i].key;
	}
	return lxfw_nearest(name, length, keys);
}

static bool is_key(const char *name, size_t length, const char *key)
{
	return strlen(key) == length && memcmp(name, key, length) == 0;
}

static int take_sockets(struct group *group, struct lxfw_slice value, const char *quoted,
			struct lxfw_error *error)
{
	if (group->sockets)
		return lxfw_error_format(error, "gpu-sockets given twice");
	if (lxfw_sockets_read(value.at, value.length, &group->sockets))
		return lxfw_error_format(error, "'%s', expected the number of GPUs of each "
			"socket, such as 4+4: at most %d sockets and %d GPUs on each", quoted,
			LXFW_SOCKETS_MAX, LXFW_SOCKET_GPUS_MAX);
	return 0;
}

/* Parses one KEY=VALUE of a line. ERROR is set without a file name. */
static int take_value(struct lxfw_cluster *cluster, struct group *group,
		      const char *word, size_t length, struct lxfw_error *error)
{
	const char *equals = memchr(word, '=', length), *value, *meant;
	size_t key, rest;
	int64_t number;
	char quoted[40];

	lxfw_text_quote(quoted, sizeof(quoted), word, length);
	if (!equals || equals == word)
		return lxfw_error_format(error,
			"'%s', expected count=N, procs=N, memory=SIZE, weight=N, "
			"gpu-sockets=N+N or EXTRA=N",
			quoted);
	value = equals + 1;
	key = (size_t)(equals - word);
	rest = length - key - 1;
	meant = meant_key(word, key);
	if (meant && !is_key(word, key, meant))
		return lxfw_error_format(error, "'%s': unknown key, expected %s?", quoted,
					 meant);
	if (key == 6 && memcmp(word, "memory", 6) == 0) {
		if (group->memory)
			return lxfw_error_format(error, "memory given twice");
		group->memory = true;
		if (lxfw_cluster_memory(value, rest, &group->total.memory_mb))
			return lxfw_error_format(error,
				"'%s', expected a number of MB, or a number "
				"with the suffix K, M, G or T", quoted);
		return 0;
	}
	if (is_key(word, key, "gpu-sockets"))
		return take_sockets(group, (struct lxfw_slice) { value, rest }, quoted, error);
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
	if (key == 6 && memcmp(word, "weight", 6) == 0) {
		if (group->weight >= 0)
			return lxfw_error_format(error, "weight given twice");
		group->weight = number;
		return 0;
	}
	if (number > 0 && lxfw_gres_add(&cluster->gres, &group->gres, word, key, number))
		return lxfw_error_format(error, "out of memory");
	return 0;
}

/* Returns the next word and moves *AT past it. The word is empty at END. */
static struct lxfw_slice next_word(const char **at, const char *end)
{
	static const char blanks[] = " \t\r\f\v";
	const char *word;

	while (*at < end && memchr(blanks, **at, sizeof(blanks)))
		++*at;
	for (word = *at; *at < end && !memchr(blanks, **at, sizeof(blanks)); )
		++*at;
	return (struct lxfw_slice) { word, (size_t)(*at - word) };
}

/* --- partitions ----------------------------------------------------------------- */

static int add_member(void *context, const char *name)
{
	struct add_context *add = context;
	int32_t host = lxfw_cluster_find(add->cluster, name);

	if (host < 0)
		return lxfw_error_format(add->error, "no host %.60s in the "
			"lines above, expected hosts before their partitions", name);
	add->in[host] = 1;
	return 0;
}

/* Sets the hosts of a partition from LIST. */
static int take_members(struct lxfw_cluster_set *set, struct lxfw_slice list,
			struct lxfw_cluster *cluster, struct lxfw_error *error)
{
	struct add_context add = { .cluster = cluster, .error = error };
	size_t size = (size_t)cluster->count + 1;
	int result;

	free(set->hosts);
	set->count = 0;
	set->hosts = malloc(size * sizeof(*set->hosts));
	add.in = calloc(size, 1);
	if (!set->hosts || !add.in) {
		free(add.in);
		return lxfw_error_format(error, "out of memory");
	}
	result = lxfw_hostlist_expand(list.at, list.length, add_member, &add,
				      error);
	for (int32_t i = 0; i < cluster->count; i++) {
		if (add.in[i])
			set->hosts[set->count++] = i;
	}
	free(add.in);
	return result;
}

/* Parses one KEY=VALUE of a partition. */
static int take_rule(struct lxfw_cluster *cluster, struct lxfw_cluster_set *set,
		     struct lxfw_slice word, struct lxfw_error *error)
{
	struct lxfw_partition *rules = &set->rules;
	const struct {
		const char *key;
		int32_t *count;
		int64_t *time;
	} keys[] = {
		{ "tier=", &rules->tier, NULL },
		{ "min-nodes=", &rules->min_hosts, NULL },
		{ "max-nodes=", &rules->max_hosts, NULL },
		{ "max-cpus-per-node=", &rules->max_host_procs, NULL },
		{ "max-time=", NULL, &rules->max_time },
		{ "default-time=", NULL, &rules->default_time },
	};
	static const char *const names[] = {
		"nodes", "tier", "max-time", "default-time", "min-nodes", "max-nodes",
		"max-cpus-per-node", "exclusive", NULL,
	};
	char quoted[40], meant[60];
	int64_t number;

	if (lxfw_slice_begins(word, "nodes="))
		return take_members(set, (struct lxfw_slice) {
			word.at + 6, word.length - 6 }, cluster, error);
	if (lxfw_slice_is(word, "exclusive=1")) {
		rules->exclusive = true;
		return 0;
	}
	lxfw_text_quote(quoted, sizeof(quoted), word.at, word.length);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		size_t length = strlen(keys[i].key);
		const char *value = word.at + length;

		if (!lxfw_slice_begins(word, keys[i].key))
			continue;
		if (keys[i].count && lxfw_text_integer(value,
				word.length - length, 0, INT32_MAX, &number))
			return lxfw_error_format(error,
				"'%s', expected a number from 0 to %d", quoted,
				INT32_MAX);
		if (keys[i].count)
			*keys[i].count = (int32_t)number;
		else if (lxfw_text_span(value, word.length - length,
					keys[i].time))
			return lxfw_error_format(error,
				"'%s', expected a duration such as 3d", quoted);
		return 0;
	}
	return lxfw_error_format(error, "'%s', expected nodes=NAMES, tier=N, "
		"max-time=D, default-time=D, min-nodes=N, max-nodes=N, "
		"max-cpus-per-node=N or exclusive=1%s", quoted,
		lxfw_text_meant(meant, sizeof(meant), word.at, word.length, names));
}

static int take_partition(struct lxfw_cluster *cluster, struct lxfw_slice name,
			  const char *at, const char *end,
			  struct lxfw_error *error)
{
	size_t count = (size_t)cluster->set_count;
	struct lxfw_cluster_set *set;
	struct lxfw_slice word;
	char quoted[60];

	lxfw_text_quote(quoted, sizeof(quoted), name.at, name.length);
	if (name.length == 0)
		return lxfw_error_format(error, "a partition without a name");
	if (lxfw_cluster_find_set(cluster, name.at, name.length) >= 0)
		return lxfw_error_format(error, "partition %s is a duplicate",
					 quoted);
	if (LXFW_GROW(cluster->sets, cluster->sets_size, count + 1))
		return lxfw_error_format(error, "out of memory");
	set = &cluster->sets[count];
	*set = (struct lxfw_cluster_set) {
		.name = strndup(name.at, name.length),
		.rules = LXFW_PARTITION_USUAL,
	};
	if (!set->name)
		return lxfw_error_format(error, "out of memory");
	cluster->set_count++;
	while ((word = next_word(&at, end)).length > 0) {
		if (take_rule(cluster, set, word, error))
			return -1;
	}
	return set->hosts ? 0 : lxfw_error_format(error, "partition %s without "
		"hosts, expected nodes=NAMES", quoted);
}

/* --- lines ---------------------------------------------------------------------- */

static int take_line(struct lxfw_cluster *cluster, const char *line,
		     size_t length, struct lxfw_error *error)
{
	static const char partition[] = "partition=";
	const char *hash = memchr(line, '#', length);
	const char *end = hash ? hash : line + length, *at = line;
	struct group group = { .count = -1, .weight = -1 };
	struct add_context add = {
		.cluster = cluster, .group = &group, .error = error,
	};
	struct lxfw_slice word = next_word(&at, end);

	if (lxfw_slice_begins(word, partition)) {
		word.at += sizeof(partition) - 1;
		word.length -= sizeof(partition) - 1;
		return take_partition(cluster, word, at, end, error);
	}
	group.names = word.at;
	group.names_length = word.length;
	if (word.length == 0)
		return 0;
	while ((word = next_word(&at, end)).length > 0) {
		if (take_value(cluster, &group, word.at, word.length, error))
			return -1;
	}
	if (group.total.procs < 1)
		return lxfw_error_format(error,
			"hosts without processors, expected procs=1 or more");
	if (cluster->count > 0 && group.memory != cluster->memory_bound)
		return lxfw_error_format(error, "%s, expected memory=SIZE on "
			"every line or on none", group.memory ?
			"memory on this line but not on those above" : "no memory on this line "
				    "but on those above");
	if (group.sockets && lxfw_sockets_sum(group.sockets) !=
			     lxfw_gres_gpus(&cluster->gres, &group.gres))
		return lxfw_error_format(error, "gpu-sockets of %d GPUs on hosts of %lld",
			lxfw_sockets_sum(group.sockets),
			(long long)lxfw_gres_gpus(&cluster->gres, &group.gres));
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
