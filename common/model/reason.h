/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why the scheduler does not start a job that waits, as the workload manager states it. The
 * list is fixed: a journal contains the number of a reason, and no text of users.
 *
 * The numbers are those of the journal. New reasons are added at the end of a part, in the
 * room that it has left.
 */
#ifndef LXFW_MODEL_REASON_H
#define LXFW_MODEL_REASON_H

#include <stdbool.h>

enum lxfw_reason {
	LXFW_REASON_NONE = 0,	/* nothing keeps the job, or the reason is not known */

	/* The job is not eligible. */
	LXFW_REASON_OTHER = 1,	/* for a reason that is not in this list */
	LXFW_REASON_HELD_BY_USER,
	LXFW_REASON_HELD,	/* by an operator, or by the workload manager */
	LXFW_REASON_HELD_NO_HOSTS,	/* no hosts can run it, as the workload manager found */
	LXFW_REASON_HELD_FAILED,	/* it failed to start, or was requeued too often */
	LXFW_REASON_DEPENDENCY,
	LXFW_REASON_DEPENDENCY_NEVER,	/* it cannot be met any more */
	LXFW_REASON_BEGIN_TIME,
	LXFW_REASON_LIMIT,	/* of its user, account, QOS, group, project or queue */
	LXFW_REASON_LIMIT_QOS,
	LXFW_REASON_LIMIT_ACCOUNT,	/* of an association */
	LXFW_REASON_LIMIT_TASKS,	/* of running tasks of its array */
	LXFW_REASON_LIMIT_QUEUE,	/* of its partition or queue */
	LXFW_REASON_ACCOUNT,	/* its account or QOS does not permit jobs */
	LXFW_REASON_LICENSES,	/* in use, and not known to the scheduler */
	LXFW_REASON_QUEUE_STOPPED,	/* its partition or queue starts no jobs */
	LXFW_REASON_CLOSED,	/* dedicated time, or not the prime time of its queue */
	LXFW_REASON_RESERVATION,	/* its advance reservation has not begun, or is gone */
	LXFW_REASON_BUFFER,	/* its burst buffer or files are being prepared */
	LXFW_REASON_CLEANING,	/* its last run is being cleaned up */
	LXFW_REASON_PRIORITY,	/* its priority is too low for a start */
	LXFW_REASON_TOGETHER,	/* a component that starts with it is not eligible */
	LXFW_REASON_DEADLINE,	/* it could not end before its deadline */
	LXFW_REASON_CHANGED,	/* it changed when it was to start, and is read again */
	LXFW_REASON_LATER,	/* it has not been examined yet */
	LXFW_REASON_REQUEST,	/* the scheduler cannot represent its request, and no other
				   one starts it */
	LXFW_REASON_ELSEWHERE,	/* another cluster or scheduler has it */
	LXFW_REASON_LIMIT_MEMORY,	/* of its partition or queue, for each host */
	LXFW_REASON_QUEUE_UNFIT,	/* its partition or queue has no such hosts */

	/* The job is eligible, but the workload manager is left to start it. */
	LXFW_REASON_LEFT = 64,	/* for a reason that is not in this list */
	LXFW_REASON_LEFT_CONTIGUOUS,	/* it requests consecutive hosts */
	LXFW_REASON_LEFT_SWITCHES,	/* a number of network switches */
	LXFW_REASON_LEFT_RESERVATION,	/* hosts of an advance reservation */
	LXFW_REASON_LEFT_BUFFER,	/* a burst buffer */
	LXFW_REASON_LEFT_CORES,		/* cores for the system */
	LXFW_REASON_LEFT_EXPANDS,	/* to enlarge another job */
	LXFW_REASON_LEFT_FEATURES,	/* a choice or a number of features */
	LXFW_REASON_LEFT_GROUP,		/* a start with others, which the policy cannot make */
	LXFW_REASON_LEFT_LIMIT,		/* a limit counts the hosts that it would share */
	LXFW_REASON_LEFT_REQUEST,	/* the scheduler cannot represent its request */
	LXFW_REASON_LEFT_NO_PLACE,	/* according to the scheduler it fits nowhere */
	LXFW_REASON_LEFT_REFUSED,	/* its starts were refused repeatedly */
	LXFW_REASON_LEFT_PREEMPTS,	/* the workload manager has preempted jobs for it */
	LXFW_REASON_LEFT_USER,	/* it shares hosts with jobs of its own user only */

	/* The scheduler decided to start the job, and the workload manager did not. */
	LXFW_REASON_REFUSED = 128,	/* for a reason that is not in this list */
	LXFW_REASON_REFUSED_IN_USE,	/* more of the hosts is in use than decided */
	LXFW_REASON_REFUSED_CLEANING,	/* the hosts are being cleaned up after other jobs */
	LXFW_REASON_REFUSED_HOSTS,	/* the job cannot start on these hosts */
	LXFW_REASON_REFUSED_LICENSES,
	LXFW_REASON_REFUSED_GROUP,	/* another job that starts with it was not started */
	LXFW_REASON_REFUSED_KEPT,	/* jobs could not be preempted for it */
	LXFW_REASON_REFUSED_QUANTUM,	/* it cannot have a quantum now */
	LXFW_REASON_REFUSED_LATE,	/* it did not start in time */
	LXFW_REASON_REFUSED_SHADOW,	/* another scheduler starts the jobs */
	LXFW_REASON_REFUSED_LIMIT,	/* of its user, account or QOS */
	LXFW_REASON_REFUSED_ELSEWHERE,	/* another cluster has it */
};

/* What a limit counts. */
enum lxfw_limited {
	LXFW_LIMITED_UNKNOWN = 0,
	LXFW_LIMITED_JOBS,
	LXFW_LIMITED_PROCS,
	LXFW_LIMITED_MEMORY,
	LXFW_LIMITED_HOSTS,
	LXFW_LIMITED_GPUS,	/* generic resources */
	LXFW_LIMITED_LICENSES,
	LXFW_LIMITED_TIME,	/* time limits, also times processors or others */
	LXFW_LIMITED_OTHER,
	LXFW_LIMITEDS,		/* their number */
};

enum lxfw_reason_part {
	LXFW_REASONS_NONE,	/* LXFW_REASON_NONE only */
	LXFW_REASONS_INELIGIBLE,
	LXFW_REASONS_LEFT,
	LXFW_REASONS_REFUSED,
	LXFW_REASONS_UNKNOWN,	/* not a number of this list */
};

/* The part of the list to which number REASON belongs. */
enum lxfw_reason_part lxfw_reason_part(int reason);

/* The name of a reason: "held_by_user". Letters and '_' only; NULL for other numbers. */
const char *lxfw_reason_name(int reason);

/* What a limit counts: "processors". */
const char *lxfw_limited_name(enum lxfw_limited limited);

/* The number of names of a part, for tables: lxfw_reason_at(PART, 0) is its first reason. */
int lxfw_reason_count(enum lxfw_reason_part part);
enum lxfw_reason lxfw_reason_at(enum lxfw_reason_part part, int index);

#endif
