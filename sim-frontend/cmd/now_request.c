/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/now_request.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/now.h"
#include "sim-frontend/cmd/now_limits.h"
#include "sim-frontend/predict/request_slurm.h"
#include "sim-frontend/util/text.h"

/* --- partitions ----------------------------------------------------------------------- */

/* The partition with a name of LENGTH bytes; of 0: the one of jobs that name none. NULL: there is
   none. */
static const struct lxfw_watch_partition *find(const char *name, size_t length)
{
	size_t count;
	const struct lxfw_watch_partition *partitions = lxfw_now_partitions(&count);

	for (size_t i = 0; i < count; i++) {
		if (length == 0 ? partitions[i].usual :
		    strlen(partitions[i].name) == length &&
		    strncmp(partitions[i].name, name, length) == 0)
			return &partitions[i];
	}
	return NULL;
}

static int refuse(const char *name, size_t length, struct lxfw_error *error)
{
	char list[160] = "";
	size_t count, used = 0;
	const struct lxfw_watch_partition *partitions = lxfw_now_partitions(&count);

	for (size_t i = 0; i < count && used + sizeof(partitions->name) + 2 < sizeof(list); i++)
		used += (size_t)sprintf(list + used, "%s%s", i > 0 ? ", " : "",
					partitions[i].name);
	return lxfw_error_format(error, "request: no partition '%.*s', expected one of %s",
				 length < 40 ? (int)length : 40, name, list);
}

/* The partitions that a request names. */
struct named {
	const struct lxfw_watch_partition *at[LXFW_HOST_SETS_MAX];
	int count;
};

/* Finds the partitions of "a,b"; "": the usual one, if there is one. */
static int find_all(const char *list, struct named *named, struct lxfw_error *error)
{
	named->count = 0;
	for (const char *at = list;;) {
		size_t length = strcspn(at, ",");
		const struct lxfw_watch_partition *partition = find(at, length);

		if (*list && (!partition || length == 0))
			return refuse(at, length, error);
		if (named->count == LXFW_HOST_SETS_MAX)
			return lxfw_error_format(error, "request: '-p %.40s', expected at most %d "
						 "partitions", list, LXFW_HOST_SETS_MAX);
		if (partition)
			named->at[named->count++] = partition;
		if (!at[length])
			return 0;
		at += length + 1;
	}
}

/* Jobs are not started in a partition that is closed. Leaves the others. */
static int leave_open(struct named *named, struct lxfw_error *error)
{
	int all = named->count;

	named->count = 0;
	for (int i = 0; i < all; i++) {
		if (!named->at[i]->closed)
			named->at[named->count++] = named->at[i];
	}
	if (named->count > 0 || all == 0)
		return 0;
	return lxfw_error_format(error, "request: partition %s refuses it: %s, so that no job "
				 "that is submitted now starts there", named->at[0]->name,
				 named->at[0]->why_closed);
}

/* Nor in one whose jobs are shorter. */
static int leave_long(struct named *named, int64_t limit, struct lxfw_error *error)
{
	const struct lxfw_watch_partition *longest = NULL;
	int all = named->count;

	named->count = 0;
	for (int i = 0; i < all; i++) {
		const struct lxfw_watch_partition *partition = named->at[i];

		if (partition->max_time == 0 || partition->max_time >= limit)
			named->at[named->count++] = partition;
		else if (!longest || partition->max_time > longest->max_time)
			longest = partition;
	}
	if (named->count > 0 || !longest)
		return 0;
	return lxfw_error_format(error, "request: its time limit is longer than that of partition "
				 "%s, expected at most %lld minutes", longest->name,
				 (long long)longest->max_time / 60);
}

/* Nor in one whose limits it exceeds. */
static int leave_permitted(struct named *named, const struct lxfw_request_text *text,
			   struct lxfw_error *error)
{
	char why[LXFW_NOW_LIMITS_WHY];
	int all = named->count;

