/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GRES as the library's counted extras: the same kind, the same index. */
#ifndef LXFW_BRIDGE_EXTRAS_H
#define LXFW_BRIDGE_EXTRAS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/resources.h"
#include "plugins/slurm/compat/compat.h"

/* Memory in MB as the library takes it: less than LXFW_MEMORY_UNLIMITED. */
static inline int64_t lxfw_memory_bounded(uint64_t memory_mb)
{
	return memory_mb < (uint64_t)LXFW_MEMORY_UNLIMITED ?
		       (int64_t)memory_mb : LXFW_MEMORY_UNLIMITED - 1;
}

/* A kind of GRES that is counted as an extra. */
struct lxfw_extra {
	uint32_t plugin_id;
	uint32_t type_id;	/* NO_VAL: of any type */
};

struct lxfw_extras {
	struct lxfw_extra extra[LXFW_EXTRAS_MAX];
	int count;
};

/* Add COUNT of the extra INDEX to AMOUNT, in which no sum overflows; what is not counted
   (INDEX is negative) is left out. */
void lxfw_extras_add(struct lxfw_resources *amount, int index, uint64_t count);

/* Index of a kind, or -1 if it is not counted. */
int lxfw_extras_find(const struct lxfw_extras *extras, uint32_t plugin_id,
		     uint32_t type_id);

/*
 * Enter in AMOUNT what the node has of each kind, or with UNALLOCATED what Slurm
 * has not given to a job of it. Kinds not met before are counted from now on, as
 * long as there is room for them.
 */
void lxfw_extras_of_node(struct lxfw_extras *extras, const node_record_t *node,
			 bool unallocated, struct lxfw_resources *amount);

#endif
