/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job records with any number in any field that a user can set, even if sbatch would
 * refuse it: scontrol update, the REST interface and job_submit plugins may accept what
 * sbatch refuses.
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
	HOSTILE_FIELDS		/* number of fields */
};

/* Set FIELD to VALUE, truncated to the width of the field. */
void hostile_set(job_record_t *job, enum hostile_field field, uint64_t value);

const char *hostile_name(enum hostile_field field);

/* Limits of types, and values with a special meaning in Slurm. */
extern const uint64_t hostile_values[];
extern const unsigned int hostile_value_count;

#endif
