/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the nodes and partitions of a slurm.conf (slurm.conf(5)). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/cluster_licenses.h"
#include "sim-frontend/trace/slurm_files.h"
#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/trace/slurm_node.h"
#include "sim-frontend/util/text.h"

/* Maximum nesting of NodeSets. */
#define SETS_DEEP 8

/* A PartitionName or NodeSet line, stored until all nodes are known. */
struct set_line {
	char *name, *nodes;
	char *feature;		/* of a NodeSet; NULL: none */
	char *path;
	long line;
	bool nodeset;		/* a NodeSet, not a partition */
	struct lxfw_partition rules;
};

/* The hosts of a NodeName line that has features, "a,b". */
struct featured {
	char *features;
	int32_t first, count;
};

struct conf {
	struct lxfw_cluster *cluster;
	struct lxfw_slurm_node defaults;	/* set by NodeName=DEFAULT */
	char *default_features, *default_reserved;
	struct featured *featured;
	size_t featured_count, featured_size;
	char *default_nodes;	/* set by PartitionName=DEFAULT */
	struct lxfw_partition default_rules;
	struct set_line *sets;
	size_t set_count, set_size;
	const struct lxfw_slurm_node *adding;
	struct lxfw_names down;	/* nodes in DownNodes */
	bool memory_seen;	/* a node has RealMemory */
	char *select, *select_parameters;	/* SelectType... */
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
		{ "CPUs", &node->cpus }, { "Procs", &node->procs },
		{ "Boards", &node->boards }, { "Sockets", &node->sockets },
		{ "SocketsPerBoard", &node->sockets_per_board },
		{ "CoresPerSocket", &node->cores },
		{ "ThreadsPerCore", &node->threads },
		{ "RealMemory", &node->memory_mb },
		{ "MemSpecLimit", &node->reserved_mb },
		{ "CoreSpecCount", &node->reserved_cores },
		{ "RestrictedCoresPerGPU", &node->gpu_cores },
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
	if (lxfw_slurm_is(pair->key, "CPUSpecList"))
		node->reserved_cpus = pair->value;
	if (lxfw_slurm_is(pair->key, "State")) {
		node->future = lxfw_slurm_is(pair->value, "FUTURE");
		node->down = lxfw_slurm_node_is_down(pair->value);
	}
	return 0;
}

/* Replaces *COPY by a copy of VALUE. */
static int keep(struct conf *conf, char **copy, struct lxfw_slice value)
{
	free(*copy);
	*copy = strndup(value.at, value.length);
	return *copy ? 0 : lxfw_error_format(conf->wrong, "out of memory");
}

/* --- nodes ---------------------------------------------------------------------- */

/* Collects the nodes of DownNodes, which may be before or after their NodeName. */
static int add_down(void *context, const char *name)
{
	struct conf *conf = context;

	return lxfw_names_add(&conf->down, name, strlen(name)) < 0 ?
	       lxfw_error_format(conf->wrong, "out of memory") : 0;
}

/* The default of State is DOWN. */
static int take_down_nodes(struct conf *conf, const struct lxfw_slurm_line *line)
{
	const struct lxfw_slurm_pair *pairs = line->pairs;

	for (int i = 1; i < line->count; i++) {
		if (lxfw_slurm_is(pairs[i].key, "State") &&
		    !lxfw_slurm_node_is_down(pairs[i].value) &&
		    !lxfw_slurm_is(pairs[i].value, "FUTURE"))
			return 0;
	}
	return lxfw_hostlist_expand(pairs[0].value.at, pairs[0].value.length, add_down, conf,
				    conf->wrong);
}

static int add_node(void *context, const char *name)
{
	struct conf *conf = context;

	if (conf->cluster->with_down ||
	    (!conf->adding->down && lxfw_names_find(&conf->down, name, strlen(name)) < 0))
		return lxfw_slurm_node_add(conf->adding, name, conf->cluster, conf->wrong);
	return lxfw_names_add(&conf->cluster->down, name, strlen(name)) < 0 ?
	       lxfw_error_format(conf->wrong, "out of memory") : 0;
}

