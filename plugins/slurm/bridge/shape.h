/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job asks of hosts: the amounts and the shape of its request. */
#ifndef LXFW_BRIDGE_SHAPE_H
#define LXFW_BRIDGE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/request.h"
#include "plugins/slurm/bridge/extras.h"
#include "plugins/slurm/compat/compat.h"

/* The nodes that a request is for, as far as its shape depends on them. */
struct lxfw_ground {
	const node_record_t *node;	/* one of them */
	int32_t most_procs, least_procs;	/* of one of them */
	int64_t least_memory;		/* of one of them, MB */
	bool memory_counts;		/* memory is a consumable */
	const struct lxfw_extras *extras;
};

/* Whether the job may share processors with others, or takes turns with them
   (OverSubscribe, gang scheduling). */
bool lxfw_shares_processors(const job_record_t *job);

/* Whether the job takes all the memory of each of its hosts where memory is a
   consumable: --mem=0, or no default. */
bool lxfw_takes_all_memory(const job_record_t *job);

/*
 * Enter shape, amounts, number of hosts and whether it wants them for itself in
 * the zeroed REQUEST. False if no shape expresses what the job asks. Users choose the
 * numbers: whether they make a valid request is still to be checked.
 */
bool lxfw_shape(const job_record_t *job, const struct lxfw_ground *ground,
		struct lxfw_request *request);

#endif
