/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that were suspended at the end of their quantum and wait on their hosts. */
#ifndef LXFW_PASS_SUSPENDED_H
#define LXFW_PASS_SUSPENDED_H

#include "common/books/books.h"

/* Suspend a running job with these shares and queue it. Returns 0, or -1 with errno
   ENOMEM; the job is still running then. The caller updates the counts of running and
   waiting jobs. */
int lxfw_suspended_begin(struct lxfw_sched *sched, int32_t job,
			 const struct lxfw_share *shares, int32_t count);

/* The workload manager refused to resume the job. It keeps its memory and extras
   again. */
void lxfw_suspended_refused(struct lxfw_sched *sched, int32_t job);

/* As lxfw_place_now(), on the job's hosts; the shares found have processors only. As
   lxfw_place_earliest(), on the job's hosts, or on others if the start is earlier
   there. */
int32_t lxfw_suspended_now(struct lxfw_sched *sched, int32_t job);
int32_t lxfw_suspended_earliest(struct lxfw_sched *sched, int32_t job,
				int64_t *start, int32_t *host_set);

/* Whether the job may only resume on its hosts: the policy preempts, and they are up. */
bool lxfw_suspended_stays(const struct lxfw_sched *sched, int32_t job);

/* Remove what suspended jobs keep from the profile, and restore it. In between, the earliest
   start of JOB is found as if they kept nothing; what cannot matter to it may remain. Then they
   may resume where they are in the way of the reservation (lxfw_suspended_now), since only their
   end frees what they keep. lxfw_suspended_aside() returns 0, or -1 with errno ENOMEM and nothing
   changed. */
int lxfw_suspended_aside(struct lxfw_sched *sched, int32_t job);
void lxfw_suspended_back(struct lxfw_sched *sched);

/* Whether a job that keeps resources on COUNT hosts of SHARES is in the way of a
   reservation of another job: that one needs what the job keeps, or the whole host. */
bool lxfw_suspended_hinders(const struct lxfw_sched *sched,
			    const struct lxfw_share *shares, int32_t count);

/* Resume the job now. Returns 0, or -1 with errno ENOMEM; the job still waits then. */
int lxfw_suspended_resume(struct lxfw_sched *sched, int32_t job);

/* Requeue the job with the loss of its work, because it is about to start on COUNT shares
   elsewhere. Returns 0, with the memory allocated that the start needs, or -1 with errno
   ENOMEM. */
int lxfw_suspended_leave(struct lxfw_sched *sched, int32_t job, int32_t count);

/* Requeue suspended jobs until sched->stuck can start at some time, so that the pass can
   be run again. If they are not the reason why it cannot start, sched->suspended is set
   to 0 for the rest of the decision. Returns 0, or -1 with errno ENOMEM. */
int lxfw_suspended_make_way(struct lxfw_sched *sched);

/* Count the classes of suspended jobs, at the beginning of a decision. */
void lxfw_suspended_count(struct lxfw_sched *sched);

/* Requeue all suspended jobs, for a policy that does not support them. Returns 0, or -1
   with errno ENOMEM. */
int lxfw_suspended_end(struct lxfw_sched *sched);

#endif
