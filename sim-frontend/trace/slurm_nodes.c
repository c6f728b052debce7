/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the nodes of a running Slurm: the output of `scontrol show node`, with one or
 * several lines per node, or the JSON of `scontrol show node --json` and of slurmrestd's
 * /slurm/vX/nodes. Partitions are those that the nodes name. The output of `scontrol show
 * partition` or of slurmrestd, with their other properties, may follow the nodes.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/json_file.h"
#include "sim-frontend/trace/json_members.h"
#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/trace/slurm_node.h"
#include "sim-frontend/util/text.h"

struct nodes {
	struct lxfw_cluster *cluster;
	struct lxfw_input *input;
	size_t *set_sizes, set_sizes_size;	/* allocated size of the host array of
						   each partition */
	/* The node that is being read. */
	struct lxfw_slurm_node node;
	char name[LXFW_HOST_NAME_SIZE];
	char *partitions;		/* "a,b", or NULL */
	long line;
	int64_t usable;			/* processors by Slurm's own count; -1: unknown */
	/* the partition that is being read; -1: none */
	int32_t set;
};

static int out_of_memory(struct lxfw_error *wrong)
{
	return lxfw_error_format(wrong, "out of memory");
}

/* --- partitions ----------------------------------------------------------------- */

/* Returns the set NAME, which is created if it is new, or NULL with errno ENOMEM. */
static struct lxfw_cluster_set *find_set(struct nodes *nodes, const char *name,
					 size_t length, size_t **size)
{
	struct lxfw_cluster *cluster = nodes->cluster;
	int32_t at = lxfw_cluster_find_set(cluster, name, length);
	size_t count = (size_t)cluster->set_count;

	if (at < 0) {
		if (LXFW_GROW(cluster->sets, cluster->sets_size, count + 1) ||
		    LXFW_GROW(nodes->set_sizes, nodes->set_sizes_size, count + 1))
			return NULL;
		nodes->set_sizes[count] = 0;
		cluster->sets[count] = (struct lxfw_cluster_set) {
			.name = strndup(name, length),
			.rules = LXFW_PARTITION_USUAL,
		};
		if (!cluster->sets[count].name)
			return NULL;
		at = cluster->set_count++;
	}
	*size = &nodes->set_sizes[at];
	return &cluster->sets[at];
}

/* Adds HOST to the partition at INDEX. */
static int add_member(struct nodes *nodes, int32_t index, int32_t host)
{
	struct lxfw_cluster_set *set = &nodes->cluster->sets[index];
	int32_t at = set->count, *hosts;

	while (at > 0 && set->hosts[at - 1] > host)
		at--;
	if (at > 0 && set->hosts[at - 1] == host)
		return 0;
	if (LXFW_GROW(set->hosts, nodes->set_sizes[index], (size_t)set->count + 1))
		return -1;
	hosts = set->hosts;
	memmove(hosts + at + 1, hosts + at,
		(size_t)(set->count - at) * sizeof(*hosts));
	hosts[at] = host;
	set->count++;
	return 0;
}

/* Adds the last host to this partition. */
static int join(struct nodes *nodes, const char *name, size_t length)
{
	size_t *size;
	struct lxfw_cluster_set *set = find_set(nodes, name, length, &size);

	return set ? add_member(nodes, (int32_t)(set - nodes->cluster->sets),
				nodes->cluster->count - 1) : -1;
}

/* Begins a partition: what follows describes it. */
static int begin_partition(struct nodes *nodes, struct lxfw_slice name,
			   struct lxfw_error *wrong)
{
	struct lxfw_cluster_set *set;
	size_t *size;

	if (name.length == 0)
		return lxfw_error_format(wrong, "a partition without a name");
	set = find_set(nodes, name.at, name.length, &size);
	if (!set)
		return out_of_memory(wrong);
	nodes->set = (int32_t)(set - nodes->cluster->sets);
	return 0;
}

/* Adds a host that the partition names. Unknown hosts are ignored, as in slurm.conf. */
static int take_host(void *context, const char *name)
{
	struct nodes *nodes = context;
	int32_t host = lxfw_cluster_find(nodes->cluster, name);

	return host < 0 ? 0 : add_member(nodes, nodes->set, host);
}