/* Remembers the features of the hosts from FIRST on. */
static int add_features(struct conf *conf, struct lxfw_slice features, int32_t first)
{
	struct featured *featured;

	if (LXFW_GROW(conf->featured, conf->featured_size, conf->featured_count + 1))
		return lxfw_error_format(conf->wrong, "out of memory");
	featured = &conf->featured[conf->featured_count++];
	*featured = (struct featured) {
		.first = first, .count = conf->cluster->count - first,
	};
	return keep(conf, &featured->features, features);
}

/* The defaults are used after the line, which is valid during the call only. */
static int keep_defaults(struct conf *conf, const struct lxfw_slurm_node *node,
			 struct lxfw_slice features)
{
	struct lxfw_slice *reserved = &conf->defaults.reserved_cpus;
	char *before = conf->default_reserved;
	int result;

	conf->default_reserved = NULL;
	conf->defaults = *node;
	result = keep(conf, &conf->default_reserved, (struct lxfw_slice) {
		reserved->length > 0 ? reserved->at : "", reserved->length });
	reserved->at = conf->default_reserved;
	free(before);
	if (result == 0 && features.at != conf->default_features)
		result = keep(conf, &conf->default_features, features);
	return result;
}

static int take_nodes(struct conf *conf, const struct lxfw_slurm_pair *pairs,
		      int count)
{
	struct lxfw_slurm_node node = conf->defaults;
	const char *usual = conf->default_features ? conf->default_features : "";
	struct lxfw_slice features = { usual, strlen(usual) };
	int32_t first = conf->cluster->count;

	for (int i = 1; i < count; i++) {
		if (take_node_value(conf, &node, &pairs[i]))
			return -1;
		if (lxfw_slurm_is(pairs[i].key, "Feature") ||
		    lxfw_slurm_is(pairs[i].key, "Features"))
			features = pairs[i].value;
	}
	if (lxfw_slurm_is(pairs[0].value, "DEFAULT"))
		return keep_defaults(conf, &node, features);
	if (node.future && !(conf->cluster->with_down && node.memory_mb > 1))
		return 0;
	conf->adding = &node;
	if (lxfw_hostlist_expand(pairs[0].value.at, pairs[0].value.length, add_node, conf,
				 conf->wrong))
		return -1;
	return features.length > 0 && conf->cluster->count > first ?
	       add_features(conf, features, first) : 0;
}

/* --- partitions and node sets --------------------------------------------------- */


