/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Job classes with limits and priorities per host, as NCSA-LSF* (Chiang and
   Vernon 2001, section 2.1). */
#include "common/policy/books.h"

int lxfw_job_classes_pass(struct lxfw_sched *sched)
{
	return lxfw_pass(sched);
}

void lxfw_job_classes_left(struct lxfw_sched *sched, int32_t job)
{
	(void)sched;
	(void)job;
}

int64_t lxfw_job_classes_wake(const struct lxfw_sched *sched)
{
	(void)sched;
	return LXFW_NEVER;
}

void lxfw_job_classes_clear(struct lxfw_sched *sched)
{
	(void)sched;
}
