/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers in a job's record from which its request is made. Users choose them, and
 * each may be as large as its type permits. Here all are in the range 0 to
 * LXFW_NUMBER_MOST, amounts of memory in the range 0 to LXFW_MEMORY_UNLIMITED. The
 * product of two numbers that are not memory fits into 64 bits.
 */
#ifndef LXFW_BRIDGE_NUMBERS_H
#define LXFW_BRIDGE_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/bridge/shape.h"

#define LXFW_NUMBER_MOST (INT64_C(1) << 31)

struct lxfw_numbers {
	int64_t procs;		/* of the job, 1 or more */
	int64_t per_task;	/* processors of a task, which must be on one host; 1
				   to procs */
	int64_t tasks;		/* 1 or more */
	int64_t min_hosts;	/* 1 or more */
	int64_t max_hosts;	/* 0: no limit */
	int64_t procs_per_host;	/* minimum on each host */
	int64_t tasks_per_host;	/* --ntasks-per-node; 0: any number */
	int64_t memory_per_proc, memory_per_host;	/* MB */
	/* GRES as extras, and the memory in MB that is requested with them. */
	struct lxfw_resources of_host, of_task;
	struct lxfw_resources of_piece;	/* of each piece of the job */
	int64_t pieces;		/* number of GRES requested for the whole job; 0:
				   none */
	int64_t procs_per_piece;	/* 0: not specified */
};

/* Returns false if the library's request cannot represent the job's request. */
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

/* Returns MEMORY_MB times COUNT, limited to LXFW_MEMORY_UNLIMITED. Both must not be
   negative. */
static inline int64_t lxfw_memory_times(int64_t memory_mb, int64_t count)
{
	if (count > 0 && memory_mb > LXFW_MEMORY_UNLIMITED / count)
		return LXFW_MEMORY_UNLIMITED;
	return memory_mb * count;
}

#endif
