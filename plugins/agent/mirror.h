/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the library was told last. A workload manager shows everything as it is in each
 * look; what differs becomes an event. When memory runs out agent->events.failed is set:
 * the books are then made anew.
 */
#ifndef LXFW_AGENT_MIRROR_H
#define LXFW_AGENT_MIRROR_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/agent/agent.h"

/* --- in look_at_hosts() ----------------------------------------------------------- */

/*
 * There are COUNT hosts of these names, by index. Returns 1 if they are the same as
 * before; 0 if they are others, then nothing is known of them and agent->rebuild is set
 * unless there were none; -1 when memory runs out.
 */
int lxfw_mirror_hosts(struct lxfw_agent *agent, const char *const *names,
		      int32_t count);
void lxfw_mirror_host(struct lxfw_agent *agent, int32_t index, bool up,
		      const struct lxfw_resources *total);

/* --- in look_at_blocks() ---------------------------------------------------------- */

/* A block of these shares, of no other block's ID, from START to END. */
void lxfw_mirror_block(struct lxfw_agent *agent, uint64_t id, int64_t start,
		       int64_t end, const struct lxfw_share *shares, int32_t count);
/* The same of shares that are blocked for a time that nobody knows: for SECONDS from now
   on, told again when that is half over, or when the shares are others. */
void lxfw_mirror_passing_block(struct lxfw_agent *agent, uint64_t id,
			       int64_t seconds, const struct lxfw_share *shares,
			       int32_t count);

/* --- in look_at_jobs() ------------------------------------------------------------ */

/* Set ID consists of these hosts, ascending. Called when it is new or has changed, and
   for all sets when the books were made anew. */
void lxfw_mirror_set(struct lxfw_agent *agent, int32_t id, const int32_t *hosts,
		     int32_t count);

/* A job that waits and may be scheduled. */
struct lxfw_waiting {
	/* `submit` is when it was submitted last; `no_quantum`, that the workload manager
	   or the site wants it so. */
	struct lxfw_request request;
	uint32_t record;	/* number of its record */
	bool array_task;	/* it waits in the record of its array */
	bool again;		/* it was started before: it waits since it was
				   submitted first */
};

/* NULL when memory runs out. */
struct lxfw_known_job *lxfw_mirror_waiting(struct lxfw_agent *agent,
					   const struct lxfw_waiting *waiting);

/* The job is there, and what it does is shown by lxfw_mirror_run() where it may have
   changed. NULL when memory runs out. */
struct lxfw_known_job *lxfw_mirror_running(struct lxfw_agent *agent, uint64_t id,
					   uint32_t record);
/* What a running job that is not in the books asked for: only so its share can
   change. */
void lxfw_mirror_request(struct lxfw_agent *agent, struct lxfw_known_job *known,
			 const struct lxfw_request *request);
/* What a job runs with, if that is news; at any time. */
void lxfw_mirror_run(struct lxfw_agent *agent, struct lxfw_known_job *known,
		     const struct lxfw_run *run);

/* The job was requeued, waits and cannot start yet: it keeps its place in the books for
   some time, though it is not among those that are shown. */
void lxfw_mirror_keep(struct lxfw_agent *agent, uint64_t id);

/* The start of the job was asked for and has not come about: the library is told once more
   that it runs as was asked for. */
void lxfw_mirror_starting(struct lxfw_agent *agent, struct lxfw_known_job *known);

/* The library is to be told of the running job again, whatever it was told. */
void lxfw_mirror_tell_anew(struct lxfw_known_job *known);

/* --- the pass --------------------------------------------------------------------- */

void lxfw_mirror_begin(struct lxfw_agent *agent);
/* What was not shown is gone. */
void lxfw_mirror_sweep_blocks(struct lxfw_agent *agent);
void lxfw_mirror_sweep_jobs(struct lxfw_agent *agent);

/* Nothing has been told. */
void lxfw_mirror_forget(struct lxfw_agent *agent);
void lxfw_mirror_destroy(struct lxfw_agent *agent);

uint32_t lxfw_shares_hash(const struct lxfw_share *shares, int32_t count);

#endif
