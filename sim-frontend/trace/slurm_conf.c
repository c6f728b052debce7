/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nodes and partitions of a slurm.conf (slurm.conf(5)). Lines are logical:
 * a backslash at the end continues one, '#' begins a comment, keys do not heed
 * case, values may stand in double quotes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/util/text.h"

#define INCLUDES_MAX 8
#define KEYS_MAX 128

struct text {
	const char *at;
	size_t length;
};

struct pair {
	struct text key, value;
};

/* What NodeName lines set; NodeName=DEFAULT lines change the defaults. */
struct node {
	int64_t cpus, boards, sockets, cores, threads;	/* 0 = not given */
	int64_t sockets_per_board;
	int64_t memory_mb, reserved_mb, reserved_cores;
	int32_t extras[LXFW_EXTRAS_MAX];
	bool future;
};

/* A PartitionName or NodeSet line, kept until all nodes are known. */
struct set_line {
	char *name, *nodes;
	char *path;
	long line;
	bool nodeset;		/* not a partition */
};

struct conf {
	struct lxfw_cluster *cluster;
	struct node defaults;
	char *default_nodes;	/* of PartitionName=DEFAULT */
	struct set_line *sets;
	size_t set_count, set_size;
	const struct node *adding;
	bool memory_seen;	/* some RealMemory */
	int memory_consumed;	/* by SelectTypeParameters; -1 = not given */
	int depth;
	struct lxfw_error wrong;	/* without file and line */
};

static bool is(const struct text *text, const char *word)
{
	return strlen(word) == text->length &&
	       strncasecmp(text->at, word, text->length) == 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Split a logical line into KEY=VALUE pairs; their number or -1. */
static int split(struct conf *conf, char *line, size_t length,
		 struct pair *pairs)
{
	char *at = line, *end = line + length;
	int count = 0;

	for (;;) {
		struct pair *pair = &pairs[count];
		char *begin, quoted[40];

		while (at < end && is_blank(*at))
			at++;
		if (at == end)
			return count;
		if (count == KEYS_MAX)
			return lxfw_error_format(&conf->wrong,
				"more than %d keys on a line", KEYS_MAX);
		for (begin = at; at < end && *at != '=' && !is_blank(*at); at++)
			;
		pair->key = (struct text) { begin, (size_t)(at - begin) };
		while (at < end && is_blank(*at))
			at++;
		/* "Include FILE" is the one key without '=' */
		if (at < end && *at == '=')
			at++;
		else if (!is(&pair->key, "include"))
			return lxfw_error_format(&conf->wrong,
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
				return lxfw_error_format(&conf->wrong,
					"'\"' without another one");
			pair->value = (struct text) { begin,
						      (size_t)(at++ - begin) };
		} else {
			for (begin = at; at < end && !is_blank(*at); at++)
				;
			pair->value = (struct text) { begin,
						      (size_t)(at - begin) };
		}
		count++;
	}
}

static int take_number(struct conf *conf, const struct pair *pair,
		       int64_t *number)
{
	char key[40], value[40];

	if (lxfw_text_integer(pair->value.at, pair->value.length, 0, INT32_MAX,
			      number))
		return lxfw_error_format(&conf->wrong,
			"%s=%s, expected a number from 0 to %d",
			lxfw_text_quote(key, sizeof(key), pair->key.at,
					pair->key.length),
			lxfw_text_quote(value, sizeof(value), pair->value.at,
					pair->value.length), INT32_MAX);
	return 0;
}

/* One item of Gres=: NAME[:TYPE][:no_consume]:COUNT[K|M|G](...), COUNT 1 where
   it is left out. */
static int take_gres_item(struct conf *conf, struct node *node,
			  const char *item, size_t length)
{
	static const char units[] = "KMGTP";
	const char *paren = memchr(item, '(', length), *colon = NULL, *unit;
	int64_t count = 1;
	int shift = 0, extra;

	if (paren)
		length = (size_t)(paren - item);
	if (length == 0)
		return 0;
	for (const char *c = item; c < item + length; c++)
		colon = *c == ':' ? c : colon;
	if (colon && colon[1] >= '0' && colon[1] <= '9') {
		size_t digits = length - (size_t)(colon + 1 - item);

		unit = memchr(units, item[length - 1] & ~0x20, 5);
		if (unit) {
			shift = 10 * (int)(unit - units + 1);
			digits--;
		}
		if (lxfw_text_integer(colon + 1, digits, 0, INT32_MAX, &count)) {
			/* a type that begins with a digit, "gpu:1080ti" */
			count = 1;
			shift = 0;
		} else {
			length = (size_t)(colon - item);
		}
	}
	count = shift > 20 || count > (INT32_MAX >> shift) ? INT32_MAX :
							     count << shift;
	extra = lxfw_cluster_extra(conf->cluster, item, length);
	if (extra < 0 && errno == ENOSPC) {
		conf->cluster->extras_left_out++;
		return 0;
	}
	if (extra < 0)
		return lxfw_error_format(&conf->wrong, "out of memory");
	if (__builtin_add_overflow(node->extras[extra], (int32_t)count,
				   &node->extras[extra]))
		node->extras[extra] = INT32_MAX;
	return 0;
}

static int take_gres(struct conf *conf, struct node *node,
		     const struct text *value)
{
	const char *at = value->at, *end = at + value->length;

	memset(node->extras, 0, sizeof(node->extras));
	while (at < end) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const char *stop = comma ? comma : end;

		if (take_gres_item(conf, node, at, (size_t)(stop - at)))
			return -1;
		at = comma ? comma + 1 : end;
	}
	return 0;
}

