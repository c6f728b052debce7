/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of each job as it was last reported to the library, so that a pass reports
 * only differences.
 */
#ifndef LXFW_AGENT_TABLE_H
#define LXFW_AGENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/reason.h"
#include "common/model/request.h"
#include "common/util/id_map.h"

enum lxfw_known_state {
	LXFW_KNOWN_NOT,	/* the library does not have the job */
	LXFW_KNOWN_WAITING,
	LXFW_KNOWN_RUNNING,
};

struct lxfw_known_job {
	uint64_t id;		/* the library's: lxfw_job_id() */
	uint32_t record;	/* number of its job record, or of its array's record
				   while it is part of that */
	uint32_t seen;		/* last pass that reported the job */
	uint8_t state;		/* enum lxfw_known_state */
	uint8_t refusals;	/* number of consecutive refusals */
	uint8_t in_vain;	/* consecutive refusals because of the hosts */
	bool spared;		/* it continues to run although a decision preempts
				   it; the model counts it as just started */
	bool bare;		/* it runs, and the library does not have its request */
	bool unread;		/* read its resources again even if the workload
				   manager shows no change */
	bool excluded;		/* the library rejected it */
	bool array_task;	/* pending in the record of its array */
	int64_t refused_until;
	int64_t requeued;	/* time of its requeue, during its cleanup; else 0 */
	int64_t asked;		/* time at which its start was requested and is not
				   confirmed yet; else 0 */
	/* Each look of each pass reads the fields above. */
	int64_t bare_until;	/* earliest time at which the library may have it */
	int64_t submit;		/* time from which it waits, the earliest known; 0:
				   unknown */
	uint32_t reported;	/* number of decisions made when its run was last
				   reported */
	enum lxfw_reason refusal;	/* why its last start was refused, as far as the
					   workload manager has stated it */
	uint32_t contradicted;	/* number of the decision that the job contradicted,
				   whose other actions on it are skipped; 0: none */
	struct lxfw_share *asked_shares;	/* the shares requested for it */
	int32_t asked_count;
	struct lxfw_request request;
	int64_t priority, delay;	/* LXFW_EVENT_JOB_PRIORITY, while it waits */
	int64_t expected_end;
	uint32_t running_priority;	/* its priority while it runs */
	uint32_t shares_hash;
	int64_t reserved_start;	/* 0: no reservation */
	int32_t *reserved_hosts;
	int32_t reserved_count;
	char *reserved_nodes;	/* names of these hosts as one string, or NULL */
	int64_t estimated_start;	/* while it waits, without a reservation; 0:
					   unknown */
	int32_t *estimated_hosts;	/* or NULL */
	int32_t estimated_count;
	int64_t first_expected;	/* start that was first expected; 0: unknown */
	uint32_t first_decision;	/* number of the first decision that could start it */
	int64_t began;		/* time at which its start was requested; 0: unknown */
	char *estimated_nodes;	/* names of these hosts, or NULL */
	uint32_t estimated;	/* number of the outlook that the estimate is from */
	/* Data of the workload manager: table->own_size bytes, zeroed initially. */
	_Alignas(max_align_t) unsigned char own[];
};

struct lxfw_job_table {
	struct lxfw_known_job **jobs;	/* in order of arrival; a removed entry is
					   replaced by the last one */
	size_t count, size;
	struct lxfw_id_map by_id;	/* index in `jobs` */
	size_t own_size;	/* size of `own`; must be set before the first entry */
	void (*clear_own)(void *own);	/* frees what it points to; NULL: nothing */
};

/* Returns the library's id of a job: the number of its record, or for a task of an
   array a combination of the array's job id and the task id. The id of a task does not
   change when the task is split from its array's record. */
static inline uint64_t lxfw_job_id(uint32_t job_id, uint32_t array_job_id,
				   uint32_t task_id)
{
	if (array_job_id && task_id != (uint32_t)0xfffffffe)
		return ((uint64_t)task_id + 1) << 32 | array_job_id;
	return job_id;
}

/* Returns the entry of the job, or NULL. Entries do not move. */
struct lxfw_known_job *lxfw_table_find(const struct lxfw_job_table *table,
				 uint64_t id);

/* The same. *PLACE is the index at which the entry was found before, and is updated. */
struct lxfw_known_job *lxfw_table_find_near(const struct lxfw_job_table *table, uint64_t id,
					    uint32_t *place);

/* Fetches the first fields of jobs[PLACE], which need not exist, into the cache. */
static inline void lxfw_table_fetch(const struct lxfw_job_table *table, size_t place)
{
	if (place < table->count)
		__builtin_prefetch(table->jobs[place]);
}

/* Returns the entry of the job, which is created if necessary, or NULL when memory runs
   out. */
struct lxfw_known_job *lxfw_table_enter(struct lxfw_job_table *table, uint64_t id);

/* Removes jobs[INDEX]. The last entry takes its place. */
void lxfw_table_remove(struct lxfw_job_table *table, size_t index);

/* Clears the job's reservation. */
void lxfw_known_unreserve(struct lxfw_known_job *known);

/* Clears the job's estimated start. */
void lxfw_known_unestimate(struct lxfw_known_job *known);

/* lxfw_known_ask() records that a start on COUNT shares was requested at second NOW and
   copies the shares. It returns false if memory runs out. lxfw_known_unask() clears the
   record when the job has started or cannot start. */
bool lxfw_known_ask(struct lxfw_known_job *known, int64_t now,
		    const struct lxfw_share *shares, int32_t count);
void lxfw_known_unask(struct lxfw_known_job *known);

/* Frees all entries. own_size and clear_own are preserved. */
void lxfw_table_destroy(struct lxfw_job_table *table);

#endif
