/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partitions, for jobs that might be submitted to them. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "plugins/slurm/parameters/parameters.h"
#include "sim-frontend/watch/world.h"

/* Sets of hosts with a feature that are made for all users, the most: a part of those that the model
   may have. */
#define FEATURE_SETS 500

/* Processors of a core of the hosts of a partition, the fewest. */
static int32_t threads_of(const struct lxfw_watch *watch, int32_t set)
{
	const struct lxfw_need need = { .set_count = 1, .sets = { set } };

	return lxfw_watch_threads(watch, &need);
}

/* The least memory of its hosts. */
static int64_t least_memory(const struct lxfw_watch *watch, int32_t set)
{
	const struct lxfw_cluster_set *hosts = &watch->cluster.sets[set];
	int64_t least = 0;

	for (int32_t i = 0; i < hosts->count; i++) {
		int64_t here = watch->cluster.hosts[hosts->hosts[i]].total.memory_mb;

		if (i == 0 || here < least)
			least = here;
	}
	return least;
}

static int32_t most_procs(const struct lxfw_watch *watch, int32_t set)
{
	const struct lxfw_cluster_set *hosts = &watch->cluster.sets[set];
	int32_t most = 0;

	for (int32_t i = 0; i < hosts->count; i++) {
		int32_t here = watch->cluster.hosts[hosts->hosts[i]].total.procs;

		most = here > most ? here : most;
	}
	return most;
}

/* The memory that jobs have which request none: as the partition states, or the configuration, or
   all of their hosts. */
static void take_memory(const struct lxfw_watch *watch, const char *line, int32_t set,
			struct lxfw_watch_partition *to)
{
	struct lxfw_slice per_cpu = lxfw_watch_value(line, "DefMemPerCPU");
	struct lxfw_slice per_host = lxfw_watch_value(line, "DefMemPerNode");

	if (watch->cluster.memory_bound)
		to->host_memory = least_memory(watch, set);
	if (!watch->cluster.memory_bound || (!per_cpu.at && !per_host.at))
		return;
	if (!per_cpu.at && lxfw_slice_is(per_host, "UNLIMITED")) {
		per_cpu = lxfw_watch_setting(watch, "DefMemPerCPU");
		per_host = lxfw_watch_setting(watch, "DefMemPerNode");
	}
	if (per_cpu.at)
		(void)lxfw_slice_integer(per_cpu, 0, INT32_MAX, &to->memory_per_cpu);
	else if (lxfw_slice_is(per_host, "UNLIMITED"))
		to->memory = to->host_memory;
	else if (per_host.at)
		(void)lxfw_slice_integer(per_host, 0, INT32_MAX, &to->memory);
}

/* A number of a limit, 0 if there is none: "UNLIMITED". */
static int64_t limit_of(const char *line, const char *key)
{
	int64_t limit;

	return lxfw_slice_integer(lxfw_watch_value(line, key), 0, INT32_MAX, &limit) ? limit : 0;
}

/* The names of a list without "ALL" that is not too long. */
static void take_names(const char *line, const char *key, char to[LXFW_WATCH_NAMES])
{
	struct lxfw_slice list = lxfw_watch_value(line, key);

	if (list.length == 0 || list.length >= LXFW_WATCH_NAMES || lxfw_slice_is(list, "ALL") ||
	    lxfw_slice_is(list, "(null)"))
		return;
	memcpy(to, list.at, list.length);
	to[list.length] = '\0';
}

