/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GRES as the library's counted extras: the same kind, the same index. */
#ifndef LXFW_BRIDGE_EXTRAS_H
#define LXFW_BRIDGE_EXTRAS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/resources.h"
#include "plugins/slurm/compat/compat.h"

/* A kind of GRES that is counted as an extra. */
struct lxfw_extra {
	uint32_t plugin_id;
	uint32_t type_id;	/* NO_VAL: of any type */
};

struct lxfw_extras {
	struct lxfw_extra extra[LXFW_EXTRAS_MAX];
	int count;
};

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
