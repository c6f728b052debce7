/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a simulation makes of the GRES of hosts (cluster_gres.h). The scheduler counts
 * LXFW_EXTRAS_MAX of them, the extras. They are assigned as follows:
 *
 *   - If all names fit, each has an extra, in the order in which they were read.
 *   - Otherwise those that jobs request have one before others, if they are known; GPUs and
 *     their types before others, kinds ("shard") before types, and small amounts before
 *     large ones, such as space in a file system. A type that is the only one of its kind
 *     on each of its hosts ("gpu:a100") needs none: a job that requests it is counted under
 *     the kind, and restricted to the hosts with the type, a *part* of its partition.
 *   - Partitions with MaxCPUsPerNode or MaxCPUsPerSocket below the processors of a host have
 *     an extra: the processors that their jobs may use on a host. Those without a common host
 *     share it. Other hosts have as much of it as processors, so that a job of several
 *     partitions may request the extras of all of them.
 *   - If hosts keep processors for jobs with GPUs (RestrictedCoresPerGPU), those that are
 *     not kept have an extra.
 *
 * Names for which no extra is left are counted in `extras_left_out`.
 */
#ifndef LXFW_TRACE_CLUSTER_EXTRAS_H
#define LXFW_TRACE_CLUSTER_EXTRAS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim-frontend/trace/cluster.h"

/* Assigns extras, and makes the parts of partitions. Call once, when all hosts and
   partitions are known. Returns 0, or -1 with errno ENOMEM. */
int lxfw_cluster_settle(struct lxfw_cluster *cluster);

/* Assigns them again: WANTED tells by name whether jobs request it. Call before requirements of
   jobs are read. Returns 0, or -1 with errno ENOMEM. */
int lxfw_cluster_settle_wanted(struct lxfw_cluster *cluster, const bool *wanted);

/* Returns the set of those hosts of the partition SET, or of the cluster if SET is -1, that
   have the GRES NAME, which restricts. Returns -1 if there are none. */
int32_t lxfw_cluster_part(const struct lxfw_cluster *cluster, int32_t set, int32_t name);

/*
 * Returns whether jobs of the partition OTHER may use more processors of a host that it has in
 * common with the partition SET than those of SET, or with EQUAL as many. A job that may run in
 * both is then counted in OTHER only: it fits if that has room.
 */
bool lxfw_cluster_has_more_room(const struct lxfw_cluster *cluster, int32_t set, int32_t other,
				bool equal);

/* Returns the partition of which SET is a part, SET if it is a partition itself, or -1 if it
   is a part of the whole cluster. SET may be -1. */
int32_t lxfw_cluster_partition_of(const struct lxfw_cluster *cluster, int32_t set);

#endif
