/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Properties of a partition other than its nodes, as in slurm.conf(5) and `scontrol show
 * partition`. Access rules such as AllowGroups are ignored, since the jobs of a log had
 * access.
 */
#ifndef LXFW_TRACE_PARTITIONS_H
#define LXFW_TRACE_PARTITIONS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"

struct lxfw_partition {
	int64_t max_time;	/* maximum limit of a job, seconds; 0: none */
	int64_t default_time;	/* limit of a job that states none, seconds; 0: none */
	int32_t min_hosts, max_hosts;	/* per job; 0: none */
	int32_t max_host_procs;	/* MaxCPUsPerNode: of all its jobs on a host; 0: none */
	int32_t max_socket_procs;	/* MaxCPUsPerSocket: the same on a socket */
	int32_t tier;		/* PriorityTier */
	bool exclusive;		/* OverSubscribe=EXCLUSIVE: jobs are allocated whole
				   hosts */
};

/* Default properties. */
#define LXFW_PARTITION_USUAL ((struct lxfw_partition) { .tier = 1 })

/* The maximum of a time limit, in seconds: one year, as for jobs without a limit. */
#define LXFW_PARTITION_TIME_MAX (INT64_C(365) * 86400)

/*
 * Parses KEY=VALUE of a PartitionName line. Other keys are ignored. Returns 0, or -1 with
 * errno EINVAL and WRONG set without a file name.
 */
int lxfw_partition_take(struct lxfw_partition *partition, struct lxfw_slice key,
			struct lxfw_slice value, struct lxfw_error *wrong);

/* Reads the properties from a partition in the JSON of slurmrestd or `scontrol show
   partition --json`, v0.0.36 and later. Absent properties are unchanged. */
void lxfw_partition_of_json(struct lxfw_partition *partition,
			    json_object *object);

#endif