	named->count = 0;
	for (int i = 0; i < all; i++) {
		if (lxfw_now_limits_permit(&named->at[i]->limits, text, why))
			named->at[named->count++] = named->at[i];
		else if (named->count == 0)
			lxfw_error_format(error, "request: partition %s refuses it: %s",
					  named->at[i]->name, why);
	}
	return named->count > 0 || all == 0 ? 0 : -1;
}

bool lxfw_now_request_hosts(const struct lxfw_request_text *text, struct lxfw_watch_wanted *hosts)
{
	*hosts = (struct lxfw_watch_wanted) { .features = "" };
	strcpy(hosts->features, text->features);
	strcpy(hosts->required, text->required);
	strcpy(hosts->excluded, text->excluded);
	return *text->features || *text->required || *text->excluded;
}

bool lxfw_now_request_beside(const struct lxfw_request_text *text, struct lxfw_watch_wanted *hosts)
{
	int length;

	*hosts = (struct lxfw_watch_wanted) { .features = "" };
	strcpy(hosts->features, text->features);
	length = snprintf(hosts->excluded, sizeof(hosts->excluded), "%s%s%s", text->required,
			  *text->excluded ? "," : "", text->excluded);
	return *text->required && length < (int)sizeof(hosts->excluded);
}

/* The index of the hosts that a request wants, or -1. */
static int wanted(const struct lxfw_request_text *text)
{
	struct lxfw_watch_wanted hosts;

	return lxfw_now_request_hosts(text, &hosts) ? lxfw_now_wanted(&hosts) : -1;
}

/* Nor on hosts that it does not want. */
static int leave_wanted(struct named *named, const struct lxfw_request_text *text,
			struct lxfw_error *error)
{
	int index = wanted(text), all = named->count;
	bool others = *text->required || *text->excluded;

	named->count = 0;
	for (int i = 0; i < all && index >= 0; i++) {
		if (named->at[i]->with[index] >= 0)
			named->at[named->count++] = named->at[i];
	}
	if (named->count > 0)
		return 0;
	if (all == 0)
		return lxfw_error_format(error, "request: '%s' without a partition, expected -p "
					 "PARTITION", others ? "-w or -x" : "-C");
	if (others)
		return lxfw_error_format(error, "request: partition %s does not have the nodes that are "
					 "meant by%s%s%s%s%s%s", named->at[0]->name,
					 *text->required ? " -w " : "", text->required,
					 *text->excluded ? " -x " : "", text->excluded,
					 *text->features ? " -C " : "", text->features);
	return lxfw_error_format(error, "request: no node of partition %s has the features '%s'",
				 named->at[0]->name, text->features);
}

/* Finds the set of the nodes beside those that the job requires: then both are the parts of a job that
   start together. */
static int take_beside(struct lxfw_request_text *to, const struct named *named, int32_t count,
		       struct lxfw_error *error)
{
	struct lxfw_watch_wanted hosts;
	int index = lxfw_now_request_beside(to, &hosts) ? lxfw_now_wanted(&hosts) : -1;
	bool even = to->tasks % to->nodes == 0 && to->gres_count == 0 && named->count == 1;

	to->nodes_beside = to->nodes - count;
	if (even && index >= 0 && named->at[0]->counts[index] >= to->nodes_beside) {
		to->set_beside = named->at[0]->with[index];
		return 0;
	}
	return lxfw_error_format(error, "request: -w names %d node%s, and the job has %lld: %s", (int)count,
				 count == 1 ? "" : "s", (long long)to->nodes, even ?
				 "the partition does not have as many" :
				 "nodes beside those that are named are modelled for as many tasks on "
				 "each node, without GRES, in one partition");
}

/* A job has all nodes that it names. With fewer tasks, releases of Slurm differ: by some it waits for all
   of the nodes, by others for one. */
static int take_named(struct lxfw_request_text *to, const struct named *named,
		      struct lxfw_error *error)
{
	int32_t count;

