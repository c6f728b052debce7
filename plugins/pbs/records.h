/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of jobs for the agent, 32 bits. The number of a job is the one in its id, if it is
 * below 2^31. Tasks of arrays, and jobs with larger numbers, get others, which are kept in a
 * file: the agent's own files name jobs by number.
 */
#ifndef LXFW_PBS_RECORDS_H
#define LXFW_PBS_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/id_map.h"

#define LXFW_PBS_RECORDS_FIRST UINT32_C(0x80000001)

struct lxfw_pbs_record {
	uint64_t number;
	int64_t task;		/* -1: none */
	uint32_t record;
	bool seen;
};

struct lxfw_pbs_records {
	struct lxfw_pbs_record *record;
	size_t count, size;
	struct lxfw_id_map by_id;	/* lxfw_pbs_id(): index */
	uint32_t next;		/* number tried next */
	struct lxfw_id_map used;	/* numbers in use */
	bool dirty;		/* differs from the file */
};

/* The library's id of a job or task; 0 if the number is too large. That of job 0 is 2^31. */
uint64_t lxfw_pbs_id(uint64_t number, int64_t task);

/* Returns the number of a job or task, or 0 if memory ran out or the id has no form for the
   library. */
uint32_t lxfw_pbs_record(struct lxfw_pbs_records *records, uint64_t number, int64_t task);

/* Forgets the numbers of jobs for which lxfw_pbs_record() was not called since the last
   time. */
void lxfw_pbs_records_sweep(struct lxfw_pbs_records *records);

/* Returns 0, or -1 with errno set. A missing file is empty; of a damaged one, the valid lines
   are read. */
int lxfw_pbs_records_read(struct lxfw_pbs_records *records, const char *path);
int lxfw_pbs_records_write(struct lxfw_pbs_records *records, const char *path);
void lxfw_pbs_records_clear(struct lxfw_pbs_records *records);

#endif