static void take_limits(const char *line, struct lxfw_watch_partition *to)
{
	struct lxfw_watch_limits *limits = &to->limits;
	struct lxfw_slice state = lxfw_watch_value(line, "State");

	/* Users may not submit to these, or only to an advance reservation. */
	for (int i = 0; i < 2; i++) {
		static const char *const keys[] = { "RootOnly", "ReqResv" };

		if (lxfw_slice_is(lxfw_watch_value(line, keys[i]), "YES"))
			snprintf(to->why_closed, sizeof(to->why_closed), "%s=YES", keys[i]);
	}
	if (!lxfw_slice_is(state, "UP"))
		snprintf(to->why_closed, sizeof(to->why_closed), "State=%.*s",
			 state.length < 9 ? (int)state.length : 9, state.at ? state.at : "");
	to->closed = *to->why_closed;
	limits->min_nodes = limit_of(line, "MinNodes");
	limits->max_nodes = limit_of(line, "MaxNodes");
	limits->cpus = limit_of(line, "MaxCPUsPerNode");
	limits->memory = limit_of(line, "MaxMemPerNode");
	take_names(line, "AllowGroups", limits->groups);
	take_names(line, "AllowAccounts", limits->accounts);
	take_names(line, "AllowQos", limits->qos);
	take_names(line, "DenyAccounts", limits->no_accounts);
	take_names(line, "DenyQos", limits->no_qos);
}

/* A value of JobDefaults, "DefCpuPerGPU=4,DefMemPerGPU=1000", of the partition or the configuration; 0:
   it has none. */
static int64_t job_default(const struct lxfw_watch *watch, const char *line, const char *key)
{
	struct lxfw_slice list = lxfw_watch_value(line, "JobDefaults");
	size_t width = strlen(key), length;
	int64_t value;

	if (!list.at || lxfw_slice_is(list, "(null)"))
		list = lxfw_watch_setting(watch, "JobDefaults");
	for (size_t at = 0; at < list.length; at += length + 1) {
		length = 0;
		while (at + length < list.length && list.at[at + length] != ',')
			length++;
		if (length > width && strncasecmp(list.at + at, key, width) == 0 &&
		    lxfw_slice_integer((struct lxfw_slice) { list.at + at + width, length - width },
				       0, INT32_MAX, &value))
			return value;
	}
	return 0;
}

/* Reports the hosts of SET that are wanted. Returns 0, or -1 if memory runs out. */
static int take_wanted(struct lxfw_watch *watch, int32_t set, struct lxfw_watch_partition *to)
{
	for (int i = 0; i < watch->wanted_count; i++) {
		const struct lxfw_watch_wanted *wanted = &watch->wanted[i];
		const struct lxfw_watch_job job = {
			.is = { .features = wanted->features, .required = wanted->required,
				.excluded = wanted->excluded },
		};
		int32_t hosts = lxfw_watch_count(watch, set, &job.is);

		to->counts[i] = hosts;
		to->with[i] = hosts > 0 ? lxfw_watch_set(watch, set, &job) : -1;
		if (hosts == -1 || (hosts > 0 && to->with[i] == -1))
			return -1;
	}
	return 0;
}

bool lxfw_watch_wants_same(const struct lxfw_watch_wanted *one,
			   const struct lxfw_watch_wanted *other)
{
	return strcmp(one->features, other->features) == 0 &&
	       strcmp(one->required, other->required) == 0 &&
	       strcmp(one->excluded, other->excluded) == 0;
}

int lxfw_watch_want(struct lxfw_watch *watch, const struct lxfw_watch_wanted *wanted)
{
	for (int i = 0; i < watch->wanted_count; i++) {
		if (lxfw_watch_wants_same(&watch->wanted[i], wanted))
			return i;
	}
	if (watch->wanted_count == LXFW_WATCH_WANTED)
		return -1;
	watch->wanted[watch->wanted_count] = *wanted;
	return watch->wanted_count++;
}

/* Whether its jobs have nodes whole. Those that share them with jobs of the same user are taken for
   such. Releases from 26.05 on state both by one word. */
static bool is_exclusive(const struct lxfw_watch *watch, const char *line, int32_t set)
{
	return watch->cluster.sets[set].rules.exclusive ||
	       lxfw_slice_is(lxfw_watch_value(line, "ExclusiveUser"), "YES") ||
	       lxfw_slice_is(lxfw_watch_value(line, "Exclusive"), "USER");
}