	if (!*to->required)
		return 0;
	count = named->at[0]->counts[wanted(to)];
	if (to->tasks < count)
		return lxfw_error_format(error, "request: -w names %d nodes, and the job has %lld task%s: by "
					 "some releases of Slurm it waits for all of them; expected as many "
					 "tasks", (int)count, (long long)to->tasks,
					 to->tasks == 1 ? "" : "s");
	if (to->nodes > count)
		return take_beside(to, named, count, error);
	if (to->nodes > 0 && to->nodes < count)
		return lxfw_error_format(error, "request: -w names %d nodes, and the job has %lld, expected "
					 "as many", (int)count, (long long)to->nodes);
	to->nodes = count;
	return 0;
}

/* The hosts of a partition that the job may use. */
static int32_t set_of(const struct lxfw_request_text *to,
		      const struct lxfw_watch_partition *partition)
{
	int index = wanted(to);

	return index >= 0 ? partition->with[index] : partition->set;
}

static int take_limit(struct lxfw_request_text *to, struct named *named, struct lxfw_error *error)
{
	if (to->limit == 0 && named->count > 0)
		to->limit = named->at[0]->default_time > 0 ? named->at[0]->default_time :
							      named->at[0]->max_time;
	if (to->limit == 0)
		return lxfw_error_format(error, "request without a time limit, expected -t TIME");
	return leave_long(named, to->limit, error);
}

/* As of a job that waits: the highest tier, and hosts whole if all partitions are so. */
static void take_partitions(struct lxfw_request_text *to, const struct named *named)
{
	int64_t least = named->at[0]->limits.min_nodes;
	bool whole = true;

	to->most_nodes = (int32_t)named->at[0]->limits.max_nodes;
	if (named->count == 1 && named->at[0]->cap > 0)
		to->caps = 1u << (named->at[0]->cap - 1);
	to->host_set = set_of(to, named->at[0]);
	to->found = true;
	to->tier = named->at[0]->tier;
	to->threads = named->at[0]->threads;
	to->most_procs = named->at[0]->most_procs;
	to->host_memory = named->at[0]->host_memory;
	to->usual_memory = named->at[0]->memory;
	to->usual_memory_per_cpu = named->at[0]->memory_per_cpu;
	for (int i = 0; i < named->count; i++) {
		const struct lxfw_watch_partition *partition = named->at[i];

		if (i > 0)
			to->more_sets[to->more_set_count++] = set_of(to, partition);
		if (partition->tier > to->tier)
			to->tier = partition->tier;
		if (partition->most_procs > to->most_procs)
			to->most_procs = partition->most_procs;
		if (partition->threads < to->threads)
			to->threads = partition->threads;
		if (partition->limits.max_nodes == 0 ||
		    (to->most_nodes > 0 && partition->limits.max_nodes > to->most_nodes))
			to->most_nodes = (int32_t)partition->limits.max_nodes;
		least = partition->limits.min_nodes < least ? partition->limits.min_nodes : least;
		whole &= partition->exclusive;
	}
	to->least_nodes = (int32_t)least;
	to->exclusive |= whole;
}

/* --- GRES ----------------------------------------------------------------------------- */

static int refuse_gres(const char *name, struct lxfw_error *error)
{
	char list[160] = "";
	size_t count, used = 0;
	const struct lxfw_watch_gres *gres = lxfw_now_gres(&count);

	for (size_t i = 0; i < count && used + sizeof(gres->name) + 2 < sizeof(list); i++)
		used += (size_t)sprintf(list + used, "%s%s", i > 0 ? ", " : "", gres[i].name);
	return lxfw_error_format(error, "request: no GRES '%s', expected %s%s", name,
				 count > 0 ? "one of " : "none: the nodes have none", list);
}

static const struct lxfw_watch_gres *find_gres(const char *name, size_t length)
{
	size_t count;
	const struct lxfw_watch_gres *gres = lxfw_now_gres(&count);

	for (size_t i = 0; i < count; i++) {
		if (strlen(gres[i].name) == length && strncasecmp(gres[i].name, name, length) == 0)
			return &gres[i];
	}
	return NULL;
}

