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

/* Sockets matter if a partition limits processors on each of them. */
static bool sockets_matter(const struct lxfw_cluster *cluster)
{
	int32_t i = 0;

	while (i < cluster->set_count && cluster->sets[i].rules.max_socket_procs == 0)
		i++;
	return i < cluster->set_count;
}

/* Slurm expects as many processors on each socket. Those that are added are reserved. */
static void write_sockets(const struct lxfw_cluster_host *host, struct lxfw_output *output)
{
	int64_t procs = host->total.procs, each = (procs + host->socket_count - 1) / host->socket_count;

	write_number(output, " CPUs=", each * host->socket_count);
	write_number(output, " Sockets=", host->socket_count);
	write_number(output, " CoresPerSocket=", each);
	if (each * host->socket_count > procs)
		write_number(output, " CoreSpecCount=", each * host->socket_count - procs);
}

static void write_host(const struct lxfw_cluster *cluster,
		       const struct lxfw_cluster_host *host,
		       struct lxfw_output *output)
{
	const struct lxfw_resources *total = &host->total;
	const char *before = " Gres=";

	if (host->socket_count > 0 && sockets_matter(cluster))
		write_sockets(host, output);
	else
		write_number(output, " CPUs=", total->procs);
	if (cluster->memory_bound)
		write_number(output, " RealMemory=", total->memory_mb);
	for (int32_t i = 0; i < cluster->gres.count; i++) {
		int32_t count = lxfw_gres_count(&cluster->gres, &host->gres, i);

		if (count == 0)
			continue;
		write_text(output, before, cluster->gres.names[i]);
		write_number(output, ":", count);
		before = ",";
	}
	if (host->gpu_procs > 0)
		write_number(output, " RestrictedCoresPerGPU=", host->gpu_procs);
	if (host->weight != 0)
		write_number(output, " Weight=", host->weight + LXFW_WEIGHT_USUAL);
	lxfw_output_text(output, "\n");
}

static bool is_like(const struct lxfw_cluster *cluster, const struct lxfw_cluster_host *a,
		    const struct lxfw_cluster_host *b)
{
	return a->total.procs == b->total.procs && a->total.memory_mb == b->total.memory_mb &&
	       a->weight == b->weight && a->gpu_procs == b->gpu_procs &&
	       (a->socket_count == b->socket_count || !sockets_matter(cluster)) &&
	       lxfw_gres_same(&cluster->gres, &a->gres, &b->gres);
}

static int write_hosts(const struct lxfw_cluster *cluster, const char **names,
		       struct lxfw_output *output)
{
	int32_t next;

	for (int32_t i = 0; i < cluster->count; i = next) {
		const struct lxfw_cluster_host *host = &cluster->hosts[i];
		size_t count = 0;

		for (next = i; next < cluster->count &&
		     is_like(cluster, &cluster->hosts[next], host); next++)
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
	if (rules->max_host_procs > 0)
		write_number(output, " MaxCPUsPerNode=", rules->max_host_procs);
	if (rules->max_socket_procs > 0)
		write_number(output, " MaxCPUsPerSocket=", rules->max_socket_procs);
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

		if (set->is_part)
			break;
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