static int take_set(struct conf *conf, const struct lxfw_slurm_line *line,
		    bool nodeset)
{
	const struct lxfw_slurm_pair *pairs = line->pairs;
	struct lxfw_partition rules = conf->default_rules;
	const struct lxfw_slice *nodes = NULL, *feature = NULL;
	struct set_line *set;

	for (int i = 1; i < line->count; i++) {
		if (lxfw_slurm_is(pairs[i].key, "Nodes"))
			nodes = &pairs[i].value;
		else if (nodeset && lxfw_slurm_is(pairs[i].key, "Feature"))
			feature = &pairs[i].value;
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
	set = &conf->sets[conf->set_count];
	*set = (struct set_line) {
		.name = strndup(pairs[0].value.at, pairs[0].value.length),
		.nodes = nodes ? strndup(nodes->at, nodes->length) :
			strdup(conf->default_nodes && !nodeset ? conf->default_nodes : ""),
		.feature = feature ? strndup(feature->at, feature->length) : NULL,
		.path = strdup(line->path), .line = line->number,
		.nodeset = nodeset, .rules = rules,
	};
	conf->set_count++;
	if (!set->name || !set->nodes || !set->path || (feature && !set->feature))
		return lxfw_error_format(conf->wrong, "out of memory");
	return 0;
}

/* --- lines ---------------------------------------------------------------------- */

static int take_key(struct conf *conf, const struct lxfw_slurm_pair *pair)
{
	if (lxfw_slurm_is(pair->key, "SelectTypeParameters"))
		return keep(conf, &conf->select_parameters, pair->value);
	if (lxfw_slurm_is(pair->key, "SelectType"))
		return keep(conf, &conf->select, pair->value);
	if (lxfw_slurm_is(pair->key, "ClusterName") ||
	    lxfw_slurm_is(pair->key, "SlurmctldHost") ||
	    lxfw_slurm_is(pair->key, "ControlMachine"))
		conf->cluster->controller = true;
	if (lxfw_slurm_is(pair->key, "SchedulerParameters"))
		return keep(conf, &conf->cluster->parameters, pair->value);
	if (lxfw_slurm_is(pair->key, "SchedulerType"))
		return keep(conf, &conf->cluster->scheduler, pair->value);
	if (lxfw_slurm_is(pair->key, "PriorityType"))
		return keep(conf, &conf->cluster->priority_type, pair->value);
	if (lxfw_slurm_is(pair->key, "Licenses"))
		return lxfw_cluster_take_licenses(conf->cluster, pair->value) ?
		       lxfw_error_format(conf->wrong, "out of memory") : 0;
	if (lxfw_slurm_is(pair->key, "PreemptType"))
		return keep(conf, &conf->cluster->preempt_type, pair->value);
	return 0;
}

static int take_down_line(void *context, const struct lxfw_slurm_line *line,
			  struct lxfw_error *wrong)
{
	struct conf *conf = context;

	conf->wrong = wrong;
	return lxfw_slurm_is(line->pairs[0].key, "DownNodes") ?
	       take_down_nodes(conf, line) : 0;
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

/* --- hosts of partitions -------------------------------------------------------- */

/* Collects the hosts of a partition. */
struct members {
	struct conf *conf;
	unsigned char *in;	/* by host */
	const struct set_line *set;
	int depth;
};

static int add_members(struct members *members, const char *nodes);

/* Returns whether FEATURE is one of FEATURES, "a,b". */
static bool has_feature(const char *features, const char *feature)
{
	size_t length = strlen(feature);

	for (const char *at = features; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] != 0)) {
		if (strncmp(at, feature, length) == 0 &&
		    (at[length] == ',' || at[length] == '\0'))
			return true;
	}
	return false;
}

/* A node set has the nodes that it names and those with its feature. */
static int add_node_set(struct members *members, const struct set_line *set)
{
	const struct conf *conf = members->conf;

	for (size_t i = 0; i < conf->featured_count && set->feature; i++) {
		const struct featured *featured = &conf->featured[i];

		if (has_feature(featured->features, set->feature))
			memset(members->in + featured->first, 1, (size_t)featured->count);
	}
	return add_members(members, set->nodes);
}

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
			return add_node_set(members, &conf->sets[i]);
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

static int make_set(struct conf *conf, struct set_line *line, bool whole,
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
	set->rules.exclusive |= whole;
	set->count = 0;
	for (int32_t i = 0; i < cluster->count; i++) {
		if (in[i])
			set->hosts[set->count++] = i;
	}
	cluster->set_count++;
	return 0;
}

static int make_sets(struct conf *conf, bool whole, const char *path,
		     struct lxfw_error *error)
{
	unsigned char *in = malloc((size_t)conf->cluster->count + 1);
	int result = 0;

	if (!in || LXFW_GROW(conf->cluster->sets, conf->cluster->sets_size,
			     conf->set_count))
		result = lxfw_error_system(error, path);
	for (size_t i = 0; i < conf->set_count && result == 0; i++) {
		if (!conf->sets[i].nodeset)
			result = make_set(conf, &conf->sets[i], whole, in, error);
	}
	free(in);
	return result;
}

/* --- what is allocated ---------------------------------------------------------- */

