/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers of a job's record that its request is made of. Users choose them, and any
 * may be as large as its type allows. Here none is negative, and none is above
 * LXFW_NUMBER_MOST, memory none above LXFW_MEMORY_UNLIMITED: the product of two that
 * are no memory fits into 64 bits.
 */
#ifndef LXFW_BRIDGE_NUMBERS_H
#define LXFW_BRIDGE_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/bridge/shape.h"

#define LXFW_NUMBER_MOST (INT64_C(1) << 31)

struct lxfw_numbers {
	int64_t procs;		/* of the job, 1 or more */
	int64_t per_task;	/* processors of a task, which has one host; 1 or
				   more, at most procs */
	int64_t tasks;		/* 1 or more */
	int64_t min_hosts;	/* 1 or more */
	int64_t max_hosts;	/* 0: as many as needed */
	int64_t procs_per_host;	/* that each host must have for the job */
	int64_t tasks_per_host;	/* --ntasks-per-node; 0: any number */
	int64_t memory_per_proc, memory_per_host;	/* MB */
	/* GRES as extras, and the memory in MB that comes with them. */
	struct lxfw_resources of_host, of_task;
	struct lxfw_resources of_piece;	/* each of the pieces of the job */
	int64_t pieces;		/* GRES of the job as a whole; 0: none */
	int64_t procs_per_piece;	/* 0: not said */
};

/* False if the library's request cannot represent something that the job asks. */
bool lxfw_numbers_read(const job_record_t *job, const struct lxfw_ground *ground,
		       struct lxfw_numbers *numbers);

static inline int64_t lxfw_larger(int64_t one, int64_t other)
{
	return one > other ? one : other;
}

static inline int64_t lxfw_quotient_up(int64_t amount, int64_t by)
{
	return (amount + by - 1) / by;
}

/* MEMORY_MB times COUNT, LXFW_MEMORY_UNLIMITED at most; neither is negative. */
static inline int64_t lxfw_memory_times(int64_t memory_mb, int64_t count)
{
	if (count > 0 && memory_mb > LXFW_MEMORY_UNLIMITED / count)
		return LXFW_MEMORY_UNLIMITED;
	return memory_mb * count;
}

#endif
