/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the jobs in a journal. In the journal of a simulation, ids are positions in
 * the trace, and name records have the numbers in the trace. In the journal of the
 * plugin, the id is that of Slurm: the number of the job or array and, above 32 bits, the
 * number of the task plus one.
 */
#ifndef LXFW_TRACE_JOB_NAMES_H
#define LXFW_TRACE_JOB_NAMES_H

#include <stdbool.h>

#include "common/journal/journal.h"
#include "common/util/id_map.h"

/* Initialize to {0}; release with lxfw_job_names_clear(). */
struct lxfw_job_names {
	struct lxfw_id_map by_id;
	struct lxfw_job_name *names;
	size_t count, size;
};

void lxfw_job_names_clear(struct lxfw_job_names *names);

/* Records a name record; a new segment discards all names. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_job_names_take(struct lxfw_job_names *names,
			const struct lxfw_record *record);

/* Returns the number of the job in its log, or its id if it has no name. */
int64_t lxfw_job_names_number(const struct lxfw_job_names *names, uint64_t id);

/* Formats "17", "7_3" for an array task, "17#2" for the second job with number 17, ""
   for id 0. */
void lxfw_job_names_text(const struct lxfw_job_names *names, uint64_t id,
			 char *text, size_t size);

/* The same for a job of a request: "15+1" for the second component of heterogeneous job 15, as the workload
   manager calls it. */
struct lxfw_request;
void lxfw_job_names_request(const struct lxfw_job_names *names, const struct lxfw_request *request,
			    char *text, size_t size);

/* Returns whether WANTED from the command line refers to this job. WANTED is an id of
   the plugin or a job number. WHICH is 2 for "17#2" and 0 for all jobs of that number. */
bool lxfw_job_names_match(const struct lxfw_job_names *names, uint64_t id,
			  uint64_t wanted, int64_t which);

#endif