/* A type is also counted as its kind. */
static int take_gres(struct lxfw_request_text *to, struct lxfw_error *error)
{
	for (int i = 0; i < to->gres_count; i++) {
		struct lxfw_request_gres *gres = &to->gres[i];
		const char *colon = strchr(gres->name, ':');
		const struct lxfw_watch_gres *is = find_gres(gres->name, strlen(gres->name));
		const struct lxfw_watch_gres *kind = colon ?
			find_gres(gres->name, (size_t)(colon - gres->name)) : NULL;

		if (!is)
			return refuse_gres(gres->name, error);
		gres->extra = is->extra;
		gres->kind = kind ? kind->extra : -1;
		if (gres->extra < 0)
			lxfw_cmd_note("request: the nodes have more kinds of GRES than are counted: "
				      "%s counts %s", gres->name, gres->kind < 0 ? "as none" :
				      "as any of its kind");
	}
	return 0;
}

/* --- what GPUs bring with them -------------------------------------------------------- */

static bool is_gpu(const struct lxfw_request_gres *gres)
{
	return strncasecmp(gres->name, "gpu", 3) == 0 && (!gres->name[3] || gres->name[3] == ':');
}

/* GPUs of the job in all. A job without a number of nodes has them on one. */
static int64_t count_gpus(const struct lxfw_request_text *from)
{
	int64_t of[3] = { 0 }, nodes = from->nodes > 0 ? from->nodes : 1, most;

	for (int i = 0; i < from->gres_count; i++) {
		if (is_gpu(&from->gres[i]))
			of[from->gres[i].per] += from->gres[i].count;
	}
	most = of[LXFW_REQUEST_PER_JOB];
	if (of[LXFW_REQUEST_PER_NODE] * nodes > most)
		most = of[LXFW_REQUEST_PER_NODE] * nodes;
	if (of[LXFW_REQUEST_PER_TASK] * from->tasks > most)
		most = of[LXFW_REQUEST_PER_TASK] * from->tasks;
	return most;
}

static int64_t part_of(int64_t amount, int64_t parts)
{
	return amount / parts + (amount % parts > 0);
}

/* The partition has defaults for jobs that do not state these. */
static void take_gpus(struct lxfw_request_text *to, const struct lxfw_watch_partition *partition)
{
	int64_t gpus = count_gpus(to), cpus = to->cpus_per_gpu, memory = to->memory_per_gpu;

	if (cpus == 0 && !to->cpus_given)
		cpus = partition->cpus_per_gpu;
	if (memory == 0 && to->memory == 0 && to->memory_per_cpu == 0 && !to->all_memory)
		memory = partition->memory_per_gpu;
	if (gpus == 0 || gpus > INT32_MAX)
		return;
	to->usual_cpus = lxfw_request_gpu_cpus(gpus, cpus, to->tasks);
	if (memory > 0 && gpus * memory / gpus == memory) {
		to->usual_memory = 0;
		to->usual_memory_per_cpu = part_of(gpus * memory, to->tasks *
				(to->usual_cpus > to->cpus ? to->usual_cpus : to->cpus));
	}
}

/* --- requests ------------------------------------------------------------------------- */

int lxfw_now_request(struct lxfw_request_text *to, const char *text, struct lxfw_error *error)
{
	struct lxfw_watch_wanted hosts;
	struct named named;
	size_t count;
	/* Else it is a PBS, or a journal. */
	bool slurm = lxfw_now_partitions(&count) && count > 0;

	if (slurm ? lxfw_request_read_slurm(to, text, error) || take_gres(to, error) :
		    lxfw_request_read(to, text, error))
		return -1;
	if (*to->qos)
		lxfw_cmd_note("request: the limits of its QOS are not known, and may keep it waiting "
			      "for longer");
	/* -p 3 is the number of a host set in a journal, and a name here. */
	if (to->host_set >= 0)
		snprintf(to->partition, sizeof(to->partition), "%d", (int)to->host_set);
	if (find_all(to->partition, &named, error) || leave_open(&named, error) ||
	    (lxfw_now_request_hosts(to, &hosts) && leave_wanted(&named, to, error)) ||
	    take_named(to, &named, error) ||
	    take_limit(to, &named, error) || leave_permitted(&named, to, error))
		return -1;
	if (named.count > 0) {
		take_partitions(to, &named);
		take_gpus(to, named.at[0]);
	}
	return 0;
}
