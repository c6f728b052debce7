/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a policy that preempts running jobs (preemption.h): which jobs may be preempted
   in a pass, and when others may be. */
#ifndef LXFW_PASS_PREEMPTING_H
#define LXFW_PASS_PREEMPTING_H

#include "common/books/books.h"
#include "common/pass/preemption.h"

struct lxfw_preempting {
	struct lxfw_preemption preemption;
	int64_t again;		/* a waiting job may preempt another one from then on */
};

/* For `begin` and `end` of the policy. lxfw_preempting_begin() returns 0, or -1 with errno
   ENOMEM. */
int lxfw_preempting_begin(struct lxfw_sched *sched);
void lxfw_preempting_end(struct lxfw_sched *sched);

/* The state, after lxfw_preempting_begin(). */
struct lxfw_preempting *lxfw_preempting_of(const struct lxfw_sched *sched);

/* At the beginning of a pass: collect the jobs that run before it, since one that starts or
   resumes in a pass is not preempted in it. PRIORITY as of lxfw_preemption_collect(). Returns
   0, or -1 with errno ENOMEM. */
int lxfw_preempting_collect(struct lxfw_sched *sched,
			    double (*priority)(const struct lxfw_sched *sched,
					       const struct lxfw_job *job));

/* Whether the job neither preempts others nor waits for its priority alone. */
bool lxfw_preempting_cannot(const struct lxfw_job *job);

/* For `make_room`: start or resume JOB, which has PRIORITY, in the place of others. Returns as
   lxfw_preemption_for(). */
int32_t lxfw_preempting_make_room(struct lxfw_sched *sched, int32_t job, double priority);

/* For `sift` and `is_sifted`. PRIORITY is that of a waiting job, as for `make_room`. */
int lxfw_preempting_sift(struct lxfw_sched *sched, int32_t reserved,
			 double (*priority)(const struct lxfw_sched *sched,
					    const struct lxfw_job *job));
bool lxfw_preempting_is_sifted(struct lxfw_sched *sched, int32_t job, double priority);

#endif
