/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * EQspatial in Slurm: adaptive jobs start on fewer processors than they ask for, and
 * running ones are given others. All changes of a node are one batch under the
 * controller's locks: out of the select plugin's books, edited, and back in, so that
 * nobody ever sees a core given out twice, and what Slurm saves is whole.
 *
 * A job keeps the memory it asked for, whatever its processors. Its time limit counts
 * work: shares_limit.h.
 */
#ifndef LXFW_BRIDGE_SHARES_H
#define LXFW_BRIDGE_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/action.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;
struct lxfw_known_job;

/* What a job's record had before it was made to ask for less. */
struct lxfw_asked {
	bool adaptive, fewer;
	int32_t procs;		/* it asked for; and gets */
	int32_t gets;
	uint32_t min_cpus, max_cpus, pn_min_cpus;
	uint16_t cpus_per_task;
	uint64_t pn_min_memory;
};

/*
 * About to start JOB as decided: it asks for what it is to get. Afterwards JOB is
 * the record that runs, unless it does not (STARTED); before its nodes are told.
 */
void lxfw_shares_begin(const struct lxfw_bridge *bridge, job_record_t *job,
		       const struct lxfw_known_job *known,
		       const struct lxfw_action *action,
		       struct lxfw_asked *asked);
void lxfw_shares_begun(struct lxfw_bridge *bridge, job_record_t *job,
		       const struct lxfw_asked *asked, bool started);

/* The job waits: if it was adaptive when it ran, it asks for all again. */
void lxfw_shares_wait(job_record_t *job);

/* Carry out all resizes of the node of action AT, from there on. Those that follow
   it are passed over when their turn comes. */
void lxfw_slurm_resize(void *context, size_t at);

/* Where cores of HOST may have been given out twice, because a job was resumed there:
   its adaptive jobs get others, as many as they have while there are so many. False
   if accounting cannot be told of some of them now: to be tried again. */
bool lxfw_shares_mend(struct lxfw_bridge *bridge, int32_t host);

#endif
