/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks of an array that are reported as separate jobs: the next of those that are pending
 * in the record of the array. They are the first 256, and as many as could run if the machine
 * were empty: otherwise jobs after the array would start in a pass that has started all the
 * tasks it has. For all arrays together, the tasks after the first 256 need no more processors
 * than there are, and are at most LXFW_TASKS_MAX, since each look examines them. A task remains
 * reported until it starts.
 */
#ifndef LXFW_BRIDGE_TASKS_H
#define LXFW_BRIDGE_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

#define LXFW_TASKS_MAX 20000

/* The tasks after the first 256 of their arrays. */
struct lxfw_tasks_room {
	int32_t tasks;		/* number that was found in this pass */
	int64_t procs;		/* their processors */
	int32_t more_tasks;	/* number that may still be added in this pass */
	int64_t more_procs;
};

struct lxfw_tasks {
	struct lxfw_bridge *bridge;
	const job_record_t *array;
	int64_t next, last;
	uint32_t left;		/* that the array's limits permit */
	uint32_t sure;		/* that are reported in any case */
	uint32_t place;		/* near which the next one is in the table of jobs */
};

/* Returns true if the record stands for pending tasks of an array. */
static inline bool lxfw_is_array(const job_record_t *job)
{
	return job->array_recs && job->array_task_id == NO_VAL;
}

/* At the beginning of a look, after the look at the hosts. */
void lxfw_tasks_look(struct lxfw_bridge *bridge);

/* Sets *TASKS to those of the record of an array. */
void lxfw_tasks_begin(struct lxfw_bridge *bridge, const job_record_t *array,
		      struct lxfw_tasks *tasks);

/* Returns the library's id of the next task, or 0 after the last one. */
uint64_t lxfw_tasks_next(struct lxfw_tasks *tasks);

#endif
