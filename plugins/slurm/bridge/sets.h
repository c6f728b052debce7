/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of hosts that jobs may run on: the nodes of a partition, less those that the job
 * excludes or that lack what it wants. The library is told each distinct set of nodes
 * once; jobs that come to the same nodes by different requests share a set, and a set
 * that no job uses any more makes place for another one. Users choose how many there
 * are: beyond LXFW_SETS_MAX a job gets none, unless it asks nothing of its nodes.
 */
#ifndef LXFW_BRIDGE_SETS_H
#define LXFW_BRIDGE_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

#ifndef LXFW_SETS_MAX
#define LXFW_SETS_MAX 20000
#endif

struct lxfw_bridge;

/* Its index is the library's id of it. */
struct lxfw_known_set {
	bitstr_t *nodes;	/* NULL: not in use */
	uint64_t hash;		/* of nodes */
	int32_t next;		/* with the same chain, or not in use; -1: none */
	int32_t most_procs;	/* of a node in it */
	int32_t least_procs;
	int64_t least_memory;	/* MB */
	int32_t first;		/* a node in it, -1 if it is empty */
	int32_t count;		/* of nodes */
	uint32_t hosts_change;	/* hosts->changes that these are of */
	bool used;		/* scratch of lxfw_sets_collect() */
};

/* What a job says about its nodes, and the set that follows. */
struct lxfw_set_key {
	char *part, *features, *excluded, *required;
	uint64_t memory_mb;	/* least of a node, where it does not count */
	uint32_t tmp_disk_mb;
	uint64_t hash;		/* of all these */
	int32_t next;		/* with the same chain; -1: none */
	uint32_t checked;	/* pass in which its nodes were looked at */
	bool vague;		/* features beyond a plain set of nodes */
	int32_t set;		/* -1: LXFW_SETS_MAX are in use */
};

struct lxfw_host_sets {
	struct lxfw_known_set *set;
	int32_t count, size;
	int32_t free, free_count;	/* list of those not in use */
	int32_t collect_at;	/* so many in use are worth a look */
	struct lxfw_set_key *key;
	int32_t key_count, key_size;
	int32_t *set_chains, *key_chains;	/* by hash */
	int32_t *members;	/* scratch */
	size_t members_size;
	char **parts;		/* names of partitions, each once */
	size_t part_count;
	uint32_t part_cache[256];	/* by the address of Slurm's name: where it was */
	bool full;		/* said so */
};

/* A job's nodes in its present partition. */
struct lxfw_job_nodes {
	const struct lxfw_known_set *set;
	int32_t id;		/* of the set */
	bool vague;
};

/*
 * The set for JOB in its present partition, brought up to date once in a pass.
 * Returns 1, 0 if too many sets are in use, -1 when memory runs out.
 */
int lxfw_sets_find(struct lxfw_bridge *bridge, job_record_t *job,
		   struct lxfw_job_nodes *nodes);

/* NAME, which stays where it is until lxfw_sets_destroy(); NULL when memory runs out. */
const char *lxfw_sets_part(struct lxfw_host_sets *sets, const char *name);

/* At the end of a pass's look at all jobs: sets that none of bridge->agent.jobs uses may
   become others, if many are in use. */
void lxfw_sets_collect(struct lxfw_bridge *bridge);

/* The library has been told of none; names of partitions stay. */
void lxfw_sets_forget(struct lxfw_host_sets *sets);
void lxfw_sets_destroy(struct lxfw_host_sets *sets);

#endif
