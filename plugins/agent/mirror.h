/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of hosts and jobs that was last reported to the library. In each look the
 * workload manager reports its complete state; the differences become events. When
 * memory runs out, agent->events.failed is set and the model is rebuilt.
 */
#ifndef LXFW_AGENT_MIRROR_H
#define LXFW_AGENT_MIRROR_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/agent/agent.h"

/* --- in look_at_hosts() ----------------------------------------------------------- */

/*
 * Sets the number of hosts and their names, by index. Returns 1 if they are unchanged.
 * Returns 0 if they differ: the recorded hosts are discarded, and agent->rebuild is set
 * unless there were none. Returns -1 when memory runs out.
 */
int lxfw_mirror_hosts(struct lxfw_agent *agent, const char *const *names,
		      int32_t count);
/* Reports the state, the resources, the GPUs by socket (0: not known), the weight and the boot
   time of host INDEX, 0 to COUNT - 1. */
void lxfw_mirror_host(struct lxfw_agent *agent, int32_t index, bool up,
		      const struct lxfw_resources *total, uint32_t sockets,
		      int64_t weight, int64_t boot);
/* Reports the name of extra INDEX, "gpu:a100", for the readers of the journal. */
void lxfw_mirror_extra(struct lxfw_agent *agent, int32_t index, const char *name);
/* Returns the longest boot time of COUNT hosts, in seconds. */
int64_t lxfw_mirror_boot(const struct lxfw_agent *agent, const int32_t *hosts,
			 int32_t count);
/* Returns the longest boot time of all hosts that are up, in seconds. */
int64_t lxfw_mirror_most_boot(const struct lxfw_agent *agent);

/* --- in look_at_blocks() ---------------------------------------------------------- */

/* Reports that these shares are blocked from START to END. ID is unique among
   blocks. */
void lxfw_mirror_block(struct lxfw_agent *agent, uint64_t id, int64_t start,
		       int64_t end, const struct lxfw_share *shares, int32_t count);
/* SECONDS of a block of which nothing is known but that it is there: ten years, longer than any
   prediction. */
#define LXFW_MIRROR_UNKNOWN (INT64_C(3650) * 86400)

/* Reports shares that are blocked for an unknown time. The block ends SECONDS from now.
   It is reported again when half of that time has passed or when the shares change. */
void lxfw_mirror_passing_block(struct lxfw_agent *agent, uint64_t id,
			       int64_t seconds, const struct lxfw_share *shares,
			       int32_t count);

/* --- in look_at_jobs() ------------------------------------------------------------ */

/* Reports that set ID consists of these hosts, in ascending order. Called when a set is
   new or has changed, and for all sets after a rebuild of the model. */
void lxfw_mirror_set(struct lxfw_agent *agent, int32_t id, const int32_t *hosts,
		     int32_t count);

/* A pending job that may be scheduled. */
struct lxfw_waiting {
	/* `submit` is the time of the last submission. `no_quantum` is set if the
	   workload manager or the site rules out a quantum. */
	struct lxfw_request request;
	/* The workload manager's own priority of the job, and its delay, as in
	   LXFW_EVENT_JOB_PRIORITY. The library learns the priority only under
	   parameters that weigh it (lxfw_params_site()), and in shadow mode. */
	int64_t priority, delay;
	uint32_t record;	/* number of its job record */
	bool array_task;	/* it is part of the record of its array */
	bool again;		/* it was started before; its waiting time counts
				   from the first submission */
};

/* Reports a pending job. Returns NULL when memory runs out. */
struct lxfw_known_job *lxfw_mirror_waiting(struct lxfw_agent *agent,
					   const struct lxfw_waiting *waiting);

/* Returns true if lxfw_mirror_still() would. *PLACE, initially 0, is kept between calls for
   the same job, which it makes faster. */
bool lxfw_mirror_steady(const struct lxfw_agent *agent, uint64_t id, uint32_t *place);

/* Reports that the job is pending as it was last reported. Returns false, and changes
   nothing, if lxfw_mirror_waiting() must be called: the model does not have the job as
   waiting, its start is not confirmed yet, or it was refused. */
bool lxfw_mirror_still(struct lxfw_agent *agent, uint64_t id, uint32_t *place);

/* Fetches a job into the cache, of which PLACE was set before. */
static inline void lxfw_mirror_fetch(const struct lxfw_agent *agent, uint32_t place)
{
	lxfw_table_fetch(&agent->jobs, place);
}

/* A job that waits and may not be scheduled here is reported by lxfw_mirror_aside()
   (aside.h). */

/* Reports that the job exists. The caller reports its resources by lxfw_mirror_run() if
   they may have changed. Returns NULL when memory runs out. */
struct lxfw_known_job *lxfw_mirror_running(struct lxfw_agent *agent, uint64_t id,
					   uint32_t record);
/* Returns true if the policy needs the request of the running job, and the library does not
   have it. */
bool lxfw_mirror_lacks_request(const struct lxfw_agent *agent,
			       const struct lxfw_known_job *known);
/* Reports the request of a running job that the model does not contain, or does not have
   the request of. Required if its share may change, or if lxfw_mirror_lacks_request().
   lxfw_mirror_run() must follow. */
void lxfw_mirror_request(struct lxfw_agent *agent, struct lxfw_known_job *known,
			 const struct lxfw_request *request);
/* Reports the resources of a running job if they have changed. May be called at any
   time. */
void lxfw_mirror_run(struct lxfw_agent *agent, struct lxfw_known_job *known,
		     const struct lxfw_run *run);

/* Reports that the library's job is over: another one, which is reported in this look, has what it
   had. */
void lxfw_mirror_replaced(struct lxfw_agent *agent, struct lxfw_known_job *known);

/* Keeps a requeued job that is pending but cannot start yet in the model for a limited
   time although it is not reported. */
void lxfw_mirror_keep(struct lxfw_agent *agent, uint64_t id);

/* Reports again that the job runs on the shares requested for it, although its start
   has not been confirmed yet. */
void lxfw_mirror_starting(struct lxfw_agent *agent, struct lxfw_known_job *known);

/* Causes the running job to be reported again even if nothing has changed. */
void lxfw_mirror_tell_anew(struct lxfw_known_job *known);

/* --- the pass --------------------------------------------------------------------- */

/* Begins the first look of a pass: updates agent->clock and resets the counters of the
   pass. */
void lxfw_mirror_begin(struct lxfw_agent *agent);
/* Begins another look of the same pass. Jobs that the looks before reported need not be
   reported again. */
void lxfw_mirror_continue(struct lxfw_agent *agent);
/* Remove blocks and jobs that the last look did not report. */
void lxfw_mirror_sweep_blocks(struct lxfw_agent *agent);
void lxfw_mirror_sweep_jobs(struct lxfw_agent *agent);

/* Marks everything as not reported. */
void lxfw_mirror_forget(struct lxfw_agent *agent);
/* Frees the record of hosts and blocks. */
void lxfw_mirror_destroy(struct lxfw_agent *agent);

/* Returns a hash of COUNT shares, which detects changes. It is not unique. */
uint32_t lxfw_shares_hash(const struct lxfw_share *shares, int32_t count);

#endif