/* Adds the hosts of LIST to the partition, unless nodes have named the partition. */
static int take_hosts(struct nodes *nodes, struct lxfw_slice list,
		      struct lxfw_error *wrong)
{
	if (nodes->cluster->sets[nodes->set].count > 0 || list.length == 0 ||
	    lxfw_slice_is(list, "(null)"))
		return 0;
	return lxfw_hostlist_expand(list.at, list.length, take_host, nodes,
				    wrong);
}

static int join_all(struct nodes *nodes)
{
	const char *at = nodes->partitions;

	while (at && *at) {
		size_t length = strcspn(at, ",");

		if (length > 0 && join(nodes, at, length))
			return -1;
		at += length + (at[length] == ',');
	}
	return 0;
}

/* --- nodes ---------------------------------------------------------------------- */

static void begin_node(struct nodes *nodes)
{
	free(nodes->partitions);
	nodes->partitions = NULL;
	nodes->node = LXFW_SLURM_NODE_USUAL;
	*nodes->name = '\0';
	nodes->usable = -1;
}

/* Adds the node that was read, if there is one. */
static int end_node(struct nodes *nodes, struct lxfw_error *wrong)
{
	if (*nodes->name == '\0' || nodes->node.future)
		return 0;
	if (nodes->node.cpus < 1)
		return lxfw_error_format(wrong, "node %.60s without processors, "
			"expected CPUTot or cpus", nodes->name);
	/* Slurm's count excludes the cores that it reserves */
	if (nodes->usable > 0) {
		nodes->node.cpus = nodes->usable;
		nodes->node.reserved_cores = 0;
		nodes->node.threads = 1;
	}
	/* The number of cores is not read: the number of processors is right. */
	if (nodes->node.threads > 0 && nodes->node.cpus % nodes->node.threads != 0)
		nodes->node.threads = 1;
	if (lxfw_slurm_node_add(&nodes->node, nodes->name, nodes->cluster, wrong))
		return -1;
	return join_all(nodes) ? out_of_memory(wrong) : 0;
}

static int take_name(struct nodes *nodes, struct lxfw_slice name,
		     struct lxfw_error *wrong)
{
	char quoted[60];

	/* a name that a cluster description cannot contain */
	if (name.length == 0 || name.length >= sizeof(nodes->name) ||
	    strcspn(name.at, " \t,=#\"'[]") < name.length)
		return lxfw_error_format(wrong, "'%s' is not a valid node name",
			lxfw_text_quote(quoted, sizeof(quoted),
					name.at ? name.at : "", name.length));
	memcpy(nodes->name, name.at, name.length);
	nodes->name[name.length] = '\0';
	return 0;
}

static int take_partitions(struct nodes *nodes, struct lxfw_slice list,
			   struct lxfw_error *wrong)
{
	free(nodes->partitions);
	nodes->partitions = strndup(list.at, list.length);
	return nodes->partitions ? 0 : out_of_memory(wrong);
}

/* --- scontrol show node --------------------------------------------------------- */

static int take_pair(struct nodes *nodes, struct lxfw_slice key,
		     struct lxfw_slice value, struct lxfw_error *wrong)
{
	struct lxfw_slurm_node *node = &nodes->node;
	struct lxfw_partition *rules;
	const struct {
		const char *key;
		int64_t *number;
	} numbers[] = {
		{ "CPUTot", &node->cpus }, { "CPUEfctv", &nodes->usable },
		{ "CoreSpecCount", &node->reserved_cores },
		{ "ThreadsPerCore", &node->threads },
		{ "Sockets", &node->told_sockets },
		{ "RealMemory", &node->memory_mb },
		{ "MemSpecLimit", &node->reserved_mb },
		{ "Weight", &node->weight },
		{ "RestrictedCoresPerGPU", &node->gpu_cores },
	};

