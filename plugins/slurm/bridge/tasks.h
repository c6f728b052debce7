/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tasks of an array that are reported as separate jobs: the next of those that are
   pending in the record of the array. */
#ifndef LXFW_BRIDGE_TASKS_H
#define LXFW_BRIDGE_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

struct lxfw_tasks {
	const job_record_t *array;
	int64_t next, last;
	uint32_t left;
};

/* Returns true if the record stands for pending tasks of an array. */
static inline bool lxfw_is_array(const job_record_t *job)
{
	return job->array_recs && job->array_task_id == NO_VAL;
}

/* Sets *TASKS to those of the record of an array. */
void lxfw_tasks_begin(const struct lxfw_bridge *bridge, const job_record_t *array,
		      struct lxfw_tasks *tasks);

/* Returns the library's id of the next task, or 0 after the last one. */
uint64_t lxfw_tasks_next(struct lxfw_tasks *tasks);

#endif
