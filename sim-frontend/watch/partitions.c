/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partitions, for jobs that might be submitted to them. */
#include <string.h>

#include "common/util/grow.h"
#include "plugins/slurm/parameters/parameters.h"
#include "sim-frontend/watch/world.h"

/* Processors of a core of the hosts of a partition, the fewest. */
static int32_t threads_of(const struct lxfw_watch *watch, int32_t set)
{
	const struct lxfw_need need = { .set_count = 1, .sets = { set } };

	return lxfw_watch_threads(watch, &need);
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
		.exclusive = watch->cluster.sets[set].rules.exclusive,
		.threads = threads_of(watch, set),
		.closed = !lxfw_slice_is(lxfw_watch_value(line, "State"), "UP"),
	};
	memcpy(to->name, name.at, name.length);
	return 0;
}

int lxfw_watch_look_at_partitions(struct lxfw_watch *watch)
{
	int failed = 0;

	watch->partition_count = 0;
	for (const char *line = watch->texts.partitions; line && *line && !failed;) {
		failed = take(watch, line);
		line = strchr(line, '\n');
		line += line != NULL;
	}
	return failed;
}

const struct lxfw_watch_partition *lxfw_watch_partitions(const struct lxfw_watch *watch,
							 size_t *count)
{
	*count = watch->partition_count;
	return watch->partitions;
}