/* Takes the line of a partition. Returns 0, or -1 if memory runs out. */
static int take(struct lxfw_watch *watch, const char *line)
{
	/* Of a job without restrictions. */
	static const struct lxfw_watch_job any = {
		.is = { .features = "", .required = "", .excluded = "" },
	};
	struct lxfw_slice name = lxfw_watch_value(line, "PartitionName");
	int32_t set = lxfw_cluster_find_set(&watch->cluster, name.at, name.length), id;
	struct lxfw_watch_partition *to;

	if (set < 0 || name.length >= sizeof(to->name))
		return 0;
	id = lxfw_watch_set(watch, set, &any);
	if (id == -1 || LXFW_GROW(watch->partitions, watch->partitions_size,
				  watch->partition_count + 1))
		return -1;
	if (id < 0)
		return 0;
	to = &watch->partitions[watch->partition_count++];
	*to = (struct lxfw_watch_partition) {
		.set = id, .tier = LXFW_PARAMETERS_TIERS * watch->cluster.sets[set].rules.tier,
		.usual = lxfw_slice_is(lxfw_watch_value(line, "Default"), "YES"),
		.default_time = watch->cluster.sets[set].rules.default_time,
		.max_time = watch->cluster.sets[set].rules.max_time,
		.exclusive = is_exclusive(watch, line, set),
		.threads = threads_of(watch, set), .most_procs = most_procs(watch, set),
		.cap = watch->cluster.sets[set].cap,
	};
	memcpy(to->name, name.at, name.length);
	to->cpus_per_gpu = job_default(watch, line, "DefCpuPerGPU=");
	if (watch->cluster.memory_bound)
		to->memory_per_gpu = job_default(watch, line, "DefMemPerGPU=");
	take_limits(line, to);
	take_memory(watch, line, set, to);
	return take_wanted(watch, set, to);
}

int lxfw_watch_look_at_partitions(struct lxfw_watch *watch)
{
	int failed = 0;

	watch->partition_count = 0;
	for (const char *line = watch->texts.partitions; line && *line && !failed;) {
		failed = take(watch, line);
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return failed;
}

bool lxfw_watch_starts_jobs(const struct lxfw_watch *watch, const char *name, size_t length)
{
	for (size_t i = 0; i < watch->partition_count; i++) {
		const struct lxfw_watch_partition *partition = &watch->partitions[i];

		/* Those that are only closed to new jobs start the jobs that they have. */
		if (strlen(partition->name) == length &&
		    strncmp(partition->name, name, length) == 0)
			return strcmp(partition->why_closed, "State=DOWN") != 0 &&
			       strcmp(partition->why_closed, "State=INACTIVE") != 0;
	}
	return true;
}

static bool starts_somewhere(const struct lxfw_watch *watch, const char *partitions)
{
	for (const char *at = partitions; *at;) {
		size_t length = strcspn(at, ",");

		if (lxfw_watch_starts_jobs(watch, at, length))
			return true;
		at += length + (at[length] == ',');
	}
	return !*partitions;
}

/* The reason of a job of several partitions is that of one of them. */
void lxfw_watch_settle_stopped(const struct lxfw_watch *watch, struct lxfw_watched *job)
{
	if (job->state != LXFW_WATCHED_WAITING ||
	    (job->reason != LXFW_REASON_NONE && job->reason != LXFW_REASON_QUEUE_STOPPED))
		return;
	if (!starts_somewhere(watch, job->partitions))
		job->reason = LXFW_REASON_QUEUE_STOPPED;
	else if (job->reason == LXFW_REASON_QUEUE_STOPPED && strchr(job->partitions, ','))
		lxfw_watched_settle(job);
}

const struct lxfw_watch_partition *lxfw_watch_partitions(const struct lxfw_watch *watch,
							 size_t *count)
{
	*count = watch->partition_count;
	return watch->partitions;
}
