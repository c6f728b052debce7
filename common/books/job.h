/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job in the books. */
#ifndef LXFW_BOOKS_JOB_H
#define LXFW_BOOKS_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"

enum lxfw_job_state {
	LXFW_JOB_FREE,		/* slot not in use */
	LXFW_JOB_WAITING,	/* in its class */
	LXFW_JOB_REFUSED,	/* waits in the list of refused jobs */
	LXFW_JOB_ASSIGNED,	/* waits on a host for processors (EQspatial) */
	LXFW_JOB_RUNNING,
};

struct lxfw_job {
	enum lxfw_job_state state;
	int32_t class;		/* while waiting */
	int32_t next, previous;	/* in its class, the refused, or free slots */
	int32_t claim;		/* running: in the profile */
	int32_t reservation;	/* position in `reservations`, or -1 */
	int64_t bypassed;	/* lower-priority jobs started ahead of it; while
				   it waits in a class, those of the class come on
				   top */
	struct lxfw_request request;	/* of a job that the books first saw
					   running only the id is known */
	bool announced;		/* its last action was a reservation */
	bool nowhere;		/* waiting: the last try to reserve for it found no
				   time at which it could start */
	int64_t start;		/* running: since when, this time */
	int64_t continued;	/* running: since when without interruption */
	int64_t ran;		/* running: seconds before that */
	int64_t paused;		/* suspended since its start, seconds, while it
				   runs */
	int32_t suspensions;	/* for others' quanta since its start */
	int64_t expected_end;	/* running; moves when it is past `due` */
	int64_t due;		/* the expected end as decided or told */
	int64_t refused_until;
	int64_t priority;	/* the workload manager's own */
	int64_t delay;		/* seconds: orders take it as submitted later */
	int32_t quantum;	/* running: the quantum that it runs in or is a
				   victim of, or -1 */
	int32_t runner;		/* private to quantum.c */
	bool served;		/* has had its quantum */
	bool stopped;		/* running, but told to have no processors: somebody
				   else has suspended it */
	/* The shares of a job that was suspended at the end of its quantum: while
	   it waits it has all of them but the processors. NULL for others. */
	struct lxfw_share *kept;
	int32_t kept_count;
};

/* When the job began to wait, as orders count it. */
static inline int64_t lxfw_job_since(const struct lxfw_job *job)
{
	return job->request.submit + job->delay;
}

#endif