	if (lxfw_slice_is(key, "RestrictedCoresPerGPU")) {	/* 2(0-3,8-11), (null) */
		value.length = lxfw_slice_until(value, '(');
		if (value.length == 0)
			return 0;
	}
	if (lxfw_slice_is(key, "PartitionName"))
		return begin_partition(nodes, value, wrong);
	if (nodes->set >= 0) {
		rules = &nodes->cluster->sets[nodes->set].rules;
		return lxfw_slice_is(key, "Nodes") ?
			take_hosts(nodes, value, wrong) :
			lxfw_partition_take(rules, key, value, wrong);
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		int64_t most = lxfw_slurm_node_most(node, numbers[i].number);
		char quoted[40];

		if (!lxfw_slice_is(key, numbers[i].key))
			continue;
		if (!lxfw_slice_integer(value, 0, most, numbers[i].number))
			return lxfw_error_format(wrong, "%s=%s, expected a "
				"number from 0 to %lld", numbers[i].key,
				lxfw_text_quote(quoted, sizeof(quoted),
						value.at, value.length),
				(long long)most);
		return 0;
	}
	if (lxfw_slice_is(key, "NodeName"))
		return take_name(nodes, value, wrong);
	if (lxfw_slice_is(key, "Partitions"))
		return take_partitions(nodes, value, wrong);
	if (lxfw_slice_is(key, "Gres") && !lxfw_slice_is(value, "(null)"))
		return lxfw_slurm_node_gres(node, nodes->cluster, value, wrong);
	if (lxfw_slice_is(key, "State"))
		node->future = lxfw_slice_begins(value, "FUTURE");
	return 0;
}

/* Keys whose value is free text that extends to the end of the line. */
static bool is_free_text(struct lxfw_slice key)
{
	static const char *const keys[] = { "Reason", "Comment", "Extra" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (lxfw_slice_is(key, keys[i]))
			return true;
	}
	return false;
}

static int take_word(void *context, struct lxfw_slice key,
		     struct lxfw_slice value, struct lxfw_error *wrong)
{
	return is_free_text(key) ? 1 : take_pair(context, key, value, wrong);
}

/* Returns whether a line begins a node or a partition, depending on KEY. */
static bool begins(struct lxfw_slice line, const char *key)
{
	return line.length >= strlen(key) &&
	       memcmp(line.at, key, strlen(key)) == 0;
}

static int read_text(struct nodes *nodes, struct lxfw_error *error)
{
	struct lxfw_error wrong;
	char *line;
	size_t length;
	int got;

	while ((got = lxfw_input_line(nodes->input, &line, &length,
				      error)) > 0) {
		struct lxfw_slice text = { line, length };

		if (begins(text, "NodeName=") || begins(text, "PartitionName=")) {
			if (end_node(nodes, &wrong))
				break;
			begin_node(nodes);
			nodes->set = -1;
			nodes->line = lxfw_input_line_number(nodes->input);
		}
		if (lxfw_slurm_words(line, length, take_word, nodes, &wrong)) {
			nodes->line = lxfw_input_line_number(nodes->input);
			break;
		}
	}
	if (got == 0)
		got = end_node(nodes, &wrong) ? 1 : 0;
	if (got > 0)
		return lxfw_error_at(error, lxfw_input_path(nodes->input),
				     nodes->line, "%s", wrong.text);
	return got;
}

/* --- JSON ----------------------------------------------------------------------- */

/* In v0.0.38, the state is a word; later it is an array of words. */
static bool is_future(json_object *node)
{
	json_object *state = lxfw_json_member(node, "state");

	if (json_object_is_type(state, json_type_array))
		state = json_object_array_get_idx(state, 0);
	return json_object_is_type(state, json_type_string) &&
	       strcasecmp(json_object_get_string(state), "FUTURE") == 0;
}

static int64_t number_or_none(json_object *node, const char *key)
{
	int64_t number = lxfw_json_number(node, key);

	return number < 0 || number > INT32_MAX ? 0 : number;
}

/* Converts the array of partitions to "a,b". */
static int take_array(struct nodes *nodes, json_object *array,
		      struct lxfw_error *wrong)
{
	size_t length = 0, count;
	char *list;

	if (!json_object_is_type(array, json_type_array))
		return 0;
	count = json_object_array_length(array);
	for (size_t i = 0; i < count; i++)
		length += 1 + lxfw_json_text(json_object_array_get_idx(array, i),
					     "").length;
	list = malloc(length + 1);
	if (!list)
		return out_of_memory(wrong);
	nodes->partitions = list;
	for (size_t i = 0; i < count; i++) {
		struct lxfw_slice name =
			lxfw_json_text(json_object_array_get_idx(array, i), "");

		if (name.length > 0)
			list = mempcpy(list, name.at, name.length);
		*list++ = ',';
	}
	*list = '\0';
	return 0;
}

static int take_object(struct nodes *nodes, json_object *object,
		       struct lxfw_error *wrong)
{
	struct lxfw_slurm_node *node = &nodes->node;
	struct lxfw_slice gres = lxfw_json_text(object, "gres");
	int64_t weight;

