/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the library was last told about each job, so that a pass only tells it
 * what has changed.
 */
#ifndef LXFW_AGENT_TABLE_H
#define LXFW_AGENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"

enum lxfw_known_state {
	LXFW_KNOWN_NOT,	/* to the library */
	LXFW_KNOWN_WAITING,
	LXFW_KNOWN_RUNNING,
};

struct lxfw_known_job {
	uint64_t id;		/* the library's: lxfw_job_id() */
	uint32_t record;	/* number of its job record, of the array if in
				   one */
	uint32_t seen;		/* pass that last met the job */
	uint8_t state;		/* enum lxfw_known_state */
	uint8_t refusals;	/* in a row */
	uint8_t in_vain;	/* refusals in a row that are about nodes */
	bool spared;		/* it runs on, and begins anew in the books */
	bool unread;		/* what it runs with is to be read again, whatever the
				   workload manager's own marks say */
	bool excluded;		/* the library did not take its request */
	bool array_task;	/* waits in the record of its array */
	int64_t submit;		/* earliest time since when it waits, 0 unknown */
	int64_t refused_until;
	uint32_t contradicted;	/* the decision that it did not do as decided, so that
				   nothing else of that stands for it; 0 */
	int64_t requeued;	/* when it was, while it is cleaned up after; 0 */
	int64_t asked;		/* when its start was asked for, while it has not come
				   about; 0 */
	struct lxfw_share *asked_shares;	/* that it is to run with then */
	int32_t asked_count;
	struct lxfw_request request;
	int64_t expected_end;
	uint32_t running_priority;	/* while it runs */
	uint32_t shares_hash;
	int64_t reserved_start;	/* 0: no reservation */
	int32_t *reserved_hosts;
	int32_t reserved_count;
	char *reserved_nodes;	/* the names of these in one text, or NULL */
	/* What the workload manager keeps of it, table->own_size bytes, zeroed at first. */
	_Alignas(max_align_t) unsigned char own[];
};

struct lxfw_job_table {
	struct lxfw_known_job **jobs;	/* in order of arrival, holes filled by the
				   last one */
	size_t count, size;
	uint32_t *slots;	/* by hash of id: index in jobs + 1, 0 free */
	size_t slot_count;
	size_t own_size;	/* of each job; set before the first is entered */
};

/* The library's id of a job: the number of its record, or for a task of an array its
   array's job id and its task id, which stay the same when the task is split
   from its array's record. */
static inline uint64_t lxfw_job_id(uint32_t job_id, uint32_t array_job_id,
				   uint32_t task_id)
{
	if (array_job_id && task_id != (uint32_t)0xfffffffe)
		return ((uint64_t)task_id + 1) << 32 | array_job_id;
	return job_id;
}

struct lxfw_known_job *lxfw_table_find(const struct lxfw_job_table *table,
				 uint64_t id);

/* The job, entered if it is new. NULL when memory runs out. */
struct lxfw_known_job *lxfw_table_enter(struct lxfw_job_table *table, uint64_t id);

/* Remove jobs[INDEX]; the last job takes its place. */
void lxfw_table_remove(struct lxfw_job_table *table, size_t index);

/* It holds no reservation. */
void lxfw_known_unreserve(struct lxfw_known_job *known);

/* Its start was asked for at second NOW, on COUNT shares; false if memory runs out. It has
   come about, or will not. */
bool lxfw_known_ask(struct lxfw_known_job *known, int64_t now,
		    const struct lxfw_share *shares, int32_t count);
void lxfw_known_unask(struct lxfw_known_job *known);

/* own_size stays. */
void lxfw_table_destroy(struct lxfw_job_table *table);

#endif
