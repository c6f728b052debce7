/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps kinds of GRES to the library's extras; a type of a GRES is a kind of its own, besides the
 * GRES of any type. The first LXFW_EXTRAS_MAX kinds have an extra each. Later ones share extras
 * with kinds that no node has together with them, GPUs with GPUs only; a job that requests a
 * kind with a shared extra can then run on the nodes of that kind only (sets.h). A kind that
 * can share no extra is not counted. A kind keeps its extra.
 */
#ifndef LXFW_BRIDGE_EXTRAS_H
#define LXFW_BRIDGE_EXTRAS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/resources.h"
#include "plugins/slurm/compat/compat.h"

/* Limits an amount of memory in MB to the library's range: less than
   LXFW_MEMORY_UNLIMITED. */
static inline int64_t lxfw_memory_bounded(uint64_t memory_mb)
{
	return memory_mb < (uint64_t)LXFW_MEMORY_UNLIMITED ?
		       (int64_t)memory_mb : LXFW_MEMORY_UNLIMITED - 1;
}

/* Number of kinds that are known at most: one bit each in a mask. */
#define LXFW_KINDS_MAX 64

/* Longer names of kinds are cut off. */
#define LXFW_EXTRA_NAME_SIZE 64

/* A kind of GRES. */
struct lxfw_extra {
	uint32_t plugin_id;
	uint32_t type_id;	/* NO_VAL: any type */
	char name[LXFW_EXTRA_NAME_SIZE];	/* "gpu" or "gpu:a100" */
	int index;		/* its extra; -1: it is not counted */
	bool gpu;
	bool waits;		/* it gets an extra when all nodes have been read */
	bitstr_t *nodes;	/* that have it; NULL in a table that does not share extras */
};

/* {0} is empty. */
struct lxfw_extras {
	struct lxfw_extra extra[LXFW_KINDS_MAX];
	int count;
	int own;		/* number of extras in use */
	uint8_t gpus;		/* mask of the extras that are GPUs */
	uint8_t shared;		/* mask of those that several kinds have */
	bool more;		/* a kind waits for an extra */
	bool overlaps;		/* a node may have two kinds with the same extra */
};

void lxfw_extras_clear(struct lxfw_extras *extras);

/* Writes the name of an extra: those of its kinds, "gpu:a100 or fpga". */
void lxfw_extras_name(const struct lxfw_extras *extras, int index, char *text, size_t size);

/* Adds COUNT of extra INDEX to AMOUNT, limited to INT32_MAX. Does nothing if INDEX is
   negative, that is, if the kind is not counted. */
void lxfw_extras_add(struct lxfw_resources *amount, int index, uint64_t count);

/* Returns the extra of a kind, or -1 if it is not counted. */
int lxfw_extras_find(const struct lxfw_extras *extras, uint32_t plugin_id,
		     uint32_t type_id);

/*
 * Adds the GRES of a node to AMOUNT, or if UNALLOCATED is set, those that are not
 * allocated to jobs. New kinds are added to EXTRAS while there is space. NUMBER is that of the
 * node in a table that shares extras, after whose last node lxfw_extras_share() is called; or
 * -1. Returns the GPUs by socket (gpu_sockets.h).
 */
uint32_t lxfw_extras_of_node(struct lxfw_extras *extras, const node_record_t *node,
			     int32_t number, bool unallocated, struct lxfw_resources *amount);

/* What lxfw_extras_share() returns. */
enum lxfw_extras_news {
	LXFW_EXTRAS_SAME,
	LXFW_EXTRAS_MORE,	/* kinds have got extras: the nodes are to be read again */
	LXFW_EXTRAS_OVERLAP,	/* a node has two kinds with the same extra: the table is to
				   be cleared and made again */
};

/* Gives extras to the kinds that wait for them. */
enum lxfw_extras_news lxfw_extras_share(struct lxfw_extras *extras);

/* Returns a mask of the kinds with shared extras that a job requests. */
uint64_t lxfw_extras_asked(const struct lxfw_extras *extras, const job_record_t *job);

/* Clears in NODES those that lack a kind of the mask KINDS. */
void lxfw_extras_keep_nodes(const struct lxfw_extras *extras, uint64_t kinds, bitstr_t *nodes);

#endif