static int take_node_value(struct conf *conf, struct node *node,
			   const struct pair *pair)
{
	const struct {
		const char *key;
		int64_t *number;
	} numbers[] = {
		{ "CPUs", &node->cpus }, { "Procs", &node->cpus },
		{ "Boards", &node->boards }, { "Sockets", &node->sockets },
		{ "SocketsPerBoard", &node->sockets_per_board },
		{ "CoresPerSocket", &node->cores },
		{ "ThreadsPerCore", &node->threads },
		{ "RealMemory", &node->memory_mb },
		{ "MemSpecLimit", &node->reserved_mb },
		{ "CoreSpecCount", &node->reserved_cores },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		if (!is(&pair->key, numbers[i].key))
			continue;
		if (numbers[i].number == &node->memory_mb)
			conf->memory_seen = true;
		return take_number(conf, pair, numbers[i].number);
	}
	if (is(&pair->key, "Gres"))
		return take_gres(conf, node, &pair->value);
	if (is(&pair->key, "State"))
		node->future = is(&pair->value, "FUTURE");
	return 0;
}

static int64_t or_one(int64_t number)
{
	return number > 0 ? number : 1;
}

static int node_total(struct conf *conf, const struct node *node,
		      struct lxfw_resources *total)
{
	int64_t sockets = node->sockets ? node->sockets :
		or_one(node->boards) * or_one(node->sockets_per_board);
	int64_t procs = node->cpus, reserved;

	if (!procs && (__builtin_mul_overflow(sockets, or_one(node->cores),
					      &procs) ||
		       __builtin_mul_overflow(procs, or_one(node->threads),
					      &procs)))
		procs = INT64_MAX;
	reserved = node->reserved_cores * or_one(node->threads);
	if (procs > INT32_MAX)
		return lxfw_error_format(&conf->wrong,
			"node of %lld processors, expected at most %d",
			(long long)procs, INT32_MAX);
	if (reserved >= procs)
		return lxfw_error_format(&conf->wrong,
			"CoreSpecCount leaves no processor of %lld",
			(long long)procs);
	*total = (struct lxfw_resources) {
		.procs = (int32_t)(procs - reserved),
		/* slurm.conf(5): the default of RealMemory is 1 */
		.memory_mb = node->memory_mb - node->reserved_mb > 1 ?
			     node->memory_mb - node->reserved_mb : 1,
	};
	memcpy(total->extras, node->extras, sizeof(total->extras));
	return 0;
}

static int add_node(void *context, const char *name)
{
	struct conf *conf = context;
	struct lxfw_resources total;

	if (node_total(conf, conf->adding, &total))
		return -1;
	return lxfw_cluster_add(conf->cluster, name, &total, &conf->wrong);
}

static int take_nodes(struct conf *conf, const struct pair *pairs, int count)
{
	struct node node = conf->defaults;
	bool defaults = is(&pairs[0].value, "DEFAULT");

	for (int i = 1; i < count; i++) {
		if (take_node_value(conf, &node, &pairs[i]))
			return -1;
	}
	if (defaults) {
		conf->defaults = node;
		return 0;
	}
	if (node.future)
		return 0;
	conf->adding = &node;
	return lxfw_hostlist_expand(pairs[0].value.at, pairs[0].value.length,
				    add_node, conf, &conf->wrong);
}

