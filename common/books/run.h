/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Start, resize, suspend, resume and requeue a job. Each function appends an action and
 * updates the run times of the job. Callers update its claim in the profile, the counts
 * of running jobs and the expected end, where the function does not.
 */
#ifndef LXFW_BOOKS_RUN_H
#define LXFW_BOOKS_RUN_H

#include "common/books/books.h"

/* Start a waiting job now on the first COUNT of sched->found. UNTIL is the end of its
   quantum, or LXFW_NEVER for a start without a quantum. Returns 0, or -1 with errno
   ENOMEM; the job still waits then. */
int lxfw_job_start(struct lxfw_sched *sched, int32_t job, int32_t count,
		   int32_t host_set, int64_t until);

/* Change the processors of a running job on one host to PROCS (1 or more). Its expected
   remaining time changes in inverse proportion. Returns 0, or -1 with errno ENOMEM. */
int lxfw_job_resize(struct lxfw_sched *sched, int32_t job, int32_t procs);

/* Suspend a running job. It keeps SHARES, which have no processors. Returns 0, or -1 with
   errno ENOMEM. */
int lxfw_job_suspend(struct lxfw_sched *sched, int32_t job,
		     const struct lxfw_share *shares, int32_t count);

/* Resume a job on SHARES, on the hosts on which it was suspended. Returns 0, or -1 with
   errno ENOMEM. */
int lxfw_job_resume(struct lxfw_sched *sched, int32_t job,
		    const struct lxfw_share *shares, int32_t count);

/* Requeue a job. Its work is lost and its claim is removed. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_job_requeue(struct lxfw_sched *sched, int32_t job);

#endif
