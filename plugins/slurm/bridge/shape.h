/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determines the amounts and the shape of a job's request. */
#ifndef LXFW_BRIDGE_SHAPE_H
#define LXFW_BRIDGE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/request.h"
#include "plugins/slurm/bridge/extras.h"
#include "plugins/slurm/compat/compat.h"

/* Properties of the nodes that affect the shape of a request. */
struct lxfw_ground {
	const node_record_t *node;	/* one of them */
	int32_t most_procs, least_procs;	/* of a node */
	int64_t least_memory;		/* of a node, MB */
	bool memory_counts;		/* memory is a consumable resource */
	const struct lxfw_extras *extras;
};

/* Returns true if the job may share processors with others, or alternate with them
   (OverSubscribe, gang scheduling). */
bool lxfw_shares_processors(const job_record_t *job);

/* Returns true if the job requests all memory of its hosts where memory is a consumable
   resource: --mem=0, or no default. */
bool lxfw_takes_all_memory(const job_record_t *job);

/*
 * Sets shape, amounts, number of hosts and exclusive use in REQUEST, which must be
 * zeroed. Returns false if no shape can represent the job's request. The caller must
 * check that the request is valid, since users choose the numbers.
 */
bool lxfw_shape(const job_record_t *job, const struct lxfw_ground *ground,
		struct lxfw_request *request);

#endif