static int take_set(struct conf *conf, const struct pair *pairs, int count,
		    bool nodeset, const char *path, long line)
{
	const struct text *nodes = NULL;
	struct set_line *set;

	for (int i = 1; i < count; i++) {
		if (is(&pairs[i].key, "Nodes"))
			nodes = &pairs[i].value;
	}
	if (!nodeset && is(&pairs[0].value, "DEFAULT")) {
		if (nodes) {
			free(conf->default_nodes);
			conf->default_nodes = strndup(nodes->at, nodes->length);
		}
		return 0;
	}
	if (conf->set_count == conf->set_size) {
		size_t size = conf->set_size ? 2 * conf->set_size : 16;

		set = realloc(conf->sets, size * sizeof(*set));
		if (!set)
			return lxfw_error_format(&conf->wrong, "out of memory");
		conf->sets = set;
		conf->set_size = size;
	}
	set = &conf->sets[conf->set_count];
	*set = (struct set_line) {
		.name = strndup(pairs[0].value.at, pairs[0].value.length),
		.nodes = nodes ? strndup(nodes->at, nodes->length) :
			strdup(conf->default_nodes ? conf->default_nodes : ""),
		.path = strdup(path), .line = line, .nodeset = nodeset,
	};
	conf->set_count++;
	if (!set->name || !set->nodes || !set->path)
		return lxfw_error_format(&conf->wrong, "out of memory");
	return 0;
}

static int read_file(struct conf *conf, const char *path,
		     struct lxfw_error *error);

/* Relative names are searched beside the file that includes them. */
static int take_include(struct conf *conf, const struct text *name,
			const char *path, long line, struct lxfw_error *error)
{
	const char *slash = strrchr(path, '/');
	int directory = *name->at == '/' || !slash ? 0 :
						     (int)(slash + 1 - path);
	char *included;
	int result;

	if (conf->depth == INCLUDES_MAX)
		return lxfw_error_at(error, path, line,
			"Include in Include more than %d deep", INCLUDES_MAX);
	if (asprintf(&included, "%.*s%.*s", directory, path, (int)name->length,
		     name->at) < 0)
		return lxfw_error_at(error, path, line, "out of memory");
	conf->depth++;
	result = read_file(conf, included, error);
	conf->depth--;
	free(included);
	return result;
}

static int take_line(struct conf *conf, char *line, size_t length,
		     const char *path, long number, struct lxfw_error *error)
{
	struct pair pairs[KEYS_MAX];
	int count, result = 0;

	count = split(conf, line, length, pairs);
	if (count < 0)
		return lxfw_error_at(error, path, number, "%s",
				     conf->wrong.text);
	if (count == 0)
		return 0;
	if (is(&pairs[0].key, "include"))
		return take_include(conf, &pairs[0].value, path, number, error);
	if (is(&pairs[0].key, "NodeName"))
		result = take_nodes(conf, pairs, count);
	else if (is(&pairs[0].key, "PartitionName"))
		result = take_set(conf, pairs, count, false, path, number);
	else if (is(&pairs[0].key, "NodeSet"))
		result = take_set(conf, pairs, count, true, path, number);
	for (int i = 0; i < count && result == 0; i++) {
		if (is(&pairs[i].key, "SelectTypeParameters"))
			conf->memory_consumed = memmem(pairs[i].value.at,
				pairs[i].value.length, "MEMORY", 6) ||
				memmem(pairs[i].value.at,
				pairs[i].value.length, "Memory", 6);
		if (is(&pairs[i].key, "SchedulerParameters")) {
			free(conf->cluster->parameters);
			conf->cluster->parameters = strndup(pairs[i].value.at,
						pairs[i].value.length);
		}
		if (is(&pairs[i].key, "SchedulerType")) {
			free(conf->cluster->scheduler);
			conf->cluster->scheduler = strndup(pairs[i].value.at,
						pairs[i].value.length);
		}
	}
	if (result)
		return lxfw_error_at(error, path, number, "%s",
				     conf->wrong.text);
	return 0;
}

/* Cut a comment off; "\#" is a '#'. The length left. */
static size_t cut_comment(char *line, size_t length)
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

static int read_file(struct conf *conf, const char *path,
		     struct lxfw_error *error)
{
	struct lxfw_input *input = lxfw_input_open(path, error);
	char *line, *logical = NULL;
	size_t length, used = 0;
	long first = 0;
	int got;

