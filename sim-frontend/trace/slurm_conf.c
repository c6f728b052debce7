/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the nodes and partitions of a slurm.conf (slurm.conf(5)). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/trace/slurm_node.h"
#include "sim-frontend/util/text.h"

/* Maximum nesting of NodeSets. */
#define SETS_DEEP 8

/* A PartitionName or NodeSet line, stored until all nodes are known. */
struct set_line {
	char *name, *nodes;
	char *path;
	long line;
	bool nodeset;		/* a NodeSet, not a partition */
	struct lxfw_partition rules;
};

struct conf {
	struct lxfw_cluster *cluster;
	struct lxfw_slurm_node defaults;	/* set by NodeName=DEFAULT */
	char *default_nodes;	/* set by PartitionName=DEFAULT */
	struct lxfw_partition default_rules;
	struct set_line *sets;
	size_t set_count, set_size;
	const struct lxfw_slurm_node *adding;
	bool memory_seen;	/* a node has RealMemory */
	bool whole_nodes;	/* SelectType=select/linear */
	int memory_consumed;	/* according to SelectTypeParameters; -1: not given */
	struct lxfw_error *wrong;	/* set without file and line */
};

static int take_number(struct conf *conf, const struct lxfw_slurm_pair *pair,
		       int64_t most, int64_t *number)
{
	char key[40], value[40];

	if (lxfw_text_integer(pair->value.at, pair->value.length, 0, most, number))
		return lxfw_error_format(conf->wrong,
			"%s=%s, expected a number from 0 to %lld",
			lxfw_text_quote(key, sizeof(key), pair->key.at,
					pair->key.length),
			lxfw_text_quote(value, sizeof(value), pair->value.at,
					pair->value.length), (long long)most);
	return 0;
}

static int take_node_value(struct conf *conf, struct lxfw_slurm_node *node,
			   const struct lxfw_slurm_pair *pair)
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
		{ "Weight", &node->weight },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		if (!lxfw_slurm_is(pair->key, numbers[i].key))
			continue;
		if (numbers[i].number == &node->memory_mb)
			conf->memory_seen = true;
		return take_number(conf, pair,
				   lxfw_slurm_node_most(node, numbers[i].number),
				   numbers[i].number);
	}
	if (lxfw_slurm_is(pair->key, "Gres"))
		return lxfw_slurm_node_gres(node, conf->cluster, pair->value,
					    conf->wrong);
	if (lxfw_slurm_is(pair->key, "State"))
		node->future = lxfw_slurm_is(pair->value, "FUTURE");
	return 0;
}

static int add_node(void *context, const char *name)
{
	struct conf *conf = context;

	return lxfw_slurm_node_add(conf->adding, name, conf->cluster, conf->wrong);
}

static int take_nodes(struct conf *conf, const struct lxfw_slurm_pair *pairs,
		      int count)
{
	struct lxfw_slurm_node node = conf->defaults;
	bool defaults = lxfw_slurm_is(pairs[0].value, "DEFAULT");

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
				    add_node, conf, conf->wrong);
}

static int take_set(struct conf *conf, const struct lxfw_slurm_line *line,
		    bool nodeset)
{
	const struct lxfw_slurm_pair *pairs = line->pairs;
	struct lxfw_partition rules = conf->default_rules;
	const struct lxfw_slice *nodes = NULL;
	struct set_line *set;

	for (int i = 1; i < line->count; i++) {
		if (lxfw_slurm_is(pairs[i].key, "Nodes"))
			nodes = &pairs[i].value;
		else if (!nodeset && lxfw_partition_take(&rules, pairs[i].key,
						pairs[i].value, conf->wrong))
			return -1;
	}
	if (!nodeset && lxfw_slurm_is(pairs[0].value, "DEFAULT")) {
		conf->default_rules = rules;
		if (nodes) {
			free(conf->default_nodes);
			conf->default_nodes = strndup(nodes->at, nodes->length);
		}
		return 0;
	}
	if (LXFW_GROW(conf->sets, conf->set_size, conf->set_count + 1))
		return lxfw_error_format(conf->wrong, "out of memory");
	set = conf->sets;
	set = &conf->sets[conf->set_count];
	*set = (struct set_line) {
		.name = strndup(pairs[0].value.at, pairs[0].value.length),
		.nodes = nodes ? strndup(nodes->at, nodes->length) :
			strdup(conf->default_nodes ? conf->default_nodes : ""),
		.path = strdup(line->path), .line = line->number,
		.nodeset = nodeset, .rules = rules,
	};
	conf->set_count++;
	if (!set->name || !set->nodes || !set->path)
		return lxfw_error_format(conf->wrong, "out of memory");
	return 0;
}

