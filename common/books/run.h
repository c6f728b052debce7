/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that may be done to a job that runs or is to: each appends its action, and keeps
 * what the books know of the job's run. What the job holds in the profile, whether it
 * counts as running and when it is expected to end is its caller's, where it differs.
 */
#ifndef LXFW_BOOKS_RUN_H
#define LXFW_BOOKS_RUN_H

#include "common/books/books.h"

/* Start waiting JOB now on the first COUNT of sched->found, for a quantum that
   ends at UNTIL or, with LXFW_NEVER, for good. 0, or -1 with errno ENOMEM, the job
   still waiting. */
int lxfw_job_start(struct lxfw_sched *sched, int32_t job, int32_t count,
		   int32_t host_set, int64_t until);

/* Give a running job of one host PROCS processors (1 or more) from now on; it is
   expected to take as much longer or shorter. 0, or -1 with errno ENOMEM. */
int lxfw_job_resize(struct lxfw_sched *sched, int32_t job, int32_t procs);

/* The running job stops where it is and keeps SHARES, which have no processors. 0, or -1
   with errno ENOMEM. */
int lxfw_job_suspend(struct lxfw_sched *sched, int32_t job,
		     const struct lxfw_share *shares, int32_t count);

/* It continues on SHARES, where it was suspended. 0, or -1 with errno ENOMEM. */
int lxfw_job_resume(struct lxfw_sched *sched, int32_t job,
		    const struct lxfw_share *shares, int32_t count);

/* It stops and its work is lost: it holds nothing any more. 0, or -1 with errno
   ENOMEM. */
int lxfw_job_requeue(struct lxfw_sched *sched, int32_t job);

#endif
