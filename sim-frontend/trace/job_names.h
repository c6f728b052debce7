/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the jobs of a journal are called. In that of a simulation the ids are positions in
 * the trace, and records of names have the trace's numbers; in that of the plugin the id
 * is Slurm's: the job's or the array's number and, above 32 bits, the task's plus one.
 */
#ifndef LXFW_TRACE_JOB_NAMES_H
#define LXFW_TRACE_JOB_NAMES_H

#include <stdbool.h>

#include "common/journal/journal.h"
#include "common/util/id_map.h"

/* {0} is empty; lxfw_job_names_clear() frees. */
struct lxfw_job_names {
	struct lxfw_id_map by_id;
	struct lxfw_job_name *names;
	size_t count, size;
};

void lxfw_job_names_clear(struct lxfw_job_names *names);

/* Take note of a record of a name; a segment begins anew. 0, or -1 with errno ENOMEM. */
int lxfw_job_names_take(struct lxfw_job_names *names,
			const struct lxfw_record *record);

/* The number of the job in its log; its id where it has no name. */
int64_t lxfw_job_names_number(const struct lxfw_job_names *names, uint64_t id);

/* "17", "7_3" for a task, "17#2" for the second job of number 17; "" for id 0. */
void lxfw_job_names_text(const struct lxfw_job_names *names, uint64_t id,
			 char *text, size_t size);

/* Whether a user who asks for WANTED, an id as the plugin has them or a number, means
   this job; WHICH is 2 for "17#2", and 0 for all of that number. */
bool lxfw_job_names_match(const struct lxfw_job_names *names, uint64_t id,
			  uint64_t wanted, int64_t which);

#endif
