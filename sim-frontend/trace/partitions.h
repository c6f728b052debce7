/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What Slurm says of a partition besides its nodes, by the keys of slurm.conf(5) and of
 * `scontrol show partition`. Who may use it (AllowGroups and the like) is not kept:
 * jobs of a log were let in.
 */
#ifndef LXFW_TRACE_PARTITIONS_H
#define LXFW_TRACE_PARTITIONS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"

struct lxfw_partition {
	int64_t max_time;	/* longest limit of a job, s; 0 = none */
	int64_t default_time;	/* of a job that tells no limit, s; 0 = none */
	int32_t min_hosts, max_hosts;	/* of a job; 0 = none */
	int32_t tier;		/* PriorityTier */
	bool exclusive;		/* OverSubscribe=EXCLUSIVE: whole hosts */
};

/* One of which nothing is known. */
#define LXFW_PARTITION_USUAL ((struct lxfw_partition) { .tier = 1 })

/* The longest time that is taken for a limit: a year, as for jobs without one. */
#define LXFW_PARTITION_TIME_MAX (INT64_C(365) * 86400)

/*
 * Take KEY=VALUE of a PartitionName line; other keys than those above are passed over.
 * 0, or -1 with errno EINVAL and WRONG set, without a file's name.
 */
int lxfw_partition_take(struct lxfw_partition *partition, struct lxfw_slice key,
			struct lxfw_slice value, struct lxfw_error *wrong);

/* The same from a partition as slurmrestd and `scontrol show partition --json` have it,
   v0.0.36 and later. What is not there stays as it was. */
void lxfw_partition_of_json(struct lxfw_partition *partition,
			    json_object *object);

/*
 * Slurm's limits of time: "60", "60:30", "1:00:00", "1-12", "1-12:00", "1-12:00:00",
 * a number alone being minutes; or UNLIMITED, INFINITE, NONE, which are 0. In seconds.
 * 0, or -1 with errno EINVAL.
 */
int lxfw_partition_time(struct lxfw_slice text, int64_t *seconds);

#endif
