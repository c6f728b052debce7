/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * EQspatial in Slurm: adaptive jobs start on fewer processors than requested, and the
 * processors of running jobs change. All changes of a node are one batch under the
 * controller's locks: the jobs are removed from the select plugin's records, edited,
 * and added again. Thus no core ever appears to be allocated twice, and Slurm saves a
 * consistent state.
 *
 * A job keeps the memory it requested, regardless of its processors. Its time limit
 * counts work: see shares_limit.h.
 */
#ifndef LXFW_BRIDGE_SHARES_H
#define LXFW_BRIDGE_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/action.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;
struct lxfw_known_job;

/* Original values of a job's record while its request is reduced. */
struct lxfw_asked {
	bool adaptive, fewer;
	int32_t procs;		/* processors requested; `gets`: allocated */
	int32_t gets;
	uint32_t min_cpus, max_cpus, pn_min_cpus;
	uint16_t cpus_per_task;
	uint64_t pn_min_memory;
};

/*
 * lxfw_shares_begin() reduces the request of JOB to the decided share.
 * lxfw_shares_begun() must be called after the attempt to start it, before its nodes
 * are notified. STARTED is true if the attempt succeeded; JOB is then the record
 * that runs.
 */
void lxfw_shares_begin(const struct lxfw_bridge *bridge, job_record_t *job,
		       const struct lxfw_known_job *known,
		       const struct lxfw_action *action,
		       struct lxfw_asked *asked);
void lxfw_shares_begun(struct lxfw_bridge *bridge, job_record_t *job,
		       const struct lxfw_asked *asked, bool started);

/* Restores the full request of a pending job that ran as an adaptive job. */
void lxfw_shares_wait(job_record_t *job);

/* Carries out all resizes of the node of action AT, including those in later actions.
   The later actions are then skipped. */
void lxfw_slurm_resize(void *context, size_t at);

/* Assigns other cores to the adaptive jobs of HOST because a job was resumed there and
   cores may be allocated twice. Each job keeps its number of cores if enough are
   available. Returns false if some jobs were left out because accounting is not
   available; the call must be repeated. */
bool lxfw_shares_mend(struct lxfw_bridge *bridge, int32_t host);

#endif
