/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of hosts that jobs may run on: the nodes of a partition, less those
 * that the job excludes or that lack what it wants. One set is registered with
 * the library for each distinct combination.
 */
#ifndef LXFW_BRIDGE_SETS_H
#define LXFW_BRIDGE_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

struct lxfw_known_set {
	char *part, *features, *excluded, *required;
	uint64_t memory_mb;	/* least of a node, where it does not count */
	uint32_t tmp_disk_mb;
	uint64_t hash;		/* of all these */
	bitstr_t *nodes;	/* as told to the library; NULL before */
	uint32_t checked;	/* pass in which its nodes were looked at */
	bool vague;		/* features beyond a plain set of nodes */
	int32_t most_procs;	/* of a node in it */
	int64_t least_memory;	/* of a node in it */
	int32_t first;		/* a node in it, -1 if it is empty */
	int32_t count;
	uint32_t hosts_change;	/* hosts->changes that these are of */
};

struct lxfw_host_sets {
	struct lxfw_known_set *set;	/* its index is the library's id */
	size_t count, size;
	uint32_t *slots;		/* by hash: index + 1 */
	size_t slot_count;
	int32_t *members;		/* scratch */
	size_t members_size;
};

/*
 * The set for JOB in its present partition, brought up to date once in a pass.
 * NULL when memory runs out.
 */
const struct lxfw_known_set *lxfw_sets_find(struct lxfw_bridge *bridge,
					   job_record_t *job, int32_t *id);

void lxfw_sets_destroy(struct lxfw_host_sets *sets);

#endif
