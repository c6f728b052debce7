/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which records of the job queue a look considers: SchedulerParameters bf_max_job_* and
 * reduce_completing_frag, and CompleteWait. The records are examined in Slurm's order. Jobs
 * of records that are left out wait as if they had not been submitted.
 */
#ifndef LXFW_BRIDGE_DEPTH_H
#define LXFW_BRIDGE_DEPTH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/id_map.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

struct lxfw_depth {
	/* Largest number of records; 0: no limit. A task of an array counts as a record. */
	int64_t of_user, of_assoc, of_part, of_user_part;
	bool completing_parts;	/* reduce_completing_frag */
	struct lxfw_id_map tasks;	/* by job id of an array: number of its tasks that
					   this look considers */
};

/* Reads SchedulerParameters in TEXT. */
void lxfw_depth_set(struct lxfw_depth *depth, const char *text);
void lxfw_depth_clear(struct lxfw_depth *depth);

/* Returns true if no job may start now, because a job has been completing for less than
   CompleteWait. */
bool lxfw_depth_waits(const struct lxfw_depth *depth);

/* Returns true if lxfw_depth_apply() needs the queue of all jobs. Otherwise the queue may be
   that of some of them. */
bool lxfw_depth_needs_all(const struct lxfw_depth *depth);

/* Sets part_ptr of the records of QUEUE that are left out to NULL. */
void lxfw_depth_apply(struct lxfw_bridge *bridge, lxfw_slurm_list queue);

/* Returns the number of tasks of the array that may be reported, at most MOST. */
uint32_t lxfw_depth_tasks(const struct lxfw_depth *depth, const job_record_t *array,
			  uint32_t most);

#endif
