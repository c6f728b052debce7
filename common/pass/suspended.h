/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that are suspended at the end of their quantum wait on their hosts. */
#ifndef LXFW_PASS_SUSPENDED_H
#define LXFW_PASS_SUSPENDED_H

#include "common/books/books.h"

/* A running job is suspended with these shares and waits. 0, or -1 with errno ENOMEM,
   the job running; the caller takes it off what counts running jobs. */
int lxfw_suspended_begin(struct lxfw_sched *sched, int32_t job,
			 const struct lxfw_share *shares, int32_t count);

/* Its resumption was refused: it has what it keeps again. */
void lxfw_suspended_refused(struct lxfw_sched *sched, int32_t job);

/* As lxfw_place_now() for such a job, on its hosts; found are its processors alone. As
   lxfw_place_earliest(), there or, if that is earlier, anywhere else. */
int32_t lxfw_suspended_now(struct lxfw_sched *sched, int32_t job);
int32_t lxfw_suspended_earliest(struct lxfw_sched *sched, int32_t job,
				int64_t *start, int32_t *host_set);

/* It goes on now. 0, or -1 with errno ENOMEM, the job still waiting. */
int lxfw_suspended_resume(struct lxfw_sched *sched, int32_t job);

/* It is about to start on COUNT shares elsewhere: it gives up what it keeps, its work
   is lost. 0 with all the room that the start needs made, or -1 with errno ENOMEM. */
int lxfw_suspended_leave(struct lxfw_sched *sched, int32_t job, int32_t count);

/* Put suspended jobs back in the queue so that sched->stuck can start some day, and
   the pass be begun again. Where they are not what keeps it from starting they may
   stay, and sched->suspended is 0 for the rest of the decision. 0, or -1 with errno
   ENOMEM. */
int lxfw_suspended_make_way(struct lxfw_sched *sched);

/* Count them anew, at the beginning of a decision. */
void lxfw_suspended_count(struct lxfw_sched *sched);

/* Put all back in the queue: the policy knows no such jobs. 0, or -1 with errno
   ENOMEM. */
int lxfw_suspended_end(struct lxfw_sched *sched);

#endif
