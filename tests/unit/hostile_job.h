/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job records with any number in any field that a user can set, whether sbatch
 * would let it through or not: scontrol update, the REST interface and plugins
 * of job_submit may let through what sbatch does not.
 */
#ifndef LXFW_TESTS_HOSTILE_JOB_H
#define LXFW_TESTS_HOSTILE_JOB_H

#include <stdint.h>

#include "tests/unit/fake_ctld.h"

enum hostile_field {
	HOSTILE_MEMORY,
	HOSTILE_MEMORY_PER_CPU,
	HOSTILE_MIN_CPUS,
	HOSTILE_MAX_CPUS,
	HOSTILE_NUM_TASKS,
	HOSTILE_CPUS_PER_TASK,
	HOSTILE_MIN_NODES,
	HOSTILE_MAX_NODES,
	HOSTILE_NTASKS_PER_NODE,
	HOSTILE_NTASKS_PER_TRES,
	HOSTILE_PN_MIN_CPUS,
	HOSTILE_TMP_DISK,
	HOSTILE_TIME_LIMIT,
	HOSTILE_TIME_MIN,
	HOSTILE_BEGIN,
	HOSTILE_DEADLINE,
	HOSTILE_NICE,
	HOSTILE_PRIORITY,
	HOSTILE_CORE_SPEC,
	HOSTILE_CONTIGUOUS,
	HOSTILE_EXCLUSIVE,
	HOSTILE_OVERCOMMIT,
	HOSTILE_SHARE,
	HOSTILE_THREADS_PER_CORE,
	HOSTILE_GRES_PER_JOB,
	HOSTILE_GRES_PER_NODE,
	HOSTILE_GRES_PER_SOCKET,
	HOSTILE_GRES_PER_TASK,
	HOSTILE_GRES_MEMORY,
	HOSTILE_GRES_CPUS,
	HOSTILE_GRES_NTASKS,
	HOSTILE_FIELDS		/* their number */
};

/* Set FIELD to VALUE, cut off where the field is narrower. */
void hostile_set(job_record_t *job, enum hostile_field field, uint64_t value);

const char *hostile_name(enum hostile_field field);

/* Values at the edges of types, and of what Slurm means by them. */
extern const uint64_t hostile_values[];
extern const unsigned int hostile_value_count;

#endif
