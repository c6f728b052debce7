/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a cluster and its partitions as lines of a slurm.conf. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/util/output.h"

static void write_text(struct lxfw_output *output, const char *before,
		       const char *text)
{
	lxfw_output_text(output, before);
	lxfw_output_text(output, text);
}

static void write_number(struct lxfw_output *output, const char *before,
			 int64_t number)
{
	lxfw_output_text(output, before);
	lxfw_output_integer(output, number);
}

/* Writes BEFORE and the names of the hosts as a list. Returns -1 with errno ENOMEM. */
static int write_names(struct lxfw_output *output, const char *before,
		       const char **names, size_t count)
{
	char *list = count > 0 ? lxfw_hostlist_compress(names, count) :
				 strdup("\"\"");

	if (!list)
		return -1;
	write_text(output, before, list);
	free(list);
	return 0;
}

/* Returns the amount of an extra that no other extra includes: that of a kind without
   that of its types. */
static int64_t own_count(const struct lxfw_cluster *cluster,
			 const struct lxfw_resources *total, int extra)
{
	const char *kind = cluster->extras[extra];
	size_t length = strlen(kind);
	int64_t own = total->extras[extra];

	for (int i = 0; i < cluster->extra_count && !strchr(kind, ':'); i++) {
		const char *type = cluster->extras[i];

		if (strncasecmp(type, kind, length) == 0 && type[length] == ':')
			own -= total->extras[i];
	}
	return own;
}

static void write_host(const struct lxfw_cluster *cluster,
		       const struct lxfw_cluster_host *host,
		       struct lxfw_output *output)
{
	const struct lxfw_resources *total = &host->total;
	const char *before = " Gres=";

	write_number(output, " CPUs=", total->procs);
	if (cluster->memory_bound)
		write_number(output, " RealMemory=", total->memory_mb);
	for (int i = 0; i < cluster->extra_count; i++) {
		int64_t own = own_count(cluster, total, i);

		if (own <= 0)
			continue;
		write_text(output, before, cluster->extras[i]);
		write_number(output, ":", own);
		before = ",";
	}
	if (host->weight != 0)
		write_number(output, " Weight=", host->weight + LXFW_WEIGHT_USUAL);
	lxfw_output_text(output, "\n");
}

static int write_hosts(const struct lxfw_cluster *cluster, const char **names,
		       struct lxfw_output *output)
{
	int32_t next;

	for (int32_t i = 0; i < cluster->count; i = next) {
		const struct lxfw_cluster_host *host = &cluster->hosts[i];
		size_t count = 0;

		for (next = i; next < cluster->count &&
		     memcmp(&cluster->hosts[next], host, sizeof(*host)) == 0;
		     next++)
			names[count++] = lxfw_cluster_host_name(cluster, next);
		if (write_names(output, "NodeName=", names, count))
			return -1;
		write_host(cluster, host, output);
	}
	return 0;
}

static void write_time(struct lxfw_output *output, const char *before,
		       int64_t seconds)
{
	if (seconds > 0)
		lxfw_output_format(output, "%s%" PRId64 "-%02" PRId64 ":%02"
				   PRId64 ":%02" PRId64, before, seconds / 86400,
				   seconds / 3600 % 24, seconds / 60 % 60,
				   seconds % 60);
}

static void write_rules(const struct lxfw_partition *rules,
			struct lxfw_output *output)
{
	write_time(output, " MaxTime=", rules->max_time);
	write_time(output, " DefaultTime=", rules->default_time);
	if (rules->min_hosts > 0)
		write_number(output, " MinNodes=", rules->min_hosts);
	if (rules->max_hosts > 0)
		write_number(output, " MaxNodes=", rules->max_hosts);
	if (rules->tier != LXFW_PARTITION_USUAL.tier)
		write_number(output, " PriorityTier=", rules->tier);
	lxfw_output_text(output, rules->exclusive ?
			 " OverSubscribe=EXCLUSIVE\n" : "\n");
}

static int write_sets(const struct lxfw_cluster *cluster, const char **names,
		      struct lxfw_output *output)
{
	for (int32_t i = 0; i < cluster->set_count; i++) {
		const struct lxfw_cluster_set *set = &cluster->sets[i];

		for (int32_t j = 0; j < set->count; j++)
			names[j] = lxfw_cluster_host_name(cluster,
							  set->hosts[j]);
		write_text(output, "PartitionName=", set->name);
		if (write_names(output, " Nodes=", names, (size_t)set->count))
			return -1;
		write_rules(&set->rules, output);
	}
	return 0;
}

int lxfw_cluster_write(const struct lxfw_cluster *cluster, const char *from,
		       struct lxfw_output *output)
{
	const char **names = calloc((size_t)cluster->count + 1, sizeof(*names));
	int result;

	if (!names)
		return -1;
	write_text(output, "# Nodes and partitions, lxfw import from ", from);
	write_text(output, "\nSelectTypeParameters=", cluster->memory_bound ?
		   "CR_Core_Memory\n" : "CR_Core\n");
	if (cluster->scheduler) {
		write_text(output, "SchedulerType=", cluster->scheduler);
		lxfw_output_text(output, "\n");
	}
	if (cluster->parameters) {
		write_text(output, "SchedulerParameters=\"",
			   cluster->parameters);
		lxfw_output_text(output, "\"\n");
	}
	result = write_hosts(cluster, names, output);
	if (result == 0)
		result = write_sets(cluster, names, output);
	free(names);
	return result;
}