	if (!input)
		return -1;
	while ((got = lxfw_input_line(input, &line, &length, error)) > 0) {
		bool continued;
		char *larger;

		length = cut_comment(line, length);
		continued = length > 0 && line[length - 1] == '\\';
		length -= continued;
		larger = realloc(logical, used + length + 1);
		if (!larger) {
			got = lxfw_error_system(error, path);
			break;
		}
		logical = larger;
		memcpy(logical + used, line, length);
		used += length;
		if (first == 0)
			first = lxfw_input_line_number(input);
		if (continued)
			continue;
		if (take_line(conf, logical, used, path, first, error)) {
			got = -1;
			break;
		}
		used = 0;
		first = 0;
	}
	if (got == 0 && used > 0)
		got = take_line(conf, logical, used, path, first, error);
	free(logical);
	lxfw_input_close(input);
	return got;
}

/* Collects the hosts of a partition. */
struct members {
	struct conf *conf;
	unsigned char *in;	/* per host */
	const struct set_line *set;
	int depth;
};

static int add_members(struct members *members, const char *nodes);

static int add_member(void *context, const char *name)
{
	struct members *members = context;
	struct conf *conf = members->conf;
	int32_t host = lxfw_cluster_find(conf->cluster, name);

	if (host >= 0) {
		members->in[host] = 1;
		return 0;
	}
	for (size_t i = 0; i < conf->set_count; i++) {
		if (conf->sets[i].nodeset && members->depth < INCLUDES_MAX &&
		    strcmp(conf->sets[i].name, name) == 0)
			return add_members(members, conf->sets[i].nodes);
	}
	/* Nodes in the state FUTURE are not there yet, and a host list that
	   names one more than there are is Slurm's to complain about. */
	return 0;
}

static int add_members(struct members *members, const char *nodes)
{
	struct conf *conf = members->conf;
	int result;

	if (*nodes == '\0')
		return 0;
	if (strcasecmp(nodes, "ALL") == 0) {
		memset(members->in, 1, (size_t)conf->cluster->count);
		return 0;
	}
	members->depth++;
	result = lxfw_hostlist_expand(nodes, strlen(nodes), add_member,
				      members, &conf->wrong);
	members->depth--;
	return result;
}

static int make_set(struct conf *conf, struct set_line *line,
		    unsigned char *in, struct lxfw_error *error)
{
	struct lxfw_cluster *cluster = conf->cluster;
	struct lxfw_cluster_set *set = &cluster->sets[cluster->set_count];
	struct members members = { conf, in, line, 0 };

	memset(in, 0, (size_t)cluster->count);
	if (add_members(&members, line->nodes))
		return lxfw_error_at(error, line->path, line->line, "%s",
				     conf->wrong.text);
	set->hosts = malloc(((size_t)cluster->count + 1) * sizeof(*set->hosts));
	if (!set->hosts)
		return lxfw_error_system(error, line->path);
	set->name = line->name;
	line->name = NULL;
	set->count = 0;
	for (int32_t i = 0; i < cluster->count; i++) {
		if (in[i])
			set->hosts[set->count++] = i;
	}
	cluster->set_count++;
	return 0;
}

static int make_sets(struct conf *conf, const char *path,
		     struct lxfw_error *error)
{
	unsigned char *in = malloc((size_t)conf->cluster->count + 1);
	int result = 0;

	conf->cluster->sets = calloc(conf->set_count + 1,
				     sizeof(*conf->cluster->sets));
	if (!in || !conf->cluster->sets)
		result = lxfw_error_system(error, path);
	for (size_t i = 0; i < conf->set_count && result == 0; i++) {
		if (!conf->sets[i].nodeset)
			result = make_set(conf, &conf->sets[i], in, error);
	}
	free(in);
	return result;
}

int lxfw_cluster_read_slurm(struct lxfw_cluster *cluster, const char *path,
			    struct lxfw_error *error)
{
	struct conf conf = { .cluster = cluster, .memory_consumed = -1 };
	int result = read_file(&conf, path, error);

	if (result == 0 && cluster->count == 0)
		result = lxfw_error_at(error, path, 0,
			"no NodeName line, expected the nodes of a cluster");
	if (result == 0)
		result = make_sets(&conf, path, error);
	cluster->memory_bound = conf.memory_consumed < 0 ? conf.memory_seen :
							   conf.memory_consumed;
	for (size_t i = 0; i < conf.set_count; i++) {
		free(conf.sets[i].name);
		free(conf.sets[i].nodes);
		free(conf.sets[i].path);
	}
	free(conf.sets);
	free(conf.default_nodes);
	return result;
}
