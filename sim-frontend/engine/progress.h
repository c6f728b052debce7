/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far jobs are that may be interrupted: which of them runs at what speed, what
 * it has still to do, and when it ends at that.
 *
 * The work of a job is its run time on the processors that it requested. It has its
 * speed by the processors that it holds (speedup.h), none while it is suspended,
 * and loses all of its work when it is requeued. A job that was started with less
 * memory than it requested, and uses more than that, is not over before it is
 * requeued or gets more (Chiang and Vernon 2001, section 2.4: a quantum's memory).
 * A job may have only so long for its work, suspensions apart; then it is cut off.
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
	int32_t next;		/* free slots */
	int64_t procs;		/* requested in all */
	int64_t memory_mb;	/* requested in all */
	int64_t used_kb;	/* of memory in all; -1 = not known */
	int64_t left;		/* work to do, as of `since` */
	int64_t rate;		/* work done in a second */
	int64_t since;
	int64_t spare;		/* s that it may still run, as of `since`;
				   LXFW_NEVER = no bound */
	bool cut_off;		/* at `end`, with work left */
	int64_t end;		/* when it is over at that; LXFW_NEVER */
};

/* {0} plus `speedup` (NULL = linear) is empty; lxfw_progress_clear() frees. */
struct lxfw_progress {
	const struct lxfw_speedup *speedup;
	struct lxfw_progress_job *jobs;
	size_t count, size;
	int32_t free;		/* list, counted from 1; 0 = none */
	struct lxfw_id_map by_id;
};

void lxfw_progress_clear(struct lxfw_progress *progress);

/* The job waits, or its request is another one now. 0, or -1 with errno ENOMEM. */
int lxfw_progress_request(struct lxfw_progress *progress,
			  const struct lxfw_request *request);

/* How long at most the job may run from its next start on, suspensions apart, 1 s or
   more; LXFW_NEVER = as long as it takes. Of a job that has not left. */
void lxfw_progress_bound(struct lxfw_progress *progress, uint64_t job,
			 int64_t most);

/* Of a job whose end has come: the seconds, on all the processors requested, that it
   would have needed for the rest of its work, rounded down; 0 if it is done. */
int64_t lxfw_progress_left_over(const struct lxfw_progress *progress,
				uint64_t job);

/* The job has left; whether it was started and not requeued since. */
bool lxfw_progress_left(struct lxfw_progress *progress, uint64_t job);

/* A job that has not left, or NULL. Valid until the next call. */
const struct lxfw_progress_job *
lxfw_progress_find(const struct lxfw_progress *progress, uint64_t job);

/*
 * Carry out a START, SUSPEND, RESUME, REQUEUE or RESIZE at NOW; where the job's end
 * moves, the new one is added to ENDS. START needs RUN, the work in seconds on all
 * the processors requested (LXFW_NEVER = never over), and USED_KB, the memory that
 * the job uses in all or -1. Returns 0, or -1 with errno ENOMEM, or EPROTO and ERROR
 * set where the job is in no state for the action.
 */
int lxfw_progress_act(struct lxfw_progress *progress, struct lxfw_ends *ends,
		      const struct lxfw_action *action, int64_t now,
		      int64_t run, int64_t used_kb, struct lxfw_error *error);

/* Whether END is the end of its job, which has not left and not been moved. */
bool lxfw_progress_holds(const struct lxfw_progress *progress,
			 const struct lxfw_end *end);

#endif
