/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of hosts on which jobs may run: the nodes of a partition, without those that the
 * job excludes or that do not satisfy its requirements. Each distinct set is reported
 * to the library once. Different requirements that select the same nodes share a set.
 * The entry of a set that no job uses may be reused. Users determine the number of
 * sets: when LXFW_SETS_MAX are in use, only jobs without node requirements get new
 * ones. A job in more than LXFW_HOST_SETS_MAX partitions has the last of its sets as a run of
 * copies (set_runs.h), which jobs with the same partitions and requirements share.
 */
#ifndef LXFW_BRIDGE_SETS_H
#define LXFW_BRIDGE_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/slurm/bridge/places.h"
#include "plugins/slurm/bridge/set_runs.h"
#include "plugins/slurm/compat/compat.h"

#ifndef LXFW_SETS_MAX
#define LXFW_SETS_MAX 20000
#endif

struct lxfw_bridge;

/* The index of a set is its id in the library. */
struct lxfw_known_set {
	bitstr_t *nodes;	/* NULL: not in use */
	uint64_t hash;		/* of `nodes` */
	int32_t next;		/* next in the same chain, or next unused entry; -1:
				   none */
	int32_t most_procs;	/* largest number of processors of a node */
	int32_t least_procs;
	int64_t least_memory;	/* smallest memory of a node, MB */
	int32_t first;		/* first node, -1 if the set is empty */
	int32_t count;		/* number of nodes */
	uint32_t hosts_change;	/* agent.hosts.changes when these figures were
				   computed */
	bool used;		/* scratch of lxfw_sets_collect() */
};

/* A job's requirements for its nodes, and the resulting set. */
struct lxfw_set_key {
	char *part, *features, *excluded, *required;
	uint64_t memory_mb;	/* minimum per node, if memory is not a consumable
				   resource */
	uint32_t tmp_disk_mb;
	uint64_t kinds;		/* lxfw_extras_asked() */
	uint64_t hash;		/* of all fields above */
	int32_t next;		/* next in the same chain; -1: none */
	uint32_t checked;	/* pass in which its nodes were last evaluated */
	bool vague;		/* its features cannot be represented by a set of
				   nodes */
	int32_t set;		/* -1: LXFW_SETS_MAX sets are in use */
};

struct lxfw_host_sets {
	struct lxfw_known_set *set;
	int32_t count;
	size_t size;
	int32_t free, free_count;	/* list of unused entries */
	int32_t collect_at;	/* number of sets in use at which unused ones are
				   collected */
	struct lxfw_set_key *key;
	int32_t key_count;
	size_t key_size;
	int32_t *set_chains, *key_chains;	/* hash chains */
	int32_t *members;	/* scratch */
	size_t members_size;
	struct lxfw_set_runs runs;
	char **parts;		/* names of partitions, without duplicates */
	size_t part_count, parts_size;
	uint32_t part_cache[256];	/* index in `parts`, by address of Slurm's
					   string */
	bool full;		/* the error has been logged */
};

/* The nodes of a job in its present partition. */
struct lxfw_job_nodes {
	const struct lxfw_known_set *set;
	int32_t id;		/* of `set` */
	bool vague;
};

/*
 * Finds the set for JOB in its present partition, of nodes with the features that
 * lxfw_use_features() has set. A set is updated once per pass. Returns 1, 0 if too many
 * sets are in use, or -1 when memory runs out.
 */
int lxfw_sets_find(struct lxfw_bridge *bridge, job_record_t *job,
		   struct lxfw_job_nodes *nodes);

/*
 * Sets the host sets of REQUEST to those of its PLACES, one or more, in their order. Returns 1,
 * 0 if they are only the first ones, since too many sets are in use, or -1 when memory runs
 * out.
 */
int lxfw_sets_of_places(struct lxfw_bridge *bridge, const struct lxfw_places *places,
			struct lxfw_request *request);

/* Returns a copy of NAME that is valid until lxfw_sets_destroy(), or NULL when memory
   runs out. Equal names have the same copy. */
const char *lxfw_sets_part(struct lxfw_host_sets *sets, const char *name);

/* Frees sets that no job in bridge->agent.jobs uses, if many are in use. Called at the
   end of the look at all jobs. */
void lxfw_sets_collect(struct lxfw_bridge *bridge);

/* Removes all sets because the library has none. The names of partitions are
   preserved. */
void lxfw_sets_forget(struct lxfw_host_sets *sets);
void lxfw_sets_destroy(struct lxfw_host_sets *sets);

#endif
