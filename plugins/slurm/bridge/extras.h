/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps kinds of GRES to the library's extras. A kind keeps its index. */
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

/* A kind of GRES that is counted as an extra. */
struct lxfw_extra {
	uint32_t plugin_id;
	uint32_t type_id;	/* NO_VAL: any type */
};

struct lxfw_extras {
	struct lxfw_extra extra[LXFW_EXTRAS_MAX];
	int count;
	uint8_t gpus;		/* mask of those that are GPUs */
};

/* Adds COUNT of extra INDEX to AMOUNT, limited to INT32_MAX. Does nothing if INDEX is
   negative, that is, if the kind is not counted. */
void lxfw_extras_add(struct lxfw_resources *amount, int index, uint64_t count);

/* Returns the index of a kind, or -1 if it is not counted. */
int lxfw_extras_find(const struct lxfw_extras *extras, uint32_t plugin_id,
		     uint32_t type_id);

/*
 * Adds the GRES of a node to AMOUNT, or if UNALLOCATED is set, those that are not
 * allocated to jobs. New kinds are added to EXTRAS while there is space. Returns the GPUs by
 * socket (gpu_sockets.h).
 */
uint32_t lxfw_extras_of_node(struct lxfw_extras *extras, const node_record_t *node,
			 bool unallocated, struct lxfw_resources *amount);

#endif
