/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job of the scheduler. */
#ifndef LXFW_BOOKS_JOB_H
#define LXFW_BOOKS_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"

enum lxfw_job_state {
	LXFW_JOB_FREE,		/* unused slot */
	LXFW_JOB_WAITING,	/* waits in its class */
	LXFW_JOB_MEMBER,	/* waits as a job of a group, in no list: the first job
				   of the group is in a class, or jobs are missing */
	LXFW_JOB_REFUSED,	/* waits in the list of refused jobs */
	LXFW_JOB_ASSIGNED,	/* waits on a host for processors (EQspatial) */
	LXFW_JOB_RUNNING,
};

struct lxfw_job {
	enum lxfw_job_state state;
	int32_t class;		/* while waiting */
	int32_t next, previous;	/* in the class, the list of refused jobs, or the list of
				   free slots */
	int32_t group;		/* index in `groups`, or -1 */
	int32_t group_next;	/* the job of the group with the next id, or -1 */
	int32_t eligible;	/* of a group: lxfw_place_eligible() */
	int32_t claim;		/* running: claim in the profile */
	int32_t reservation;	/* index in `reservations`, or -1 */
	int64_t bypassed;	/* number of jobs of lower priority that started before
				   it; while it waits in a class, `bypassed` of the class
				   is added */
	struct lxfw_request request;	/* only the id is known of a job that was first
					   seen running */
	bool announced;		/* its last action was a reservation */
	uint8_t probed;		/* enum lxfw_probed */
	bool nowhere;		/* waiting: the last attempt to reserve found no time at
				   which it could start */
	int64_t start;		/* running: time of its start */
	int64_t continued;	/* running: time since which it has run without
				   interruption */
	int64_t ran;		/* running: run time before that, seconds */
	int64_t paused;		/* running: time suspended since its start, seconds */
	int32_t suspensions;	/* since its start, for quanta of other jobs */
	int64_t expected_end;	/* running; extended when the job runs past `due` */
	int64_t due;		/* expected end as decided or reported */
	int64_t refused_until;
	int64_t priority;	/* the workload manager's priority */
	int64_t place;		/* in a list (order/list.h), counted from its end; 0: not
				   in it */
	int64_t delay;		/* seconds by which orders treat it as submitted later */
	int32_t quantum;	/* running: the quantum that it has or is suspended for,
				   or -1 */
	int32_t runner;		/* private to common/service */
	bool served;		/* it has had its quantum */
	bool stopped;		/* running, but reported without processors: it was
				   suspended by others */
	/* Shares of a job that was suspended at the end of its quantum. It keeps them
	   while it waits, except the processors. NULL for other jobs. */
	struct lxfw_share *kept;
	int32_t kept_count;
	bool released;		/* suspended: it keeps nothing on its hosts, and needs all
				   of its shares to resume */
};

/* The time since which a job waits, for orders. */
static inline int64_t lxfw_job_since(const struct lxfw_job *job)
{
	return job->request.submit + job->delay;
}

#endif
