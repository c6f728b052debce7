/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracks the progress of jobs that may be interrupted: their speed, the remaining work,
 * and the resulting end.
 *
 * The work of a job is its run time on the requested processors. The speed depends on the
 * processors that it holds (speedup.h). It is 0 while the job is suspended. A requeue
 * discards all work. A job that was started with less memory than it requested, and uses
 * more than that, does not end before it is requeued or receives more (Chiang and Vernon
 * 2001, section 2.4: the memory of a quantum). The time for the work, without
 * suspensions, may be limited; the job then ends at the limit.
 */
#ifndef LXFW_ENGINE_PROGRESS_H
#define LXFW_ENGINE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/action.h"
#include "common/model/request.h"
#include "common/util/error.h"
#include "common/util/id_map.h"
#include "sim-frontend/engine/ends.h"
#include "sim-frontend/engine/speedup.h"

enum lxfw_progress_state {
	LXFW_PROGRESS_WAITING,
	LXFW_PROGRESS_RUNNING,
	LXFW_PROGRESS_SUSPENDED,
};

struct lxfw_progress_job {
	uint64_t id;
	enum lxfw_progress_state state;
	int32_t next;		/* free list */
	int64_t procs;		/* total requested */
	bool grows;		/* it uses more than these */
	int64_t memory_mb;	/* total requested */
	int64_t used_kb;	/* total memory used; -1: unknown */
	int64_t left;		/* remaining work as of `since` */
	int64_t rate;		/* work per second */
	int64_t since;
	int64_t spare;		/* seconds that it may still run, as of `since`;
				   LXFW_NEVER: no limit */
	bool cut_off;		/* the job ends at `end` with work left */
	int64_t end;		/* expected end at this speed; LXFW_NEVER: none */
};

/* Initialize to {0} with `speedup` set (NULL: linear); release with
   lxfw_progress_clear(). */
struct lxfw_progress {
	const struct lxfw_speedup *speedup;
	bool grows;		/* a job that is not exclusive uses more processors than
				   it requested */
	struct lxfw_progress_job *jobs;
	size_t count, size;
	int32_t free;		/* head of the free list, index + 1; 0: empty */
	struct lxfw_id_map by_id;
};

void lxfw_progress_clear(struct lxfw_progress *progress);

/* The job waits, or its request has changed. Returns 0, or -1 with errno ENOMEM. */
int lxfw_progress_request(struct lxfw_progress *progress,
			  const struct lxfw_request *request);

/* Limits the time that the job may run from its next start on, without suspensions: 1
   s or more, or LXFW_NEVER. The job must not have left. */
void lxfw_progress_bound(struct lxfw_progress *progress, uint64_t job,
			 int64_t most);

/* Returns, for a job whose end has come, the seconds that the rest of its work would
   have taken on all requested processors, rounded down; 0 if the work is complete. */
int64_t lxfw_progress_left_over(const struct lxfw_progress *progress,
				uint64_t job);

/* The job has left. Returns whether it was started and not requeued since. */
bool lxfw_progress_left(struct lxfw_progress *progress, uint64_t job);

/* Returns a job that has not left, or NULL. Valid until the next call. */
const struct lxfw_progress_job *
lxfw_progress_find(const struct lxfw_progress *progress, uint64_t job);

/*
 * Applies a START, SUSPEND, RESUME, REQUEUE or RESIZE at NOW. If the end of the job
 * changes, the new end is added to ENDS. START uses RUN, the work in seconds on all
 * requested processors (LXFW_NEVER: endless), and USED_KB, the total memory used or -1.
 * Returns 0, or -1 with errno ENOMEM, or EPROTO and ERROR set if the state of the job
 * does not permit the action.
 */
int lxfw_progress_act(struct lxfw_progress *progress, struct lxfw_ends *ends,
		      const struct lxfw_action *action, int64_t now,
		      int64_t run, int64_t used_kb, struct lxfw_error *error);

/* Returns whether END is the current end of a job that has not left. */
bool lxfw_progress_holds(const struct lxfw_progress *progress,
			 const struct lxfw_end *end);

#endif