static bool contains(const char *text, const char *word)
{
	return text && strcasestr(text, word);
}

/*
 * Returns whether jobs are allocated whole nodes: by select/linear, the default of Slurm up
 * to 23.02. It does not accept CR_Core, CR_CPU or CR_Socket. A file without a cluster's
 * name is a part of a slurm.conf, whose SelectType is unknown.
 */
static bool is_whole(const struct conf *conf)
{
	const char *parameters = conf->select_parameters;

	if (contains(conf->select, "linear"))
		return true;
	if (contains(conf->select, "cray"))
		return !contains(parameters, "other_cons");
	return !conf->select && conf->cluster->controller && !contains(parameters, "CR_C") &&
	       !contains(parameters, "CR_Socket");
}

/* The default of SelectTypeParameters is CR_Core_Memory; that of select/linear is none. */
static bool counts_memory(const struct conf *conf, bool whole)
{
	if (conf->select_parameters && *conf->select_parameters)
		return contains(conf->select_parameters, "memory");
	return conf->memory_seen && !whole;
}

static int note_down(struct lxfw_cluster *cluster)
{
	size_t count = cluster->down.count;

	if (count == 0)
		return 0;
	return lxfw_cluster_note(cluster, "%zu node%s left out, such as %s: DOWN or drained, by "
				 "DownNodes or State", count, count == 1 ? "" : "s",
				 cluster->down.names[0]);
}

static int finish(struct conf *conf, const char *path, struct lxfw_error *error)
{
	struct lxfw_cluster *cluster = conf->cluster;
	bool whole = is_whole(conf);

	if (cluster->count == 0)
		return lxfw_error_at(error, path, 0, cluster->down.count > 0 ?
			"all nodes are DOWN or drained, expected one that runs jobs" :
			"no NodeName line, expected the nodes of a cluster");
	cluster->memory_bound = counts_memory(conf, whole);
	if (make_sets(conf, whole, path, error))
		return -1;
	if (note_down(cluster) || (whole && !conf->select &&
	    lxfw_cluster_note(cluster, "no SelectType: jobs are allocated whole nodes, as "
			      "with select/linear, the default of Slurm up to 23.02; later "
			      "releases: set SelectType=select/cons_tres")))
		return lxfw_error_system(error, path);
	return 0;
}

static void clear(struct conf *conf)
{
	for (size_t i = 0; i < conf->set_count; i++) {
		free(conf->sets[i].name);
		free(conf->sets[i].nodes);
		free(conf->sets[i].feature);
		free(conf->sets[i].path);
	}
	for (size_t i = 0; i < conf->featured_count; i++)
		free(conf->featured[i].features);
	free(conf->sets);
	free(conf->featured);
	free(conf->default_nodes);
	free(conf->default_features);
	free(conf->default_reserved);
	free(conf->select);
	free(conf->select_parameters);
	lxfw_names_clear(&conf->down);
}

int lxfw_cluster_read_slurm(struct lxfw_cluster *cluster, const char *path,
			    struct lxfw_error *error)
{
	if (lxfw_cluster_read_slurm_in(cluster, NULL, path, error))
		return -1;
	return lxfw_cluster_read_gres_beside(cluster, path, error);
}

int lxfw_cluster_read_slurm_in(struct lxfw_cluster *cluster, struct lxfw_slurm_files *files,
			       const char *path, struct lxfw_error *error)
{
	struct conf conf = {
		.cluster = cluster,
		.defaults = LXFW_SLURM_NODE_USUAL,
		.default_rules = LXFW_PARTITION_USUAL,
	};
	struct lxfw_error wrong;
	int result = lxfw_slurm_lines_in(files, path, take_down_line, &conf, error);

	if (result == 0)
		result = lxfw_slurm_lines_in(files, path, take_line, &conf, error);
	conf.wrong = &wrong;
	if (result == 0)
		result = finish(&conf, path, error);
	clear(&conf);
	return result;
}