	begin_node(nodes);
	if (take_name(nodes, lxfw_json_text(object, "name"), wrong))
		return -1;
	node->cpus = number_or_none(object, "cpus");
	node->threads = number_or_none(object, "threads");
	node->told_sockets = number_or_none(object, "sockets");
	node->memory_mb = number_or_none(object, "real_memory");
	node->reserved_mb = number_or_none(object, "specialized_memory");
	node->reserved_cores = number_or_none(object, "specialized_cores");
	node->gpu_cores = number_or_none(object, "res_cores_per_gpu");
	nodes->usable = number_or_none(object, "effective_cpus");
	weight = lxfw_json_number(object, "weight");
	if (weight >= 0 && weight <= UINT32_MAX)
		node->weight = weight;
	node->future = is_future(object);
	if (gres.length > 0 &&
	    lxfw_slurm_node_gres(node, nodes->cluster, gres, wrong))
		return -1;
	if (take_array(nodes, lxfw_json_member(object, "partitions"), wrong))
		return -1;
	return end_node(nodes, wrong);
}

/* Reads a partition in the JSON of slurmrestd or scontrol --json. */
static int take_json_partition(struct nodes *nodes, json_object *object,
			       struct lxfw_error *wrong)
{
	struct lxfw_slice hosts = lxfw_json_text(object, "nodes.configured");

	if (hosts.length == 0)
		hosts = lxfw_json_text(object, "nodes");
	if (begin_partition(nodes, lxfw_json_text(object, "name"), wrong))
		return -1;
	lxfw_partition_of_json(&nodes->cluster->sets[nodes->set].rules, object);
	return take_hosts(nodes, hosts, wrong);
}

static int take_answer(void *context, json_object *answer,
		       struct lxfw_error *wrong)
{
	struct nodes *nodes = context;
	json_object *array = lxfw_json_member(answer, "nodes");
	json_object *partitions = lxfw_json_member(answer, "partitions");
	char text[200];

	if (lxfw_json_error(lxfw_json_member(answer, "errors"), text,
			    sizeof(text)))
		return lxfw_error_format(wrong, "Slurm reports an error: %s",
					 text);
	if (!json_object_is_type(array, json_type_array) &&
	    !json_object_is_type(partitions, json_type_array))
		return lxfw_error_format(wrong, "no \"nodes\", expected the "
			"output of slurmrestd or scontrol show node --json");
	for (size_t i = 0; i < lxfw_json_length(array); i++) {
		if (take_object(nodes, json_object_array_get_idx(array, i),
				wrong))
			return -1;
	}
	for (size_t i = 0; i < lxfw_json_length(partitions); i++) {
		if (take_json_partition(nodes, json_object_array_get_idx(
						partitions, i), wrong))
			return -1;
	}
	return 0;
}

/* Initializes the allocated sizes for partitions read by an earlier call. */
static int take_room(struct nodes *nodes)
{
	const struct lxfw_cluster *cluster = nodes->cluster;
	size_t count = (size_t)cluster->set_count;

	nodes->set_sizes = lxfw_grow(NULL, &nodes->set_sizes_size, count + 1,
				     sizeof(*nodes->set_sizes));
	if (!nodes->set_sizes)
		return -1;
	for (size_t i = 0; i < count; i++)
		nodes->set_sizes[i] = (size_t)cluster->sets[i].count;
	return 0;
}

int lxfw_cluster_read_nodes(struct lxfw_cluster *cluster,
			    struct lxfw_input *input, struct lxfw_error *error)
{
	struct nodes nodes = { .cluster = cluster, .input = input, .set = -1 };
	int got = lxfw_json_begins(input, error);

	if (got < 0)
		return -1;
	if (take_room(&nodes))
		return lxfw_error_system(error, lxfw_input_path(input));
	got = got ? lxfw_json_objects(input, "slurmrestd or scontrol show node "
				      "--json", take_answer, &nodes, error) :
		    read_text(&nodes, error);
	if (got == 0 && cluster->count == 0)
		got = lxfw_error_at(error, lxfw_input_path(input), 0,
			"no node found, expected the output of scontrol show "
			"node or slurmrestd");
	for (int32_t i = 0; i < cluster->count; i++)
		cluster->memory_bound |= cluster->hosts[i].total.memory_mb > 1;
	free(nodes.partitions);
	free(nodes.set_sizes);
	return got;
}