/* Replaces *COPY by a copy of VALUE. */
static int keep(struct conf *conf, char **copy, struct lxfw_slice value)
{
	free(*copy);
	*copy = strndup(value.at, value.length);
	return *copy ? 0 : lxfw_error_format(conf->wrong, "out of memory");
}

static int take_key(struct conf *conf, const struct lxfw_slurm_pair *pair)
{
	if (lxfw_slurm_is(pair->key, "SelectTypeParameters"))
		conf->memory_consumed =
			memmem(pair->value.at, pair->value.length,
			       "MEMORY", 6) ||
			memmem(pair->value.at, pair->value.length,
			       "Memory", 6);
	if (lxfw_slurm_is(pair->key, "SelectType"))
		conf->whole_nodes = lxfw_slurm_is(pair->value, "select/linear");
	if (lxfw_slurm_is(pair->key, "SchedulerParameters"))
		return keep(conf, &conf->cluster->parameters, pair->value);
	if (lxfw_slurm_is(pair->key, "SchedulerType"))
		return keep(conf, &conf->cluster->scheduler, pair->value);
	if (lxfw_slurm_is(pair->key, "PriorityType"))
		return keep(conf, &conf->cluster->priority_type, pair->value);
	if (lxfw_slurm_is(pair->key, "PreemptType"))
		return keep(conf, &conf->cluster->preempt_type, pair->value);
	return 0;
}

static int take_line(void *context, const struct lxfw_slurm_line *line,
		     struct lxfw_error *wrong)
{
	struct conf *conf = context;
	const struct lxfw_slurm_pair *pairs = line->pairs;
	int result = 0;

	conf->wrong = wrong;
	if (lxfw_slurm_is(pairs[0].key, "NodeName"))
		result = take_nodes(conf, pairs, line->count);
	else if (lxfw_slurm_is(pairs[0].key, "PartitionName"))
		result = take_set(conf, line, false);
	else if (lxfw_slurm_is(pairs[0].key, "NodeSet"))
		result = take_set(conf, line, true);
	for (int i = 0; i < line->count && result == 0; i++)
		result = take_key(conf, &pairs[i]);
	return result;
}

/* Collects the hosts of a partition. */
struct members {
	struct conf *conf;
	unsigned char *in;	/* by host */
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
		if (conf->sets[i].nodeset && members->depth < SETS_DEEP &&
		    strcmp(conf->sets[i].name, name) == 0)
			return add_members(members, conf->sets[i].nodes);
	}
	/* Nodes in state FUTURE do not exist yet. A list that names an unknown host is
	   an error for Slurm, not here. */
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
				      members, conf->wrong);
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
				     conf->wrong->text);
	set->hosts = malloc(((size_t)cluster->count + 1) * sizeof(*set->hosts));
	if (!set->hosts)
		return lxfw_error_system(error, line->path);
	set->name = line->name;
	line->name = NULL;
	set->rules = line->rules;
	set->rules.exclusive |= conf->whole_nodes;
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

	if (!in || LXFW_GROW(conf->cluster->sets, conf->cluster->sets_size,
			     conf->set_count))
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
	struct conf conf = {
		.cluster = cluster, .memory_consumed = -1,
		.defaults = LXFW_SLURM_NODE_USUAL,
		.default_rules = LXFW_PARTITION_USUAL,
	};
	int result = lxfw_slurm_lines(path, take_line, &conf, error);
	struct lxfw_error wrong;

	conf.wrong = &wrong;
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
